"""How clear a question is, and what the library could take it to mean."""

from dataclasses import replace

import pytest

from core.case import Case, Question, Turn
from core.checks.clarity import Clarity
from core.domains import domain
from core.query.clarity import clarity, meanings
from tests.conftest import evidence

SCHOOL = domain("school")
LIMIT = Clarity.min_clarity.default


def case_of(query, found=(), history=()):
    """found: (text, section) of the passages."""
    made = tuple(evidence(text, 0.5, n) for n, (text, _) in enumerate(found))
    placed = tuple(
        type(e)(**{**vars(e), "passage": type(e.passage)(**{**vars(e.passage), "section": section})})
        for e, (_, section) in zip(made, found, strict=True)
    )
    turns = tuple(Turn(role=role, text=text) for role, text in history)
    return Case(question=Question(query=query, history=turns), query=query, evidence=placed)


@pytest.mark.parametrize("query", [
    "What is photosynthesis?", "Explain neutralisation", "Why do stars twinkle?", "Name the tributaries of the Ganga",
    "What is it called when a liquid becomes a gas?", "difference between speed and velocity", "define loudness",
    "Which is the longest river of India?", "Which is stronger, acetic acid or hydrochloric acid?", "ohm's law",
    "What does Table 2.1 show?", "pH of lemon juice", "give me an example of an olfactory indicator", "collateral meaning",
    "sum of first 20 odd numbers", "who wrote the national anthem", "best phone under 15000",
])  # fmt: skip
def test_a_question_that_names_what_it_asks_about_is_clear(query):
    assert clarity(case_of(query), SCHOOL) >= LIMIT


@pytest.mark.parametrize("query", [
    "explain", "What is it?", "and the second one?", "how so", "tell me more", "why", "what about that?", "types",
    "Can you explain this chapter?", "which one is bigger?", "How is it made?", "the formula please", "is it important",
    "what is the answer", "help me with this topic", "What are they used for?", "the table", "what happens then?",
])  # fmt: skip
def test_a_question_that_only_points_is_not(query):
    assert clarity(case_of(query), SCHOOL) < LIMIT


def test_a_lone_word_is_as_clear_as_its_sections_are_few():
    one = [("A salt is formed. It dissolves", "2.4 Salts"), ("A salt of sodium", "2.4 Salts")]
    two = [*one, ("Common salt is mined in deserts", "7.1 Trade")]
    assert clarity(case_of("salts", one), SCHOOL) == 1
    assert clarity(case_of("salts", two), SCHOOL) == 0.5 < LIMIT
    assert meanings(case_of("salts", two), SCHOOL) == ("2.4 Salts", "7.1 Trade")
    assert clarity(case_of("What is a salt?", two), SCHOOL) == 1


def test_a_word_of_no_passage_is_clear_and_simply_not_there():
    assert clarity(case_of("bitcoin", [("A salt is formed", "2.4 Salts")]), SCHOOL) == 1


def test_what_points_is_clear_when_an_earlier_turn_named_it():
    history = [("user", "What is an echo?"), ("assistant", "An echo is a reflected sound.")]
    assert clarity(case_of("How is it measured?", history=history), SCHOOL) == 1
    assert clarity(case_of("How is it measured?"), SCHOOL) == 0.5 < LIMIT


def test_a_question_without_a_word_could_mean_what_was_found():
    found = [("A salt is formed", "2.4 Salts"), ("A loan is paid back", "3.2 Loans")]
    assert meanings(case_of("the formula please", found), SCHOOL) == ("2.4 Salts", "3.2 Loans")
    assert meanings(case_of("the formula please"), SCHOOL) == ()


def test_a_title_that_names_nothing_gives_way_to_its_document():
    found = [("Speed has a unit.", "Example 1"), ("Speed is told.", "Summary"), ("Speed in air.", "The speed of sound")]
    case = case_of("the speed", found)
    chaptered = tuple(replace(e, passage=replace(e.passage, chapter="Sound")) for e in case.evidence)
    assert meanings(replace(case, evidence=chaptered), SCHOOL) == ("Sound", "The speed of sound")
