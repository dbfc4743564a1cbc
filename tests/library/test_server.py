"""A library whose vectors are in Chroma's own server: the real one, killed and started again."""

from contextlib import closing

import pytest

from core.library import Library, LibraryError
from core.library.store import VARIABLE
from tests.support.libraries import one_chapter
from tests.support.pdfs import make_pdf

PLANTS = "Photosynthesis is how green plants make food. The green substance in the leaves is called chlorophyll."
SOUND = "Sound needs a medium to travel. It cannot travel through a vacuum."


def found(library, models, words):
    return [(p.id, round(c, 5)) for p, c in library.nearest(models.embedder.encode([words])[0], 2)]


def test_all_see_one_index_it_outlives_a_kill_and_the_folder_has_its_own(server, models, tmp_path, monkeypatch):
    home, asked = tmp_path / "home", "the green substance chlorophyll"
    with one_chapter(home, models, PLANTS) as library:
        before = found(library, models, asked)
    monkeypatch.setenv(VARIABLE, server.address)
    with closing(Library(home, models.embedder, words=30)) as first:
        assert found(first, models, asked) == before
        with closing(Library(home, models.embedder, words=30)) as second:
            second.ingest(make_pdf(SOUND), "sound.pdf")
            both = found(first, models, "sound vacuum")
            assert {id_.partition(":")[0] for id_, _ in both} == {d.id for d in second.documents()}
        server.kill()
        first.ingest(make_pdf("Iron rusts in damp air."), "iron.pdf")  # what is stored is confirmed without the index
        for ask in (lambda: found(first, models, asked), lambda: Library(home, models.embedder)):
            with pytest.raises(LibraryError, match=f"Chroma server at {server.address} does not answer; start it"):
                ask()
        server.start()
        assert found(first, models, asked)[0] == before[0] and found(first, models, "sound vacuum") == both
        assert [d.name for d in first.documents()] == ["plants.pdf", "sound.pdf", "iron.pdf"]
        assert first.passage(found(first, models, "iron rusts")[0][0]).document == "iron.pdf"
    monkeypatch.setenv(VARIABLE, "here")
    with closing(Library(home, models.embedder, words=30)) as back:
        assert found(back, models, asked)[0] == before[0] and len(back.documents()) == 3 and not back.index.was_built


def test_what_is_no_address_is_one_sentence(models, tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, "localhost:8000")
    with pytest.raises(LibraryError, match="must be the address of a Chroma server"):
        Library(tmp_path / "home", models.embedder)
