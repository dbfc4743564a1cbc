"""Checks as pictures: the scores of one behind its limit, where the syllabus begins, and which of them decide."""

import html
from collections.abc import Sequence
from typing import Any

import numpy as np

from core.chain.check_results import check_named
from core.chain.display_rounding import beside, number
from core.check import Check
from core.checks import all_thresholds, check_of
from core.presets import values
from core.thresholds import Preset
from core.tuning.curves import Share
from core.tuning.score_distributions import SCALES, Ruler, Spread
from pages.components.shared.figure import ACCENT, BAD, GOOD, QUIET, SIDES, Picture, trace, upright
from pages.components.shared.safe_display import counted

_BINS = 30
_SCORES_COLUMNS = ("check", "from", "to", "should be answered", "should not", "limit")
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
        name="scores", title=scores_title(found, check), traces=bars, columns=_SCORES_COLUMNS, height=250, beside=SIDES,
        rows=[
            (found.check, float(a), float(b), int(g), int(w), found.limit)
            for a, b, g, w in zip(edges, edges[1:], good, bad, strict=False)
        ],
        lines=[*_floor(found, edges, check), upright(found.limit, ACCENT)], note=_scores_note(found, check),
        layout={
            "barmode": "overlay", "bargap": 0.06, "xaxis": {"title": {"text": f"{check.plain} ({found.unit})"}},
            "yaxis": {
                "title": {"text": "should not · should"}, "tickvals": [-top, 0, top],
                "ticktext": [str(top), "0", str(top)], "range": [-1.08 * top, 1.08 * top],
            },
        },
    )  # fmt: skip


def scores_title(found: Spread, check: Check) -> str:
    """How many cases lie on the wrong side of the limit."""
    above = _fails_above(found, check)
    fails = found.good > found.limit if above else found.good < found.limit
    passes = found.bad <= found.limit if above else found.bad >= found.limit
    at = beside(found.limit, found.limit)
    return (
        f"“{check.plain}”: at {at} it fails {int(fails.sum())} of {len(found.good)} good questions and lets "
        f"{int(passes.sum())} of {len(found.bad)} others pass"
    )


def _scores_note(found: Spread, check: Check) -> str:
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


