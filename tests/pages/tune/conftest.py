"""Fixtures: the Tune page with a real library of one chapter and fake models."""

import shutil

import pytest

from core.banks import measured_bank
from core.banks.saved import SavedBanks
from core.graph import startup as opening
from core.library import Library
from pages.components.shared.resources import _open_explorer
from tests.support.fake_models import fake_models
from tests.support.pdfs import make_pdf
from tests.support.tune_page import TEXT


@pytest.fixture(scope="session")
def one_chapter(tmp_path_factory):
    """A run-time folder with one chapter, to be copied."""
    folder = tmp_path_factory.mktemp("tune")
    library = Library(folder, fake_models().embedder)
    library.ingest(make_pdf(TEXT), "plants.pdf", class_number=7, subject="Science")
    library.close()
    (folder / "sample_was_added").touch()
    return folder


@pytest.fixture
def home(tmp_path, one_chapter, models, monkeypatch):
    """A run-time folder with one chapter; the app uses the fake models."""
    shutil.copytree(one_chapter, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path))
    monkeypatch.setattr(opening, "load", lambda profile: models)
    monkeypatch.setattr(measured_bank, "names_of", lambda profile: models.names)
    monkeypatch.setattr(measured_bank, "calibration_of", lambda digest: models.calibration)
    yield tmp_path
    _open_explorer(str(tmp_path), "bundled").library.close()


@pytest.fixture
def banks(home):
    return SavedBanks(home)


@pytest.fixture
def explorer(home):
    return _open_explorer(str(home), "bundled")
