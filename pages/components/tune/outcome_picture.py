"""The first chart of the results: how many questions are answered right or wrong, and rightly or wrongly refused."""

from typing import Any

from core.presentation.set_counts import Part, SetCounts, headline, parts
from pages.components.shared.figure import BAD, GOOD, QUIET, Picture, trace

_STRIPES = {"shape": "/", "fillmode": "overlay", "fgcolor": "#ffffff", "fgopacity": 0.35, "size": 9, "solidity": 0.3}
_LOOKS: dict[str, dict[str, Any]] = {
    "right answers": {"color": GOOD}, "rightly refused": {"color": GOOD, "pattern": _STRIPES},
    "wrong answers": {"color": BAD}, "wrongly refused": {"color": BAD, "pattern": _STRIPES},
    "not counted": {"color": QUIET},
}  # fmt: skip
"""The look of each part; a pattern tells two of one colour apart."""
_COLUMNS = ("part", "now", "under the preset")


def outcome_picture(counts: SetCounts) -> Picture:
    """A stacked bar of the outcomes under the current limits, in four or five colours. If a limit differs from the
    preset, a second bar shows the outcomes under the preset."""
    parts_ = [part for part in parts(counts) if part.now or part.was]
    has_moved = counts.now != counts.before
    bars = ["now", "preset"] if has_moved else ["now"]
    return Picture(
        name="outcomes", title=headline(counts.now), columns=_COLUMNS,
        traces=[_bar(part, bars) for part in parts_], height=44 * len(bars) + 44, beside=(58, 44),
        rows=[(part.name, part.now, part.was) for part in parts_],
        layout={
            "barmode": "stack", "bargap": 0.18, "showlegend": True,
            "legend": {"orientation": "h", "y": -0.12, "yanchor": "top", "x": 0, "traceorder": "normal"},
            "xaxis": {"visible": False, "fixedrange": True},
            "yaxis": {"autorange": "reversed", "showgrid": False, "fixedrange": True},
        },
    )  # fmt: skip


def _bar(part: Part, bars: list[str]) -> dict[str, Any]:
    numbers = [part.now, part.was][: len(bars)]
    mark = {True: "✓", False: "✗", None: "○"}[part.good]
    return trace(
        "bar", name=f"{mark} {part.name}", x=numbers, y=bars, orientation="h", marker=_LOOKS[part.name],
        text=[str(n) if n else "" for n in numbers], textposition="inside", insidetextanchor="middle",
        textfont={"color": "#ffffff", "size": 14}, hovertemplate=f"{part.name}: %{{x}}<extra></extra>",
    )  # fmt: skip
