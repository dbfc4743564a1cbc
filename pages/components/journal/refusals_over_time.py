"""How often no answer went out, over time: a row of bars for each reason, all of one colour and one scale."""

from collections import Counter
from collections.abc import Mapping, Set
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from core.journal import Filter, Journal
from pages.components.journal.decisions import SHORT
from pages.components.shared.safe_display import counted

_BARS = "#4f83e3"  # the accent, between its light and its dark shade
_DAYS, _WEEKS = 45, 300
"""Up to so many days there is a bar a day, up to so many a bar a week, then a bar a month."""
_ROW, _MARGINS = 42, 50
_STEP = 1.3
"""From the ground of one row to that of the next, where the tallest bar is 1."""
_UNITS = {"day": ("", 1), "week": ("week from ", 7), "month": ("month from ", 28)}
"""What the first day of a bar is called, and how many days it stands for."""


def over_time(journal: Journal, which: Filter) -> None:
    """The picture, under a title that says what it shows; one sentence when every question was answered."""
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
    """What the picture shows: how many got no answer, and the most frequent reason."""
    total = sum(counts.values())
    reason, most = _by_reason(counts).most_common(1)[0]
    return f"{counted(total, 'question')} without an answer; {_short(reason)}: {most}"


def binned(counts: Mapping[tuple[str, str], int]) -> tuple[str, dict[str, Counter[date]]]:
    """What a bar stands for (day, week or month), and for each reason, the most frequent first, its bars."""
    days = {date.fromisoformat(day) for day, _ in counts}
    span = (max(days) - min(days)).days
    name = "day" if span <= _DAYS else "week" if span <= _WEEKS else "month"
    bars: dict[str, Counter[date]] = {reason: Counter() for reason, _ in _by_reason(counts).most_common()}
    for (day, reason), count in counts.items():
        bars[reason][_first_of(name, date.fromisoformat(day))] += count
    return name, bars


def _by_reason(counts: Mapping[tuple[str, str], int]) -> Counter[str]:
    found: Counter[str] = Counter()
    for (_, reason), count in counts.items():
        found[reason] += count
    return found


def _first_of(name: str, day: date) -> date:
    return {"day": day, "week": day - timedelta(days=day.weekday()), "month": day.replace(day=1)}[name]


@lru_cache(maxsize=64)
def _figure(counts: tuple[tuple[tuple[str, str], int], ...]) -> go.Figure:
    """A row for each reason, the most frequent on top; all bars in one trace, since a plot each takes half a second."""
    name, bars = binned(dict(counts))
    places = {reason: -_STEP * row for row, reason in enumerate(bars)}
    drawn = [(day, reason, found[day]) for reason, found in bars.items() for day in sorted(found)]
    tallest = max(count for _, _, count in drawn)
    first, width = _UNITS[name]
    trace = {
        "type": "bar", "x": [day for day, _, _ in drawn], "y": [count / tallest for _, _, count in drawn],
        "base": [places[reason] for _, reason, _ in drawn], "width": [width * 86_400_000 * 0.85] * len(drawn),
        "marker": {"color": _BARS}, "customdata": [[count, _short(reason)] for _, reason, count in drawn],
        "hovertemplate": f"{first}%{{x|%d %b %Y}}<br>%{{customdata[0]}} × %{{customdata[1]}}<extra></extra>",
    }  # fmt: skip
    labels = [f"{_short(reason)}: {sum(found.values())}" for reason, found in bars.items()]
    layout = {
        "showlegend": False, "margin": {"l": 8, "r": 8, "t": 8, "b": 34}, "hovermode": "closest", "barmode": "overlay",
        "yaxis": {
            "tickvals": [place + 0.4 for place in places.values()], "ticktext": labels, "fixedrange": True,
            "range": [min(places.values()) - 0.05, 1.1], "showgrid": False, "zeroline": False, "automargin": True,
        },
        "xaxis": {
            "type": "date", "tickformat": "%d %b %Y", "showgrid": False, "fixedrange": True,
            **_ticks({day for day, _, _ in drawn}),
        },
        "shapes": [_ground(place) for place in places.values()],
    }  # fmt: skip
    return go.Figure({"data": [trace], "layout": layout})


def _ticks(days: Set[date]) -> dict[str, Any]:
    """At most six dates; of a short time each day once, where Plotly would put marks at noon too."""
    first, span = min(days), (max(days) - min(days)).days
    return {"nticks": 6} if span >= 6 else {"tickvals": [first + timedelta(days=n) for n in range(span + 1)]}


def _ground(place: float) -> dict[str, Any]:
    """The line on which the bars of a row stand."""
    line = {"width": 1, "color": "#8a93a1"}
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": place, "y1": place, "line": line}


def _short(reason: str) -> str:
    return SHORT.get(reason, reason)
