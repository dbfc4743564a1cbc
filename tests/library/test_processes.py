"""Two processes may share a folder; a killed one leaves nothing half done."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.library import Library
from tests.library.conftest import make_pdf

ROOT = Path(__file__).parents[2]
ADD = """
import sys
from pathlib import Path
from core.library import Library
from tests.library.conftest import WordEmbedder
Library(Path(sys.argv[1]), WordEmbedder()).ingest(Path(sys.argv[2]).read_bytes(), "other.pdf")
"""
DIE = """
import os, signal, sys
from pathlib import Path
import core.library.library as module
from tests.library.conftest import WordEmbedder
module.write_whole = lambda path, data: os.kill(os.getpid(), signal.SIGKILL)
module.Library(Path(sys.argv[1]), WordEmbedder()).ingest(Path(sys.argv[2]).read_bytes(), "other.pdf")
"""


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
    assert library.nearest(query, 1)[0][0].document == "other.pdf"
    library.ingest(make_pdf("A prism splits light."), "prism.pdf")
    assert {p.document for p, _ in library.nearest(query, 9)} == {"light.pdf", "other.pdf", "prism.pdf"}


def test_a_kill_between_passages_and_manifest_leaves_nothing_visible(library, home, pdf, embedder):
    assert run(DIE, home, pdf).returncode == -signal.SIGKILL
    assert library.documents() == () and library.passages() == ()
    library.close()
    again = Library(home, embedder)
    assert again._collection.ids() == []
    assert again.ingest(pdf.read_bytes(), "other.pdf").added and len(again.passages()) == 1
    again.close()
