"""Words for risk and coverage: what the current limits and each preset do to a question set."""

from core.presentation.outcome_words import count_of, share
from core.tuning.operating_points import OperatingPoint

NO_ANSWER = "Nothing goes out under these limits, so no answer is wrong"
NO_CHECKABLE_ANSWER = "No answer that goes out can be checked: list the facts of right answers under “Questions”"


def risk_title(now: OperatingPoint) -> str:
    """How many questions get an answer now, and how many of these are wrong: "74 of 185 questions answered; 9 of 70
    that can be checked are wrong"."""
    if not now.coverage.n:
        return "No question of this set can be counted yet"
    if not now.risk.n:
        return NO_CHECKABLE_ANSWER if now.coverage.count else NO_ANSWER
    wrong = (
        f"{now.risk.count} of them" if now.risk.n == now.coverage.count else f"{now.risk.count} of {now.risk.n} checked"
    )
    return f"{now.coverage.count} of {count_of(now.coverage.n, 'question')} answered; {wrong} wrong"


def point_text(point: OperatingPoint) -> str:
    """An operating point for the hover text of a chart."""
    coverage_text = f"{point.coverage.count} of {point.coverage.n} questions get an answer"
    if not point.risk.n:
        return coverage_text
    return f"{coverage_text}<br>{point.risk.count} of these are wrong ({share(point.risk)})"


def percent(share_: float | None) -> float | None:
    """A share, 0 to 1, in percent for an axis; None stays None."""
    return None if share_ is None else 100 * share_
