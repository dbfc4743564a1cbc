"""Questions without an answer over time: the bars of a chart for each reason, and the title that states the finding."""

from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta

from core.words import reason_text

_DAYS, _WEEKS = 45, 300
"""Longest spans in days with one bar a day and one bar a week; a longer span has one bar a month."""
Counts = Mapping[tuple[str, str], int]
"""(ISO day, reason) -> number of questions."""


def title(counts: Counts) -> str:
    """How many questions got no answer, and the most frequent reason."""
    total = sum(counts.values())
    reason, count = by_reason(counts).most_common(1)[0]
    most = f"most common reason: {reason_text(reason)} ({count})"
    return f"{total} question{'s' * (total != 1)} without an answer; {most}"


def counts_by_day(counts: Counts) -> tuple[str, dict[str, Counter[date]]]:
    """The unit of a bar (day, week or month), and for each reason, the most frequent first, the count by first day."""
    days = {date.fromisoformat(day) for day, _ in counts}
    span = (max(days) - min(days)).days
    unit = "day" if span <= _DAYS else "week" if span <= _WEEKS else "month"
    bars: dict[str, Counter[date]] = {reason: Counter() for reason, _ in by_reason(counts).most_common()}
    for (day, reason), count in counts.items():
        first = date.fromisoformat(day)  # of the unit that contains the day
        first = {"day": first, "week": first - timedelta(days=first.weekday()), "month": first.replace(day=1)}[unit]
        bars[reason][first] += count
    return unit, bars


def by_reason(counts: Counts) -> Counter[str]:
    """The number of questions for each reason."""
    totals: Counter[str] = Counter()
    for (_, reason), count in counts.items():
        totals[reason] += count
    return totals
