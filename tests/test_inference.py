"""Of several readings of a sentence the one that is surest of a relation is believed."""

from types import SimpleNamespace

import numpy as np
import pytest

from core.check import Bound
from core.checks.entailment import labelled, sentence_probabilities
from core.inference import LABELS, relation
from core.reading import Reading

SAID, TORN, OPEN, DENIED = (0.9, 0.08, 0.02), (0.45, 0.03, 0.52), (0.1, 0.85, 0.05), (0.01, 0.04, 0.95)
PADDING = (np.nan,) * 3


def test_a_relation_is_as_sure_as_the_likelier_of_its_two():
    assert relation(np.array([SAID, TORN, OPEN, DENIED])).tolist() == [0.9, 0.52, 0.1, 0.95]
    assert np.isnan(relation(np.array([PADDING]))).all()


@pytest.mark.parametrize(
    ("readings", "believed"),
    [
        ((TORN, SAID), "entailment"),
        ((SAID, TORN, OPEN), "entailment"),
        ((SAID, DENIED), "contradiction"),
        ((OPEN, TORN), "contradiction"),
        ((OPEN, OPEN), "neutral"),
        ((PADDING, OPEN), "neutral"),
    ],
)
def test_a_sentence_has_the_label_of_its_surest_considered_passage(readings, believed):
    grid = np.array([[*readings, DENIED]])  # (sentence, passage, label), the last passage not considered
    considered = np.array([[1.0] * len(readings) + [0.0]])
    bound = Bound(**dict(zip(LABELS, np.moveaxis(grid, -1, 0), strict=True)), considered=considered)
    assert [LABELS[i] for i in labelled(sentence_probabilities(bound))] == [believed]


class Torn:
    """Says a sentence of itself alone, and is torn in two over every longer premise."""

    def probabilities(self, pairs):
        return np.array([SAID if premise == hypothesis else TORN for premise, hypothesis in pairs])


def test_a_quoted_sentence_is_read_against_itself_though_its_neighbours_leave_less_open(make_case):
    case = make_case("An arithmetic progression is a list of numbers.")
    reading = Reading(case, SimpleNamespace(entailer=Torn()))
    found = reading.entailment_signals()
    assert found["entailment"].tolist() == [[SAID[0]] * 2]
    assert reading.windows == (((0,), (0,)),)
