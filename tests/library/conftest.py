"""A library with a real Chroma in a temporary folder and an embedder that counts words."""

import pytest

from core.library import Library, pdf_reader
from tests.support.chroma_server import server  # noqa: F401 - the fixture is used by name
from tests.support.fake_models import WordEmbedder
from tests.support.libraries import HEAT, LIGHT, SOUND

READ_BY_A_PROCESS = ("test_attack", "test_pages", "test_pictures", "test_passages", "test_processes")
"""Modules whose tests are about the processes that read a PDF; each reading there starts them."""
_READ = {}


@pytest.fixture(autouse=True)
def read_once(request, monkeypatch):
    """Processes read the three PDFs that most tests add only once; every later reading repeats their lines."""
    if request.module.__name__.rpartition(".")[2] not in READ_BY_A_PROCESS:
        monkeypatch.setattr(pdf_reader, "_lines", told_again)


def told_again(data, *given, read=pdf_reader._lines):
    """As `_lines`, with its other arguments in `given`. The last is called often; an exception from it stops the work."""
    if data not in (LIGHT, SOUND, HEAT):
        yield from read(data, *given)
        return
    if data not in _READ:
        _READ[data] = list(read(data, *given))
    for line in _READ[data]:
        given[-1]()
        yield dict(line)


@pytest.fixture
def embedder():
    return WordEmbedder()


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def library(home, embedder):
    opened = Library(home, embedder)
    yield opened
    opened.close()
