"""Breaking an answer: one change, where it says, the same every time, or a word on why there is none."""

import pytest

from core.evaluation.perturb import PERTURBATIONS, change_number, drop_citation, negate, perturb_rows, swap_name
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


@pytest.mark.parametrize("way", PERTURBATIONS)
@pytest.mark.parametrize("seed", range(6))
def test_what_changed_is_where_it_says_and_nothing_else_changed(way, seed):
    broken = PERTURBATIONS[way](ANSWER, RIVERS, seed)
    end = broken.place + len(broken.before)
    assert broken.has_changed and broken.way == way and broken.answer != ANSWER
    assert ANSWER[broken.place : end] == broken.before
    assert ANSWER[: broken.place] + broken.after + ANSWER[end:] == broken.answer
    assert PERTURBATIONS[way](ANSWER, RIVERS, seed) == broken


def test_other_seeds_break_it_elsewhere():
    assert len({change_number(ANSWER, seed).answer for seed in range(8)}) > 2
    assert {drop_citation(ANSWER, seed).before.strip() for seed in range(8)} == {"[1]", "[2]"}


@pytest.mark.parametrize(("broken", "why"), [
    (change_number("It is green. [1]"), "no number"), (negate("42"), "no sentence"), (negate("Is it so?"), "no sentence"),
    (swap_name("It is green.", RIVERS), "no name"), (swap_name("The Ganga is long.", []), "no name"),
    (drop_citation("It is green."), "no citation mark"),
])  # fmt: skip
def test_where_there_is_nothing_to_change_it_says_so(broken, why):
    assert not broken.has_changed and why in broken.why and broken.before == broken.after == ""


@pytest.mark.parametrize("seed", range(12))
def test_a_number_stays_a_number_of_its_kind(seed):
    assert change_number("It has 2,525 parts.", seed).after.replace(",", "").isdigit()
    assert 1850 <= int(change_number("It began in 1905.", seed).after) <= 1960
    assert "." in change_number("It is 0.6 m.", seed).after
    assert change_number("Twelve towns lie on it.", seed).after[0].isupper()
    assert change_number("H2O and CO2 hold [3] 7 parts.", seed).before == "7"


@pytest.mark.parametrize("seed", range(6))
def test_a_name_gives_way_to_another_of_the_passages(seed):
    broken = swap_name("Nandalal Bose came to Kolkata.", RIVERS, seed)
    assert (broken.before, broken.after) in {("Nandalal Bose", "Amrita Gill"), ("Kolkata", "Gaumukh"), ("Kolkata", "Delhi"),
                                             ("Kolkata", "Ganga"), ("Kolkata", "Yamuna"), ("Kolkata", "Kaveri")}  # fmt: skip


def test_a_term_is_swapped_where_there_is_no_name():
    broken = swap_name("Xylem carries the water.", TUBES)
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
    ("The leaf absorbs light.", "The leaf does not absorb light."), ("It became ice.", "It did not become ice."),
    ("They hold water.", "They do not hold water."), ("It may rain.", "It cannot rain."),
    ("The wall has been built.", "The wall has not been built."), ("It has legs.", "It does not have legs."),
    ("If it is hot, the ice melts.", "If it is hot, the ice does not melt."),
    ("The bell rings because it is struck.", "The bell rings because it is not struck."),
    ("Some birds can swim.", "It is not true that some birds can swim."),
    ("Delhi lies far away.", "Delhi does not lie far away."), ("Rain fell.", "Rain did not fall."),
    ("Galileo rolled balls.", "It is not true that Galileo rolled balls."),
])  # fmt: skip
def test_a_sentence_is_turned_round(sentence, opposite):
    (first, last), new = negation_of(sentence)
    assert sentence[:first] + new + sentence[last:] == opposite


def test_what_says_nothing_cannot_be_turned_round():
    assert negation_of("42.") is None


def test_a_bank_is_altered_row_by_row():
    rows = [
        {"id": "r1", "query": "Where?", "expected": "supported", "answer": "The Ganga is 90 km long.", "document": "rivers.pdf",
         "kind": "pair", "pair": "p1", "facts": ["90 km"]},
        {"id": "r2", "query": "Why?", "expected": "altered", "answer": "The Ganga is 80 km long."},
        {"id": "r3", "query": "How?", "expected": "answered"},
    ]  # fmt: skip
    found = perturb_rows(rows, RIVERS)
    assert [row["alteration"] for row in found] == ["number", "negation", "name"]
    assert {row["expected"] for row in found} == {"altered"} and {row["pair"] for row in found} == {"p1"}
    assert len({row["id"] for row in found}) == 3 and all(row["answer"] != rows[0]["answer"] for row in found)
    assert all(row["facts"][0] in row["answer"] for row in found)
    assert found[2]["answer"].split()[1] in {"Yamuna", "Kaveri", "Kolkata", "Delhi", "Gaumukh"}
    assert perturb_rows(rows, RIVERS) == found
    assert rows[0]["expected"] == "supported"


def test_an_answer_over_several_lines_is_broken_in_place():
    answer = "It is green\nand small. It\nis round."
    for seed in range(4):
        broken = negate(answer, seed)
        assert broken.has_changed and " not" in broken.answer and broken.answer.count("\n") == 2
