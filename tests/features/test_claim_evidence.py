"""The evidence that a claim is read against: the nearest sentences, those of the passages that it cites, two together."""

from dataclasses import replace

import numpy as np
import pytest

from core.features.case_features import CaseFeatures
from core.features.claim_evidence import ClaimEvidence
from core.models.support_hints import HINTS, SupportWeights
from core.text.crossed_facts import is_crossed

LAMPS = ("The lamp burns oil.", "Its wick is made of cotton.", "A chimney of glass guards the flame.")
SHIPS = ("A ship with sails needs wind.", "Its sails are made of cotton.", "The harbour lies to the north.")


@pytest.fixture
def shelf(make_case):
    """A case with two passages, and with an answer where one is given."""

    def case(answer=None, **changes):
        (first, *_) = make_case().evidence
        passages = [
            replace(first.passage, sentences=s, pages=(1,) * 3, id=f"p:{n}") for n, s in enumerate((LAMPS, SHIPS))
        ]
        passages[0] = replace(passages[0], **changes)
        return make_case(answer, evidence=tuple(replace(first, passage=p, kept=(0, 1, 2)) for p in passages))

    return case


def premises(case, models, claim, cited=()):
    asked = (claim, frozenset(cited))
    return ClaimEvidence(case, models.embedder).premises([asked])[asked]


def test_the_nearest_sentence_is_read_first_and_then_with_its_neighbours(shelf, models):
    found = premises(shelf(), models, "The wick is cotton.")
    assert [p.text for p in found.first] == [LAMPS[1]]
    assert found.more[0].text == " ".join(LAMPS) and found.more[0].core == ((0, 1),)
    assert found.around[0] == " ".join(LAMPS)


def test_the_two_nearest_sentences_are_read_together_where_no_neighbours_hold_both(shelf, models):
    found = premises(shelf(), models, "Wick and sails are made of cotton.")
    assert found.more[-1].indices == ((0, 1), (1, 1)) and found.more[-1].text == f"{LAMPS[1]} {SHIPS[1]}"


def test_the_nearest_sentence_of_a_cited_passage_is_read_in_any_case(shelf, models):
    found = premises(shelf(), models, "The wick is cotton.", cited=(1,))
    assert [p.core for p in found.first] == [((0, 1),), ((1, 1),)]


@pytest.mark.parametrize("changes", [{"broken": (1,)}, {"kind": "exercise"}])
def test_what_is_no_evidence_is_not_read(shelf, models, changes):
    found = premises(shelf(**changes), models, "The wick is cotton.")
    assert all((0, 1) not in p.indices for p in (*found.first, *found.more))


def test_without_evidence_there_is_no_premise(make_case, models):
    assert premises(make_case(evidence=()), models, "The wick is cotton.").first == ()


def test_a_cited_passage_decides_where_it_says_the_claim_and_another_where_it_does_not(shelf, models):
    own, other = (CaseFeatures(shelf(f"{LAMPS[2]} [{n}]"), models).support_signals["first"] for n in (1, 2))
    assert own.tolist() == other.tolist() == [[3.0, 0.0]]


def test_the_last_sentence_of_a_passage_and_the_first_of_the_next_are_no_pair(shelf, models):
    answer, last = "Every captain needs brass, and a lamp fears the wind.", "Ravi lights a lamp of brass."
    assert is_crossed(answer, [last, SHIPS[0]])
    assert CaseFeatures(shelf(answer, sentences=(*LAMPS[:2], last)), models).crossed == [False]


def test_of_a_sentence_that_is_quoted_no_model_is_asked(shelf, models):
    found = CaseFeatures(shelf(f"{LAMPS[2]} [1]"), models).support_signals
    assert found["says"] == [1.0] and found["probability"][0] > 0.9 and models.entailer.asked == []


@pytest.mark.parametrize("name", HINTS)
def test_each_hint_moves_the_probability_the_way_of_its_weight(name):
    weights = SupportWeights()
    low, high = np.zeros((1, len(HINTS))), np.zeros((1, len(HINTS)))
    high[0, HINTS.index(name)] = 1.0
    assert np.sign(weights(high) - weights(low))[0] == np.sign(getattr(weights, name))
    assert name in ("near", "claims", "shared") or getattr(weights, name) < 0
