"""The view "Without the guardrail": texts, marks, and the button for an answer that is not written yet."""

import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from core.case import Draft, Trace
from core.decide import verdict
from core.decide.judged_sentences import JudgedSentence
from core.graph.rounds import measure
from core.presets import preset
from core.thresholds import Preset
from pages.components.ask.sentences import (
    MOST,
    NOBODY,
    NOT_CALLED,
    NOT_IN_BOOK,
    guarded_text,
    line_text,
    sentence_lines,
    summary,
    writer,
)
from pages.components.ask.verdict_words import figures, has_search, reason
from tests.support.app_pages import text_of
from tests.support.cases import ALTERED
from tests.support.compared_sentences import DENIED, ELSEWHERE, SAID, WATCHING, verdict_on
from tests.support.traces import deep

HOSTILE = "<b>bold</b> [link](javascript:alert(1)) **star**"


def sentence(text, **fields):
    unread = {"label": None, "entailment": None, "neutral": None, "contradiction": None}
    return JudgedSentence(text=text, citations=(), attributed=False, **unread, **fields)


@pytest.mark.parametrize(("line", "words"), [
    ((sentence("A b.", supported=True), 3), "A b\\. :gray[p\\.\u00a03]"),
    ((sentence("A b."),), "leaves this open"),
    ((sentence("A b.", objection="Because."),), NOT_IN_BOOK),
    ((sentence("A b.", objection="Because.", supported=True),), "Because"),
    ((sentence("A b.", objection="No.", instead="A c."), 4), "~~A b\\.~~ :gray[p\\.\u00a04] “A :blue-background[**c\\.**]”"),
])  # fmt: skip
def test_the_red_pen_marks_each_sentence_with_an_icon_and_words(line, words):
    assert line_text(*line).startswith((":green[:material/", ":gray[:material/", ":red[:material/"))
    assert words in line_text(*line)


def test_a_supported_sentence_stays_word_for_word_and_hostile_text_is_escaped():
    said = line_text(sentence(SAID, supported=True))
    assert SAID in said.replace("\\", "") and "~~" not in said
    drawn = line_text(sentence(HOSTILE, objection="No.", instead=HOSTILE), 2)
    assert "<b>" not in drawn and "](" not in drawn and "**star" not in drawn


@pytest.mark.parametrize(("answer", "route", "said"), [
    (f"{SAID} [1]", "deliver", "1 sentence would be shown, without problems; with the guardrail, the same answer."),
    (f"{SAID} [1] {ELSEWHERE} [1]", "deliver_part", "2 sentences would be shown, 1 of them with problems; with the guardrail, only"),
    (f"{ELSEWHERE} [1]", "refuse", "1 sentence would be shown, with problems; with the guardrail, no answer."),
])  # fmt: skip
def test_the_summary_compares_both_sides(models, make_case, answer, route, said):
    found = verdict_on(models, make_case, answer)
    assert found.route == route and said in summary(found, sentence_lines(found))
    assert writer(found) == "pasted"
    plain = guarded_text(found).replace("\\", "").replace("\u2060", "")
    assert (found.answer.split("\n")[0] in plain) and (found.answered or "The answer" in plain or "Parts" in plain)


def test_of_a_long_answer_the_first_sentences_are_shown(models, make_case):
    found = verdict_on(
        models, make_case, " ".join([f"{ELSEWHERE} [1]", *(f"{SAID[:-1]} {n} [1]." for n in range(MOST + 5))])
    )
    assert len(found.sentences) == MOST + 6 and len(sentence_lines(found)) == MOST


def test_a_failed_writer_shows_its_error_beside_the_reason(models, make_case):
    from core.graph.rounds import without_draft
    from core.models import ModelError

    case = make_case(None)
    broken = without_draft(measure("first", case, models), ModelError("The server x cannot be reached; start it."))
    found = verdict(Trace(question=case.question, rounds=(broken,)), WATCHING)
    assert found.primary_reason == "model_failure" and "cannot be reached; start it" in reason(found).replace("\\", "")


def test_a_failed_search_shows_its_error_and_no_evidence_figure(make_case):
    from core.graph.rounds import failed_round
    from core.library import LibraryError

    case = make_case(None, scores=())
    gone = failed_round("first", case, LibraryError("The Chroma server at x does not answer; start it."))
    found = verdict(Trace(question=case.question, rounds=(gone,)), WATCHING)
    assert found.primary_reason == "model_failure" and "x does not answer; start it" in reason(found).replace("\\", "")
    assert not has_search(found) and "evidence" not in figures(found, WATCHING)


def box():
    import streamlit as st

    from pages.components.ask.sentences import with_without
    from pages.components.shared.session import ASK

    with_without(st.session_state["verdict"])
    if ASK.write_now.value:
        st.success("asked for")
        if st.session_state.get("is written", True):
            ASK.write_now.clear()


def drawn(found, page=box):
    at = AppTest.from_function(page)
    at.session_state["verdict"] = found
    at.run()
    assert not at.exception
    return at


def test_the_box_has_both_sides(models, make_case):
    at = drawn(verdict_on(models, make_case, f"{SAID} [1] {DENIED} [1]"))
    texts = " ".join(m.value for m in at.markdown)
    assert "Unguarded answer" in texts and "Guarded answer" in texts
    assert re.search(r"~~ .*“.*fixed number is called", re.sub(r":blue-background|[\\*\[\]]", "", texts))


def answer_box():
    import streamlit as st

    from pages.components.ask.view import _answer

    _answer(st.session_state["verdict"])


@pytest.mark.parametrize(("answer", "is_below"), [(ALTERED, True), (SAID.replace("is a", "is not a"), False)])
def test_what_goes_out_of_a_corrected_answer_is_drawn_by_the_red_pen_or_below_it(models, make_case, answer, is_below):
    found = verdict(deep(models, make_case(answer)), preset("as_printed"))
    assert found.route == "deliver_corrected"
    text = text_of(drawn(found, answer_box))
    assert ("What goes out instead:" in text) == is_below
    assert all(sentence.text in text for sentence in found.delivered_sentences)


def test_without_a_draft_there_is_no_box(models, make_case):
    assert [c.value for c in drawn(verdict_on(models, make_case, None)).caption] == [NOBODY]


def test_a_pending_draft_is_written_on_request(models, make_case):
    case = make_case(None, scores=(0.1,))
    case = replace(case, draft=Draft(text="", sentences=(), writer="endpoint (m at x)", awaited=True))
    found = verdict(Trace(question=case.question, rounds=(measure("first", case, models),)), Preset())
    assert found.route == "refuse"
    at = drawn(found)
    assert any(m.value == NOT_CALLED for m in at.markdown)
    at.session_state["is written"] = False  # as if the run were cut short
    at.button[0].click().run()
    assert [s.value for s in at.success] == ["asked for"]
    at.session_state["is written"] = True
    at.run()
    assert [s.value for s in at.success] == ["asked for"]
    at.run()
    assert not at.success
