"""For educators: the decisions of the history as one small bar a day."""

from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta
from html import escape

import streamlit as st

from core.journal import Filter, Journal
from core.words import reason_text

MOST_DAYS = 180
"""Days that are drawn at most, the latest ones."""
_STEP, _TALLEST = 4, 48
"""Pixels of one decision, and of the tallest bar: a few decisions a day are no taller than a line of text."""
_ROW = "display:flex;align-items:flex-end;gap:2px;border-bottom:1px solid var(--line)"
_COLUMN = "display:flex;flex-direction:column;flex:0 1 12px;min-height:16px;justify-content:flex-end"
Counts = Mapping[tuple[str, str | None], int]
"""(ISO day, reason of a question without an answer or None for an answer) -> number of decisions."""


def day_strip(journal: Journal, selection: Filter) -> None:
    """Draw the decisions in `selection`: a bar a day, answered below and without an answer above."""
    counts = journal.by_day(selection)
    st.html(strip(counts))
    st.caption(title(counts))


def title(counts: Counts) -> str:
    """How many questions got no answer, and the most frequent reason."""
    reasons = Counter[str]()
    for (_, reason), count in counts.items():
        if reason is not None:
            reasons[reason] += count
    if not reasons:
        return "Every question was answered."
    total, (reason, count) = reasons.total(), reasons.most_common(1)[0]
    return (
        f"{total} question{'s' * (total != 1)} without an answer; most common reason: {reason_text(reason)} ({count})"
    )


def strip(counts: Counts) -> str:
    """The bars as HTML, from the first day to the last."""
    answered, refused = Counter[str](), Counter[str]()
    for (day, reason), count in counts.items():
        (answered if reason is None else refused)[day] += count
    days = _days(min(day for day, _ in counts), max(day for day, _ in counts))
    step = min(_STEP, _TALLEST / max((answered + refused)[day] for day in answered | refused))
    bars = "".join(_bar(day, answered[day.isoformat()], refused[day.isoformat()], step) for day in days)
    return f'<div role="img" aria-label="{escape(title(counts))}" style="{_ROW}">{bars}</div>'


def _days(first: str, last: str) -> list[date]:
    """Every day from the first to the last, the latest MOST_DAYS of them."""
    end = date.fromisoformat(last)
    span = min(MOST_DAYS - 1, (end - date.fromisoformat(first)).days)
    return [end - timedelta(days=back) for back in range(span, -1, -1)]


def _bar(day: date, answered: int, refused: int, step: float) -> str:
    text = f"{day:%d %b %Y}: {answered} answered, {refused} not"
    parts = "".join(
        f'<i style="height:{count * step:.0f}px;background:var({colour})"></i>'
        for count, colour in ((refused, "--bad"), (answered, "--good")) if count
    )  # fmt: skip
    return f'<span title="{text}" style="{_COLUMN}">{parts}</span>'
