"""The five thresholds that matter most for one question: the nearest to changing how it ends, and none that does not."""

import pytest

from core.checks import all_thresholds
from core.sweep.sensitivity import COUNT, TO_BEGIN_WITH, Sensitivity, effects, main_limits
from tests.support.route_bank import ROWS, stored, under


def test_before_a_question_they_are_five_that_exist():
    assert len(set(TO_BEGIN_WITH)) == COUNT and set(TO_BEGIN_WITH) <= set(all_thresholds())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_each_of_them_does_something_and_the_nearest_come_first(row):
    question, preset = Sensitivity(stored(row)), under(row)
    found, seen = main_limits(question, preset), effects(question, preset)
    assert len(found) <= COUNT
    assert all(seen[key].why in ("acts", "asks") for key in found)
    acting = [key for key, effect in seen.items() if effect.why in ("acts", "asks")]
    assert len(found) == min(COUNT, len(acting))
    assert [seen[key].why for key in found] == sorted(seen[key].why for key in found)
