"""Whatever stops a writer, and wherever: what was there is there, what was not finished is not."""

import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from filelock import FileLock

from core.library import Library, LibraryError
from core.library.storage import Storage
from tests.support.fake_models import WordEmbedder
from tests.support.libraries import HEAT, LIGHT, SOUND, require_order


class Killed(BaseException):
    """Stands for the end of the process: nothing catches it, and nothing is tidied up."""


def die_at(monkeypatch, step):
    """The `step`th thing that a writer does on disk is not done, nor anything after it."""
    done = []

    def dying(function):
        def called(*args, **kwargs):
            done.append(function)
            if len(done) >= step:
                raise Killed
            return function(*args, **kwargs)

        return called

    for target in (
        "core.library.storage.write_whole", "core.library.passages.write_whole", "core.library.documents.write_whole",
        "core.library.vector_store.Collection.add", "core.library.vector_store.Collection.remove",
        "core.library.documents.Manifests.remove", "core.library.storage.WriteLog.end",
    ):  # fmt: skip
        module, _, name = target.rpartition(".")
        monkeypatch.setattr(target, dying(resolved(module, name)))
    monkeypatch.setattr(Storage, "_current_collection", lambda self: self._collection)


def resolved(module, name):
    import importlib

    try:
        return getattr(importlib.import_module(module), name)
    except ModuleNotFoundError:
        outer, _, inner = module.rpartition(".")
        return getattr(getattr(importlib.import_module(outer), inner), name)


@pytest.mark.parametrize("step", range(1, 10))
def test_a_writer_that_dies_at_any_step_leaves_the_old_or_the_new(home, embedder, monkeypatch, step):
    before = Library(home, embedder)
    before.ingest(HEAT, "heat.pdf")
    before.ingest(LIGHT, "chapter.pdf")
    with monkeypatch.context() as patch:
        die_at(patch, step)
        with pytest.raises(Killed):
            before.ingest(SOUND, "chapter.pdf")
        visible = {d.name for d in before.documents()}
    before.close()
    after = Library(home, embedder)
    require_order(after, home)
    assert visible == {d.name for d in after.documents()} == {"heat.pdf", "chapter.pdf"} and len(after.documents()) == 2
    after.ingest(SOUND, "chapter.pdf")
    require_order(after, home)
    assert {p.text for p in after.passages()} == {
        "Heat flows from hot to cold.",
        "Sound needs a medium. A drum vibrates.",
    }
    after.close()


def test_between_two_manifests_only_the_new_document_is_seen(library, home):
    old = library.ingest(LIGHT, "chapter.pdf").document
    copies = {path: path.read_bytes() for path in home.glob("*/" + old.id + ".*")}
    new = library.ingest(SOUND, "chapter.pdf").document
    manifest = home / "documents" / f"{new.id}.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"replaces": [old.id]}))
    for path, data in copies.items():
        path.write_bytes(data)
    assert [d.id for d in library.documents()] == [new.id] and {p.id[:16] for p in library.passages()} == {new.id}
    library.close()
    again = Library(home, library.embedder)
    require_order(again, home)
    again.close()


def test_an_index_that_was_being_saved_is_built_anew(library, home, embedder):
    for data, name in ((LIGHT, "light.pdf"), (SOUND, "sound.pdf")):
        library.ingest(data, name)
    library._storage._write_log.begin()
    library.close()
    torn = home / "chroma" / "a-segment" / "data_level0.bin"
    torn.parent.mkdir()
    torn.write_bytes(b"half of it")
    again = Library(home, embedder)
    assert not torn.exists()
    require_order(again, home)
    again.close()


def test_an_index_that_cannot_be_opened_is_built_anew(library, home, embedder, caplog):
    library.ingest(LIGHT, "light.pdf")
    library.close()
    (home / "chroma" / "chroma.sqlite3").write_bytes(b"no database" * 1000)
    again = Library(home, embedder)
    require_order(again, home)
    assert "cannot be opened and is built anew" in caplog.text
    again.close()


