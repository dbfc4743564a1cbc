"""Trade-offs on a bank: what the next values of a threshold change, in words; the costs of two thresholds, and
reliability, as pictures."""

from typing import Any

import numpy as np

from core.checks import all_thresholds
from core.evaluation.outcomes import Rate
from core.reply.display_rounding import number, threshold_value
from core.thresholds import Threshold
from core.tuning.curves import Curve, Heat, Reliability, Step, step
from pages.components.shared.figure import ACCENT, GOOD, QUIET, Picture, trace
from pages.components.shared.safe_display import count_text


def curve_title(curve: Curve, now: float) -> str:
    """The title of the curve: the effect of the nearest stricter and of the nearest laxer value that change
    anything."""
    t = all_thresholds()[curve.key]
    directions = (-1, 1) if t.stricter == "lower" else (1, -1)
    effects = [_effect(t, s, now) for s in (step(curve, now, direction) for direction in directions) if s]
    if not effects:
        return f"At every value of “{t.label}”, this set has as many wrong answers and wrong refusals"
    return f"{t.label}: {effects[0]}" + (f"; {effects[1]}" if len(effects) > 1 else "")


def _effect(t: Threshold, s: Step, now: float) -> str:
    """The effect of a step: "raising it to 0.65 refuses 12 more good questions and stops 3 wrong answers"."""
    move = "raising" if s.value > now else "lowering"
    parts = []
    if s.unmeasured > 0:  # the counts fall only because these cases are not counted
        return (
            f"{move} it to {threshold_value(t, s.value)} needs a new search for {count_text(s.unmeasured, 'question')}"
        )
    if s.over_refused:
        count = count_text(abs(s.over_refused), "more good question")
        parts.append(f"refuses {count}" if s.over_refused > 0 else f"lets {count} through")
    if s.wrong:
        parts.append(f"{'stops' if s.wrong < 0 else 'lets out'} {count_text(abs(s.wrong), 'wrong answer')}")
    return f"{move} it to {threshold_value(t, s.value)} {' and '.join(parts)}"


_HEAT_COLUMNS = ("threshold", "value", "other threshold", "its value", "wrong answers", "wrongly refused", "cost")
_SCALE = ((0.0, "#e6f2f0"), (0.5, "#8a93a1"), (1.0, "#7a2600"))
"""The colours of the cost map: light is cheap and dark is expensive, so that it is readable without colours."""


def heat_picture(heat: Heat, cost: float, now: tuple[float, float]) -> Picture:
    """A heat map of costs, with a cell for each combination of the values of two thresholds. A cost is the number of
    over-refusals plus `cost` times the number of wrong answers. now: the current values."""
    first, second = (all_thresholds()[k] for k in (heat.key, heat.other))
    costs = cost * heat.wrong + heat.over_refused
    texts = [[f"{threshold_value(first, float(v))}, {threshold_value(second, float(w))}" for w in heat.others]
            for v in heat.values]  # fmt: skip
    heatmap = trace(
        "heatmap", x=heat.others, y=heat.values, z=costs, colorscale=[list(stop) for stop in _SCALE],
        customdata=np.dstack([heat.wrong, heat.over_refused]), text=texts,
        colorbar={"title": {"text": "cost"}, "thickness": 12},
        hovertemplate="%{text}: %{customdata[0]} wrong, %{customdata[1]} wrongly refused, cost %{z}<extra></extra>",
    )  # fmt: skip
    cheapest = best(costs)
    marks = trace(
        "scatter", x=[now[1], heat.others[cheapest[1]]], y=[now[0], heat.values[cheapest[0]]], mode="markers+text",
        text=["now", "cheapest"], textposition="top center", textfont={"color": ACCENT, "size": 13},
        marker={"symbol": ["circle", "diamond-open"], "size": 14, "color": ACCENT, "line": {"width": 3}},
        hoverinfo="skip", cliponaxis=False,
    )  # fmt: skip
    return Picture(
        name="two_limits", title=heat_title(heat, costs), traces=[heatmap, marks], columns=_HEAT_COLUMNS, height=380,
        rows=[
            (first.key, float(v), second.key, float(w), int(heat.wrong[i, j]), int(heat.over_refused[i, j]),
             float(costs[i, j]))
            for i, v in enumerate(heat.values) for j, w in enumerate(heat.others)
        ],
        note=f"Darker cells cost more: 1 for a wrong refusal, {cost:g} for a wrong answer. Other sliders unchanged.",
        layout={"xaxis": {"title": {"text": second.label}}, "yaxis": {"title": {"text": first.label}}},
    )  # fmt: skip


