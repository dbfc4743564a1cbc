"""Fixtures of all tests: fake models, the models that ship, the sample chapters; and the order in which files run."""

import os
import shutil
from functools import cache

import pytest
from filelock import FileLock
from hypothesis import is_hypothesis_test, settings

from core.library import Library, load_sample
from core.models.embedder import bundled_embedder
from core.models.profile import load
from core.writers.auto_writer import VARIABLE
from tests.support.cases import case_about
from tests.support.connections import outside  # noqa: F401 - the fixture is used by name
from tests.support.fake_models import fake_models
from tests.support.recorded import recorded_models

WITH_MODELS = {"sample_home", "bundled_models"}
WITH_BROWSER = {"chromium"}
"""Fixtures that load the weights, or open a browser: what asks for one, itself or through others, carries the marker."""

os.environ.setdefault(VARIABLE, "extractive")
# a test that asks without naming a writer means the extractive one, on every computer

settings.register_profile("short", max_examples=25)
settings.register_profile("long", max_examples=250)
settings.load_profile("short")


def pytest_collection_modifyitems(items):
    for item in items:
        if is_hypothesis_test(item.obj):
            item.add_marker("property")
        if WITH_MODELS & set(item.fixturenames):
            item.add_marker("models")
        if WITH_BROWSER & set(item.fixturenames):
            item.add_marker("browser")
    # what waits for a browser begins and reads the sample; beside it runs what needs no sample and takes long, then come
    # the files that load the weights, and short ones fill up the end
    names = ("browser", "models", "property")
    marked = {name: {item.path for item in items if item.get_closest_marker(name)} for name in names}
    first = (marked["browser"], marked["property"] - marked["models"], marked["models"])
    items.sort(key=lambda item: [item.path not in files for files in first])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """A file is run by one process; so are all that drive a browser, and all that load the weights, which takes long."""
    from xdist.scheduler import LoadFileScheduling

    @cache
    def loads_weights(file):
        source = (config.rootpath / file).read_text(encoding="utf-8")
        return "bundled_models" in source or "mark.models" in source

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            if file.startswith("tests/browser/"):
                return "browser"
            return "weights" if loads_weights(file) else file

    return Together(config, log)


@pytest.fixture
def models():
    return fake_models()


@pytest.fixture(scope="session")
def bundled_models():
    """The models that ship; a process loads them once."""
    return load()


@pytest.fixture(scope="session")
def known_models():
    """The models that ship by their recorded outputs, for tests of what is made of them; others load the weights."""
    return recorded_models()


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory):
    """Copies into a new folder a run-time folder with the sample chapters, which are read once, by whoever is first."""
    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if shared.name.startswith("popen-") else shared  # one for all workers of a run
    whole = shared / "sample home"
    with FileLock(shared / "sample.lock"):
        if not whole.exists():
            part = shared / "sample home, half read"
            library = Library(part, bundled_embedder())
            load_sample(library)
            library.close()
            part.rename(whole)
    return lambda name: shutil.copytree(whole, tmp_path_factory.mktemp(name) / "home")


@pytest.fixture
def make_case():
    return case_about
