"""The file: shared by processes, whole after every kill, and one sentence when it is broken or of another hand."""

import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from core.journal import Filter, Journal, JournalError, journal_file
from core.platform import sqlite_file as shared_file
from tests.journal.writers import ROOT, WRITE, Writer, in_order


def test_a_decision_is_on_the_disk_before_it_is_said_to_be_written(tmp_path):
    with journal_file.JournalFile(tmp_path).writing() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_a_kill_within_a_transaction_leaves_nothing_of_it(tmp_path):
    die = "import core.journal.journal as j, os, signal\nj.delete_expired = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
    done = subprocess.run(
        [sys.executable, "-c", die + WRITE, str(tmp_path), "lost", "1"], cwd=ROOT, capture_output=True
    )
    assert done.returncode == -9 and done.stdout == b""
    in_order(tmp_path, {"lost": 0})
    assert Journal(tmp_path).rows() == []


def test_a_kill_while_the_file_is_made_leaves_a_file_that_can_be_made(tmp_path):
    die = "import core.journal.journal_file as f, os, signal\nf._SCHEMA += 'SELECT die();'\n"
    die += "import core.platform.sqlite_file as p\nc = p._connect\ndef new(*about):\n    made = c(*about)\n    made.create_function('die', 0, lambda: os.kill(os.getpid(), 9))\n    return made\np._connect = new\n"
    done = subprocess.run(
        [sys.executable, "-c", die + WRITE, str(tmp_path), "lost", "1"], cwd=ROOT, capture_output=True
    )
    assert done.returncode == -9, done.stderr
    with Writer(tmp_path, "next") as writer:
        writer.hear(3)
        writer.kill()
    in_order(tmp_path, {"next": writer.said})


def test_processes_that_write_at_the_same_time_lose_nothing(tmp_path):
    with Writer(tmp_path, "one", 40) as one, Writer(tmp_path, "two", 40) as two:
        journal = Journal(tmp_path)
        while one.process.poll() is None or two.process.poll() is None:
            assert len(journal.rows()) <= 80
        for writer in (one, two):
            writer.hear(40)
            assert writer.process.returncode == 0
    in_order(tmp_path, {"one": 40, "two": 40})
    numbers = [row.id for row in journal.rows()]
    assert sorted(numbers) == list(range(1, 81))


