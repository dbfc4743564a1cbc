"""An explorer over one short chapter, and a server with a language model that knows one answer."""

import pytest

from core.graph import Explorer
from tests.support.language_model_server import serving
from tests.support.libraries import one_chapter
from tests.support.plants import ANSWER, PLANTS


@pytest.fixture
def explorer(models, tmp_path):
    with one_chapter(tmp_path / "home", models, PLANTS) as library:
        yield Explorer(library, models)


@pytest.fixture
def server():
    with serving(reply=ANSWER) as one:
        yield one
