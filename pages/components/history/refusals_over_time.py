"""Questions without an answer over time: a row of bars for each reason, all in one colour and on one scale."""

from collections import Counter
from collections.abc import Mapping, Set
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from core.journal import Filter, Journal
from pages.components.history.decisions import SHORT
from pages.components.shared.safe_display import counted

_BARS = "#4f83e3"  # the accent, readable in both themes
_DAYS, _WEEKS = 45, 300
"""Longest spans in days with one bar a day and one bar a week; a longer span has one bar a month."""
_ROW, _MARGINS = 42, 50
_STEP = 1.3
"""Distance between the baselines of two rows; the tallest bar is 1."""
_UNITS = {"day": ("", 1), "week": ("week from ", 7), "month": ("month from ", 28)}
"""For each unit, the words before the first day of a bar, and its width in days."""


def over_time(journal: Journal, which: Filter) -> None:
    """Draw the chart under its title; one sentence if every question was answered."""
    counts = journal.refusals(which)
    if not counts:
        st.caption("Every one of these questions got an answer.")
        return
    st.markdown(f"**{title(counts)}**")
    height = _MARGINS + _ROW * len(_by_reason(counts))
    st.plotly_chart(
        _figure(tuple(sorted(counts.items()))), key="refusals", config={"displayModeBar": False}, height=height
    )


def title(counts: Mapping[tuple[str, str], int]) -> str:
    """The title of the chart: how many questions got no answer, and the most frequent reason."""
    total = sum(counts.values())
    reason, most = _by_reason(counts).most_common(1)[0]
    return f"{counted(total, 'question')} without an answer; {_short(reason)}: {most}"


def binned(counts: Mapping[tuple[str, str], int]) -> tuple[str, dict[str, Counter[date]]]:
    """The unit of a bar (day, week or month), and for each reason, the most frequent first, the count by first day.

    counts: (ISO day, reason) -> count.
    """
    days = {date.fromisoformat(day) for day, _ in counts}
    span = (max(days) - min(days)).days
    unit = "day" if span <= _DAYS else "week" if span <= _WEEKS else "month"
    bars: dict[str, Counter[date]] = {reason: Counter() for reason, _ in _by_reason(counts).most_common()}
    for (day, reason), count in counts.items():
        bars[reason][_first_day(unit, date.fromisoformat(day))] += count
    return unit, bars


def _by_reason(counts: Mapping[tuple[str, str], int]) -> Counter[str]:
    totals: Counter[str] = Counter()
    for (_, reason), count in counts.items():
        totals[reason] += count
    return totals


def _first_day(unit: str, day: date) -> date:
    """The first day of the unit that contains `day`."""
    return {"day": day, "week": day - timedelta(days=day.weekday()), "month": day.replace(day=1)}[unit]


@lru_cache(maxsize=64)
def _figure(counts: tuple[tuple[tuple[str, str], int], ...]) -> go.Figure:
    """A row for each reason, the most frequent on top. All bars share one trace; a plot each takes half a second."""
    unit, bars = binned(dict(counts))
    baselines = {reason: -_STEP * row for row, reason in enumerate(bars)}
    points = [(day, reason, days[day]) for reason, days in bars.items() for day in sorted(days)]
    tallest = max(count for _, _, count in points)
    lead, width = _UNITS[unit]
    trace = {
        "type": "bar", "x": [day for day, _, _ in points], "y": [count / tallest for _, _, count in points],
        "base": [baselines[reason] for _, reason, _ in points], "width": [width * 86_400_000 * 0.85] * len(points),
        "marker": {"color": _BARS}, "customdata": [[count, _short(reason)] for _, reason, count in points],
        "hovertemplate": f"{lead}%{{x|%d %b %Y}}<br>%{{customdata[0]}} × %{{customdata[1]}}<extra></extra>",
    }  # fmt: skip
    labels = [f"{_short(reason)}: {sum(days.values())}" for reason, days in bars.items()]
    layout = {
        "showlegend": False, "margin": {"l": 8, "r": 8, "t": 8, "b": 34}, "hovermode": "closest", "barmode": "overlay",
        "yaxis": {
            "tickvals": [baseline + 0.4 for baseline in baselines.values()], "ticktext": labels, "fixedrange": True,
            "range": [min(baselines.values()) - 0.05, 1.1], "showgrid": False, "zeroline": False, "automargin": True,
        },
        "xaxis": {
            "type": "date", "tickformat": "%d %b %Y", "showgrid": False, "fixedrange": True,
            **_ticks({day for day, _, _ in points}),
        },
        "shapes": [
            {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": baseline, "y1": baseline,
             "line": {"width": 1, "color": "#8a93a1"}}
            for baseline in baselines.values()
        ],
    }  # fmt: skip
    return go.Figure({"data": [trace], "layout": layout})


def _ticks(days: Set[date]) -> dict[str, Any]:
    """The tick settings: at most six dates; for a short span one for each day, where plotly would add ticks at noon."""
    first, span = min(days), (max(days) - min(days)).days
    return {"nticks": 6} if span >= 6 else {"tickvals": [first + timedelta(days=n) for n in range(span + 1)]}


def _short(reason: str) -> str:
    return SHORT.get(reason, reason)
