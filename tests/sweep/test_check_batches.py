"""A check that decides many cases at many settings says what each case says alone."""

import numpy as np
import pytest

from core.check import Bound
from core.checks import all_checks
from core.sweep.decision_tables import FAILED, NOT_RUN, PASSED, table
from core.sweep.settings_grid import Points
from core.sweep.signal_batches import Stack, stacked
from core.sweep.threshold_columns import MovedColumns
from core.thresholds import Preset
from tests.chain.test_steps import trace_of

ANSWERS = (
    "An arithmetic progression is a list of numbers.",
    "Each term is obtained by adding 7 to the term before. Maybe it is not so. A third one [3].",
    "",
)


@pytest.fixture
def rounds(make_case, models):
    return [
        trace_of(models, make_case(answer, scores)).rounds[0]
        for answer in ANSWERS for scores in ((0.9, 0.7, 0.2), (0.45, 0.4), (0.2,), ())
    ]  # fmt: skip


@pytest.mark.parametrize("check", all_checks(), ids=lambda c: c.name)
def test_every_case_at_every_point_agrees_with_the_case_alone(check, rounds):
    signals = stacked(check, rounds)
    stack = Stack(rounds, np.arange(len(rounds)), np.zeros(len(rounds), dtype=bool))
    for threshold in check.thresholds().values():
        values = threshold.grid(7)
        cells = MovedColumns(Preset(), [threshold.key] * 7, values, np.arange(7)[:, None]).cells(check)
        at = cells.at(np.arange(7))
        margins = np.broadcast_to(check.decide(Bound(**signals), cells.bound).margin, (*cells.shape, len(rounds)))[at]
        codes = table(stack, check, cells)[:, at]
        for point, value in enumerate(values):
            for case, measured in enumerate(rounds):
                if check.name not in measured.signals:
                    assert codes[case, point] == NOT_RUN
                    continue
                under = Preset(thresholds={threshold.key: float(value)})
                alone = check.decision(measured.signals[check.name], under)
                np.testing.assert_allclose(margins[point, case], alone.margin)
                expected = PASSED if alone.passed else FAILED if alone.failed else NOT_RUN
                assert codes[case, point] == expected


def test_a_value_out_of_bounds_is_refused():
    key = "retrieval_score.min_retrieval_score"
    with pytest.raises(ValueError, match=key):
        Points.along(Preset(), key, np.array([0.5, 1.5]))
