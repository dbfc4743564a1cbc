"""A home is checked part by part, what can be made anew is, and a backup gives all of it back."""

import sqlite3
import stat
import zipfile
from contextlib import closing

import pytest

from core.__main__ import main
from core.banks.measured_bank import StoredTraces
from core.banks.saved import SavedBanks
from core.home.backup import BackupError, backup, restore
from core.home.health import check
from core.journal import Journal
from core.library import Library
from core.presets.saved import SavedPresets
from core.retrieval.retriever import Retriever
from core.thresholds import Preset
from tests.support.fake_models import WordEmbedder
from tests.support.journals import journal, make_trace, write  # noqa: F401 - fixtures
from tests.support.libraries import require_order
from tests.support.pdfs import make_pdf


@pytest.fixture
def home(tmp_path, write):  # noqa: F811
    """A home with something of every kind in it."""
    for number in range(2):
        write(f"What is an arithmetic progression, {number}?")
    library = Library(tmp_path, WordEmbedder())
    library.ingest(make_pdf("Light travels in straight lines."), "light.pdf")
    library.ingest(make_pdf("Sound needs a medium."), "sound.pdf")
    Retriever(library, None).snapshot()
    library.close()
    SavedBanks(tmp_path).replace("mine", [{"query": "What is sound?"}])
    SavedPresets(tmp_path).save(Preset(name="mine", help="Mine."))
    StoredTraces(tmp_path).use("a key", {"library": "one"})
    return tmp_path


def states(home):
    return {finding.part: finding.state for finding in check(home)}


PARTS = ("library", "journal.sqlite3", "measured.sqlite", "sets.sqlite", "bank mine", "preset mine")
WHOLE = dict.fromkeys(PARTS, "whole")


def test_a_home_in_which_all_can_be_read_is_whole(home, capsys):
    assert states(home) == WHOLE
    assert main(["home", "check", "--home", str(home)]) == 0
    assert "library: whole: 2 documents, 2 passages." in capsys.readouterr().out


def test_an_index_that_is_lost_or_says_something_else_is_made_anew(home):
    with closing(sqlite3.connect(home / "chroma" / "chroma.sqlite3")) as base:
        base.execute("DELETE FROM embeddings WHERE id = (SELECT min(id) FROM embeddings)")
        base.commit()
    assert states(home) == WHOLE | {"library": "mended"} and states(home) == WHOLE
    library = Library(home, WordEmbedder())
    (vector,) = library.embedder.encode(["A mirror is something else"])
    library.index._rows.update(ids=[library.passages()[0].id], embeddings=[vector])
    library.close()
    assert states(home) == WHOLE | {"library": "mended"} and states(home) == WHOLE
    again = Library(home, WordEmbedder())
    require_order(again, home)
    again.close()


def change(home, statement):
    with closing(sqlite3.connect(home / "library.sqlite3")) as base:
        base.execute(statement)
        base.commit()


BROKEN = {
    "document light.pdf": lambda home: change(home, "UPDATE files SET pdf = x'00' WHERE rowid = 1"),
    "library": lambda home: (home / "library.sqlite3").write_bytes(b"no database" * 1000),
    "bank mine": lambda home: (home / "banks" / "mine.jsonl").write_text("{no json"),
    "preset mine": lambda home: (home / "presets" / "mine.json").write_text("[]"),
    "journal.sqlite3": lambda home: (home / "journal.sqlite3").write_bytes(b"no database" * 1000),
    "sets.sqlite": lambda home: (home / "banks" / "sets.sqlite").write_bytes(b"no database" * 1000),
    "measured.sqlite": lambda home: (home / "banks" / "measured.sqlite").write_bytes(b"no database" * 1000),
}


@pytest.mark.parametrize("part", BROKEN)
def test_what_is_broken_is_named(home, journal, part, capsys):  # noqa: F811
    BROKEN[part](home)
    found = {f.part: f for f in check(home)}
    assert found[part].state == "broken" and found[part].sentence.endswith((".", ")"))
    assert {name for name, f in found.items() if f.state != "whole"} == {part}
    assert main(["home", "check", "--home", str(home)]) == 1


def test_a_backup_taken_while_the_app_runs_gives_everything_back(home, journal, write, tmp_path_factory):  # noqa: F811
    away = tmp_path_factory.mktemp("away")
    running = Library(home, WordEmbedder())
    with journal._file.writing() as connection:  # somebody is in the middle of a decision
        connection.execute("UPDATE decisions SET question = 'half done'")
        backup(home, away / "kept.zip")
    assert stat.S_IMODE((away / "kept.zip").stat().st_mode) == 0o600
    with zipfile.ZipFile(away / "kept.zip") as kept:
        assert not any("words" in name for name in kept.namelist())
    write("What came after?")
    restore(away / "kept.zip", away / "new")
    assert states(away / "new") == WHOLE | {"library": "mended"} and states(away / "new") == WHOLE
    again = Library(away / "new", WordEmbedder())
    require_order(again, away / "new")
    assert again.version == running.version
    assert {d.question for d in Journal(away / "new").rows()} == {
        f"What is an arithmetic progression, {n}?" for n in range(2)
    }
    assert SavedBanks(away / "new").rows("mine") == SavedBanks(home).rows("mine")
    for library in (running, again):
        library.close()


def test_a_backup_that_is_none_makes_no_folder_and_overwrites_none(home, tmp_path_factory):
    away = tmp_path_factory.mktemp("away")
    with zipfile.ZipFile(away / "strange.zip", "w") as strange:
        strange.writestr("../outside", "x")
    backup(home, away / "kept.zip")
    (away / "cut.zip").write_bytes((away / "kept.zip").read_bytes()[:-200])
    for file, why in (("strange.zip", "is no backup"), ("cut.zip", "cannot be restored"), ("none.zip", "cannot be")):
        with pytest.raises(BackupError, match=why):
            restore(away / file, away / "new")
    with pytest.raises(BackupError, match="is not empty"):
        restore(away / "kept.zip", home)
    assert sorted(p.name for p in away.iterdir()) == ["cut.zip", "kept.zip", "strange.zip"]
