"""Whatever stops a writer, and wherever: what was there is there, what was not finished is not."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from filelock import FileLock

from core.home.health import check
from core.library import Library, LibraryError, library_documents
from core.library.store import NAME, Store, version_in
from core.library.vector_index import VectorIndex
from tests.support.fake_models import WordEmbedder
from tests.support.libraries import HEAT, LIGHT, SOUND, killed_at, require_order

CHROMA = "chroma/chroma.sqlite3"


STEPS = (
    (Store, "remove"), (Store, "add"), (Store, "_count_change"), (VectorIndex, "_record"), (VectorIndex, "_add"),
)  # fmt: skip


@pytest.mark.parametrize("step", range(1, 8))
def test_a_writer_that_dies_at_any_step_leaves_the_old_or_the_new(home, embedder, monkeypatch, step):
    """A book replaces another one, and the `step`th thing that its writer does is not done, nor anything after it."""
    before = Library(home, embedder)
    before.ingest(HEAT, "heat.pdf")
    before.ingest(LIGHT, "chapter.pdf")
    with killed_at(step, monkeypatch, STEPS) as done:
        before.ingest(SOUND, "chapter.pdf")
    is_confirmed = "_record" in done
    before.close()
    after = Library(home, embedder)
    require_order(after, home)
    new = "Sound needs a medium. A drum vibrates."
    assert {d.name for d in after.documents()} == {"heat.pdf", "chapter.pdf"} and len(after.documents()) == 2
    assert (new in {p.text for p in after.passages()}) == is_confirmed
    after.ingest(SOUND, "chapter.pdf")
    require_order(after, home)
    assert {p.text for p in after.passages()} == {"Heat flows from hot to cold.", new}
    after.close()


def test_an_index_that_was_being_changed_is_built_anew(library, home, embedder):
    for data, name in ((LIGHT, "light.pdf"), (SOUND, "sound.pdf")):
        library.ingest(data, name)
    library.index._record(None)
    library.close()
    torn = home / "chroma" / "a-segment" / "data_level0.bin"
    torn.parent.mkdir()
    torn.write_bytes(b"half of it")
    again = Library(home, embedder)
    assert not torn.exists() and again.index.was_built
    require_order(again, home)
    again.close()


@pytest.mark.parametrize("is_lost", [True, False])
def test_an_index_that_is_lost_or_cannot_be_opened_is_built_anew(library, home, embedder, caplog, is_lost):
    library.ingest(LIGHT, "light.pdf")
    library.close()
    shutil.rmtree(home / "chroma") if is_lost else (home / CHROMA).write_bytes(b"no database" * 1000)
    again = Library(home, embedder)
    require_order(again, home)
    assert ("cannot be opened and is built anew" in caplog.text) is not is_lost
    again.close()


def _rows_lost(base):
    code = "import sqlite3, sys; b = sqlite3.connect(sys.argv[1]); b.execute('DELETE FROM embeddings'); b.commit()"
    subprocess.run([sys.executable, "-c", code, str(base)], check=True)


@pytest.mark.parametrize("harm", [lambda base: os.truncate(base, 20_000), _rows_lost], ids=["cut off", "rows lost"])
def test_an_index_that_breaks_while_it_is_open_is_mended(library, home, harm):
    for data, name in ((LIGHT, "light.pdf"), (SOUND, "sound.pdf")):
        library.ingest(data, name)
    query = library.embedder.encode(["mirror"])[0]
    harm(home / CHROMA)
    for _ in range(2):
        assert library.nearest(query, 1)[0][0].document == "light.pdf"
    library.close()
    assert library.nearest(query, 1)[0][0].document == "light.pdf"
    require_order(library, home)


def test_an_index_with_other_vectors_is_noticed(library):
    library.ingest(LIGHT, "light.pdf")
    assert library.index.is_true()
    (vector,) = library.embedder.encode(["something else"])
    library.index._rows.update(ids=[library.passages()[0].id], embeddings=[vector])
    assert not library.index.is_true()
    library.index.build()
    assert library.index.is_true()


@pytest.mark.parametrize("has_index", [True, False])
def test_vectors_of_another_model_are_never_taken_over(library, home, has_index):
    library.ingest(LIGHT, "light.pdf")
    library.close()
    if not has_index:
        shutil.rmtree(home / "chroma")
    with pytest.raises(LibraryError, match="was built with other embeddings"):
        Library(home, WordEmbedder("another"))


def test_a_library_that_is_in_order_is_opened_without_a_change(library, home, embedder):
    library.ingest(LIGHT, "light.pdf")
    library.close()
    before = (home / NAME).read_bytes()
    again = Library(home, embedder)
    assert not again.index.was_built
    again.close()
    assert (home / NAME).read_bytes() == before


@pytest.mark.parametrize(("harm", "says"), [
    (lambda path: path.write_bytes(b"no database" * 1000), "not a database.*restore a backup, or move library.sqlite3 away"),
    (lambda path: _format(path, 99), "written by a newer version of this program"),
])  # fmt: skip
def test_a_file_that_is_none_of_ours_is_one_sentence(library, home, embedder, harm, says):
    library.ingest(LIGHT, "light.pdf")
    library.close()
    harm(home / NAME)
    with pytest.raises(LibraryError, match=says):
        Library(home, embedder)


def test_a_home_of_an_early_version_is_one_sentence_and_stays_as_it_is(home, embedder):
    for file in (home / "documents" / "0.json", home / "files" / "0.pdf"):
        file.parent.mkdir(parents=True)
        file.write_bytes(LIGHT)
    for opened in (lambda: Library(home, embedder), lambda: library_documents(home), lambda: version_in(home)):
        with pytest.raises(LibraryError, match=r"of an early version.*move its folders.*and add the PDFs again"):
            opened()
    (finding,) = check(home)
    assert finding.state == "broken" and "of an early version" in finding.sentence
    assert sorted(path.name for path in home.iterdir()) == ["documents", "files"]


def test_a_home_of_an_early_version_can_be_used_once_its_folders_are_moved_away(home, embedder, tmp_path):
    for folder in ("documents", "files", "readings"):
        (home / folder).mkdir(parents=True)
    (home / "files" / "0.pdf").write_bytes(LIGHT)
    (home / "chroma").mkdir()
    (home / "chroma" / "chroma.sqlite3").write_bytes(b"an index of that version")
    with pytest.raises(LibraryError, match="folders documents, files and readings elsewhere") as refused:
        Library(home, embedder)
    for folder in ("documents", "files", "readings"):
        assert folder in str(refused.value)
        (home / folder).rename(tmp_path / folder)
    library = Library(home, embedder)
    library.ingest((tmp_path / "files" / "0.pdf").read_bytes(), "light.pdf")
    require_order(library, home)
    library.close()


def _format(path, number):
    with closing(sqlite3.connect(path)) as base:
        base.execute(f"PRAGMA user_version = {number}")


def test_an_index_that_another_process_holds_on_to_is_refused(library, home, monkeypatch):
    library.ingest(LIGHT, "light.pdf")
    monkeypatch.setattr("core.library.vector_index._PATIENCE", 0.1)
    with FileLock(home / "chroma.lock"), pytest.raises(LibraryError, match=r"used by another process for 0\.1 s"):
        library.nearest(library.embedder.encode(["mirror"])[0], 1)
