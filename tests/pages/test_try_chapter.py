"""Try the chapter on the Library page: the exercises are asked, ticked, printed and kept as a set."""

import time

import pytest

from core.banks.saved import SavedBanks
from core.platform.quotas import QUOTAS
from pages.components.library.try_chapter import TRYING, _shared_trials
from tests.support.app_pages import PATIENCE, document, drawn_elements, press
from tests.support.pdfs import make_pdf

HOSTILE = "<script>alert(1)</script> **bold** $x^2$"
WUGS = make_pdf(
    "A wug is a small bird that sings at night. Wugs eat seeds and berries.\n\nExercises\n1. What is a wug?\n"
    f"2. What does {HOSTILE} mean?\n3. State true or false. (T/F)\n4. What do wugs eat?\n",
)


@pytest.fixture
def chapter(app, explorer):
    with document(explorer, WUGS, "wugs.pdf") as added:
        yield added


def owner(at):
    """The name of a visitor who sees nothing but their own trials; "" for those who share them."""
    return at.session_state[TRYING.visitor.key] if TRYING.visitor.key in at.session_state else ""  # noqa: SIM401


def tried(at, chapter):
    """The sheet of the chapter after all its questions were asked."""
    at.switch_page("pages/library.py").run()
    at.selectbox(key="picked document").set_value(chapter.id).run()
    at.button(key="try picked").click().run()
    end = time.monotonic() + PATIENCE
    while (trial := _shared_trials().trial(owner(at), chapter.id)).state == "running":
        assert time.monotonic() < end, "the questions were not asked"
        time.sleep(0.1)
    at.run()
    assert not at.exception and trial.state == "done"
    return trial


def test_the_exercises_are_asked_and_every_answer_is_drawn_with_its_page(app, chapter):
    trial = tried(app, chapter)
    text = "\n".join(drawn_elements(app))
    assert trial.answers[0].verdict.answered and "small bird" in text and "page 1" in text
    assert "0 of 3 ready" in text and [e.label for e in app.expander] == ["Not asked: 1 question"]
    assert HOSTILE not in text  # drawn as it is printed, and not as Markdown


def test_a_tick_is_counted_and_kept(app, chapter):
    trial = tried(app, chapter)
    app.segmented_control(key=TRYING.tick.of(chapter.id, 0).key).set_value(True).run()
    assert trial.ticks == {0: True} and "**1 of 3 ready; 1 answered and not yet ticked**" in [
        m.value for m in app.markdown
    ]


def test_the_questions_are_kept_as_a_set(app, chapter, home):
    tried(app, chapter)
    press(app, "Keep as a question set")
    banks = SavedBanks(home)
    try:
        rows = list(banks.rows("Wugs_exercises"))
        assert rows[0]["query"] == "What is a wug?" and len(rows) == 3
        assert any("Wugs" in s.value for s in app.success)
        assert any(b.label == "Open on Tune" for b in app.button)
    finally:
        banks.delete("Wugs_exercises")


def test_an_answer_opens_on_ask(app, chapter):
    tried(app, chapter)
    app.button(key="open exercise 0").click().run()
    assert not app.exception and app.session_state["question"] == "What is a wug?"


def test_back_to_the_documents(app, chapter):
    tried(app, chapter)
    press(app, "Documents")
    assert "Library" in [t.value for t in app.title]


def test_the_sheet_of_a_document_that_was_removed_says_so(app, explorer):
    with document(explorer, make_pdf("A wug is a small bird that sings at night."), "gone.pdf") as gone:
        tried(app, gone)
    app.run()
    assert not app.exception and ["no document" in e.value for e in app.error] == [True]
    press(app, "Documents")
    assert not app.error and "Library" in [t.value for t in app.title]


def test_a_chapter_without_exercises_says_so(app, explorer):
    with document(explorer, make_pdf("A wug is a small bird that sings at night."), "bare.pdf") as bare:
        tried(app, bare)
        assert any("No exercise" in i.value for i in app.info)


def test_in_a_demonstration_visitors_try_apart_and_change_nothing(start, chapter, monkeypatch):
    with monkeypatch.context() as demonstration:
        demonstration.setenv("GUARDRAIL_MODE", "demo")
        first = start()
        trial = tried(first, chapter)
        assert trial.answers and not any(b.label == "Keep as a question set" for b in first.button)
        second = start()
        assert tried(second, chapter) is not trial and owner(second) != owner(first)


def test_more_questions_than_the_quota_are_refused_in_one_sentence(start, chapter, monkeypatch):
    with monkeypatch.context() as demonstration:
        demonstration.setenv("GUARDRAIL_MODE", "demo")
        demonstration.setenv(QUOTAS["questions"].variable, "1")
        at = start()
        at.switch_page("pages/library.py").run()
        at.selectbox(key="picked document").set_value(chapter.id).run()
        at.button(key="try picked").click().run()
        assert len(at.error) == 1 and "at most 1 question" in at.error[0].value.replace("\\", "")
