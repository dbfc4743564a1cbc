"""Risk and coverage on a question set: how many questions get an answer, and how many of those answers are wrong."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.banks.scored_bank import UNSAID, WRONG, ValuedBank, is_checked, is_planted, state_of
from core.evaluation.outcomes import Rate
from core.presets import values
from core.sweep.outcomes import Decided
from core.sweep.settings_grid import Points
from core.thresholds import Preset


@dataclass(frozen=True, kw_only=True)
class OperatingPoint:
    """What one setting of all limits does to a set. Planted answers and cases without a known outcome do not count.

    risk: wrong answers among those that go out and can be checked. coverage: questions that get an answer, of all.
    """

    risk: Rate
    coverage: Rate


@dataclass(frozen=True, kw_only=True)
class RiskCurve:
    """The operating points at every value of one threshold, with the others as they are now."""

    key: str
    values: np.ndarray
    points: tuple[OperatingPoint, ...]
    now: OperatingPoint


def operating_point(bank: ValuedBank, preset: Preset) -> OperatingPoint:
    """The operating point of `preset` on the set."""
    return bank.remembered(("operating point", state_of(preset)), lambda: _points(bank, bank.decided_at(preset))[0])


def operating_points(bank: ValuedBank, presets: Mapping[str, Preset]) -> dict[str, OperatingPoint]:
    """The operating point of each preset on the set, by its name."""
    return {name: operating_point(bank, preset) for name, preset in presets.items()}


def risk_curve(bank: ValuedBank, preset: Preset, key: str) -> RiskCurve:
    """The operating points along the threshold `key`, with the others as in `preset`."""
    points = Points.along(preset, key)
    grid = np.array([values(points.preset(n))[key] for n in range(len(points))])
    along = bank.remembered(("risk", state_of(preset, key)), lambda: _points(bank, bank.decided(points)))
    return RiskCurve(key=key, values=grid, points=along, now=operating_point(bank, preset))


def _points(bank: ValuedBank, decided: Decided) -> tuple[OperatingPoint, ...]:
    """The operating point of each row of decisions."""
    asked = ~np.array([is_planted(row) for row in bank.rows], dtype=bool)
    checked = np.array([is_checked(row) for row in bank.rows], dtype=bool)
    worths, goes_out = bank.worths(decided), decided.goes_out
    counts = asked & (worths != UNSAID)
    out, judged = counts & goes_out, counts & goes_out & checked
    columns = (judged & (worths == WRONG), judged, out, counts)
    return tuple(
        OperatingPoint(risk=Rate(count=wrong, n=of), coverage=Rate(count=answered, n=n))
        for wrong, of, answered, n in zip(*(column.sum(1).tolist() for column in columns), strict=True)
    )
