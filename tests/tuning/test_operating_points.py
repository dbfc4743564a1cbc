"""Risk and coverage: counted over what the writer answers, never over planted answers."""

from dataclasses import replace

import pytest

from core.banks.open_bank import OpenBank
from core.evaluation.counts import Rate, count_worths
from core.evaluation.outcomes import is_planted
from core.presentation.set_words import risk_title
from core.presets import preset
from core.tuning.curves import OperatingPoint, curve, operating_point
from tests.support.planted_banks import RELATED, two_limits

PRINTED = preset("as_printed")


@pytest.fixture
def cases():
    return two_limits(120, related=0.434, hybrid=0.4)


def point(wrong, out, n=100):
    return OperatingPoint(risk=Rate(count=wrong, n=out), coverage=Rate(count=out, n=n))


def test_risk_and_coverage_are_those_of_the_results(cases):
    bank = OpenBank.of(cases)
    for limit in (0.3, 0.434, 0.7):
        moved = PRINTED.with_values({RELATED: limit})
        counts, found = count_worths(bank.at(moved), bank.should), operating_point(bank, moved)
        assert found.risk.count == counts.wrong + counts.not_due_wrong
        assert found.risk.n == found.coverage.count == counts.right + counts.fair + counts.wrong + counts.not_due_wrong
        assert found.coverage.n == counts.n


def test_a_curve_has_a_point_for_each_value_of_the_slider(cases):
    bank = OpenBank.of(cases)
    along = curve(bank, PRINTED, RELATED)
    assert len(along.points) == len(along.values) > 50
    assert [p.coverage.count for p in along.points] == sorted((p.coverage.count for p in along.points), reverse=True)
    for value, point in zip(along.values[::10], along.points[::10], strict=True):
        assert point == operating_point(bank, PRINTED.with_values({RELATED: float(value)}))


def test_planted_answers_do_not_count(cases):
    planted = [replace(c, row=c.row | {"pair": c.row["id"], "answer": "Planted."}) for c in cases[:40]]
    assert all(is_planted(case.row) for case in planted) and not any(is_planted(case.row) for case in cases)
    loose = PRINTED.with_values({RELATED: 0.0})
    rest = operating_point(OpenBank.of(cases[40:]), loose)
    assert operating_point(OpenBank.of([*planted, *cases[40:]]), loose) == rest and rest.coverage.n == 80


@pytest.mark.parametrize(
    ("now", "title"),
    [
        (point(5, 41), "41 of 100 questions answered; 5 of them wrong"),
        (OperatingPoint(risk=Rate(count=9, n=70), coverage=Rate(count=74, n=185)), "Answers by the app: 74 of 185 questions answered; 9 of 70 checked answers wrong"),
        (point(0, 0), "No answer is given out under these limits, so none is wrong"),
        (point(0, 0, 0), "No question of this set can be counted yet"),
    ],
)  # fmt: skip
def test_the_title_states_the_risk(now, title):
    assert title in risk_title(now)
