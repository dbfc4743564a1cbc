"""`python -m core ingest`: a line a file, one sentence for each that is refused, and Ctrl-C leaves nothing half done."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.__main__ import main
from core.library import Library
from tests.support.fake_models import WordEmbedder
from tests.support.libraries import LIGHT, SOUND
from tests.support.pdfs import make_pdf

ROOT = Path(__file__).parents[2]


@pytest.fixture
def ingest(tmp_path, monkeypatch):
    """Runs the command on files; its embedder counts words."""
    monkeypatch.setattr("core.command.commands.bundled_embedder", WordEmbedder)

    def run(*files):
        paths = []
        for name, data in files:
            paths.append(tmp_path / name)
            paths[-1].parent.mkdir(exist_ok=True)
            paths[-1].write_bytes(data)
        return main(["ingest", *map(str, paths), "--home", str(tmp_path / "home")])

    return run


@pytest.fixture
def held(tmp_path):
    def names():
        library = Library(tmp_path / "home", WordEmbedder())
        found = [(d.name, d.pages) for d in library.documents()]
        library.close()
        return found

    return names


def test_every_file_gets_its_line(ingest, held, capsys):
    assert ingest(("light.pdf", LIGHT), ("bad.pdf", b"no pdf"), ("sound.pdf", SOUND)) == 1
    assert capsys.readouterr().out.splitlines() == [
        "light.pdf: added: 2 pages, 1 passages",
        "bad.pdf: refused: bad.pdf is no PDF file, whatever its name says; choose a PDF file.",
        "sound.pdf: added: 1 pages, 1 passages",
    ]
    assert held() == [("light.pdf", 2), ("sound.pdf", 1)]


def test_a_changed_file_is_replaced_and_the_same_one_is_not(ingest, held, capsys):
    assert ingest(("a.pdf", LIGHT)) == 0 and ingest(("a.pdf", SOUND)) == 0 and ingest(("a.pdf", SOUND)) == 0
    assert [line.split(": ")[1] for line in capsys.readouterr().out.splitlines()] == [
        "added", "replaced", "already in the library",
    ]  # fmt: skip
    assert held() == [("a.pdf", 1)]


def test_two_files_of_one_name_do_not_push_each_other_out(ingest, held, capsys):
    assert ingest(("one/a.pdf", LIGHT), ("two/a.pdf", SOUND)) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("a.pdf: added") and second.startswith("a.pdf: refused: a.pdf comes twice in this batch")
    assert held() == [("a.pdf", 2)]


def test_a_file_that_is_not_there_is_refused(ingest, tmp_path, capsys):
    assert main(["ingest", str(tmp_path / "nothing.pdf"), "--home", str(tmp_path / "home")]) == 1
    assert "nothing.pdf: refused: The file cannot be opened" in capsys.readouterr().out


def test_a_file_beyond_the_limit_is_refused_before_it_is_read(ingest, held, tmp_path, capsys):
    with (tmp_path / "huge.pdf").open("wb") as file:
        file.truncate(10**12)  # a hole, which takes no disk; no memory holds it
    assert main(["ingest", str(tmp_path / "huge.pdf"), "--home", str(tmp_path / "home")]) == 1
    assert "huge.pdf has 1000000.0 MB, at most 100 are read" in capsys.readouterr().out
    assert ingest(("light.pdf", LIGHT)) == 0 and held() == [("light.pdf", 2)]


def test_a_full_disk_is_a_line_and_the_next_file_is_tried(ingest, held, capsys, monkeypatch):
    kept = Library.ingest

    def full(self, data, name, **about):
        if name == "light.pdf":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return kept(self, data, name, **about)

    monkeypatch.setattr(Library, "ingest", full)
    assert ingest(("light.pdf", LIGHT), ("sound.pdf", SOUND)) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert "light.pdf: refused: it cannot be stored (No space left on device)" in first and "added" in second
    assert held() == [("sound.pdf", 1)]


def test_a_name_stays_on_its_line_whatever_is_in_it(ingest, capsys):
    assert ingest(("two\nlines \udce9.pdf", LIGHT)) == 0
    (told,) = capsys.readouterr().out.splitlines()
    assert told.startswith("two lines .pdf: added")


PRESSED = """
import os, signal, sys
from core.__main__ import main
from core.command import commands
from tests.support.fake_models import WordEmbedder
document, presses, *given = sys.argv[1:]
left = iter([signal.SIGINT] * int(presses))
def press(progress):
    if progress.document == document:
        for pressed in left:
            os.kill(os.getpid(), pressed)
commands.bundled_embedder = WordEmbedder  # without torch
commands.terminal.show_progress = press
before = signal.getsignal(signal.SIGINT)
code = main(["ingest", *given])
assert signal.getsignal(signal.SIGINT) is before
sys.exit(code)
"""
"""The command in a process of its own, in which Ctrl-C is pressed so often while a document is read."""


@pytest.fixture
def pressed(tmp_path):
    """Runs the command on files and presses Ctrl-C; the process that the tests run in hears nothing of it."""

    def run(document, presses, *files):
        for name, data in files:
            (tmp_path / name).write_bytes(data)
        given = [*(str(tmp_path / name) for name, _ in files), "--home", str(tmp_path / "home")]
        command = [sys.executable, "-c", PRESSED, document, str(presses), *given]
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)

    return run


def test_ctrl_c_ends_it_with_one_sentence_and_keeps_what_is_done(pressed, held):
    more = ("more.pdf", make_pdf("More of it."))
    found = pressed("sound.pdf", 1, ("light.pdf", LIGHT), ("sound.pdf", SOUND), more)
    assert found.returncode == 130
    assert found.stdout.startswith("light.pdf: added") and found.stdout.count("\n") == 1
    assert found.stderr == "ingest: sound.pdf was cancelled; nothing of it was kept.\n"
    assert held() == [("light.pdf", 2)]


def test_ctrl_c_twice_ends_it_at_once(pressed, held):
    assert pressed("light.pdf", 2, ("light.pdf", LIGHT)).returncode == 130
    assert held() == []


def test_progress_is_one_line_for_a_person_at_a_terminal(ingest, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    ingest(("light.pdf", LIGHT))
    shown = capsys.readouterr().err
    assert "light.pdf: reading, 1 of 2 pages, " in shown and " s left" in shown
    assert "\n" not in shown and shown.endswith("\r")
