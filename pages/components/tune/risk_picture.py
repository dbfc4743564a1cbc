"""The risk-coverage curve: what share of questions gets an answer, and what share of those answers is wrong."""

from collections.abc import Mapping
from typing import Any

from core.chain.display_rounding import threshold_value
from core.checks import all_thresholds
from core.presentation.operating_words import percent, point_text, risk_title
from core.tuning.operating_points import OperatingPoint, RiskCurve
from pages.components.shared.figure import ACCENT, QUIET, SIDES, Picture, trace

_COLUMNS = ("setting", "questions", "answers that go out", "wrong among these")


def risk_picture(curve: RiskCurve, presets: Mapping[str, OperatingPoint]) -> Picture:
    """The curve of the threshold in hand, every preset as a named point, and the current limits as a disc.

    presets: by the title of each.
    """
    t = all_thresholds()[curve.key]
    labels = [threshold_value(t, float(v)) for v in curve.values]
    drawn = [(label, point) for label, point in zip(labels, curve.points, strict=True) if point.risk.n]
    drawn.sort(key=lambda item: item[1].coverage.count)
    line = trace(
        "scatter", x=[_x(p) for _, p in drawn], y=[_y(p) for _, p in drawn], mode="lines+markers",
        line={"color": QUIET, "width": 1.5}, marker={"size": 4, "color": QUIET},
        text=[f"{t.label} {label}<br>{point_text(p)}" for label, p in drawn],
        hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip
    named = {name: point for name, point in presets.items() if point.risk.n}
    return Picture(
        name="risk", title=risk_title(curve.now, presets), traces=[line, *_preset_marks(named), *_now(curve.now)],
        columns=_COLUMNS, height=300, beside=SIDES,
        rows=[
            (name, p.coverage.n, p.coverage.count, p.risk.count)
            for name, p in [("now", curve.now), *presets.items(), *zip(labels, curve.points, strict=True)]
        ],
        note=(
            "Down and to the right is better. The disc is where your limits are now, the line where “"
            f"{t.label}” would take them, diamonds are presets. Only questions that the writer answers are counted, "
            f"{curve.now.coverage.n} of this set, not the answers that were planted to test the checks."
        ),
        layout={
            "xaxis": {"title": {"text": "questions that get an answer"}, "ticksuffix": " %", "rangemode": "tozero"},
            "yaxis": {"title": {"text": "wrong among the answers"}, "ticksuffix": " %", "rangemode": "tozero"},
        },
    )  # fmt: skip


def _x(point: OperatingPoint) -> float | None:
    return percent(point.coverage.share)


def _y(point: OperatingPoint) -> float | None:
    return percent(point.risk.share)


def _now(point: OperatingPoint) -> list[dict[str, Any]]:
    if not point.risk.n:
        return []
    return [trace(
        "scatter", x=[_x(point)], y=[_y(point)], mode="markers+text", text=["now"], textposition="bottom right",
        textfont={"color": ACCENT, "size": 13}, cliponaxis=False, marker={"size": 15, "color": ACCENT},
        customdata=[point_text(point)], hovertemplate="Your limits now<br>%{customdata}<extra></extra>",
    )]  # fmt: skip


def _preset_marks(named: Mapping[str, OperatingPoint]) -> list[dict[str, Any]]:
    """Diamonds with the names of the presets; presets at one point share a label."""
    groups: list[tuple[OperatingPoint, list[str]]] = []
    for name, point in sorted(named.items(), key=lambda item: (item[1].coverage.count, item[1].risk.count)):
        same = next((names for other, names in groups if other == point), None)
        if same is None:
            groups.append((point, [name]))
        else:
            same.append(name)
    above = [index % 2 == 0 for index in range(len(groups))]
    return [trace(
        "scatter", x=[_x(p) for p, _ in groups], y=[_y(p) for p, _ in groups], mode="markers+text",
        text=[", ".join(names) for _, names in groups], cliponaxis=False, textfont={"size": 11},
        textposition=["top center" if top else "bottom center" for top in above],
        marker={"symbol": "diamond-open", "size": 11, "color": QUIET, "line": {"width": 2}},
        customdata=[point_text(p) for p, _ in groups], hovertemplate="%{text}<br>%{customdata}<extra></extra>",
    )]  # fmt: skip
