"""Processes may share a folder; a killed one leaves nothing half done, neither on disk nor among the processes."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.libraries import indexed
from tests.support.pdfs import make_pdf

ROOT = Path(__file__).parents[2]
START = """
import os, signal, sys
from pathlib import Path
import core.library.store as store
import core.library.vector_index as vector_index
from core.library import Library
from tests.support.fake_models import WordEmbedder
"""
ADD = START + "Library(Path(sys.argv[1]), WordEmbedder()).ingest(Path(sys.argv[2]).read_bytes(), 'other.pdf')"
DIE = START + "{step} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n" + ADD.removeprefix(START)
MANY = (
    START
    + """
library = Library(Path(sys.argv[1]), WordEmbedder())
for path in sorted(Path(sys.argv[2]).iterdir()):
    library.ingest(path.read_bytes(), path.name)
    assert library.nearest(library.embedder.encode(["light"])[0], 3)
"""
)


def run(code, home, pdf):
    return subprocess.run([sys.executable, "-c", code, str(home), str(pdf)], cwd=ROOT, capture_output=True)


@pytest.fixture
def pdf(tmp_path):
    path = tmp_path / "other.pdf"
    path.write_bytes(make_pdf("An echo is reflected sound. The ear hears it."))
    return path


def test_what_another_process_adds_is_found_at_once(library, home, pdf, embedder):
    library.ingest(make_pdf("A mirror reflects light."), "light.pdf")
    query = embedder.encode(["an echo of sound"])[0]
    before = library.version
    assert library.nearest(query, 1)[0][0].document == "light.pdf"
    added = run(ADD, home, pdf)
    assert added.returncode == 0, added.stderr.decode()
    assert library.version != before and len(library.documents()) == 2
    index = library.index._rows
    assert library.nearest(query, 1)[0][0].document == "other.pdf" and library.index._rows is not index
    index = library.index._rows
    assert library.nearest(query, 1)[0][0].document == "other.pdf" and library.index._rows is index
    library.ingest(make_pdf("A prism splits light."), "prism.pdf")
    assert {p.document for p, _ in library.nearest(query, 9)} == {"light.pdf", "other.pdf", "prism.pdf"}


@pytest.mark.parametrize(
    ("step", "held"),
    [("store.Store._count_change", ["light.pdf"]), ("vector_index.VectorIndex._add", ["light.pdf", "other.pdf"])],
)
def test_a_library_that_stays_open_survives_the_death_of_another_writer(library, home, pdf, embedder, step, held):
    """It dies before its book is confirmed, or while the index is changed."""
    library.ingest(make_pdf("A mirror reflects light."), "light.pdf")
    assert run(DIE.format(step=step), home, pdf).returncode == -signal.SIGKILL
    assert sorted(p.document for p, _ in library.nearest(embedder.encode(["an echo of sound"])[0], 9)) == held
    assert library.ingest(pdf.read_bytes(), "other.pdf").added == (len(held) == 1)
    assert len(library.passages()) == 2 == len(indexed(library))


def test_processes_that_write_at_the_same_time_lose_nothing(library, tmp_path, home):
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
        for n in range(4):
            (folder / f"{folder.name} {n}.pdf").write_bytes(make_pdf(f"Light number {n} of {folder.name}."))
    writers = [
        subprocess.Popen([sys.executable, "-c", MANY, str(home), str(folder)], cwd=ROOT, stderr=subprocess.PIPE)
        for folder in folders
    ]
    while any(w.poll() is None for w in writers):
        library.nearest(library.embedder.encode(["light"])[0], 20)
        time.sleep(0.05)
    assert [w.communicate()[1].decode() for w in writers] == ["", ""]
    assert len(library.documents()) == 8 == len(library.nearest(library.embedder.encode(["light"])[0], 20))


@pytest.mark.long
def test_an_ingestion_that_is_killed_takes_its_readers_with_it(tmp_path, home):
    pdf = tmp_path / "long.pdf"
    pdf.write_bytes(make_pdf(*(f"Sentence {n} of a long book.\n" * 40 for n in range(200))))
    process = subprocess.Popen([sys.executable, "-c", ADD, str(home), str(pdf)], cwd=ROOT)
    while not (readers := children(process.pid)):
        assert process.poll() is None
        time.sleep(0.02)
    process.kill()
    process.wait()
    for _ in range(200):
        if not any(Path(f"/proc/{pid}/cmdline").exists() for pid in readers):
            break
        time.sleep(0.05)
    assert not any(Path(f"/proc/{pid}").exists() and Path(f"/proc/{pid}/cmdline").read_bytes() for pid in readers)


def children(pid):
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
