"""A demonstration: what a visitor may not do is not drawn, the mode is on every page, decisions are one's own."""

import pytest

from core.access import MODES, operator
from core.banks.saved import SavedBanks
from core.journal import Journal
from core.quotas import QUOTAS
from core.settings import Settings
from pages.components.evaluate.question_lists import Run
from pages.components.shared.safe_display import plain
from pages.components.shared.session import PAGES
from tests.pages.conftest import drawn, press, word

CHANGING = {
    "Save", "Remove", "Make it", "Copy the sample questions", "Delete this bank", "Empty the journal",
    "Drop PDFs anywhere on this page, or choose them here", "A bank as CSV, JSONL or Parquet", "Models", "Its key",
}  # fmt: skip
"""The labels of what changes something that others share."""


@pytest.fixture
def demo(sample_home, monkeypatch):
    home = sample_home("demo")
    SavedBanks(home).add("kept", [{"query": "What is sound?", "expected": "answered"}])
    monkeypatch.setenv("GUARDRAIL_MODE", "demo")
    return home


def drawn_on_every_page(at):
    """The labels of all buttons, boxes and uploads, over all pages."""
    labels = set()
    for page in PAGES:
        at.switch_page(f"pages/{page}.py").run()
        assert not at.exception, page
        labels |= {one.label for kind in (at.button, at.selectbox, at.text_input) for one in kind}
        labels |= {one.proto.label for one in at.get("file_uploader")}
    return labels


def test_no_page_of_a_demonstration_draws_what_a_visitor_may_not_do(start, demo, monkeypatch):
    at = start(folder=demo)
    assert plain(MODES["demo"]) in " ".join(drawn(at))  # by the router, which runs whichever page is opened
    assert drawn_on_every_page(at) & CHANGING == set()
    monkeypatch.setenv("GUARDRAIL_MODE", "open")
    at = start(folder=demo)
    assert plain(MODES["open"]) in " ".join(drawn(at)) and drawn_on_every_page(at) >= CHANGING


def test_two_visitors_see_their_own_decisions_only(start, demo):
    for animal in ("zebra", "heron"):
        at = start(folder=demo)
        at.text_input(key="question").set_value(f"What does a {animal} eat?")
        press(at, "Ask")
        assert word(at)
        at.switch_page("pages/journal.py").run()
        (table,) = [d.value for d in at.dataframe if "Question" in d.value.columns]
        assert list(table["Question"]) == [f"What does a {animal} eat?"] and "Put right" in table
        assert not {"Answered", "Refused", "Vague"} & set(table.columns)
    with operator():
        assert len(Journal(demo).rows()) == 2


def test_a_question_beyond_the_limit_is_one_sentence_and_a_list_waits(start, demo, monkeypatch):
    monkeypatch.setenv(QUOTAS["questions"].variable, "1")
    at = start(folder=demo)
    at.text_input(key="question").set_value("Good morning!")
    press(at, "Ask")
    assert word(at) and not at.error
    at.text_input(key="question").set_value("Good evening!")
    press(at, "Ask")
    (error,) = at.error
    assert plain("A visitor has at most 1 question a minute, and too little of it is left;") in error.value
    run = Run(rows=[{"query": "a"}, {"query": "b"}], using=("bundled", Settings()))
    rows = run._in_time()
    assert next(rows) == {"query": "a"}
    run.stopping.set()
    assert list(rows) == [] and run.held_up > 0


def test_a_mode_that_is_none_is_one_sentence_and_no_page(start, demo, monkeypatch):
    monkeypatch.setenv("GUARDRAIL_MODE", "dmeo")
    at = start(folder=demo)
    assert [plain("GUARDRAIL_MODE must be one of open, demo, got 'dmeo'.")] == [e.value for e in at.error]
    assert not at.title