def _rows_lost(base):
    code = "import sqlite3, sys; b = sqlite3.connect(sys.argv[1]); b.execute('DELETE FROM embeddings'); b.commit()"
    subprocess.run([sys.executable, "-c", code, str(base)], check=True)


@pytest.mark.parametrize("harm", [lambda base: os.truncate(base, 20_000), _rows_lost], ids=["cut off", "rows lost"])
def test_an_index_that_breaks_while_it_is_open_is_mended_at_the_next_search(library, home, harm):
    for data, name in ((LIGHT, "light.pdf"), (SOUND, "sound.pdf")):
        library.ingest(data, name)
    query, ids = library.embedder.encode(["mirror"])[0], [p.id for p in library.passages()]
    harm(home / "chroma" / "chroma.sqlite3")
    for _ in range(2):
        assert library.nearest(query, 1)[0][0].document == "light.pdf" and len(library.vectors(ids)) == len(ids)
    require_order(library, home)


def test_a_lost_index_is_built_anew(library, home, embedder):
    library.ingest(LIGHT, "light.pdf")
    library.close()
    shutil.rmtree(home / "chroma")
    again = Library(home, embedder)
    require_order(again, home)
    again.close()


def test_vectors_of_another_model_are_never_taken_over(library, home):
    library.ingest(LIGHT, "light.pdf")
    library.close()
    shutil.rmtree(home / "chroma")
    with pytest.raises(LibraryError, match="was built with other embeddings"):
        Library(home, WordEmbedder("another"))


def test_a_library_that_is_in_order_is_opened_without_a_turn(library, home, embedder):
    library.ingest(LIGHT, "light.pdf")
    library.close()
    turns = (home / "turns.json").read_bytes()
    Library(home, embedder).close()
    assert (home / "turns.json").read_bytes() == turns


def test_documents_of_an_earlier_version_are_read_again(library, home, embedder):
    document = library.ingest(LIGHT, "light.pdf", class_number=8, subject="Physics").document
    library.close()
    for path in (home / "readings").iterdir():
        path.unlink()
    (home / "turns.json").unlink()
    manifest = home / "documents" / f"{document.id}.json"
    told = json.loads(manifest.read_text())
    del told["file"], told["replaces"]
    manifest.write_text(json.dumps(told | {"settings": {"words": 90, "reading": 1}}))
    again = Library(home, embedder)
    require_order(again, home)
    (found,) = again.documents()
    assert (found.name, found.class_number, found.subject) == ("light.pdf", 8, "Physics") and again.passages()
    again.close()


def test_a_lost_reading_is_read_again_and_without_its_pdf_named(library, home, embedder, caplog):
    light = library.ingest(LIGHT, "light.pdf").document
    library.ingest(SOUND, "sound.pdf")
    library.close()
    for path in (home / "readings").glob("*.npy"):
        path.unlink()
    (home / "files" / f"{light.id}.pdf").unlink()
    again = Library(home, WordEmbedder())
    assert "light.pdf has to be added again" in caplog.text and "sound.pdf has" not in caplog.text
    assert {p.document for p, _ in again.nearest(np.ones(256), 9)} >= {"sound.pdf"}
    again.close()


def test_a_forgotten_turn_makes_the_index_anew(library, home, embedder):
    library.ingest(LIGHT, "light.pdf")
    library.close()
    (home / "turns.json").write_bytes(bytes(9))
    again = Library(home, embedder)
    require_order(again, home)
    again.close()


def test_a_library_that_another_process_holds_on_to_is_refused(library, home, monkeypatch):
    monkeypatch.setattr("core.library.storage._PATIENCE", 0.1)
    with FileLock(home / "library.lock"), pytest.raises(LibraryError, match=r"held by another process for 0\.1 s"):
        library.ingest(LIGHT, "light.pdf")
