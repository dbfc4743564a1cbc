"""Seed D's stage 2: the weights of its parts, its tiers, and what it reads."""

from dataclasses import replace

import numpy as np
import pytest

from core.case import Draft
from core.check import Bound
from core.checks.fact_grounding import FactGrounding
from core.graph.rounds import measure
from core.settings import Settings
from core.thresholds import Preset
from tests.support.cases import evidence
from tests.support.decisions import decision

CHECK = FactGrounding()


def signals(support, cosine=0.5, claims=1, certainty=None, contradiction=0.0):
    """One sentence and one passage that says it with probability `support`."""
    return Bound(
        entailment=np.array([[support]]), neutral=np.array([[1 - support - contradiction]]),
        contradiction=np.array([[contradiction]]), considered=np.ones((1, 1)), read=np.ones(1), cosine=np.array([cosine]),
        claims=np.array([claims]), certainty=np.array(certainty or 0.0), assessed=np.array(certainty is not None),
    )  # fmt: skip


def score(*args, **kwargs):
    return float(CHECK.decide(signals(*args, **kwargs), CHECK.bind(Preset())).value)


def test_the_parts_weigh_as_the_seed_says():
    assert score(0.9, 0.8, certainty=0.7) == pytest.approx(0.6 * 0.9 + 0.3 * 0.8 + 0.1 * 0.7)


def test_a_part_that_is_not_there_gives_its_weight_to_the_others():
    assert score(0.9, 0.6) == pytest.approx((0.6 * 0.9 + 0.3 * 0.6) / 0.9)
    s, t = signals(0.9, 0.6), CHECK.bind(Preset())
    assert np.isnan(CHECK.parts(s)["certainty"]) and "so the other parts count for more" in CHECK.explain(None, s, t)
    assert "count for more" not in CHECK.explain(None, signals(0.9, 0.6, certainty=0.7), t)


def test_a_contradiction_grounds_nothing():
    assert score(0.1, 0.9, contradiction=0.8) == pytest.approx(0.3 * 0.9 / 0.9)


def test_a_negative_similarity_counts_as_none():
    assert score(0.9, -0.3) == score(0.9, 0.0)


@pytest.mark.parametrize(
    ("value", "tier"), [(0.8, "high"), (0.79, "medium"), (0.5, "medium"), (0.49, "low"), (0.8 - 1e-12, "high")]
)
def test_a_score_at_a_limit_belongs_to_the_higher_tier(value, tier):
    assert CHECK.tier_of(value, CHECK.bind(Preset())) == tier


def test_exactly_at_the_medium_limit_it_passes():
    s, at = signals(0.45, 0.6), score(0.45, 0.6)
    assert CHECK.decide(s, CHECK.bind(Preset(thresholds={"fact_grounding.medium": at}))).passed
    assert CHECK.decide(s, CHECK.bind(Preset(thresholds={"fact_grounding.medium": at + 0.001}))).failed


def test_the_first_round_reads_five_passages_from_a_cosine_on_and_a_recheck_more(make_case, models):
    found = tuple(
        evidence("An arithmetic progression is a list of numbers", c, n)
        for n, c in enumerate((0.6, 0.35, 0.5, 0.45, 0.42, 0.41))
    )
    case = make_case(evidence=found)
    assert measure("first", case, models).signals["fact_grounding"]["read"].tolist() == [1, 0, 1, 1, 1, 0]
    assert measure("rechecked", case, models).signals["fact_grounding"]["read"].tolist() == [1] * 6


def test_only_the_sentences_that_state_something_count(make_case, models):
    greeting = make_case("I'd be happy to help you with that. An arithmetic progression is a list of numbers.")
    alone = make_case("An arithmetic progression is a list of numbers.")
    values = [
        decision(CHECK, measure("first", c, models).signals["fact_grounding"], Preset()).value
        for c in (greeting, alone)
    ]
    assert values[0] == values[1]


def test_without_a_passage_a_claim_scores_nothing(make_case, models):
    measured = measure("first", make_case(scores=()), models).signals["fact_grounding"]
    decided = decision(CHECK, measured, Preset())
    assert decided.value == 0 and decided.failed


def test_what_a_writer_says_of_itself_is_its_certainty(make_case, models):
    case = make_case()
    sure = replace(case, draft=Draft(**{**vars(case.draft), "certainty": 0.25}))
    measured = measure("first", sure, models).signals["fact_grounding"]
    assert (float(measured["certainty"]), float(measured["assessed"])) == (0.25, 1)


def test_each_weight_can_be_moved_and_the_others_keep_their_proportion():
    moved = Preset(thresholds={"fact_grounding.weight_retrieval": 0.0, "fact_grounding.weight_certainty": 0.6})
    value = CHECK.decide(signals(0.9, 0.8, certainty=0.5), CHECK.bind(moved)).value
    assert float(value) == pytest.approx((0.6 * 0.9 + 0.6 * 0.5) / 1.2)


def test_what_is_read_is_a_setting(make_case, models):
    found = tuple(evidence("An arithmetic progression is a list of numbers", 0.5, n) for n in range(4))
    narrow = Settings(passages_read=2, passages_rechecked=3, cosine_rechecked=0.45)
    for name, read in (("first", [1, 1, 0, 0]), ("rechecked", [1, 1, 1, 0])):
        measured = measure(name, make_case(evidence=found), models, narrow)
        assert measured.signals["fact_grounding"]["read"].tolist() == read
