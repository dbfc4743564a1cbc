"""For developers, on the Guide page: what more passages, rows and people cost, as curves."""

from collections.abc import Sequence

import streamlit as st

from core.presentation.cost_words import CURVES, CostCurve, Point, note, point_text, title
from core.reports.evaluation_report import FiguresError, read_measurement
from pages.components.shared.figure import ACCENT, QUIET, SIDES, Picture, picture, trace
from pages.components.shared.safe_display import plain

_COLUMNS = ("count", "n", "median", "p95", "memory_mb", "disk_mb", "date", "cores", "load")


def cost_curves() -> None:
    """Draw the curves that were measured: cost by the number of passages, of rows, and of people at once."""
    try:
        stored = read_measurement("cost_curves")
    except FiguresError:
        stored = {}
    st.caption(
        "What a bigger library, a bigger question set and more people cost. Each mark is a measurement; the "
        "horizontal axes are logarithmic."
    )
    for curve in CURVES:
        if points := stored.get(curve.name):
            picture(cost_picture(curve, points))
        else:
            st.caption(plain(f"Not measured yet: {curve.timed}, by {curve.items}."))


def cost_picture(curve: CostCurve, points: Sequence[Point]) -> Picture:
    """The median and the 95th percentile of a time by the count, and the time that people notice as a line."""
    counts, texts = [p["count"] for p in points], [point_text(curve, p) for p in points]
    times = {name: [p[f"{name}_{curve.unit}"] for p in points] for name in ("median", "p95")}
    looks = {"median": (ACCENT, "solid"), "p95": (QUIET, "dash")}
    lines = [
        trace(
            "scatter", x=counts, y=times[name], mode="lines+markers", text=texts, marker={"size": 7, "color": colour},
            line={"color": colour, "width": 2, "dash": dash}, hovertemplate="%{text}<extra></extra>",
        )
        for name, (colour, dash) in looks.items()
    ]  # fmt: skip
    limit, _ = curve.limit
    level = {
        "type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": limit, "y1": limit,
        "line": {"color": QUIET, "width": 1.5, "dash": "dot"},
    }  # fmt: skip
    return Picture(
        name=f"cost of {curve.name}", title=title(curve, points), traces=lines, columns=_COLUMNS, height=240,
        beside=SIDES, lines=[level], note=note(curve, points),
        rows=[
            tuple(p.get(f"{name}_{curve.unit}" if name in times else name) for name in _COLUMNS) for p in points
        ],
        layout={
            "xaxis": {
                "title": {"text": curve.items}, "type": "log", "tickvals": counts,
                "ticktext": [f"{count:,}" for count in counts],
            },
            "yaxis": {
                "title": {"text": f"time, {curve.unit}"},
                "range": [0, 1.15 * max(limit, *times["p95"])],
            },
        },
    )  # fmt: skip
