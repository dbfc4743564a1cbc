"""Of several readings of a sentence the most decided one is believed."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.check import Bound
from core.checks.entailment import label_indices, sentence_probabilities
from core.features.case_features import CaseFeatures
from core.judgements import LABELS, decisiveness

SAID, TORN, DENIED = (0.9, 0.08, 0.02), (0.45, 0.03, 0.52), (0.01, 0.04, 0.95)
OPEN, LEANING = (0.1, 0.85, 0.05), (0.4, 0.55, 0.05)
PADDING = (np.nan,) * 3


@given(arrays(float, (7, 3), elements=st.floats(1e-9, 1.0)))
def test_readings_with_a_side_come_first_by_their_doubt_and_the_others_by_what_they_leave_open(weights):
    read = weights / weights.sum(axis=1, keepdims=True)
    ordered = read[np.argsort(-decisiveness(read))]
    sided = np.argmax(ordered, axis=1) != 1
    assert not (np.diff(sided.astype(int)) > 0).any()
    doubt = -(ordered * np.log(ordered)).sum(axis=1)
    assert (np.diff(doubt[sided]) > -1e-12).all() and (np.diff(ordered[~sided, 1]) >= 0).all()


def test_certainty_has_a_place_and_padding_has_none():
    best, other, none = decisiveness(np.array([(1.0, 0.0, 0.0), SAID, PADDING]))
    assert best > other and np.isnan(none)


@pytest.mark.parametrize(
    ("readings", "believed"),
    [
        ((TORN, SAID), "entailment"),
        ((SAID, TORN, OPEN), "entailment"),
        ((SAID, DENIED), "contradiction"),
        ((OPEN, TORN), "contradiction"),
        ((OPEN, OPEN), "neutral"),
        ((PADDING, OPEN), "neutral"),
        ((LEANING, OPEN), "neutral"),
    ],
)
def test_a_sentence_has_the_label_of_its_most_decided_considered_passage(readings, believed):
    grid = np.array([[*readings, DENIED]])  # (sentence, passage, label), the last passage not considered
    considered = np.array([[1.0] * len(readings) + [0.0]])
    bound = Bound(**dict(zip(LABELS, np.moveaxis(grid, -1, 0), strict=True)), considered=considered)
    assert [LABELS[i] for i in label_indices(sentence_probabilities(bound))] == [believed]


class Saying:
    """Says the same of every pair, and keeps what it was asked."""

    def __init__(self, row):
        self.row, self.asked = row, []

    def probabilities(self, pairs):
        self.asked += pairs
        return np.array([self.row] * len(pairs)).reshape(-1, 3)


def test_a_quoted_sentence_is_said_by_itself_whatever_a_model_makes_of_it(make_case, models):
    case, model = make_case("An arithmetic progression is a list of numbers."), Saying(DENIED)
    reading = CaseFeatures(case, replace(models, entailer=model))
    assert reading.entailment_signals()["entailment"][0, 0] == 1.0
    assert reading.windows == (((0,), ()),) and model.asked == []


@pytest.mark.parametrize(("row", "asked", "read"), [(SAID, 1, 1), (DENIED, 1, 1), (TORN, 3, 2), (OPEN, 3, 2)])
def test_no_more_is_read_than_decides_and_others_only_to_compare_where_nothing_says_it(
    make_case, models, row, asked, read
):
    (evidence, *_) = make_case().evidence
    said = replace(evidence.passage, sentences=("A list is finite.", "Lists have terms.", "Terms are numbers."))
    passages = tuple(replace(evidence, passage=replace(said, id=f"p{n}"), kept=(0, 1, 2)) for n in range(8))
    case, model = make_case("A progression is some list of terms.", evidence=passages), Saying(row)
    found = CaseFeatures(case, replace(models, entailer=model)).entailment_signals()
    assert found["considered"].tolist() == [[1.0, *[0.0] * 7]] and len(model.asked) == asked
    assert np.isfinite(found["neutral"]).tolist() == [[n < read for n in range(8)]]


class Both:
    """Says what two sentences say together of just these two; everything else it leaves open."""

    def probabilities(self, pairs):
        return np.array([SAID if premise == " ".join(FAR_APART) else OPEN for premise, _ in pairs])


FAR_APART = ("Mercury is a metal.", "Every metal conducts electricity.")


def test_what_follows_from_two_sentences_far_apart_is_read_against_both(make_case, models):
    between = ("A thermometer holds it.", "Some are long.", "Others are short.", "It shines.")
    (evidence, *_) = make_case().evidence
    passage = replace(evidence.passage, sentences=(FAR_APART[0], *between, FAR_APART[1]))
    case = make_case(
        "Mercury conducts electricity.", evidence=(replace(evidence, passage=passage, kept=tuple(range(6))),)
    )
    features = CaseFeatures(case, replace(models, entailer=Both()))
    assert features.entailment_signals()["entailment"].tolist() == [[SAID[0]]]
    assert features.windows == (((0, 5),),)
