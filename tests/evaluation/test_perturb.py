"""Breaking an answer: one change, where it says, the same every time, or a word on why there is none."""

import pytest

from core.evaluation.perturb import NOTHING_TO_CHANGE, perturb
from core.text.negate import negation_of
from core.text.verifiable_facts import named_terms, proper_names
from tests.support.cases import passage

RIVERS = [
    passage("The Ganga rises near Gaumukh and flows to Kolkata. The Yamuna flows past Delhi. Once the Kaveri was higher",
            document="rivers.pdf"),
    passage("In 1905 the painter Nandalal Bose came to Kolkata. Later Amrita Gill lived in Delhi", 1, document="art.pdf"),
]  # fmt: skip
TUBES = [passage("The tubes that carry water are called xylem. The tubes that carry sugar are called phloem")]
ANSWER = "The Ganga flows past Kolkata. [1] It is 2,525 km long, and twelve towns lie on it. [2]"


@pytest.mark.parametrize("way", NOTHING_TO_CHANGE)
@pytest.mark.parametrize("seed", range(6))
def test_what_changed_is_where_it_says_and_nothing_else_changed(way, seed):
    broken = perturb(way, ANSWER, RIVERS, seed)
    end = broken.place + len(broken.before)
    assert broken.has_changed and broken.way == way and broken.answer != ANSWER
    assert ANSWER[broken.place : end] == broken.before
    assert ANSWER[: broken.place] + broken.after + ANSWER[end:] == broken.answer
    assert perturb(way, ANSWER, RIVERS, seed) == broken


def test_other_seeds_break_it_elsewhere():
    assert len({perturb("number", ANSWER, (), seed).answer for seed in range(8)}) > 2


@pytest.mark.parametrize(("way", "answer", "why"), [
    ("number", "It is green. [1]", "no number"), ("negation", "42", "no sentence"),
    ("negation", "Is it so?", "no sentence"), ("name", "It is green.", "no name"),
])  # fmt: skip
def test_where_there_is_nothing_to_change_it_says_so(way, answer, why):
    broken = perturb(way, answer, RIVERS)
    assert not broken.has_changed and why in broken.why and broken.before == broken.after == ""
    assert not perturb("name", "The Ganga is long.").has_changed


@pytest.mark.parametrize("seed", range(12))
def test_a_number_stays_a_number_of_its_kind(seed):
    def after(answer):
        return perturb("number", answer, (), seed).after

    assert after("It has 2,525 parts.").replace(",", "").isdigit() and "." in after("It is 0.6 m.")
    assert 1850 <= int(after("It began in 1905.")) <= 1960
    assert perturb("number", "H2O and CO2 hold [3] 7 parts.", (), seed).before == "7"


@pytest.mark.parametrize("seed", range(6))
def test_a_name_gives_way_to_another_of_the_passages(seed):
    broken = perturb("name", "Nandalal Bose came to Kolkata.", RIVERS, seed)
    assert (broken.before, broken.after) in {("Nandalal Bose", "Amrita Gill"), ("Kolkata", "Gaumukh"), ("Kolkata", "Delhi"),
                                             ("Kolkata", "Ganga"), ("Kolkata", "Yamuna"), ("Kolkata", "Kaveri")}  # fmt: skip


def test_a_term_is_swapped_where_there_is_no_name():
    broken = perturb("name", "Xylem carries the water.", TUBES)
    assert (broken.before, broken.after) == ("Xylem", "Phloem")


def test_names_are_no_first_words_months_or_cells():
    text = "The Ganga is long. In May the Himalaya is warm. Some lakes: Wular Kashmir and Loktak Manipur, Table 3."
    assert proper_names(text + " We saw the Loktak and the Wular.") >= {"Ganga", "Himalaya", "Wular", "Loktak"}
    assert not proper_names(text) & {"In", "May", "Some", "Table", "The"}
    assert named_terms("This is called the common ratio. It is known as brine.") == {"common ratio", "brine"}


@pytest.mark.parametrize(("sentence", "opposite"), [
    ("Copper is not a gas.", "Copper is a gas."), ("It cannot fly.", "It can fly."), ("It can fly.", "It cannot fly."),
    ("It isn't red.", "It is red."), ("They don't move.", "They do move."), ("It never stops.", "It always stops."),
    ("Not all birds fly.", "All birds fly."), ("All birds fly.", "Not all birds fly."),
    ("Each term is even.", "Not every term is even."), ("It has no roots.", "It has some roots."),
    ("The leaf absorbs light.", "It is not true that the leaf absorbs light."), ("It is no longer red.", "It is still red."),
    ("It may rain.", "It cannot rain."), ("The wall has been built.", "The wall has not been built."),
    ("It has legs.", "It is not true that it has legs."), ("It has no more food.", "It is not true that it has no more food."),
    ("If it is hot, ice can melt.", "If it is hot, ice cannot melt."),
    ("The bell rings because it is struck.", "It is not true that the bell rings because it is struck."),
    ("Some birds can swim.", "It is not true that some birds can swim."),
    ("Galileo rolled balls.", "It is not true that Galileo rolled balls."),
    ("It isn’t red.", "It is red."), ("Not each term is even.", "Each term is even."),
    ("Iron, not copper, rusts.", "It is not true that Iron, not copper, rusts."),
    ("Iron is not only hard.", "It is not true that Iron is not only hard."),
    ("Whether or not it rains, iron can rust.", "Whether or not it rains, iron cannot rust."),
    ("Not only iron rusts.", "It is not true that not only iron rusts."),
])  # fmt: skip
def test_a_sentence_is_turned_round(sentence, opposite):
    (first, last), new = negation_of(sentence)
    assert sentence[:first] + new + sentence[last:] == opposite


def test_what_says_nothing_cannot_be_turned_round():
    assert negation_of("42.") is None


def test_an_answer_over_several_lines_is_broken_in_place():
    answer = "It is green\nand small. It\nis round."
    for seed in range(4):
        broken = perturb("negation", answer, (), seed)
        assert broken.has_changed and " not" in broken.answer and broken.answer.count("\n") == 2
