"""A sweep over many cases says what each case says alone."""

import numpy as np
import pytest

from core.checks import all_checks
from core.sweep.check_batches import stacked, swept
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
    batch = stacked(check, rounds)
    for threshold in check.thresholds().values():
        values = threshold.grid(7)
        together = swept(batch, threshold, Preset(), values)
        assert together.margin.shape == (7, len(rounds))
        for point, value in enumerate(values):
            for case, measured in enumerate(rounds):
                if check.name not in measured.signals:
                    assert np.isnan(together.margin[point, case])
                    continue
                under = Preset(thresholds={threshold.key: float(value)})
                alone = check.decision(measured.signals[check.name], under)
                np.testing.assert_allclose(together.margin[point, case], alone.margin)


def test_a_value_out_of_bounds_is_refused(rounds):
    check = next(c for c in all_checks() if c.name == "retrieval_score")
    threshold = check.thresholds()["min_retrieval_score"]
    with pytest.raises(ValueError, match=threshold.key):
        swept(stacked(check, rounds), threshold, Preset(), np.array([0.5, 1.5]))
