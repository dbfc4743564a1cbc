"""A library with a real Chroma in a temporary folder and an embedder that counts words."""

import pytest

from core.library import Library, pdf_reader
from tests.support.chroma_server import server  # noqa: F401 - the fixture is used by name
from tests.support.fake_models import WordEmbedder
from tests.support.libraries import HEAT, LIGHT, SOUND

READ_BY_A_PROCESS = ("test_attack", "test_pages", "test_pictures", "test_passages", "test_processes")
"""Files whose tests look at the processes that read a PDF."""
_READ = {}


@pytest.fixture(autouse=True)
def read_once(request, monkeypatch):
    """The three PDFs that most tests add are read by a process once, and then told again."""
    if request.module.__name__.rpartition(".")[2] not in READ_BY_A_PROCESS:
        monkeypatch.setattr(pdf_reader, "_lines", told_again)


def told_again(data, *given, read=pdf_reader._lines):
    """The lines of a reading; given: what else `_lines` takes, at its end what ends it when nobody waits any more."""
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
