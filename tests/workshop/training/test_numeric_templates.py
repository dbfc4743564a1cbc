"""Pairs that the numbers of a passage decide, and denials: every label is what a reader would say."""

import re
from random import Random

import pytest

from core.workshop.training.contrast import OPENINGS, denial, denied
from core.workshop.training.datasets import Pair
from core.workshop.training.evaluate import _DENIALS
from core.workshop.training.numeric_templates import reckoned

FILLER = "Iron rusts in moist air."


@pytest.fixture(scope="module")
def pairs():
    return reckoned([FILLER], 3000, 0)


def test_the_labels_are_balanced_and_the_same_seed_makes_the_same_pairs(pairs):
    labels = [p.label for p in pairs]
    assert labels.count("entailment") == labels.count("contradiction") > len(pairs) / 3
    assert labels.count("neutral") > len(pairs) / 6
    assert reckoned([FILLER], 3000, 0) == pairs != reckoned([FILLER], 3000, 1)


def test_no_sentence_both_follows_and_contradicts(pairs):
    said = {(p.premise, p.hypothesis, p.label) for p in pairs}
    assert not {(a, b) for a, b, label in said if label == "entailment" and (a, b, "contradiction") in said}


def _found(pairs, pattern, label):
    found = [(m, p) for p in pairs if p.label == label and (m := re.search(pattern, f"{p.premise} | {p.hypothesis}"))]
    assert len(found) > 5
    return [[int(number.replace(",", "")) for number in m.groups()] for m, _ in found]


def test_years_sums_and_differences_add_up(pairs):
    span = r"in (\d{4}) .*?(\d{4}).*\| .* lasted (\d+) years"
    assert all(b - a == years for a, b, years in _found(pairs, span, "entailment"))
    assert all(b - a != years for a, b, years in _found(pairs, span, "contradiction"))
    both = r"(\d+) .*?(\d+) .*\| Together .* (\d+) \w+\."
    assert all(a + b == total for a, b, total in _found(pairs, both, "entailment"))
    assert all(a + b != total for a, b, total in _found(pairs, both, "contradiction"))
    gap = r"(\d+) .*?(\d+) .*\| .* difference of (\d+) "
    assert all(abs(a - b) == by for a, b, by in _found(pairs, gap, "entailment"))
    assert all(abs(a - b) != by for a, b, by in _found(pairs, gap, "contradiction"))


def test_what_is_left_of_a_share_is_the_rest_of_a_hundred(pairs):
    rest = r"(\d+) per cent of the .*\| (\d+) per cent of the .* do not"
    assert all(a + b == 100 for a, b in _found(pairs, rest, "entailment"))
    assert all(a + b != 100 for a, b in _found(pairs, rest, "contradiction"))


def test_a_denial_turns_the_label_and_what_is_open_stays_open():
    pairs = [Pair("P.", "It rains.", label, "groups/x") for label in ("entailment", "contradiction", "neutral")]
    turned = {p.label for p in denied(pairs[:1], 1.0, Random(0))}, {p.label for p in denied(pairs[1:2], 1.0, Random(0))}
    assert turned == ({"contradiction"}, {"entailment"})
    assert denied(pairs[2:], 1.0, Random(0))[0].label == "neutral"
    assert all("rains" in p.hypothesis and p.hypothesis != "It rains." for p in denied(pairs, 1.0, Random(0)))


def test_no_denial_is_one_that_the_templates_test():
    assert not {o.strip().lower() for o in OPENINGS} & {d.strip().lower() for d in _DENIALS}
    assert len({denial("The sea is salty.", Random(seed)) for seed in range(200)}) > len(OPENINGS)
