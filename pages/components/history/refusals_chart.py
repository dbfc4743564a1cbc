"""Questions without an answer over time: a row of bars for each reason, all in one colour and on one scale."""

from collections.abc import Set
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from core.journal import Filter, Journal
from core.presentation.refusals_over_time import by_reason, counts_by_day, title
from core.words import reason_text
from pages.components.shared.figure import ACCENT, QUIET
from pages.components.shared.safe_display import plain

_ROW, _MARGINS = 42, 50
_STEP = 1.3
"""Distance between the baselines of two rows; the tallest bar is 1."""
_UNITS = {"day": ("", 1), "week": ("week from ", 7), "month": ("month from ", 28)}
"""For each unit, the words before the first day of a bar, and its width in days."""


def refusals_chart(journal: Journal, selection: Filter) -> None:
    """Draw the chart of the decisions in `selection` under its title; one sentence if every question was answered."""
    st.subheader("Refusals over time", anchor=False)
    counts = journal.refusals(selection)
    if not counts:
        st.caption("All of these questions were answered.")
        return
    st.markdown(f"**{plain(title(counts))}**")
    height = _MARGINS + _ROW * len(by_reason(counts))
    st.plotly_chart(
        _figure(tuple(sorted(counts.items()))), key="refusals", config={"displayModeBar": False}, height=height,
        alt=title(counts),
    )  # fmt: skip


@lru_cache(maxsize=64)
def _figure(counts: tuple[tuple[tuple[str, str], int], ...]) -> go.Figure:
    """The chart: a row of bars for each reason, the most frequent on top. counts: ((day, reason), number of questions).

    All bars are in one plotly trace, since a plot for each reason takes half a second.
    """
    unit, bars = counts_by_day(dict(counts))
    baselines = {reason: -_STEP * row for row, reason in enumerate(bars)}
    points = [(day, reason, days[day]) for reason, days in bars.items() for day in sorted(days)]
    tallest = max(count for _, _, count in points)
    lead, width = _UNITS[unit]
    trace = {
        "type": "bar", "x": [day for day, _, _ in points], "y": [count / tallest for _, _, count in points],
        "base": [baselines[reason] for _, reason, _ in points], "width": [width * 86_400_000 * 0.85] * len(points),
        "marker": {"color": ACCENT},
        "customdata": [[count, reason_text(reason)] for _, reason, count in points],
        "hovertemplate": f"{lead}%{{x|%d %b %Y}}<br>%{{customdata[0]}} × %{{customdata[1]}}<extra></extra>",
    }  # fmt: skip
    labels = [f"{reason_text(reason)}: {sum(days.values())}" for reason, days in bars.items()]
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
             "line": {"width": 1, "color": QUIET}}
            for baseline in baselines.values()
        ],
    }  # fmt: skip
    return go.Figure({"data": [trace], "layout": layout})


def _ticks(days: Set[date]) -> dict[str, Any]:
    """The tick settings: at most six dates; for a short span one for each day, where plotly would add ticks at noon."""
    first, span = min(days), (max(days) - min(days)).days
    return {"nticks": 6} if span >= 6 else {"tickvals": [first + timedelta(days=n) for n in range(span + 1)]}
