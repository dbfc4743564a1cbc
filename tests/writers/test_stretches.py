"""Stretches are neighbouring sentences that read by themselves, also over the end of a passage."""

from dataclasses import replace

import pytest

from core.case import Evidence, Passage
from core.models.stretches import MOST_WORDS, Stretches

ROASTING = (
    "Sulphide ores are heated strongly in plenty of air.",
    "This process is known as roasting.",
    "It turns them into oxides, which are easier to reduce.",
    "Look at the picture.",
    "Copper is won from its oxide by heat alone.",
)
SALTS = (
    "Common salt has three uses:",
    "(i) It keeps food from going bad.",
    "(ii) It melts ice on roads.",
    "(iii) It is a raw material of soda.",
)


def evidence(*sentences, number=0, kept=None):
    passage = Passage(id=f"book:{number:04d}", sentences=sentences, pages=(1,) * len(sentences))
    return Evidence(
        passage=passage, cosine=0.5, related=0.5, hybrid=0.5, answers=0.5,
        kept=tuple(range(len(sentences))) if kept is None else kept,
    )  # fmt: skip


def texts(found, core):
    return [stretch.text for stretch in found.around(core)]


def test_a_sentence_that_points_back_comes_with_what_it_points_to():
    found = texts(Stretches([evidence(*ROASTING)]), (0, 1))
    assert found[0] == " ".join(ROASTING[:2]) and " ".join(ROASTING[:3]) in found
    assert ROASTING[1] not in found


def test_an_instruction_stands_in_no_stretch():
    found = Stretches([evidence(*ROASTING)])
    assert all(ROASTING[3] not in text for place in (0, 1, 2, 4) for text in texts(found, (0, place)))


@pytest.mark.parametrize("core", [0, 1, 2, 3])
def test_a_list_is_one_stretch_with_its_opening(core):
    assert " ".join(SALTS) in texts(Stretches([evidence(*SALTS)]), (0, core))


def test_an_item_alone_comes_behind_the_sentence_that_opens_the_list():
    assert texts(Stretches([evidence(*SALTS)]), (0, 2))[0] == f"{SALTS[0]} {SALTS[2]}"


def test_a_stretch_runs_from_one_passage_into_the_next():
    before, after = evidence(*ROASTING[:1], number=7), evidence(*ROASTING[1:3], number=8)
    assert " ".join(ROASTING[:2]) in texts(Stretches([after, before]), (0, 0))
    apart = replace(before, passage=replace(before.passage, id="other:0007"))
    assert " ".join(ROASTING[:2]) not in texts(Stretches([after, apart]), (0, 0))


def test_a_heading_stands_in_no_stretch():
    found = Stretches([evidence("Roasting of ores", *ROASTING[:1])])
    assert texts(found, (0, 1)) == [ROASTING[0]]


def test_what_is_broken_or_too_long_stands_in_no_stretch():
    long = f"{'Copper is a metal that is red and soft and bends ' * 8}easily."
    found = Stretches([evidence(ROASTING[0], long, ROASTING[4])])
    assert all(len(text.split()) <= MOST_WORDS for text in texts(found, (0, 0)))
    broken = evidence(*ROASTING[:3])
    broken = replace(broken, passage=replace(broken.passage, broken=(1,)))
    assert texts(Stretches([broken]), (0, 0)) == [ROASTING[0]]


def test_only_what_is_kept_for_the_question_is_a_core():
    found = Stretches([evidence(*ROASTING, kept=(0, 3, 4))]).cores()
    assert [core.text for core in found] == [ROASTING[0], ROASTING[4]]


REASONS = (
    "There are two reasons for it.",
    "First, the rope is too short for the well.",
    "Second, the bucket leaks all the way up.",
)


@pytest.mark.parametrize("core", [0, 1])
def test_the_beginning_of_an_enumeration_comes_with_all_of_it(core):
    assert texts(Stretches([evidence(*REASONS)]), (0, core)) == [" ".join(REASONS)]


def test_a_list_goes_on_in_the_next_passage():
    passages = [evidence(*REASONS[:2], number=4), evidence(*REASONS[2:], "The well is old.", number=5)]
    (stretch,) = Stretches(passages).around((0, 1))
    assert stretch.text == " ".join(REASONS) and stretch.is_list
    assert next(s.text for s in Stretches([passages[0]]).around((0, 1))) == " ".join(REASONS[:2])


def test_a_row_of_a_table_states_something_and_a_heading_with_a_number_does_not():
    rows = ("Loud music 95 dB", "A sack of rice ₹ 1,200", "Speed in water: 1,500 m/s", "Boiling point 100 °C", "The Rise of the Kings 3",
            "Our school 2", "Chapter 4 m")  # fmt: skip
    assert [core.text for core in Stretches([evidence(*rows)]).cores()] == list(rows[:4])


def test_items_of_a_few_words_without_a_stop_stand_in_their_list():
    signs = ("We can tell by any of these –", "change in taste", "change in smell", "a loud noise.")
    whole = " ".join(signs)
    assert all(whole in texts(Stretches([evidence(*signs)]), (0, core)) for core in range(4))


def test_a_long_heading_stands_in_no_stretch():
    heading = "The rise of the first towns on the banks of the great river"
    found = evidence(heading, *ROASTING[:1])
    found = replace(found, passage=replace(found.passage, section=heading))
    assert texts(Stretches([found]), (0, 1)) == [ROASTING[0]]
