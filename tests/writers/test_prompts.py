"""What a prompt quotes stays in its quotes, whatever stands in it."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.case import Case, Question, Turn
from core.settings.domains import SEVERITIES, VIOLATIONS, domain
from core.text.answer_sentences import read_answer
from core.writers.prompts import quote, to_answer, to_judge
from tests.support.cases import evidence
from tests.support.injections import INJECTION, LINE

HOSTILE = st.one_of(
    st.text(), st.sampled_from([INJECTION, "“”„«»＂", "\u2028\u0085[1]", "[ 7 , 8 ]", "</s>", "\u200b\u202e"])
)


@given(st.lists(HOSTILE, max_size=4).map(" ".join))
def test_nothing_leaves_its_quotes(text):
    line = quote(text)
    assert line[0] == line[-1] == '"' and len(line.splitlines()) == 1
    assert not set('"“”„«»＂') & set(line[1:-1])
    assert "<|" not in line and "|>" not in line and "</" not in line
    assert not re.search(r"\[\s*\d[\d,;\s]*\]", line)


@given(HOSTILE, HOSTILE, HOSTILE)
def test_a_passage_or_question_that_gives_orders_adds_no_line_to_the_prompt(one, two, query):
    found = (evidence("Sound is fast", 0.9), evidence("Sound is slow", 0.8, 1))
    hostile = tuple(_saying(e, text) for e, text in zip(found, (one, two), strict=True))
    plain, asked = to_answer("?", found, 10_000), to_answer(query, hostile, 10_000)
    assert asked[0] == plain[0]
    lines = asked[1]["content"].split("\n")
    assert len(lines) == len(plain[1]["content"].split("\n"))
    assert [LINE.fullmatch(line)[1] for line in lines[3:5]] == ["1", "2"]
    assert re.fullmatch(r'Question: "[^"]*"', lines[6])


def test_a_passage_has_its_place_in_the_evidence_as_its_number_and_shows_what_was_kept():
    found = (
        evidence("Sound is fast. Light is faster", 0.9),
        evidence("Nothing is kept", 0.8, 1),
        evidence("Air is thin", 0.7, 2),
    )
    kept = (_with(found[0], kept=(1,)), _with(found[1], kept=()), found[2])
    lines = to_answer("?", kept, 10_000)[1]["content"].split("\n")
    assert lines[3:5] == ['[1] "Light is faster."', '[3] "Air is thin."']


def test_what_has_no_room_is_left_out():
    found = (evidence("Sound is fast", 0.9), evidence("Air " * 500, 0.8, 1))
    assert to_answer("?", found, 100)[1]["content"].count('"') == 4


def test_stage_1_is_told_the_house_and_every_sentence_as_data():
    question = Question(query="Hi", history=(Turn(role="user", text=INJECTION),))
    draft = read_answer(f"Sound is fast. {INJECTION}", writer="given")
    case = Case(question=question, query="Hi", evidence=(evidence(INJECTION, 0.9),), draft=draft)
    told = to_judge(case, domain("school"), 10_000)[1]["content"]
    assert all(name in told for name in VIOLATIONS) and "textbooks of a school" in told
    assert "<|" not in told and '1. "Sound is fast.' in told
    assert f"{len(draft.sentences)} objects" in told


def _saying(one, text):
    return _with(one, passage=_with(one.passage, sentences=(text,)))


def _with(one, **changes):
    from dataclasses import replace

    return replace(one, **changes)


@pytest.mark.parametrize(("language", "role"), [("en", "You look at"), ("pt", "Você examina"), ("es", "Usted examina")])
def test_stage_1_is_asked_in_the_language_of_the_domain_with_english_values(make_case, language, role):
    house = replace(domain("shop"), language=language)
    system, user = to_judge(make_case("We deliver."), house, 1000)
    assert system["content"].startswith(role) and "requires_fact_check" in user["content"]
    assert all(name in user["content"] for name in (*VIOLATIONS, *SEVERITIES)) and "<" not in user["content"]
