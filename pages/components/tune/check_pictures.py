"""Pictures of checks: the scores of one check beside its limit, and which checks decide."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.check import Check
from core.checks import check_of
from core.reply.display_rounding import beside, threshold_value
from core.tuning.curves import Spread
from pages.components.shared.figure import ACCENT, BAD, GOOD, QUIET, SIDES, Picture, trace, upright
from pages.components.shared.safe_display import count_text

_BINS = 30
_SCORES_COLUMNS = ("check", "from", "to", "should be answered", "should not", "limit")
_EDGE = 95
"""Percentage of the bad cases whose scores lie in the shaded range."""


def scores_picture(spread: Spread) -> Picture:
    """Two histograms of one check's scores: those of good cases point up and those of bad cases point down, so that
    they differ without colour."""
    check = check_of(spread.check)
    edges = _edges(spread)
    good, bad = (np.histogram(scores, edges)[0] for scores in (spread.good, spread.bad))
    bars = [
        _bars(edges, good, 1, GOOD, "should be answered"),
        _bars(edges, bad, -1, BAD, "should not"),
    ]
    top = int(max(good.max(initial=0), bad.max(initial=0), 1))
    return Picture(
        name="scores", title=scores_title(spread, check), traces=bars, columns=_SCORES_COLUMNS, height=250,
        beside=SIDES,
        rows=[
            (spread.check, float(a), float(b), int(g), int(w), spread.limit)
            for a, b, g, w in zip(edges, edges[1:], good, bad, strict=False)
        ],
        lines=[*_floor(spread, edges, check), upright(spread.limit, ACCENT)], note=_scores_note(spread, check),
        layout={
            "barmode": "overlay", "bargap": 0.06, "xaxis": {"title": {"text": f"{check.plain} ({spread.unit})"}},
            "yaxis": {
                "title": {"text": "should be refused · should be answered"}, "tickvals": [-top, 0, top],
                "ticktext": [str(top), "0", str(top)], "range": [-1.08 * top, 1.08 * top],
            },
        },
    )  # fmt: skip


def scores_title(spread: Spread, check: Check) -> str:
    """The title of the histograms: how many good cases fail and how many bad cases pass at the limit."""
    above = _fails_above(spread, check)
    fails = spread.good > spread.limit if above else spread.good < spread.limit
    passes = spread.bad <= spread.limit if above else spread.bad >= spread.limit
    threshold = check.thresholds().get(spread.by)
    limit = threshold_value(threshold, spread.limit) if threshold else beside(spread.limit, spread.limit)
    return (
        f"At {limit}, “{check.plain}” alone stops {int(fails.sum())} of {len(spread.good)} good questions and lets "
        f"{int(passes.sum())} of {len(spread.bad)} bad ones through"
    )


def _scores_note(spread: Spread, check: Check) -> str:
    omission = f" {spread.left_out} cases are not drawn: the check does not apply to them, or decides by another limit."
    side = "above" if _fails_above(spread, check) else "below"
    return (
        f"Bars that point up: cases that should be answered; bars that point down: cases that should be refused. "
        f"Scores {side} the limit (the vertical line) fail. Shaded: where {_EDGE} % of the cases to refuse lie. "
        "Scores are those of the first search." + (omission if spread.left_out else "")
    )


def _fails_above(spread: Spread, check: Check) -> bool:
    """True if scores above the limit fail, False if those below do.

    A check without a threshold counts faults, so scores above its limit fail.
    """
    threshold = check.thresholds().get(spread.by)
    return threshold.stricter == "lower" if threshold else True


def _edges(spread: Spread) -> np.ndarray:
    """The bin edges of the histograms, shape (_BINS + 1,), over all scores and the limit."""
    scores = np.concatenate([spread.good, spread.bad, [spread.limit]])
    low, high = float(scores.min()), float(scores.max())
    return np.linspace(low, high if high > low else low + 1, _BINS + 1)


def _bars(edges: np.ndarray, counts: np.ndarray, sign: int, colour: str, label: str) -> dict[str, Any]:
    """The bars of one histogram. counts: for each bin. sign: 1 for bars that point up, -1 for bars that point down."""
    bars = np.flatnonzero(counts)  # empty bars are not drawn
    low, high, n = edges[bars], edges[bars + 1], counts[bars]
    return trace(
        "bar", x=(low + high) / 2, y=sign * n, width=(high - low) * 0.92, marker={"color": colour},
        customdata=np.stack([low, high, n], 1),
        hovertemplate=f"{label}: %{{customdata[2]}}<br>%{{customdata[0]:.3f}} to %{{customdata[1]:.3f}}<extra></extra>",
    )  # fmt: skip


def _floor(spread: Spread, edges: np.ndarray, check: Check) -> list[dict]:
    """A shaded rectangle over the range in which _EDGE % of the bad cases lie, on the failing side of the axis, as a
    list of plotly shapes; empty without bad cases."""
    if not len(spread.bad):
        return []
    above = _fails_above(spread, check)
    end = float(np.percentile(spread.bad, 100 - _EDGE if above else _EDGE))
    x0, x1 = (end, edges[-1]) if above else (edges[0], end)
    return [{
        "type": "rect", "xref": "x", "yref": "paper", "x0": x0, "x1": x1, "y0": 0, "y1": 1, "layer": "below",
        "fillcolor": QUIET, "opacity": 0.16, "line": {"width": 0},
    }]  # fmt: skip


_CHECKS_COLUMNS = ("check", "what a pass means", "cases that it alone decides")


def checks_picture(alone: Mapping[str, int]) -> Picture:
    """A bar for each blocking check: the number of cases whose outcome would change if it only watched."""
    names = [check_of(check).plain for check in alone]
    bars = trace(
        "bar", x=list(alone.values()), y=names, orientation="h", text=list(map(str, alone.values())),
        textposition="outside", cliponaxis=False, marker={"color": [ACCENT if n else QUIET for n in alone.values()]},
        customdata=list(alone),
        hovertemplate="%{y} (%{customdata}): %{x} cases change outcome if it only monitors<extra></extra>",
    )  # fmt: skip
    return Picture(
        name="checks", title=checks_title(alone), traces=[bars], columns=_CHECKS_COLUMNS, height=60 + 26 * len(alone),
        rows=[(check, name, n) for (check, n), name in zip(alone.items(), names, strict=True)],
        note=(
            "A check without a bar may still matter: either another check stops the same cases, or this set has no "
            "case that it would stop."
        ),
        layout={
            "xaxis": {"title": {"text": "cases that it alone decides"}, "rangemode": "tozero"},
            "yaxis": {"autorange": "reversed", "automargin": True, "showgrid": False},
        },
    )  # fmt: skip


def checks_title(alone: Mapping[str, int]) -> str:
    """The title: how many blocking checks never change an outcome."""
    idle = sum(not n for n in alone.values())
    if not alone:
        return "No check blocks now, so none can change an outcome"
    if not idle:
        return f"Each of the {len(alone)} blocking checks stops something that no other check stops"
    return f"{idle} of the {count_text(len(alone), 'blocking check')} never change an outcome on this set"
