"""The ruler: where scores of off-syllabus questions end and in-syllabus ones begin."""

import html
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from core.checks import all_thresholds
from core.presets import values
from core.thresholds import Preset
from core.tuning.score_distributions import SCALES, Ruler
from pages.components.shared.figure import ACCENT, BAD, GOOD, Picture, upright
from pages.components.shared.number_format import number

LIMITS = {
    "cosine": "topic_relevance.max_topic_mismatch_score", "related": "retrieval_confidence.min_retrieval_confidence",
    "hybrid": "retrieval_score.min_retrieval_score", "answers": "confidence.min_confidence",
}  # fmt: skip
"""The limit that reads each scale."""
_MOST = 12
"""Most groups that are drawn, the largest first; the numbers hold all."""
_COLUMNS = ("group", "embedding model", "syllabus questions", "begins", "off-syllabus questions", "ends")


def ruler_picture(rulers: Sequence[Ruler], preset: Preset) -> Picture:
    """The scores of each group on one line, both sides of it, and the limit that reads this scale."""
    drawn, scale = rulers[:_MOST], rulers[0].scale
    key = LIMITS[scale]
    limit = values(preset)[key] / (100 if all_thresholds()[key].unit == "of 100" else 1)
    names = [_name(r, len({x.model for x in rulers}) > 1) for r in drawn]
    traces = [t for place, r in enumerate(drawn) for t in _line(place, r, names[place])]
    left = f" {len(rulers) - _MOST} smaller groups are only in the numbers." if len(rulers) > _MOST else ""
    return Picture(
        name="ruler", title=title(rulers[0]), traces=traces, columns=_COLUMNS,
        rows=[(r.group, r.model, len(r.inside), r.begins, len(r.outside), r.ends) for r in rulers],
        height=70 + 46 * len(drawn), lines=[upright(limit, ACCENT)],
        note=(
            f"Circles above a line: questions that the books should answer; crosses below it: questions that they "
            f"should not. Bars reach to where all but 5 % of a side lie; the upright line is today's limit "
            f"({number(limit)}). Scores are those of the best passage of the first search.{left}"
        ),
        layout={
            "xaxis": {"title": {"text": SCALES[scale]}, "range": [min(0.0, *_all(drawn)), 1.02], "zeroline": False},
            "yaxis": {
                "tickvals": list(range(len(drawn))), "ticktext": [html.escape(n) for n in names], "automargin": True,
                "range": [len(drawn) - 0.5, -0.5], "showgrid": False, "zeroline": False,
            },
        },
    )  # fmt: skip


def title(r: Ruler) -> str:
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
        found.append(go.Bar(
            x=[end - start], base=[start], y=[place + shift], orientation="h", width=0.26, marker={"color": colour},
            opacity=0.28, hovertemplate=f"{html.escape(name)}: {said} at {at:.3f}<extra></extra>",
        ))  # fmt: skip
    sides = ((r.inside, -0.16, "circle-open", GOOD, "syllabus"), (r.outside, 0.16, "x-thin", BAD, "off-syllabus"))
    for scores, shift, symbol, colour, said in sides:
        found.append(go.Scatter(
            x=scores, y=[place + shift] * len(scores), mode="markers",
            marker={"symbol": symbol, "size": 7, "color": colour, "line": {"width": 1.3, "color": colour}},
            hovertemplate=f"{said}, {html.escape(name)}: %{{x:.3f}}<extra></extra>",
        ))  # fmt: skip
    return found


def _name(r: Ruler, several: bool) -> str:
    return f"{r.group} ({r.model})" if several else r.group


def _all(rulers: Sequence[Ruler]) -> list[float]:
    return [x for r in rulers for x in (*r.inside[:1], *r.outside[:1])] or [0.0]
