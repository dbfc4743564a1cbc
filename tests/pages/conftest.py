"""Fixtures of the page tests: one app with its own home, recorded models and the sample chapters."""

import pytest
from streamlit.testing.v1 import AppTest

from core.presets.saved import SavedPresets
from pages.components.shared import resources
from pages.components.shared.resources import _open_explorer
from tests.support.app_pages import PATIENCE, ROOT, all_limits
from tests.support.recorded import put_in_place


@pytest.fixture(autouse=True)
def recorded(monkeypatch):
    """Replace the bundled models by their recorded outputs; other test packages use the real models."""
    put_in_place(monkeypatch)


@pytest.fixture(autouse=True)
def no_models_meanwhile(monkeypatch):
    """A thread that loads models would outlast its test."""
    monkeypatch.setattr(resources, "LOADS_MEANWHILE", False)


@pytest.fixture(scope="session")
def home(sample_home):
    """The run-time folder of these tests."""
    return sample_home("pages")


@pytest.fixture
def start(home, monkeypatch):
    """Return a function that opens a page of the app as a new user."""

    def start(script="app.py", folder=home, user=None):
        monkeypatch.setenv("GUARDRAIL_HOME", str(folder))
        at = all_limits(AppTest.from_file(str(ROOT / script), default_timeout=PATIENCE))
        at.user = user or {}
        at.run()
        assert not at.exception
        return at

    return start


@pytest.fixture
def app(start):
    return start()


@pytest.fixture
def explorer(app, home):
    """The explorer that the app uses."""
    return _open_explorer(str(home), "bundled")


@pytest.fixture
def model_calls(explorer, monkeypatch):
    """A list that gets the method name of every call of the embedder or the entailer."""
    calls = []
    for model, method in ((explorer.models.embedder, "encode"), (explorer.models.entailer, "probabilities")):

        def counted(texts, original=getattr(model, method), name=method):
            calls.append(name)
            return original(texts)

        monkeypatch.setattr(model, method, counted)
    return calls


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """The saved presets of a run-time folder of this test alone."""
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path))
    return SavedPresets(tmp_path)
