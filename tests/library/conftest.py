"""A library with a real Chroma in a temporary folder and an embedder that counts words."""

import pytest

from core.library import Library
from tests.support.chroma_server import server  # noqa: F401 - the fixture is used by name
from tests.support.fake_models import WordEmbedder


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
