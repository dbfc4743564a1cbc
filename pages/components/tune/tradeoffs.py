"""Curves of a bank: wrong answers against over-refusals of one limit, the cost of two, what promises come to."""

from typing import Any

import numpy as np

from core.chain.display_rounding import number, threshold_value
from core.checks import all_thresholds
from core.evaluation.outcomes import Rate
from core.presets import preset, values
from core.thresholds import Threshold
from core.tuning.curves import Curve, Heat, Step, step
from core.tuning.score_distributions import Reliability
from pages.components.shared.figure import ACCENT, GOOD, QUIET, SIDES, Picture, trace
from pages.components.shared.safe_display import counted

_CURVE_COLUMNS = ("threshold", "value", "wrong answers", "over-refusals", "should be answered", "not measured", "cases")


def curve_picture(found: Curve, now: float) -> Picture:
    """The values of the threshold as points, one for all that come to the same; the way along it is the line."""
    t = all_thresholds()[found.key]
    labels = [threshold_value(t, float(v)) for v in found.values]
    first = np.flatnonzero(np.any(np.diff([found.over_refused, found.wrong], axis=1, prepend=-1), axis=0))
    last = [*first[1:] - 1, len(labels) - 1]
    runs = [" to ".join(dict.fromkeys((labels[a], labels[b]))) for a, b in zip(first, last, strict=True)]
    line = trace(
        "scatter", x=found.over_refused[first], y=found.wrong[first], mode="lines+markers", text=runs,
        line={"color": QUIET, "width": 1.5}, marker={"size": 5, "color": QUIET}, hovertemplate=_hover(t),
    )  # fmt: skip
    begun = values(preset("default"))[found.key]
    marks = ((begun, "diamond-open", "default", QUIET, 14), (now, "circle", "today", ACCENT, 13))
    points = [_point(found, value, labels, *how, _hover(t)) for value, *how in marks]
    return Picture(
        name="curve", title=curve_title(found, now), traces=[line, *points], columns=_CURVE_COLUMNS, height=290,
        beside=SIDES,
        rows=[
            (found.key, float(v), int(w), int(r), found.due, int(u), found.n)
            for v, w, r, u in zip(found.values, found.wrong, found.over_refused, found.unsaid, strict=True)
        ],
        note=(
            "Down and to the left is better. Each dot is a value of this slider, all others as they stand: the disc "
            f"is today's, {threshold_value(t, now)}, the diamond the default's, {threshold_value(t, begun)}."
        ),
        layout={
            "xaxis": {"title": {"text": f"over-refusals, of {found.due} good questions"}, "rangemode": "tozero"},
            "yaxis": {"title": {"text": f"wrong answers, of {found.n}"}, "rangemode": "tozero"},
        },
    )  # fmt: skip


def curve_title(found: Curve, now: float) -> str:
    """What the next move of the slider does: to the stricter side, where there is one, and to the other."""
    t = all_thresholds()[found.key]
    ways = (-1, 1) if t.stricter == "lower" else (1, -1)
    told = [_said(t, s, now) for s in (step(found, now, way) for way in ways) if s]
    if not told:
        return f"Wherever “{t.label}” stands, this bank has as many wrong answers and over-refusals"
    return f"{t.label}: {told[0]}" + (f"; {told[1]}" if len(told) > 1 else "")


def _said(t: Threshold, s: Step, now: float) -> str:
    """ "raising it to 0.65 refuses 12 more good questions and stops 3 wrong answers"."""
    move = "raising" if s.value > now else "lowering"
    parts = []
    if s.over_refused:
        verb = "refuses" if s.over_refused > 0 else "no longer refuses"
        more = "more good question" if s.over_refused > 0 else "good question"
        parts.append(f"{verb} {counted(abs(s.over_refused), more)}")
    if s.wrong:
        parts.append(f"{'stops' if s.wrong < 0 else 'lets out'} {counted(abs(s.wrong), 'wrong answer')}")
    return f"{move} it to {threshold_value(t, s.value)} {' and '.join(parts)}"


def _point(
    found: Curve, value: float, labels: list[str], symbol: str, name: str, colour: str, size: int, hover: str
) -> dict[str, Any]:
    place = found.place(value)
    return trace(
        "scatter", x=[found.over_refused[place]], y=[found.wrong[place]], mode="markers+text", text=[name],
        textposition="top right" if name == "today" else "bottom left", customdata=[labels[place]], cliponaxis=False,
        marker={"symbol": symbol, "size": size, "color": colour, "line": {"width": 2, "color": colour}},
        hovertemplate=f"{name}: {hover}".replace("%{text}", "%{customdata}"),
    )  # fmt: skip


def _hover(t: Threshold) -> str:
    return f"{t.label} %{{text}}<br>%{{x}} over-refusals, %{{y}} wrong answers<extra></extra>"


_HEAT_COLUMNS = ("threshold", "value", "other threshold", "its value", "wrong answers", "over-refusals", "cost")
_SCALE = ((0.0, "#e6f2f0"), (0.5, "#8a93a1"), (1.0, "#7a2600"))
"""Light is cheap and dark is dear, so that it reads without colours too."""