def test_threads_share_a_journal(journal, write):
    threads = [threading.Thread(target=write, args=(f"Question {n}?",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {row.question for row in journal.rows()} == {f"Question {n}?" for n in range(8)}


def test_reading_does_not_wait_for_a_writer_nor_a_writer_for_a_reader(journal, write, monkeypatch):
    write("Before?")
    with journal._file.reading() as connection:
        assert connection.execute("SELECT count(*) FROM decisions").fetchone() == (1,)
        write("Meanwhile?")
        assert connection.execute("SELECT count(*) FROM decisions").fetchone() == (1,)  # as it stood at the first look
    with journal._file.writing():
        other = Journal(journal._file.path.parent)
        assert len(other.rows()) == 2


def test_a_held_file_is_one_sentence_and_the_next_decision_is_written(journal, write, tmp_path, monkeypatch):
    write()
    monkeypatch.setattr(journal._file, "_patience", 0.05)
    with closing(sqlite3.connect(tmp_path / journal_file.NAME, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match=r"held by another program .* try again when it has ended"):
            write()
    write()
    assert len(journal.rows()) == 2


def test_a_failed_transaction_leaves_nothing(journal, write):
    with pytest.raises(ZeroDivisionError), journal._file.writing() as connection:
        connection.execute("INSERT INTO keeping VALUES ('days', 3)")
        raise ZeroDivisionError
    assert journal.retention.days != 3
    write()


def broken(path, how):
    if how == "text":
        path.write_text("no database at all\n" * 200)
    if how == "of another program":
        with closing(sqlite3.connect(path)) as other:
            other.execute("CREATE TABLE recipes (name)")
    if how == "newer":
        with closing(sqlite3.connect(path)) as other:
            other.executescript(
                f"CREATE TABLE later (x); PRAGMA application_id = {journal_file._APPLICATION_ID}; PRAGMA user_version = 99;"
            )
    if how == "without its tables":
        with closing(sqlite3.connect(path)) as other:
            other.executescript(f"PRAGMA application_id = {journal_file._APPLICATION_ID}; PRAGMA user_version = 1;")


def test_a_journal_of_the_format_before_keeps_its_decisions_and_holds_what_is_new(write, journal, tmp_path):
    write("What is an echo?")
    with closing(sqlite3.connect(tmp_path / journal_file.NAME)) as other:
        other.executescript(
            "ALTER TABLE decisions DROP COLUMN understood; ALTER TABLE decisions DROP COLUMN confidence;"
            "ALTER TABLE decisions ADD COLUMN confidence REAL NOT NULL DEFAULT 41.5;"
            "ALTER TABLE decisions DROP COLUMN topic; ALTER TABLE decisions DROP COLUMN note; PRAGMA user_version = 1;"
        )
    write("How is it heard?", understood="How is it heard (echo)?")
    assert [r.confidence for r in journal.rows()] == [90, 41.5]
    with journal._file.writing() as connection:
        connection.execute("UPDATE decisions SET confidence = NULL WHERE id = 1")
    assert [(r.question, r.understood) for r in journal.rows()] == [
        ("How is it heard?", "How is it heard (echo)?"), ("What is an echo?", None),
    ]  # fmt: skip
    assert [r.question for r in journal.rows(Filter(text="(ECHO)"))] == ["How is it heard?"]


@pytest.mark.parametrize("how", ["text", "of another program", "newer", "without its tables"])
def test_what_is_no_journal_is_one_sentence_and_stays_as_it_is(journal, write, tmp_path, how):
    path = tmp_path / journal_file.NAME
    broken(path, how)
    before = path.read_bytes()
    for use in (write, journal.rows, journal.tidy, journal.empty, lambda: journal.retention, lambda: journal.open(1)):
        with pytest.raises(
            JournalError,
            match=r"^journal.sqlite3 .*; move it out of the run-time folder, and a new journal is begun\.$",
        ):
            use()
    assert path.read_bytes() == before
    path.rename(tmp_path / "moved away")
    write()  # the way out that the sentence names
    assert len(journal.rows()) == 1


def test_damaged_pages_are_one_sentence(journal, write, tmp_path):
    for n in range(40):
        write(f"Question {n}?")
    path = tmp_path / journal_file.NAME
    data = bytearray(path.read_bytes())
    data[8192:] = b"\x5a" * (len(data) - 8192)
    path.write_bytes(data)
    with pytest.raises(JournalError, match=r"broken or no journal .*; move it out of the run-time folder"):
        journal.rows()


def test_a_journal_that_is_moved_away_while_it_is_open_is_begun_anew(journal, write, tmp_path):
    write("Before?")
    for path in tmp_path.glob(f"{journal_file.NAME}*"):
        path.rename(tmp_path / path.name.replace("journal", "moved"))
    write("After?")
    assert [row.question for row in journal.rows()] == ["After?"]


GARBAGE = b"no database" * 1000
NO_JOURNAL = r"broken or no journal \(file is not a database\); move it out of the run-time folder"


def refused(*uses):
    for use in uses:
        with pytest.raises(JournalError, match=NO_JOURNAL):
            use()


def test_what_is_written_over_a_journal_is_one_sentence_until_it_is_put_back(journal, write, tmp_path):
    write("Before?")
    path = tmp_path / journal_file.NAME
    sound = path.read_bytes()
    path.write_bytes(GARBAGE)
    refused(write, journal.rows, Journal(tmp_path).rows)
    assert path.read_bytes() == GARBAGE
    path.write_bytes(sound)
    write("After?")
    assert [row.question for row in journal.rows()] == ["After?", "Before?"]


def test_a_journal_that_is_emptied_is_begun_anew(journal, write, tmp_path):
    write("Before?")
    (tmp_path / journal_file.NAME).write_bytes(b"")
    write("Anew?")
    assert [row.question for row in journal.rows()] == ["Anew?"]


def test_a_folder_in_the_way_is_one_sentence(journal, tmp_path):
    (tmp_path / journal_file.NAME).mkdir()
    with pytest.raises(
        JournalError, match=r"cannot be opened or written .*; see that the run-time folder can be written to"
    ):
        journal.rows()


def test_a_file_where_the_folder_should_be_is_one_sentence(tmp_path):
    (tmp_path / "home").write_text("in the way")
    with pytest.raises(JournalError, match=r"cannot be opened or written"):
        Journal(tmp_path / "home").rows()


def test_a_full_disk_is_one_sentence(journal, write, monkeypatch):
    write()
    connect = shared_file._connect

    def full(*about):
        connection = connect(*about)
        connection.execute("PRAGMA max_page_count = 1")
        return connection

    monkeypatch.setattr(shared_file, "_connect", full)
    with pytest.raises(JournalError, match=r"The disk is full, so journal.sqlite3 cannot be written; free some room"):
        for n in range(200):
            write(f"Question {n}?")
    assert journal.rows()


def test_a_folder_that_is_not_there_is_made(tmp_path):
    journal = Journal(tmp_path / "new" / "home")
    assert journal.rows() == [] and Path(tmp_path / "new" / "home" / journal_file.NAME).exists()