def _bars(edges: np.ndarray, counts: np.ndarray, way: int, colour: str, said: str) -> dict[str, Any]:
    some = np.flatnonzero(counts)  # a bar of nothing is drawn for nobody
    low, high, n = edges[some], edges[some + 1], counts[some]
    return trace(
        "bar", x=(low + high) / 2, y=way * n, width=(high - low) * 0.92, marker={"color": colour},
        customdata=np.stack([low, high, n], 1),
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


LIMITS = {
    "cosine": "topic_relevance.max_topic_mismatch_score", "related": "retrieval_confidence.min_retrieval_confidence",
    "hybrid": "retrieval_score.min_retrieval_score", "answers": "confidence.min_confidence",
}  # fmt: skip
"""The limit that reads each scale."""
_MOST = 12
"""Most groups that are drawn, the largest first; the numbers hold all."""
_RULER_COLUMNS = ("group", "embedding model", "syllabus questions", "begins", "off-syllabus questions", "ends")


def ruler_picture(rulers: Sequence[Ruler], preset: Preset) -> Picture:
    """The scores of each group on one line, both sides of it, and the limit that reads this scale."""
    drawn, scale = rulers[:_MOST], rulers[0].scale
    key = LIMITS[scale]
    limit = values(preset)[key] / (100 if all_thresholds()[key].unit == "of 100" else 1)
    names = [_name(r, len({x.model for x in rulers}) > 1) for r in drawn]
    traces = [t for place, r in enumerate(drawn) for t in _line(place, r, names[place])]
    lowest = [0.0, *(x for r in drawn for x in (*r.inside[:1], *r.outside[:1]))]
    left = f" {len(rulers) - _MOST} smaller groups are only in the numbers." if len(rulers) > _MOST else ""
    return Picture(
        name="ruler", title=ruler_title(rulers[0]), traces=traces, columns=_RULER_COLUMNS,
        rows=[(r.group, r.model, len(r.inside), r.begins, len(r.outside), r.ends) for r in rulers],
        height=70 + 46 * len(drawn), lines=[upright(limit, ACCENT)],
        note=(
            f"Circles above a line: questions that the library should answer; crosses below it: questions that they "
            f"should not. Bars reach to where all but 5 % of a side lie; the upright line is today's limit "
            f"({number(limit)}). Scores are those of the best passage of the first search.{left}"
        ),
        layout={
            "xaxis": {"title": {"text": SCALES[scale]}, "range": [min(lowest), 1.02], "zeroline": False},
            "yaxis": {
                "tickvals": list(range(len(drawn))), "ticktext": [html.escape(n) for n in names], "automargin": True,
                "range": [len(drawn) - 0.5, -0.5], "showgrid": False, "zeroline": False,
            },
        },
    )  # fmt: skip


def ruler_title(r: Ruler) -> str:
    """What the ruler of all questions says."""
    what = SCALES[r.scale].lower()
    if r.ends is None or r.begins is None:
        missing = "off-syllabus" if r.ends is None else "syllabus"
        return f"No {missing} question is measured yet, so this ruler has one side only"
    where = f"On “{what}” off-syllabus questions end at {number(r.ends)} and the syllabus begins at {number(r.begins)}"
    return f"{where}: a limit between parts them" if r.apart else f"{where}: no limit parts them cleanly"


def _line(place: int, r: Ruler, name: str) -> list[Any]:
    """The two bars and the points of one group."""
    found: list[Any] = []
    bars = ((0.0, r.ends, 0.16, BAD, "off-syllabus ends"), (r.begins, 1.0, -0.16, GOOD, "the syllabus begins"))
    for start, end, shift, colour, said in bars:
        if start is None or end is None:
            continue
        at = end if shift > 0 else start
        found.append(trace(
            "bar", x=[end - start], base=[start], y=[place + shift], orientation="h", width=0.26, opacity=0.28,
            marker={"color": colour}, hovertemplate=f"{html.escape(name)}: {said} at {at:.3f}<extra></extra>",
        ))  # fmt: skip
    sides = ((r.inside, -0.16, "circle-open", GOOD, "syllabus"), (r.outside, 0.16, "x-thin", BAD, "off-syllabus"))
    for scores, shift, symbol, colour, said in sides:
        found.append(trace(
            "scatter", x=scores, y=[place + shift] * len(scores), mode="markers",
            marker={"symbol": symbol, "size": 7, "color": colour, "line": {"width": 1.3, "color": colour}},
            hovertemplate=f"{said}, {html.escape(name)}: %{{x:.3f}}<extra></extra>",
        ))  # fmt: skip
    return found


def _name(r: Ruler, several: bool) -> str:
    return f"{r.group} ({r.model})" if several else r.group


_CHECKS_COLUMNS = ("check", "what holds when it passes", "cases that it alone decides")


def checks_picture(shares: Sequence[Share]) -> Picture:
    """A bar for each check that blocks: the cases that would end otherwise if it only watched."""
    names = [check_named(s.check).plain for s in shares]
    bars = trace(
        "bar", x=[s.alone for s in shares], y=names, orientation="h", text=[str(s.alone) for s in shares],
        textposition="outside", cliponaxis=False, marker={"color": [ACCENT if s.alone else QUIET for s in shares]},
        customdata=[s.check for s in shares],
        hovertemplate="%{y} (%{customdata}): %{x} cases end otherwise if it only watches<extra></extra>",
    )  # fmt: skip
    return Picture(
        name="checks", title=checks_title(shares), traces=[bars], columns=_CHECKS_COLUMNS, height=60 + 26 * len(shares),
        rows=[(s.check, name, s.alone) for s, name in zip(shares, names, strict=True)],
        note=(
            "A check that changes nothing here is shadowed by another, or guards against what this bank does not hold. "
            "It is no reason to switch it off."
        ),
        layout={
            "xaxis": {"title": {"text": "cases that it alone decides"}, "rangemode": "tozero"},
            "yaxis": {"autorange": "reversed", "automargin": True, "showgrid": False},
        },
    )  # fmt: skip


def checks_title(shares: Sequence[Share]) -> str:
    """How many checks never change an outcome."""
    idle = sum(not s.alone for s in shares)
    if not shares:
        return "No check blocks now, so none can change an outcome"
    if not idle:
        return f"Each of the {counted(len(shares), 'check')} that block decides some case alone"
    return f"{idle} of {counted(len(shares), 'check')} that block never change an outcome on this bank"
