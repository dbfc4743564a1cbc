"""The textbook test stays what it is said to be: balanced, of every class and subject, without doubles."""

from collections import Counter

import pytest

from core.judgements import LABELS
from core.lab.training.evaluate import textbook_rows

ROWS = textbook_rows()
CHANGES = {
    "contradiction": {"number", "unit", "name", "negation", "quantifier", "order", "cause", "place_time"},
    "entailment": {"paraphrase", "clause_dropped", "joined", "re_expressed", "quoted"},
    "neutral": {"elsewhere", "added_claim", "continuation", "related"},
}
FIELDS = {"class_number", "subject", "premise", "hypothesis", "label", "change"}


def test_each_label_has_enough_pairs_and_none_has_too_many():
    counts = Counter(r["label"] for r in ROWS)
    assert set(counts) == set(LABELS) and len(ROWS) >= 420
    assert min(counts.values()) >= 140 and max(counts.values()) <= 1.2 * min(counts.values())


@pytest.mark.parametrize("label", LABELS)
def test_each_kind_of_change_has_its_share_of_its_label(label):
    counts = Counter(r["change"] for r in ROWS if r["label"] == label)
    assert set(counts) == CHANGES[label]
    assert min(counts.values()) >= 0.7 * sum(counts.values()) / len(counts)


def test_every_class_and_many_subjects_are_asked():
    classes = Counter(r["class_number"] for r in ROWS)
    assert set(classes) == set(range(6, 13)) and min(classes.values()) >= 40
    assert len({r["subject"] for r in ROWS}) >= 12


def test_no_pair_stands_twice_and_none_is_empty():
    assert len({r["hypothesis"].casefold() for r in ROWS}) == len(ROWS)
    assert all(set(r) == FIELDS and r["premise"].endswith(".") and len(r["hypothesis"].split()) >= 4 for r in ROWS)


def test_no_label_can_be_guessed_from_a_not_alone():
    """Of the hypotheses with a "not" or "no", no label has more than three in four."""
    denied = [r["label"] for r in ROWS if {"not", "no", "none", "never"} & set(r["hypothesis"].lower().split())]
    assert len(denied) >= 20 and max(Counter(denied).values()) <= 0.75 * len(denied)
