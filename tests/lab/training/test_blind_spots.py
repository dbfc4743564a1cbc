"""Contrast pairs of what models are blind to carry the right label."""

import re
from pathlib import Path
from random import Random

import pytest

from core.judgements import LABELS
from core.lab.training import blind_spots as made
from core.lab.training.contrast_pairs import chapter_documents
from core.lab.training.nli_datasets import TWO_CLASS

ENTAILED = LABELS[0]
SENTENCES = [sentence for chapter in chapter_documents(Path("data/sample")) for sentence in chapter]


def pairs_of(make, *arguments, count=300):
    random = Random(3)
    return [pair for _ in range(count) for pair in make(*arguments, random)]


def test_every_kind_has_about_as_many_entailments_as_wrong_hypotheses():
    pairs = made.blind_spots(SENTENCES, 300, seed=1)
    assert pairs == made.blind_spots(SENTENCES, 300, seed=1)
    for kind in made.KINDS:
        flags = [pair.label == ENTAILED for pair in pairs if pair.source == f"blind/{kind}"]
        assert len(flags) >= 100 and 0.4 <= sum(flags) / len(flags) <= 0.65, kind


def test_a_doubt_that_is_dropped_is_not_entailed_and_one_that_is_kept_is():
    for pair in pairs_of(made.certainty, "The town was left by its people.", count=60):
        is_sure = any(pair.premise == sure.format("the town was left by its people.") for sure in made._words()["sure"])
        if pair.hypothesis == "The town was left by its people." != pair.premise:
            assert pair.label == (ENTAILED if is_sure else TWO_CLASS)
        if pair.hypothesis == pair.premise:
            assert pair.label == ENTAILED


@pytest.mark.parametrize(
    ("known", "claim", "is_entailed"),
    [
        ("at least 5", "at most 5", False), ("up to 5", "more than 5", False), ("about 5", "exactly 5", False),
        ("nearly 5", "over 5", False), ("more than 5", "at least 5", True),
        ("just under 5", "fewer than 5", True), ("exactly 5", "about 5", True),
        ("no fewer than 5", "a minimum of 5", True),
    ],
)  # fmt: skip
def test_a_bound_is_entailed_only_by_one_in_its_direction(known, claim, is_entailed):
    pairs = pairs_of(made.bounds, "Each hive has 5 combs.", count=3_000)
    labels = {
        p.label
        for p in pairs
        if (p.premise, p.hypothesis) == tuple(f"Each hive has {bound} combs." for bound in (known, claim))
    }
    assert labels == {ENTAILED if is_entailed else TWO_CLASS}


def test_of_two_who_act_on_each_other_only_the_one_who_acts_is_right():
    def forms(one, other):
        return [f"{one} saw {other}.", f"{other} was seen by {one}."]

    pairs = [pair for n in range(20) for pair in made._exchanged(forms, "Asha", "Bilal", Random(n))]
    right = {"Asha saw Bilal.", "Bilal was seen by Asha."}
    assert {pair.premise for pair in pairs} == right
    assert {pair.hypothesis for pair in pairs if pair.label == ENTAILED} == right
    assert {pair.hypothesis for pair in pairs if pair.label == TWO_CLASS} == {
        "Bilal saw Asha.", "Asha was seen by Bilal.",
    }  # fmt: skip


def test_an_amount_of_the_other_thing_is_a_contradiction():
    fact = re.compile(r"(?:The )?(?P<thing>[a-z ]+?) (?:weighs|costs) (?P<amount>\d+)", re.IGNORECASE)
    seen = set()
    for pair in pairs_of(made.measures, count=2_000):
        stated = {m["thing"].lower().strip(): m["amount"] for m in fact.finditer(pair.premise.replace("; ", ". "))}
        claim = fact.match(pair.hypothesis)
        thing = claim and claim["thing"].lower().strip()
        if thing in stated:
            seen.add(pair.label)
            assert (claim["amount"] == stated[thing]) == (pair.label == ENTAILED)
    assert seen == {ENTAILED, "contradiction"}


def test_names_in_a_list_may_change_places_and_others_may_not():
    assert not pairs_of(made.exchanges, "In the end Asha and Bilal went home.", count=20)
    swapped = {
        p.hypothesis for p in pairs_of(made.exchanges, "Then Asha wrote to Bilal.", count=20) if p.label == TWO_CLASS
    }
    assert swapped == {"Then Bilal wrote to Asha."}


def test_a_part_of_a_quantity_is_not_entailed_and_the_same_in_one_unit_is():
    for pair in pairs_of(made.quantities):
        numbers = [list(map(int, re.findall(r"\d+", text))) for text in (pair.premise, pair.hypothesis)]
        assert (pair.label == TWO_CLASS) == (len(numbers[1]) == 1 and numbers[1][0] in numbers[0])
