"""The evidence confidence in its band: three zones, two limits, one value."""

from functools import lru_cache

import plotly.graph_objects as go
import streamlit as st

from core.chain import Verdict
from core.chain.facts import limits, zones
from core.thresholds import Preset
from pages.components.ask.verdict_box import confidence_drawn

ZONES = {
    "never": ("never", "#c43e00"),
    "named_only": ("named only", "#8a93a1"),
    "answer": ("answer", "#00897b"),
}
"""What each zone is called, and its colour."""
MARK = "#4f83e3"  # the accent, between its light and its dark shade
_TITLES = {
    "never": "below both limits: too low to answer",
    "named_only": "enough only when documents or pages are named",
    "answer": "above the limit for any search",
}


def band(verdict: Verdict, preset: Preset) -> None:
    drawn = confidence_drawn(verdict, preset)
    figure = _figure(verdict.confidence, drawn, verdict.band, limits(preset))
    st.plotly_chart(figure, key="band", config={"displayModeBar": False}, height=150)


@lru_cache(maxsize=256)
def _figure(value: float, drawn: str, zone: str, ends: tuple[float, float]) -> go.Figure:
    named, free = ends
    bars = [_bar(name, low, high) for name, (low, high) in zones(named, free).items() if high > low]
    marker = go.Scatter(
        x=[value], y=[0.62], mode="markers", showlegend=False, cliponaxis=False,
        hovertemplate=f"evidence confidence {drawn} of 100<extra></extra>",
        marker={"symbol": "triangle-down", "size": 18, "color": MARK},
    )  # fmt: skip
    figure = go.Figure([*bars, marker])
    ticks = {0: "0", 100: "100"} | _limit_names(named, free)
    figure.update_layout(
        title={"text": f"Evidence confidence {drawn} of 100: {_TITLES[zone]}", "font": {"size": 14}, "x": 0},
        barmode="stack", margin={"l": 8, "r": 8, "t": 34, "b": 40},
        xaxis={
            "range": [-1, 101], "tickvals": list(ticks), "ticktext": list(ticks.values()), "showgrid": False,
            "zeroline": False, "tickangle": 0,
        },
        yaxis={"visible": False, "range": [-0.5, 0.9]},
    )  # fmt: skip
    for limit in (named, free):
        figure.add_vline(x=limit, line={"width": 2, "dash": "dot", "color": "#66707f"})
    figure.add_shape(type="line", x0=value, x1=value, y0=-0.4, y1=0.45, line={"width": 2, "color": "#ffffff"})
    return figure


def _bar(name: str, low: float, high: float) -> go.Bar:
    title, colour = ZONES[name]
    return go.Bar(
        x=[high - low], y=[0], base=low, orientation="h", width=0.8, showlegend=False, marker={"color": colour},
        text=title if high - low >= len(title) - 1 else "", textposition="inside", insidetextanchor="middle",
        textangle=0, textfont={"color": "#ffffff", "size": 12},
        hovertemplate=f"{title}: {low:g} to {high:g} of 100<extra></extra>",
    )  # fmt: skip


def _limit_names(named: float, free: float) -> dict[float, str]:
    """What stands under each limit, on lines of their own so that close ones do not collide."""
    if named == free:
        return {named: f"limit {named:g}"}
    return {named: f"{named:g}, documents named", free: f"<br>{free:g}, any search"}
