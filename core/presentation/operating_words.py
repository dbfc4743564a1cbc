"""Words for risk and coverage: what the current limits and each preset do to a question set."""

from collections.abc import Mapping

from core.presentation.outcome_words import count_of, share
from core.tuning.operating_points import OperatingPoint

NO_ANSWER = "Nothing goes out under these limits, so no answer is wrong"
NO_CHECKABLE_ANSWER = "No answer that goes out can be checked: list the facts of right answers under “Questions”"


def risk_title(now: OperatingPoint, presets: Mapping[str, OperatingPoint]) -> str:
    """The share of wrong answers among those delivered now, and the preset with a lower share, if there is one.

    presets: the operating point of each, by its title.
    """
    if not now.coverage.n:
        return "No question of this set can be counted yet"
    if not now.risk.n:
        return NO_CHECKABLE_ANSWER if now.coverage.count else NO_ANSWER
    checked = "of these" if now.risk.n == now.coverage.count else f"of {now.risk.n} that can be checked"
    verb = "is" if now.risk.count == 1 else "are"
    own = f"Of {count_of(now.coverage.n, 'question')} without a pasted answer, {now.coverage.count} get an answer"
    risk_text = f"{own}; {now.risk.count} {checked} {verb} wrong"
    better = {
        name: p
        for name, p in presets.items()
        if p.risk.n and p.coverage.count >= now.coverage.count and p.risk.share < now.risk.share
    }
    if not better:
        return f"{risk_text}. No preset answers as many with fewer errors"
    name, point = min(better.items(), key=lambda item: (item[1].risk.share, -item[1].coverage.count))
    return f"{risk_text}. With “{name}” it is {point.risk.count} of {point.risk.n}"


def point_text(point: OperatingPoint) -> str:
    """An operating point for the hover text of a chart."""
    coverage_text = f"{point.coverage.count} of {point.coverage.n} questions get an answer"
    if not point.risk.n:
        return coverage_text
    return f"{coverage_text}<br>{point.risk.count} of these are wrong ({share(point.risk)})"


def percent(share_: float | None) -> float | None:
    """A share, 0 to 1, in percent for an axis; None stays None."""
    return None if share_ is None else 100 * share_
