"""Risk and coverage on a question set: how many questions get an answer, and how many of those answers are wrong."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.banks.decisions import Decisions
from core.banks.open_bank import OpenBank, state_of
from core.decide.points import Points
from core.evaluation.outcomes import UNSAID, WRONG, Rate, is_checked, is_planted
from core.presets import values
from core.thresholds import Preset


@dataclass(frozen=True, kw_only=True)
class OperatingPoint:
    """The effect of one setting of all limits on a set. Planted answers and cases without a known outcome do not count.

    risk: wrong answers among those that are delivered and can be checked. coverage: questions that get an answer, of
    all.
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


def operating_point(bank: OpenBank, preset: Preset) -> OperatingPoint:
    """The operating point of `preset` on the set."""
    return bank.cached(("operating point", state_of(preset)), lambda: _points(bank, bank.decided_at(preset))[0])


def operating_points(bank: OpenBank, presets: Mapping[str, Preset]) -> dict[str, OperatingPoint]:
    """The operating point of each preset on the set, by its name."""
    return {name: operating_point(bank, preset) for name, preset in presets.items()}


def risk_curve(bank: OpenBank, preset: Preset, key: str) -> RiskCurve:
    """The operating points along the threshold `key`, with the others as in `preset`."""
    points = Points.along(preset, key)
    grid = np.array([values(points.preset(n))[key] for n in range(len(points))])
    along = bank.cached(("risk", state_of(preset, key)), lambda: _points(bank, bank.decide(points)))
    return RiskCurve(key=key, values=grid, points=along, now=operating_point(bank, preset))


def _points(bank: OpenBank, decisions: Decisions) -> tuple[OperatingPoint, ...]:
    """The operating point at each point of `decisions`."""
    is_own_question, is_checkable = ~bank.labels.of_each(is_planted, bool), bank.labels.of_each(is_checked, bool)
    worths, goes_out = decisions.worths, decisions.goes_out
    counts = is_own_question & (worths != UNSAID)
    out, checkable_deliveries = counts & goes_out, counts & goes_out & is_checkable
    columns = (checkable_deliveries & (worths == WRONG), checkable_deliveries, out, counts)
    return tuple(
        OperatingPoint(risk=Rate(count=wrong, n=total), coverage=Rate(count=answer_count, n=n))
        for wrong, total, answer_count, n in zip(*(column.sum(1).tolist() for column in columns), strict=True)
    )
