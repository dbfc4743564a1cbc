"""Fixtures: the Banks page with a real library of one chapter and fake models."""

import pytest
from streamlit.testing.v1 import AppTest

from core.banks.saved import SavedBanks
from core.graph import startup as opening
from core.library import Library
from pages.components.shared.resources import _opened, shared_background
from tests.pages.conftest import PATIENCE, ROOT
from tests.support.pdfs import pdf

PAGE = "pages/banks.py"
TEXT = "Photosynthesis is the process by which green plants make their own food. Chlorophyll is a green substance."


@pytest.fixture
def home(tmp_path, models, monkeypatch):
    """A run-time folder with one chapter; the app uses the fake models."""
    library = Library(tmp_path, models.embedder)
    library.ingest(pdf(TEXT), "plants.pdf", class_number=7, subject="Science")
    library.close()
    (tmp_path / "sample_was_added").touch()
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path))
    monkeypatch.setattr(opening, "load", lambda profile: models)
    yield tmp_path
    _opened(str(tmp_path), "bundled").library.close()


@pytest.fixture
def banks(home):
    return SavedBanks(home)


@pytest.fixture
def explorer(home):
    return _opened(str(home), "bundled")


def opened(home, page=PAGE):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE).run()
    at.switch_page(page).run()
    assert not at.exception
    return at


def measured(at, home, name):
    """The page after the run of this bank has ended."""
    assert shared_background(str(home)).run(name).ended.wait(PATIENCE)
    at.run()
    assert not at.exception
    return at
