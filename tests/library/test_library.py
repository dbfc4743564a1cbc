"""What goes into a library, comes out of it, and never half."""

import threading

import numpy as np
import pytest

from core.library import Library, LibraryError
from tests.support.fake_models import WordEmbedder
from tests.support.libraries import LIGHT, SOUND, TABLES, files, indexed
from tests.support.pdfs import make_pdf


class Broken(WordEmbedder):
    """Fails at the second batch."""

    def encode(self, texts):
        if getattr(self, "called", False):
            raise RuntimeError("out of memory")
        self.called = True
        return super().encode(texts)


def test_a_new_library_is_empty(library):
    assert library.documents() == () and library.passages() == ()
    assert library.nearest(np.ones(256), 3) == []


def test_a_document_goes_in_with_all_that_is_said_of_it(library):
    found = library.ingest(LIGHT, "light.pdf", class_number=8, subject="Science", chapter=3)
    document = found.document
    assert found.added and library.documents() == (document,)
    assert document.name == "light.pdf"
    assert (document.class_number, document.subject, document.chapter) == (8, "Science", "3")
    assert (document.pages, document.passages) == (2, len(library.passages()))
    assert document.settings["words"] == 90
    assert library.pdf(document.id) == LIGHT


def test_a_name_of_ncert_fills_in_what_is_not_said(library):
    document = library.ingest(LIGHT, "jesc110.pdf", chapter="9").document
    assert (document.class_number, document.subject, document.chapter) == (10, "Science", "9")
    assert library.passages()[0].subject == "Science"


def test_the_same_pdf_twice_adds_nothing(library):
    first = library.ingest(LIGHT, "light.pdf")
    version, passages = library.version, library.passages()
    again = library.ingest(LIGHT, "another_name.pdf", subject="Art")
    assert not again.added and again.document == first.document
    assert library.version == version and library.passages() is passages


def test_a_library_opened_again_is_the_same(library, home, embedder):
    library.ingest(LIGHT, "light.pdf")
    library.ingest(SOUND, "sound.pdf")
    before = (library.version, library.documents(), library.passages())
    library.close()
    again = Library(home, embedder)
    assert (again.version, again.documents(), again.passages()) == before
    again.close()


def test_removal_takes_everything_of_a_document(library, home):
    light = library.ingest(LIGHT, "light.pdf").document
    sound = library.ingest(SOUND, "sound.pdf").document
    library.remove(light.id)
    assert library.documents() == (sound,)
    assert {p.document for p in library.passages()} == {"sound.pdf"}
    assert files(home) == [f"{sound.id}.{ending}" for ending in TABLES]
    assert library.ingest(LIGHT, "light.pdf").added


def test_what_the_library_does_not_hold_is_said(library):
    for ask in (library.remove, library.document, library.pdf, library.passage, lambda id_: library.vectors([id_])):
        with pytest.raises(LibraryError, match=r"holds no (document|passage) 'unknown'"):
            ask("unknown")


def test_an_embedder_that_fails_leaves_nothing_behind(home):
    library = Library(home, Broken())
    long = make_pdf("\n".join(f"Sentence number {n} speaks of the light of the sun." for n in range(500)))
    with pytest.raises(RuntimeError, match="out of memory"):
        library.ingest(long, "long.pdf")
    assert files(home) == [] and library.passages() == ()
    library.close()


def test_a_listener_that_stops_the_work_leaves_nothing_behind(library, home):
    def stop(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        library.ingest(LIGHT, "light.pdf", progress=stop)
    assert files(home) == []


def test_a_failing_disk_leaves_nothing_behind(library, home, monkeypatch):
    def full(store):
        raise OSError("no space left")

    monkeypatch.setattr("core.library.store.Store._count_change", full)
    with pytest.raises(LibraryError, match="no space"):
        library.ingest(LIGHT, "light.pdf")
    monkeypatch.undo()
    assert files(home) == [] and library.passages() == () and library.ingest(LIGHT, "light.pdf").added


def test_the_version_follows_the_content(library):
    empty = library.version
    light = library.ingest(LIGHT, "light.pdf").document
    with_light = library.version
    library.remove(light.id)
    assert empty == library.version != with_light


def test_passages_are_kept_until_the_library_changes(library):
    library.ingest(LIGHT, "light.pdf")
    before = library.passages()
    assert library.passages() is before and library.passage(before[0].id) is before[0]
    library.ingest(SOUND, "sound.pdf")
    assert library.passages()[: len(before)] == before and len(library.passages()) == len(before) + 1


def test_the_size_of_passages_is_a_setting(home, embedder):
    small = Library(home, embedder, words=5)
    document = small.ingest(LIGHT, "light.pdf").document
    assert document.settings["words"] == 5 and document.passages == 3
    small.close()


def test_the_space_is_cosine(library):
    assert library.index._rows.configuration["hnsw"]["space"] == "cosine"


def test_an_index_in_another_space_is_built_anew(library):
    library.ingest(LIGHT, "light.pdf")
    found, index = library.nearest(np.ones(256, np.float32), 3), library.index
    stored = index._rows.get(include=["embeddings", "metadatas"])
    index._client.delete_collection(index._name)
    other = index._client.create_collection(index._name, configuration={"hnsw": {"space": "l2"}})
    other.add(ids=stored["ids"], embeddings=stored["embeddings"], metadatas=stored["metadatas"])
    index.close()
    assert library.nearest(np.ones(256, np.float32), 3) == found
    assert index._rows.configuration["hnsw"]["space"] == "cosine"


def test_a_home_that_cannot_be_used_is_refused(tmp_path, embedder):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(LibraryError, match="cannot hold a library"):
        Library(tmp_path / "file", embedder)


def test_a_class_that_does_not_exist_is_refused(library):
    with pytest.raises(LibraryError, match="must be from 1 to 12, got 13"):
        library.ingest(LIGHT, "light.pdf", class_number=13)


def test_sessions_share_one_library(library):
    texts = [make_pdf(f"Sentence {n} speaks of light.", f"Page two of {n} speaks of sound.") for n in range(6)]
    errors = []

    def session(data, name):
        try:
            library.ingest(data, name)
            library.nearest(library.embedder.encode(["light"])[0], 3)
        except Exception as error:
            errors.append(error)

    work = [(data, f"{n}.pdf") for n, data in enumerate(texts)] * 2
    threads = [threading.Thread(target=session, args=args) for args in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == [] and len(library.documents()) == 6
    assert len({p.id for p in library.passages()}) == len(library.passages()) == len(indexed(library))
