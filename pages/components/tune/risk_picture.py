"""The risk-coverage curve: what share of questions gets an answer, and what share of those answers is wrong."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.checks import all_thresholds
from core.presentation.label_sides import label_sides
from core.presentation.set_words import percent, point_text, risk_title
from core.reply.display_rounding import threshold_value
from core.tuning.curves import Curve, OperatingPoint
from pages.components.shared.figure import ACCENT, QUIET, SIDES, Picture, trace

_OF_DOCUMENT = re.compile(r"([A-E]): (.+)")
"""The title of the preset of a source document. Its point is labelled with the letter; the note has the title."""
LIMIT, PRESET = "limit", "preset"
"""What a point stands for: a value of the threshold, or a preset."""
_NOW = "Your limits now"
_COLUMNS = ("setting", "questions", "answers that go out", "wrong among these")


def risk_picture(curve: Curve, now: OperatingPoint, presets: Mapping[str, OperatingPoint]) -> Picture:
    """The curve of one threshold: for each value, the share of questions with an answer and the share of these answers
    that is wrong. Every preset is a named point, and the current limits are a disc.

    now: the point of the current limits. presets: the point of each preset, by its title.
    """
    t = all_thresholds()[curve.key]
    values = curve.values.tolist()
    points = [(value, point) for value, point in zip(values, curve.points, strict=True) if point.risk.n]
    points.sort(key=lambda item: item[1].coverage.count)
    line = trace(
        "scatter", x=[_x(p) for _, p in points], y=[_y(p) for _, p in points], mode="lines+markers",
        line={"color": QUIET, "width": 1.5}, marker={"size": 4, "color": QUIET},
        text=[f"{t.label} {threshold_value(t, value)}<br>{point_text(p)}" for value, p in points],
        hovertemplate="%{text}<extra></extra>", customdata=[[LIMIT, value] for value, _ in points],
        unselected={"marker": {"opacity": 1}},
    )  # fmt: skip
    presets_ = {name: point for name, point in presets.items() if point.risk.n}
    return Picture(
        name="risk", title=risk_title(now), traces=[line, *_marks(now, presets_, points)],
        columns=_COLUMNS, height=225, beside=SIDES,
        rows=[
            (name, p.coverage.n, p.coverage.count, p.risk.count)
            for name, p in [("now", now), *presets.items(), *zip(values, curve.points, strict=True)]
        ],
        note="Press a point to take it.",
        layout={
            "xaxis": {"title": {"text": "questions that get an answer"}, "ticksuffix": " %", "rangemode": "tozero"},
            "yaxis": {"title": {"text": "wrong among the answers"}, "ticksuffix": " %", "rangemode": "tozero"},
        },
    )  # fmt: skip


def _x(point: OperatingPoint) -> float | None:
    return percent(point.coverage.share)


def _y(point: OperatingPoint) -> float | None:
    return percent(point.risk.share)


def _marks(
    now: OperatingPoint, presets: Mapping[str, OperatingPoint], line: Sequence[tuple[float, OperatingPoint]]
) -> list[dict[str, Any]]:
    """The plotly traces of the named points: a diamond for each preset, a disc for the current limits. Each name is on
    a side where it covers no other point.

    presets: the point of each preset, by its title. line: (value, point) of each value of the threshold.
    """
    groups = _groups(presets)
    discs = [("now", now)] if now.risk.n else []
    diamonds = [(", ".join(_OF_DOCUMENT.sub(r"Document \1", name) for name in names), point) for point, names in groups]
    named = [*discs, *diamonds]
    widest = max([_x(point) for _, point in (*named, *line)], default=0) or 1
    highest = max([_y(point) for _, point in (*named, *line)], default=0) or 1
    shares, path = ([(_x(p) / widest, _y(p) / highest) for _, p in of] for of in (named, line))
    sides = label_sides(shares, [name for name, _ in named], path)
    count = len(discs)
    open_mark = {"symbol": "diamond-open", "size": 11, "color": QUIET, "line": {"width": 2}}
    marks = [
        _mark([names for _, names in groups], diamonds, sides[count:], open_mark, {"size": 12}),
        _mark([[_NOW]] * count, discs, sides[:count], {"size": 15, "color": ACCENT}, {"color": ACCENT, "size": 13}),
    ]
    return [mark for mark in marks if mark["x"]]


def _mark(
    names: Sequence[Sequence[str]],
    named: Sequence[tuple[str, OperatingPoint]],
    sides: Sequence[str],
    look: dict[str, Any],
    font: dict[str, Any],
) -> dict[str, Any]:
    """Points with their labels as a trace. names: of each point, the titles of its presets. sides: of each point, where
    its label is."""
    return trace(
        "scatter", x=[_x(point) for _, point in named], y=[_y(point) for _, point in named], mode="markers+text",
        text=[name for name, _ in named], textposition=list(sides), textfont=font, cliponaxis=False, marker=look,
        customdata=[[PRESET, titles[0]] for titles in names], unselected={"marker": {"opacity": 1}},
        hovertext=[f"{', '.join(titles)}<br>{point_text(p)}" for titles, (_, p) in zip(names, named, strict=True)],
        hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip


def pressed_point(state: Mapping[str, Any]) -> tuple[str, Any]:
    """(LIMIT, its value) or (PRESET, its title) of the point that was pressed; ("", None) for none, or for the current
    limits. state: of the drawn picture."""
    points = state["selection"]["points"]
    kind, value = (points[0].get("customdata") if points else None) or ("", None)
    return (kind, value) if value != _NOW else ("", None)


def _groups(named: Mapping[str, OperatingPoint]) -> list[tuple[OperatingPoint, list[str]]]:
    """The points of the presets, from few answers to many, each with the titles of all presets that have this point."""
    groups: list[tuple[OperatingPoint, list[str]]] = []
    for name, point in sorted(named.items(), key=lambda item: (item[1].coverage.count, item[1].risk.count)):
        same = next((names for other, names in groups if other == point), None)
        if same is None:
            groups.append((point, [name]))
        else:
            same.append(name)
    return groups
