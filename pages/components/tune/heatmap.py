"""Two thresholds together: what every pair of their values costs."""

import numpy as np
import plotly.graph_objects as go

from core.checks import all_thresholds
from core.tuning.curves import Heat
from pages.components.shared.figure import ACCENT, Picture
from pages.components.shared.number_format import number, threshold_value
from pages.components.shared.plain_text import counted

_COLUMNS = ("threshold", "value", "other threshold", "its value", "wrong answers", "over-refusals", "cost")
_SCALE = ((0.0, "#e6f2f0"), (0.5, "#8a93a1"), (1.0, "#7a2600"))
"""Light is cheap and dark is dear, so that it reads without colours too."""


def heat_picture(found: Heat, cost: float, now: tuple[float, float]) -> Picture:
    """The cost of each pair: over-refusals plus `cost` times the wrong answers. now: where the two sliders stand."""
    one, other = (all_thresholds()[k] for k in (found.key, found.other))
    costs = cost * found.wrong + found.over_refused
    said = [[f"{threshold_value(one, float(v))}, {threshold_value(other, float(w))}" for w in found.others]
            for v in found.values]  # fmt: skip
    heat = go.Heatmap(
        x=found.others, y=found.values, z=costs, colorscale=[list(stop) for stop in _SCALE],
        customdata=np.dstack([found.wrong, found.over_refused]), text=said,
        colorbar={"title": {"text": "cost"}, "thickness": 12},
        hovertemplate="%{text}: %{customdata[0]} wrong, %{customdata[1]} over-refused, cost %{z}<extra></extra>",
    )  # fmt: skip
    place = best(costs)
    marks = go.Scatter(
        x=[now[1], found.others[place[1]]], y=[now[0], found.values[place[0]]], mode="markers+text",
        text=["today", "cheapest"], textposition="top center", textfont={"color": ACCENT, "size": 13},
        marker={"symbol": ["circle", "diamond-open"], "size": 14, "color": ACCENT, "line": {"width": 3}},
        hoverinfo="skip", cliponaxis=False,
    )  # fmt: skip
    return Picture(
        name="two_limits", title=title(found, costs), traces=[heat, marks], columns=_COLUMNS, height=380,
        rows=[
            (one.key, float(v), other.key, float(w), int(found.wrong[i, j]), int(found.over_refused[i, j]),
             float(costs[i, j]))
            for i, v in enumerate(found.values) for j, w in enumerate(found.others)
        ],
        note=f"Dark costs more: over-refusals, plus {cost:g} for each wrong answer. All other sliders as they stand.",
        layout={"xaxis": {"title": {"text": other.label}}, "yaxis": {"title": {"text": one.label}}},
    )  # fmt: skip


def best(costs: np.ndarray) -> tuple[int, int]:
    """The place of the least cost; of several the one nearest to the middle of them."""
    places = np.argwhere(costs == costs.min())
    return tuple(places[np.abs(places - places.mean(0)).sum(1).argmin()].tolist())


def title(found: Heat, costs: np.ndarray) -> str:
    """Where the cheapest pair lies, and what becomes of the bank there."""
    one, other = (all_thresholds()[k] for k in (found.key, found.other))
    if costs.min() == costs.max():
        return f"“{one.label}” and “{other.label}” cost the same wherever they stand"
    i, j = best(costs)
    at = f"{threshold_value(one, float(found.values[i]))} and {threshold_value(other, float(found.others[j]))}"
    wrong = counted(int(found.wrong[i, j]), "wrong answer")
    refused = counted(int(found.over_refused[i, j]), "over-refusal")
    return f"Cheapest at {at}: {wrong} and {refused}, a cost of {number(float(costs[i, j]), 0)}"
