"""Formats numbers for display: rounded, but never so far that they contradict the decision."""

import math
from dataclasses import dataclass

from core.check import Check
from core.decide.check_results import CheckResult
from core.thresholds import DUST, Threshold

MOST = 10
"""Largest number of decimals; more are floating-point noise."""
MINUS = "−"


@dataclass(frozen=True, kw_only=True)
class DecisionText:
    """One decision as text: value, limit and signed margin with the same number of decimals, and their unit.

    If further limits are shown beside the value, it may have more decimals than the other two. relation: "at least" or
    "at most": how the value must lie to the limit to pass.
    """

    value: str
    limit: str
    margin: str
    unit: str
    relation: str


def number(value: float, decimals: int = 2) -> str:
    """Round `value` to text with a typographic minus sign; never "-0"."""
    text = f"{value:.{decimals}f}"
    text = text.removeprefix("-") if not text.strip("-0.") else text
    return text.replace("-", MINUS)


def decimals_for(value: float, limits: tuple[float, ...], least: int = 2) -> int:
    """The fewest decimals, at least `least`, at which the rounded value is on the same side of every limit as the exact
    value.
    """
    for decimals in range(least, MOST):
        if all(_side(round(value, decimals), round(x, decimals)) == _side(value, x) for x in limits):
            return decimals
    return MOST


def beside(value: float, *limits: float, least: int = 2) -> str:
    """Format `value` with enough decimals that it stays on its side of every limit."""
    return number(value, decimals_for(value, limits, least))


def whole(value: float) -> int:
    """`value` rounded down, so that it reaches the same whole limits as the exact value: 91.6 does not reach 92."""
    return math.floor(value + DUST)


def decision_text(result: CheckResult, check: Check, *others: float) -> DecisionText:
    """Format the decision of a result that has numbers.

    others: further limits shown beside the value, which gets enough decimals to stay on its side of each of them.
    """
    threshold = check.thresholds().get(result.by)
    value, limit, margin = result.value, result.limit, result.margin
    if (threshold or next(iter(check.signals().values()))).whole:
        decimals = value_decimals = 0
        value, margin = whole(value), whole(margin)
    else:
        decimals = max(decimals_for(value, (limit,)), decimals_for(margin, (0.0,)))
        value_decimals = max(decimals, decimals_for(value, others))
    return DecisionText(
        value=number(value, value_decimals),
        limit=number(limit, decimals),
        margin=sign_text(margin, decimals),
        unit=threshold.unit if threshold else next(iter(check.signals().values())).unit,
        relation="at least" if threshold and threshold.stricter != "lower" else "at most",
    )  # fmt: skip


def sign_text(margin: float, decimals: int) -> str:
    """A margin as text with its sign: + if the check passes, − if it fails."""
    return (MINUS if margin < 0 else "+") + number(abs(margin), decimals)


def threshold_value(threshold: Threshold, value: float) -> str:
    return number(value, 0 if threshold.whole else 2)


def _side(value: float, limit: float) -> int:
    return 0 if abs(value - limit) < DUST else 1 if value > limit else -1
