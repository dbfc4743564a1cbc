"""Faults under a running app: each shows a sentence, and the app recovers without a restart once the cause is gone."""

import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.journal import Journal
from core.lab.bench.app_in_browser import ROOT, served
from core.library.store import VARIABLE
from tests.support.browser import PATIENCE, settle
from tests.support.chroma_server import server  # noqa: F401 - the fixture is used by name
from tests.support.disks import ROOMY, disk  # noqa: F401 - the fixture is used by name

pytestmark = pytest.mark.long
PHOTOSYNTHESIS, CHLOROPHYLL = "What is photosynthesis?", "What is chlorophyll?"
GARBAGE = b"no database" * 1000
ANSWERS = [("ANSWERED", []), ("ANSWERED", [])]


@contextmanager
def visitor(chromium, url):
    """A new visitor on the Ask page, or on the error that replaces it."""
    context = chromium.new_context(viewport={"width": 1280, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(url)
    page.get_by_text("What do your textbooks say?").wait_for()
    settle(page)
    yield page
    context.close()


def alerts(page):
    """The error sentences on the page; fails on an uncaught exception."""
    assert page.get_by_test_id("stException").count() == 0
    return [" ".join(alert.split("\n")[-1].split()) for alert in page.get_by_test_id("stAlert").all_inner_texts()]


def asked(page, question):
    """Ask `question`; return the word of the verdict and all error sentences."""
    page.get_by_label("Question", exact=True).fill(question)
    page.get_by_label("Question", exact=True).press("Enter")
    settle(page)
    return page.locator(".st-key-verdict").get_by_role("heading").first.inner_text().split()[-1], alerts(page)


def both(page, chromium, url):
    """The results for the earlier visitor and for a new one."""
    before = asked(page, CHLOROPHYLL)
    with visitor(chromium, url) as new:
        return [before, asked(new, PHOTOSYNTHESIS)]


def test_the_app_survives_a_restart_of_the_vector_server(chromium, sample_home, server, monkeypatch):  # noqa: F811
    monkeypatch.setenv(VARIABLE, server.address)
    with served("app.py", sample_home("vectors")) as url, visitor(chromium, url) as page:
        assert both(page, chromium, url) == ANSWERS
        server.kill()
        assert both(page, chromium, url) == [("REFUSED", []), ("REFUSED", [])]
        assert asked(page, CHLOROPHYLL) == ("REFUSED", [])
        said = page.locator(".st-key-verdict")
        gone = "does not answer; start it with chroma run and ask again"
        assert said.get_by_text(gone).count() == 1 and "evidence" not in said.inner_text()
        server.start()
        assert both(page, chromium, url) == ANSWERS


@pytest.mark.parametrize("disk", [ROOMY], indirect=True)
def test_the_app_survives_a_full_or_read_only_disk_and_a_broken_index(chromium, sample_home, disk):  # noqa: F811
    home = shutil.copytree(sample_home("disk"), disk.folder / "home")
    with served("app.py", home) as url, visitor(chromium, url) as page:
        assert both(page, chromium, url) == ANSWERS
        disk.fill()
        for word, said in both(page, chromium, url):
            assert word == "ANSWERED" and "The disk is full" in said[0] and len(said) == 1
        disk.free()
        assert both(page, chromium, url) == ANSWERS
        with disk.seen_read_only(home):
            assert both(page, chromium, url) == [("REFUSED", []), ("REFUSED", [])]
            assert page.locator(".st-key-verdict").get_by_text("only file system").count() == 1
        assert both(page, chromium, url) == ANSWERS
        (home / "chroma" / "chroma.sqlite3").write_bytes(GARBAGE)
        assert both(page, chromium, url) == ANSWERS
        shutil.rmtree(home / "chroma")
        assert both(page, chromium, url) == ANSWERS


def require_warnings(found):
    """Check that both visitors get an answer, with a warning on the journal and what to do."""
    for word, (said,) in found:
        assert word == "ANSWERED" and said.startswith(
            "This decision could not be saved to the history. journal.sqlite3 is broken"
        )
        assert "move it out of the run-time folder" in said


def test_the_app_survives_an_overwritten_journal(chromium, sample_home):
    home = sample_home("overwritten")
    journal = home / "journal.sqlite3"

    journal.write_bytes(GARBAGE)
    with served("app.py", home) as url, visitor(chromium, url) as page:
        require_warnings(both(page, chromium, url))
        journal.unlink()
        assert both(page, chromium, url) == ANSWERS
        sound = journal.read_bytes()
        journal.write_bytes(GARBAGE)
        require_warnings(both(page, chromium, url))
        journal.write_bytes(sound)
        assert both(page, chromium, url) == ANSWERS
        assert len(Journal(home).rows()) == 4


def test_the_app_survives_a_damaged_model_file(chromium, sample_home, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    for name in ("core", "pages", "app.py", ".streamlit"):
        (project / name).symlink_to(ROOT / name)
    weights = Path(shutil.copytree(ROOT / "data", project / "data")) / "models" / "nli-school" / "weights.1.bin"
    sound = weights.read_bytes()
    weights.write_bytes(sound[:-1])
    with served(str(project / "app.py"), sample_home("damaged")) as url, visitor(chromium, url) as page:
        (said,) = alerts(page)
        assert "weights.1.bin" in said and "missing or damaged" in said
        weights.write_bytes(sound)
        page.reload()
        settle(page)
        assert both(page, chromium, url) == ANSWERS
