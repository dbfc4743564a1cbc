"""One threshold's curve: wrong answers against over-refusals, with today's point and the default's."""

import plotly.graph_objects as go

from core.checks import all_thresholds
from core.presets import preset, values
from core.thresholds import Threshold
from core.tuning.curves import Curve, Step, step
from pages.components.shared.figure import ACCENT, QUIET, Picture
from pages.components.shared.number_format import threshold_value
from pages.components.shared.plain_text import counted

_COLUMNS = ("threshold", "value", "wrong answers", "over-refusals", "should be answered", "not measured", "cases")


def curve_picture(found: Curve, now: float) -> Picture:
    """Every value of the threshold as a point; the way along it is the line."""
    t = all_thresholds()[found.key]
    labels = [threshold_value(t, float(v)) for v in found.values]
    line = go.Scatter(
        x=found.over_refused, y=found.wrong, mode="lines+markers", line={"color": QUIET, "width": 1.5},
        marker={"size": 5, "color": QUIET}, text=labels, hovertemplate=_hover(t),
    )  # fmt: skip
    begun = values(preset("default"))[found.key]
    marks = ((begun, "diamond-open", "default", QUIET, 14), (now, "circle", "today", ACCENT, 13))
    points = [_point(found, value, labels, *how, _hover(t)) for value, *how in marks]
    return Picture(
        name="curve", title=title(found, now), traces=[line, *points], columns=_COLUMNS, height=290,
        rows=[
            (found.key, float(v), int(w), int(r), found.due, int(u), found.n)
            for v, w, r, u in zip(found.values, found.wrong, found.over_refused, found.unsaid, strict=True)
        ],
        note=(
            "Down and to the left is better. Each dot is one value of this slider, all others as they stand: the disc "
            f"is today's, {threshold_value(t, now)}, the diamond the default's, {threshold_value(t, begun)}."
        ),
        layout={
            "xaxis": {"title": {"text": f"over-refusals, of {found.due} good questions"}, "rangemode": "tozero"},
            "yaxis": {"title": {"text": f"wrong answers, of {found.n}"}, "rangemode": "tozero"},
        },
    )  # fmt: skip


def title(found: Curve, now: float) -> str:
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
) -> go.Scatter:
    place = found.place(value)
    return go.Scatter(
        x=[found.over_refused[place]], y=[found.wrong[place]], mode="markers+text", text=[name], cliponaxis=False,
        textposition="top right" if name == "today" else "bottom left", customdata=[labels[place]],
        marker={"symbol": symbol, "size": size, "color": colour, "line": {"width": 2, "color": colour}},
        hovertemplate=f"{name}: {hover}".replace("%{text}", "%{customdata}"),
    )  # fmt: skip


def _hover(t: Threshold) -> str:
    return f"{t.label} %{{text}}<br>%{{x}} over-refusals, %{{y}} wrong answers<extra></extra>"
