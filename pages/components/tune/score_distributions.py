"""The scores of one check behind its limit: good cases above the line, bad ones below it."""

import numpy as np
import plotly.graph_objects as go

from core.check import Check
from core.tuning.score_distributions import Spread, check_of
from pages.components.shared.figure import ACCENT, BAD, GOOD, QUIET, Picture, upright
from pages.components.shared.number_format import beside

_BINS = 30
_COLUMNS = ("check", "from", "to", "should be answered", "should not", "limit")
_EDGE = 95
"""Per cent of the bad cases that lie in the shaded floor."""


def scores_picture(found: Spread) -> Picture:
    """Two histograms back to back, so that no colour has to be told from another."""
    check = check_of(found.check)
    edges = _edges(found)
    good, bad = (np.histogram(some, edges)[0] for some in (found.good, found.bad))
    bars = [
        _bars(edges, good, 1, GOOD, "should be answered"),
        _bars(edges, bad, -1, BAD, "should not"),
    ]
    top = int(max(good.max(initial=0), bad.max(initial=0), 1))
    return Picture(
        name="scores", title=title(found, check), traces=bars, columns=_COLUMNS, height=250,
        rows=[
            (found.check, float(a), float(b), int(g), int(w), found.limit)
            for a, b, g, w in zip(edges, edges[1:], good, bad, strict=False)
        ],
        lines=[*_floor(found, edges, check), upright(found.limit, ACCENT)], note=_note(found, check),
        layout={
            "barmode": "overlay", "bargap": 0.06, "xaxis": {"title": {"text": f"{check.plain} ({found.unit})"}},
            "yaxis": {
                "title": {"text": "should not · should"}, "tickvals": [-top, 0, top],
                "ticktext": [str(top), "0", str(top)], "range": [-1.08 * top, 1.08 * top],
            },
        },
    )  # fmt: skip


def title(found: Spread, check: Check) -> str:
    """How many cases lie on the wrong side of the limit."""
    above = _fails_above(found, check)
    fails = found.good > found.limit if above else found.good < found.limit
    passes = found.bad <= found.limit if above else found.bad >= found.limit
    at = beside(found.limit, found.limit)
    return (
        f"“{check.plain}”: at {at} it fails {int(fails.sum())} of {len(found.good)} good questions and lets "
        f"{int(passes.sum())} of {len(found.bad)} others pass"
    )


def _note(found: Spread, check: Check) -> str:
    left = f" {found.left_out} cases are not drawn: the check does not apply to them, or decides by another limit."
    side = "above" if _fails_above(found, check) else "below"
    return (
        f"Upwards: cases that should be answered; downwards: cases that should not. What lies {side} the upright line, "
        f"the limit, fails. Shaded: where {_EDGE} % of the bad cases lie. Scores are those of the first search."
        + (left if found.left_out else "")
    )


def _fails_above(found: Spread, check: Check) -> bool:
    threshold = check.thresholds().get(found.by)
    return threshold.stricter == "lower" if threshold else True  # a rule without a limit fails on what it finds


def _edges(found: Spread) -> np.ndarray:
    """The borders of the bars, over all that was measured and the limit."""
    every = np.concatenate([found.good, found.bad, [found.limit]])
    low, high = float(every.min()), float(every.max())
    return np.linspace(low, high if high > low else low + 1, _BINS + 1)


def _bars(edges: np.ndarray, counts: np.ndarray, way: int, colour: str, said: str) -> go.Bar:
    return go.Bar(
        x=(edges[:-1] + edges[1:]) / 2, y=way * counts, width=np.diff(edges) * 0.92, marker={"color": colour},
        customdata=np.stack([edges[:-1], edges[1:], counts], 1),
        hovertemplate=f"{said}: %{{customdata[2]}}<br>%{{customdata[0]:.3f}} to %{{customdata[1]:.3f}}<extra></extra>",
    )  # fmt: skip


def _floor(found: Spread, edges: np.ndarray, check: Check) -> list[dict]:
    """Where nearly all bad cases lie."""
    if not len(found.bad):
        return []
    above = _fails_above(found, check)
    end = float(np.percentile(found.bad, 100 - _EDGE if above else _EDGE))
    x0, x1 = (end, edges[-1]) if above else (edges[0], end)
    return [{
        "type": "rect", "xref": "x", "yref": "paper", "x0": x0, "x1": x1, "y0": 0, "y1": 1, "layer": "below",
        "fillcolor": QUIET, "opacity": 0.16, "line": {"width": 0},
    }]  # fmt: skip