def heat_picture(found: Heat, cost: float, now: tuple[float, float]) -> Picture:
    """The cost of each pair: over-refusals plus `cost` times the wrong answers. now: where the two sliders stand."""
    one, other = (all_thresholds()[k] for k in (found.key, found.other))
    costs = cost * found.wrong + found.over_refused
    said = [[f"{threshold_value(one, float(v))}, {threshold_value(other, float(w))}" for w in found.others]
            for v in found.values]  # fmt: skip
    heat = trace(
        "heatmap", x=found.others, y=found.values, z=costs, colorscale=[list(stop) for stop in _SCALE],
        customdata=np.dstack([found.wrong, found.over_refused]), text=said,
        colorbar={"title": {"text": "cost"}, "thickness": 12},
        hovertemplate="%{text}: %{customdata[0]} wrong, %{customdata[1]} over-refused, cost %{z}<extra></extra>",
    )  # fmt: skip
    place = best(costs)
    marks = trace(
        "scatter", x=[now[1], found.others[place[1]]], y=[now[0], found.values[place[0]]], mode="markers+text",
        text=["today", "cheapest"], textposition="top center", textfont={"color": ACCENT, "size": 13},
        marker={"symbol": ["circle", "diamond-open"], "size": 14, "color": ACCENT, "line": {"width": 3}},
        hoverinfo="skip", cliponaxis=False,
    )  # fmt: skip
    return Picture(
        name="two_limits", title=heat_title(found, costs), traces=[heat, marks], columns=_HEAT_COLUMNS, height=380,
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


def heat_title(found: Heat, costs: np.ndarray) -> str:
    """Where the cheapest pair lies, and what becomes of the bank there."""
    one, other = (all_thresholds()[k] for k in (found.key, found.other))
    if costs.min() == costs.max():
        return f"“{one.label}” and “{other.label}” cost the same wherever they stand"
    i, j = best(costs)
    at = f"{threshold_value(one, float(found.values[i]))} and {threshold_value(other, float(found.others[j]))}"
    wrong = counted(int(found.wrong[i, j]), "wrong answer")
    refused = counted(int(found.over_refused[i, j]), "over-refusal")
    return f"Cheapest at {at}: {wrong} and {refused}, a cost of {number(float(costs[i, j]), 0)}"


_RELIABILITY_COLUMNS = ("said (mean)", "came true", "n", "share", "interval from", "interval to")
_CLOSE = 0.05
"""A mean promise this near to what comes true is as good as kept."""


def reliability_picture(
    name: str, curve: Reliability, what: str, note: str, before: Reliability | None = None
) -> Picture:
    """The curve of `what`, with the interval of each point; before: the same before it was calibrated."""
    traces = [
        trace("scatter", x=[0, 1], y=[0, 1], mode="lines", line={"color": QUIET, "dash": "dot"}, hoverinfo="skip")
    ]
    if before:
        traces.append(_promises(before, QUIET, "before the calibration", "circle-open"))
    traces.append(_promises(curve, GOOD, "now", "circle"))
    return Picture(
        name=name, title=reliability_title(what, curve), traces=traces, columns=_RELIABILITY_COLUMNS, height=330,
        rows=[(b.said, b.true.count, b.true.n, b.true.share, *b.true.interval) for b in curve.bins],
        note=f"{note} On the dotted line a promise is kept exactly. Bars: 95 % intervals; larger dots hold more.",
        layout={
            "xaxis": {"title": {"text": "what it says"}, "range": [-0.02, 1.02], "constrain": "domain"},
            "yaxis": {"title": {"text": "how often it comes true"}, "range": [-0.02, 1.02]},
        },
    )  # fmt: skip


def reliability_title(what: str, curve: Reliability) -> str:
    """What the curve shows: how far the promise lies from what comes true, and on which side."""
    if not curve.n:
        return f"{what}: no question is measured yet"
    off, lean = number(100 * curve.error, 0), curve.lean
    if curve.error <= _CLOSE:
        return f"{what} keeps its word: off by {off} points in the mean of {curve.n} cases"
    way = "promises too much" if lean > _CLOSE else "promises too little" if lean < -_CLOSE else "is off both ways"
    return f"{what} {way}: off by {off} of 100 points in the mean of {curve.n} cases"


def _promises(curve: Reliability, colour: str, said: str, symbol: str) -> dict[str, Any]:
    """The dots of a curve with their intervals."""
    rates = [b.true for b in curve.bins]
    most = max((r.n for r in rates), default=1)
    return trace(
        "scatter", x=[b.said for b in curve.bins], y=[r.share for r in rates], mode="lines+markers",
        line={"color": colour}, customdata=[(r.count, r.n) for r in rates],
        marker={"symbol": symbol, "color": colour, "size": [7 + 9 * (r.n / most) ** 0.5 for r in rates]},
        error_y={
            "type": "data", "symmetric": False, "color": colour, "thickness": 1, "width": 3,
            "array": [_reach(r, 1) for r in rates], "arrayminus": [_reach(r, 0) for r in rates],
        },
        hovertemplate=f"{said}: says %{{x:.2f}}, comes true %{{customdata[0]}} of %{{customdata[1]}}<extra></extra>",
    )  # fmt: skip


def _reach(rate: Rate, end: int) -> float:
    """How far the interval goes beyond the share, down (0) or up (1)."""
    return abs(rate.interval[end] - rate.share)
