"""What the reader's numbers mean: fitted so that a surer reader is believed more, and scored as SQuAD 2.0 scores."""

from types import SimpleNamespace

import numpy as np
import pytest

from core.lab.training.answer_choices import Choice, answer_weights, choice_figures
from core.lab.training.calibrate_reader import answered_map, f1_at_best
from core.models.reader import Answer, ReaderMap
from core.models.stretches import HINTS


def read(answered, truth, **more):
    scores = np.array(answered, dtype=float)
    return SimpleNamespace(answered=scores, span=scores / 2, probability=scores, truth=np.array(truth, bool), **more)


def test_the_fitted_map_believes_what_told_them_apart():
    some = np.linspace(-3, 3, 60)
    found = ReaderMap(**answered_map([read(some, some + np.sin(9 * some) > 0)]))
    assert found(np.array([3.0]), np.array([1.5]))[0] > 0.8 > 0.2 > found(np.array([-3.0]), np.array([-1.5]))[0]


def test_f1_counts_words_and_a_rightly_withheld_answer_in_full():
    rows = [{"context": "The red rod is long.", "answers": ["red rod"]}, {"context": "A rod.", "answers": []}]
    found = [Answer(probability=0.9, span=(0, 11), at=(0,), starts=(1.0,)),
             Answer(probability=0.2, span=(0, 5), at=(0,), starts=(1.0,))]  # fmt: skip
    assert f1_at_best(read([0.9, 0.2], [True, False], answers=found), rows) == pytest.approx(100)
    assert f1_at_best(read([0.2, 0.9], [True, False], answers=found), rows) == pytest.approx(50)


def test_the_hint_that_tells_weighs_most():
    hints = np.zeros((3, len(HINTS)))
    hints[1, HINTS.index("located")] = 1.0
    hints[2, HINTS.index("located")] = 1.0
    asked = [Choice(hints=hints, right=np.array([0.0, 1.0, 1.0]))] * 20
    none = [Choice(hints=0 * hints[:2], right=np.zeros(2))] * 20
    weights = answer_weights([*asked, *none])
    assert max(HINTS, key=weights.get) == "located"
    assert choice_figures([*asked, *none], weights) == {"picked": 1.0, "n_answerable": 20, "area": 1.0, "n": 40}