def best(costs: np.ndarray) -> tuple[int, int]:
    """The index (row, column) of the lowest cost. If several cells have it, take the one nearest to the mean of their
    indices. costs: 2-D."""
    indices = np.argwhere(costs == costs.min())
    return tuple(indices[np.abs(indices - indices.mean(0)).sum(1).argmin()].tolist())


def heat_title(heat: Heat, costs: np.ndarray) -> str:
    """The title of the cost map: the two values with the lowest cost, and the wrong answers and over-refusals there."""
    first, second = (all_thresholds()[k] for k in (heat.key, heat.other))
    if costs.min() == costs.max():
        return f"“{first.label}” and “{second.label}” cost the same at every value"
    i, j = best(costs)
    position = f"{threshold_value(first, float(heat.values[i]))} and {threshold_value(second, float(heat.others[j]))}"
    wrong = count_text(int(heat.wrong[i, j]), "wrong answer")
    refusal_text = count_text(int(heat.over_refused[i, j]), "wrong refusal")
    return f"Cheapest at {position}: {wrong} and {refusal_text}, a cost of {number(float(costs[i, j]), 0)}"


_RELIABILITY_COLUMNS = ("said (mean)", "came true", "n", "share", "interval from", "interval to")
_CLOSE = 0.05
"""Maximum mean difference of stated and observed shares at which a score counts as calibrated."""


def reliability_picture(name: str, curve: Reliability, score: str, note: str) -> Picture:
    """The reliability diagram of `score` with 95 % intervals."""
    exact = trace("scatter", x=[0, 1], y=[0, 1], mode="lines", line={"color": QUIET, "dash": "dot"}, hoverinfo="skip")
    return Picture(
        name=name, title=reliability_title(score, curve), traces=[exact, _dots(curve)], height=330,
        columns=_RELIABILITY_COLUMNS,
        rows=[(b.predicted, b.true.count, b.true.n, b.true.share, *b.true.interval) for b in curve.bins],
        note=f"{note} On the dotted line the score is exactly right. Bars: 95 % intervals; larger dots: more cases.",
        layout={
            "xaxis": {"title": {"text": "what the score says"}, "range": [-0.02, 1.02], "constrain": "domain"},
            "yaxis": {"title": {"text": "how often it is right"}, "range": [-0.02, 1.02]},
        },
    )  # fmt: skip


def reliability_title(score: str, curve: Reliability) -> str:
    """The title of a reliability diagram: the mean difference of predicted and observed shares, and which of the two is
    larger."""
    if not curve.n:
        return f"{score}: no question is measured yet"
    off, lean = number(100 * curve.error, 0), curve.lean
    if curve.error <= _CLOSE:
        return f"{score} is well calibrated: calibration error {off} points over {curve.n} cases"
    bias = " is too high" if lean > _CLOSE else " is too low" if lean < -_CLOSE else ""
    return f"{score}{bias}: calibration error {off} points over {curve.n} cases"


def _dots(curve: Reliability) -> dict[str, Any]:
    """The dots of a reliability curve with their intervals."""
    rates = [b.true for b in curve.bins]
    most = max((r.n for r in rates), default=1)
    return trace(
        "scatter", x=[b.predicted for b in curve.bins], y=[r.share for r in rates], mode="lines+markers",
        line={"color": GOOD}, customdata=[(r.count, r.n) for r in rates],
        marker={"color": GOOD, "size": [7 + 9 * (r.n / most) ** 0.5 for r in rates]},
        error_y={
            "type": "data", "symmetric": False, "color": GOOD, "thickness": 1, "width": 3,
            "array": [_reach(r, 1) for r in rates], "arrayminus": [_reach(r, 0) for r in rates],
        },
        hovertemplate="says %{x:.2f}, comes true %{customdata[0]} of %{customdata[1]}<extra></extra>",
    )  # fmt: skip


def _reach(rate: Rate, end: int) -> float:
    """The length of one error bar: from the share to the lower end (`end` 0) or to the upper end (1) of its
    interval."""
    return abs(rate.interval[end] - rate.share)
