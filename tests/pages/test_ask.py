"""The Ask page: examples, verdicts, what is drawn of a text that means harm, and errors as sentences."""

import pytest

from core.chain import REFUSAL
from core.check import all_checks
from pages.components.examples import EXAMPLES, fitting
from pages.components.plain import plain
from tests.pages.conftest import document, drawn, press, word
from tests.pages.pdf import chapter

HOSTILE = "<script>alert(1)</script> **bold** $x^2$ [a](javascript:alert(1)) :material/home: :red[x] # h `c` | - * 1. www.a.in"
OUTCOMES = {
    "What is photosynthesis?": "ANSWERED",
    "Who wrote the play Hamlet?": "REFUSED",
    "50 Hz means 50 oscillations": "ANSWERED",
    "50 Hz means 70 oscillations": "REFUSED",
    "Which frequencies can people hear?": "ANSWERED",
}


def test_before_any_question_there_are_cases_to_try(app):
    shown = {b.label for b in app.button}
    assert {e.title for e in EXAMPLES} <= shown
    assert word(app) is None


def test_every_example_has_an_outcome_under_test():
    assert {e.title for e in EXAMPLES} == set(OUTCOMES)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.title)
def test_an_example_does_what_it_says(app, example):
    press(app, example.title)
    assert word(app) == OUTCOMES[example.title]
    assert (plain(REFUSAL) in " ".join(drawn(app))) == (word(app) == "REFUSED")


def test_an_altered_number_is_caught_by_the_check_for_numbers(app):
    press(app, "50 Hz means 70 oscillations")
    card = next(m.value for m in app.markdown if "Every number and name stands in the evidence" in m.value)
    assert ":material/cancel:" in card and "failed" in card


def test_every_check_has_a_card(app):
    press(app, "What is photosynthesis?")
    text = "\n".join(m.value for m in app.markdown)
    assert [c.name for c in all_checks() if plain(c.name) not in text or c.plain not in text] == []


def test_a_refusal_offers_questions_that_are_then_asked(app):
    press(app, "Who wrote the play Hamlet?")
    suggestion = next(b for b in app.button if (b.key or "").startswith("suggestion"))
    suggestion.click().run()
    assert app.text_input(key="question").value == suggestion.label.replace("\\", "")
    assert word(app)


def test_a_citation_opens_its_passage(app):
    press(app, "What is photosynthesis?")
    next(b for b in app.button if (b.key or "").startswith("cite")).click().run()
    text = "\n".join(drawn(app))
    assert "nutrition\\_in\\_plants\\.pdf, page 1" in text
    assert ":blue-background[" in text and ":material/flag:" in text
    app.run()
    assert ":material/flag:" not in "\n".join(drawn(app))


def test_hostile_text_is_drawn_as_text(app, explorer):
    with document(explorer, chapter([HOSTILE + " A wug is a small bird that sings."]), f"{HOSTILE[:40]}.pdf") as added:
        app.selectbox(key="answer_by").set_value("pasted").run()
        app.text_input(key="question").set_value(f"What is a wug? {HOSTILE}")
        app.text_area(key="pasted").set_value(f"A wug is a small bird. {HOSTILE}")
        press(app, "Ask")
        next(b for b in app.button if (b.key or "").startswith("passage")).click().run()
        assert not app.exception
        everything = drawn(app)
        assert plain(added.name) in "\n".join(everything)
    for harm in ("<script>", "**bold**", "$x^2$", "](javascript:", ":material/home:", ":red[x]", "www.a"):
        assert [t for t in everything if harm in t] == []
    assert [m for m in app.markdown if m.allow_html] == []


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"question": "  "}, "The question is empty"),
        ({"question": "What is sound?", "pages": "3-1"}, "pages must hold page numbers"),
        ({"question": "What is sound?", "pages": "one"}, "pages must hold page numbers"),
    ],
)
def test_what_cannot_be_asked_is_answered_in_one_sentence(app, form, sentence):
    for key, text in form.items():
        app.text_input(key=key).set_value(text)
    press(app, "Ask")
    assert len(app.error) == 1
    assert sentence in app.error[0].value.replace("\\", "")
    assert word(app) is None


def test_a_missing_pasted_answer_is_asked_for(app):
    app.selectbox(key="answer_by").set_value("pasted").run()
    app.text_input(key="question").set_value("What is sound?")
    press(app, "Ask")
    assert "There is no answer to judge" in app.error[0].value


def test_another_question_is_asked_when_the_settings_change(app, model_calls):
    press(app, "What is photosynthesis?")
    measured = app.session_state["asked"].trace
    app.slider(key="passages_fetched").set_value(3).run()
    assert len(app.session_state["asked"].trace.rounds[0].case.evidence) == 3
    assert app.session_state["asked"].trace is not measured


def test_a_pattern_that_cannot_be_read_is_one_sentence(app):
    app.text_area(key="patterns").set_value("(unclosed\nwell known").run()
    assert len(app.error) == 1
    assert "cannot be read" in app.error[0].value
    press(app, "What is photosynthesis?")
    assert app.session_state["asked"].measured_with[1].patterns == ("well known",)


def test_a_library_without_the_sample_offers_its_own_questions():
    class Library:
        def documents(self):
            return ()

        def passages(self):
            from tests.conftest import passage

            return (passage("An arithmetic progression is a list of numbers. The end"),)

    assert [e.title for e in fitting(Library())] == ["What is an arithmetic progression?", "Who wrote the play Hamlet?"]


def test_the_redrawn_page_of_the_benchmark_is_the_ask_page(app, start):
    press(app, "What is photosynthesis?")
    redrawn = start("pages/components/redraw_app.py")
    assert [m.value for m in redrawn.markdown] == [m.value for m in app.markdown]
    key = "retrieval_confidence.min_retrieval_confidence"
    for at in (app, redrawn):
        at.slider(key=key).set_value(0.95).run()
    assert word(redrawn) == word(app) == "REFUSED"
    assert [m.value for m in redrawn.markdown] == [m.value for m in app.markdown]
