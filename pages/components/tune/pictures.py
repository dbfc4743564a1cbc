"""The charts of the Tune page: the curve of a limit, the scores of a check, the checks that decide, the costs of two
limits, and the reliability of the evidence score."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.checks import all_thresholds, check_of
from core.presentation.set_words import point_text, risk_title
from core.reply.display_rounding import beside, number, threshold_value
from core.thresholds import Threshold
from core.tuning.curves import Curve, Heat, OperatingPoint, Reliability, Spread, Step, step
from core.words import count_of
from pages.components.shared.figure import ACCENT, BAD, GOOD, QUIET, SIDES, Picture, trace, upright

LIMIT, PRESET = "limit", "preset"
"""The two kinds of points that a press takes: a value of the threshold, or a preset."""
PINNED = "Pinned limits (not saved)"
"""The title of the pinned limits, beside those of presets; the name of a saved preset has no brackets."""


def risk_picture(curve: Curve, now: OperatingPoint, presets: Mapping[str, OperatingPoint]) -> Picture:
    """The curve of one threshold: for each value, the share of questions with an answer and the share of these answers
    that is wrong. Presets are diamonds, the pinned limits are a cross, and the current limits are a disc. Names are on
    hover: at one point those of all presets there, also under the disc.

    now: the point of the current limits. presets: the point of each preset and of the pinned limits, by title.
    """
    t = all_thresholds()[curve.key]
    along = [(value, p) for value, p in zip(curve.values.tolist(), curve.points, strict=True) if p.risk.n]
    along.sort(key=lambda item: item[1].coverage.count)
    groups: dict[OperatingPoint, list[str]] = {}
    for title, point in presets.items():
        if point.risk.n:
            groups.setdefault(point, []).append(title)
    is_pinned = [PINNED in titles for titles in groups.values()]
    cross = ", the cross is your pinned limits" if any(is_pinned) else ""
    traces = [
        _points(
            [(f"{t.label} {threshold_value(t, value)}", p) for value, p in along], [[LIMIT, v] for v, _ in along],
            mode="lines+markers", line={"color": QUIET, "width": 1.5}, marker={"size": 4, "color": QUIET},
        ),
        _points(
            [(", ".join(titles), p) for p, titles in groups.items()],
            [[PRESET, titles[0]] for titles in groups.values()],
            marker={
                "symbol": ["cross-thin-open" if pinned else "diamond-open" for pinned in is_pinned],
                "size": [21 if pinned else 11 for pinned in is_pinned],  # a cross is seen under the disc too
                "color": QUIET, "line": {"width": 2},
            },
        ),
        _points(
            [(", ".join(["Your limits now", *groups.get(now, [])]), now)] if now.risk.n else [], [["", ""]],
            marker={"size": 15, "color": ACCENT},
        ),
    ]  # fmt: skip
    return Picture(
        name="risk", title=risk_title(now), traces=[one for one in traces if one["x"]], height=220, beside=SIDES,
        note=f"Diamonds are presets, the disc is your limits now{cross}. Press a point to use its limit or preset.",
        layout={
            "xaxis": _axis("questions that get an answer", ticksuffix=" %", rangemode="tozero"),
            "yaxis": _axis("answers that are wrong", ticksuffix=" %", rangemode="tozero"),
        },
    )  # fmt: skip


def _axis(title: str, **look: Any) -> dict[str, Any]:
    return {"title": {"text": title}, **look}


def _points(named: Sequence[tuple[str, OperatingPoint]], taken: list[list[Any]], **look: Any) -> dict[str, Any]:
    """Operating points as a plotly trace. named: each with its name, which is on hover. taken: for each point, what a
    press takes: LIMIT or PRESET with its value or title, or "" for nothing."""
    return trace(
        "scatter", x=[100 * p.coverage.share for _, p in named], y=[100 * p.risk.share for _, p in named],
        hovertext=[f"{name}<br>{point_text(p)}" for name, p in named], hovertemplate="%{hovertext}<extra></extra>",
        customdata=taken, unselected={"marker": {"opacity": 1}}, cliponaxis=False, **{"mode": "markers", **look},
    )  # fmt: skip


def pressed_point(state: Mapping[str, Any]) -> tuple[str, Any]:
    """(LIMIT, its value) or (PRESET, its title) of the point that was pressed; ("", None) for none, or for the current
    limits. state: of the drawn picture."""
    points = state["selection"]["points"]
    kind, value = (points[0].get("customdata") if points else None) or ("", None)
    return (kind, value) if kind else ("", None)


_BINS = 30
_EDGE = 95
"""Percentage of the bad cases whose scores lie in the shaded range."""


def scores_picture(spread: Spread) -> Picture:
    """Two histograms of one check's scores: those of good cases point up and those of bad cases point down, so that
    they differ without colour."""
    check = check_of(spread.check)
    threshold = check.thresholds().get(spread.by)
    fails_above = threshold.stricter == "lower" if threshold else True  # without a threshold, a check counts faults
    fails = [scores > spread.limit if fails_above else scores < spread.limit for scores in (spread.good, spread.bad)]
    limit = threshold_value(threshold, spread.limit) if threshold else beside(spread.limit, spread.limit)
    all_scores = np.concatenate([spread.good, spread.bad, [spread.limit]])
    low, high = float(all_scores.min()), float(all_scores.max())
    edges = np.linspace(low, high if high > low else low + 1, _BINS + 1)
    good, bad = (np.histogram(scores, edges)[0] for scores in (spread.good, spread.bad))
    top = int(max(good.max(initial=0), bad.max(initial=0), 1))
    shaded = []
    if len(spread.bad):
        end = float(np.percentile(spread.bad, 100 - _EDGE if fails_above else _EDGE))
        shaded = [{
            "type": "rect", "xref": "x", "yref": "paper", "x0": end if fails_above else edges[0],
            "x1": edges[-1] if fails_above else end, "y0": 0, "y1": 1, "layer": "below", "fillcolor": QUIET,
            "opacity": 0.16, "line": {"width": 0},
        }]  # fmt: skip
    left_out = count_of(spread.left_out, "case")
    omission = f" {left_out} left out: the check does not apply there, or decides by another limit."
    return Picture(
        name="scores", height=250, beside=SIDES, lines=[*shaded, upright(spread.limit, ACCENT)],
        title=(
            f"At {limit}, “{check.plain}” alone stops {fails[0].sum()} of {len(spread.good)} questions to answer and "
            f"lets through {(~fails[1]).sum()} of {len(spread.bad)} questions to refuse"
        ),
        traces=[_bars(edges, good, 1, GOOD, "should be answered"), _bars(edges, bad, -1, BAD, "should be refused")],
        note=(
            "Bars that point up: cases that should be answered; bars that point down: cases that should be refused. "
            f"Scores {'above' if fails_above else 'below'} the limit (the vertical line) fail. Shaded: the scores of "
            f"{_EDGE} % of the cases to refuse. All scores are from the first search."
        ) + (omission if spread.left_out else ""),
        layout={
            "barmode": "overlay", "bargap": 0.06, "xaxis": _axis(f"{check.plain} ({spread.unit})"),
            "yaxis": _axis(
                "to refuse · to answer", tickvals=[-top, 0, top], ticktext=[str(top), "0", str(top)],
                range=[-1.08 * top, 1.08 * top],
            ),
        },
    )  # fmt: skip


def _bars(edges: np.ndarray, counts: np.ndarray, sign: int, colour: str, label: str) -> dict[str, Any]:
    """The bars of one histogram. counts: for each bin. sign: 1 for bars that point up, -1 for bars that point down."""
    bars = np.flatnonzero(counts)  # empty bars are not drawn
    low, high, n = edges[bars], edges[bars + 1], counts[bars]
    return trace(
        "bar", x=(low + high) / 2, y=sign * n, width=(high - low) * 0.92, marker={"color": colour},
        customdata=np.stack([low, high, n], 1),
        hovertemplate=f"{label}: %{{customdata[2]}}<br>%{{customdata[0]:.3f}} to %{{customdata[1]:.3f}}<extra></extra>",
    )  # fmt: skip


def checks_picture(alone: Mapping[str, int]) -> Picture:
    """A bar for each blocking check: the number of cases whose outcome would change if it only watched."""
    idle, count = sum(not n for n in alone.values()), len(alone)
    title = f"{idle} of the {count_of(count, 'blocking check')} never change an outcome on this set"
    if not idle:
        title = f"Each of the {count} blocking checks stops something that no other check stops"
    bars = trace(
        "bar", x=list(alone.values()), y=[check_of(check).plain for check in alone], orientation="h",
        text=list(map(str, alone.values())), textposition="outside", cliponaxis=False,
        marker={"color": [ACCENT if n else QUIET for n in alone.values()]}, customdata=list(alone),
        hovertemplate="%{y} (%{customdata}): %{x} cases change outcome if it only monitors<extra></extra>",
    )  # fmt: skip
    return Picture(
        name="checks", title=title if alone else "No check blocks now, so none can change an outcome", traces=[bars],
        height=60 + 26 * count,
        note=(
            "A check without a bar may still matter: either another check stops the same cases, or this set has no "
            "case that the check would stop."
        ),
        layout={
            "xaxis": _axis("cases that the check alone decides", rangemode="tozero"),
            "yaxis": {"autorange": "reversed", "automargin": True, "showgrid": False},
        },
    )  # fmt: skip


def curve_title(curve: Curve, now: float) -> str:
    """The title of the curve: the effect of the nearest stricter and of the nearest laxer value that change
    anything. It also says so if neither changes the number of wrong answers."""
    t = all_thresholds()[curve.key]
    directions = (-1, 1) if t.stricter == "lower" else (1, -1)
    steps = [s for s in (step(curve, now, direction) for direction in directions) if s]
    if not steps:
        return f"No value of “{t.label}” changes the number of wrong answers or wrong refusals"
    effects = [_effect(t, s, now) for s in steps]
    if not any(s.wrong or s.unmeasured for s in steps):
        effects.append("no wrong answer changes")
    return f"{t.label}: {'; '.join(effects)}"


def _effect(t: Threshold, s: Step, now: float) -> str:
    """The effect of a step: "raising it to 0.65 wrongly refuses 12 more questions and stops 3 wrong answers".

    A count may fall only because some cases are no longer measured, so a fall is stated without these cases.
    """
    start = f"{'raising' if s.value > now else 'lowering'} it to {threshold_value(t, s.value)}"
    unsure = max(s.unmeasured, 0)
    over_refused, wrong = (n if n >= 0 else min(n + unsure, 0) for n in (s.over_refused, s.wrong))
    least, parts = "at least " if unsure else "", []
    if over_refused:
        count = count_of(abs(over_refused), f"{'more' if over_refused > 0 else 'fewer'} question")
        parts.append(f"wrongly refuses {'' if over_refused > 0 else least}{count}")
    if wrong:
        count = count_of(abs(wrong), "wrong answer")
        parts.append(f"stops {least}{count}" if wrong < 0 else f"lets {count} through")
    if not parts:
        return f"{start} needs a new search for {count_of(unsure, 'question')}"
    searches = count_of(abs(s.unmeasured), f"{'more' if unsure else 'fewer'} question")
    return f"{start} {' and '.join(parts)}" + (f" ({searches} would need a new search)" if s.unmeasured else "")


_COST_SCALE = [[0.0, "#e6f2f0"], [0.5, "#8a93a1"], [1.0, "#7a2600"]]
"""The colours of the cost map: light is cheap and dark is expensive, so that it is readable without colours."""


def heat_picture(heat: Heat, cost: float, now: tuple[float, float]) -> Picture:
    """A heat map of costs, with a cell for each combination of the values of two thresholds. A cost is the number of
    over-refusals plus `cost` times the number of wrong answers. A cell is blank where more cases are not measured than
    elsewhere, since its cost would look too low. now: the current values."""
    first, second = (all_thresholds()[k] for k in (heat.key, heat.other))
    costs = np.where(heat.unsaid > heat.unsaid.min(), np.nan, cost * heat.wrong + heat.over_refused)
    texts = [[f"{threshold_value(first, float(v))}, {threshold_value(second, float(w))}" for w in heat.others]
            for v in heat.values]  # fmt: skip
    cheapest = np.argwhere(costs == np.nanmin(costs))
    i, j = cheapest[np.abs(cheapest - cheapest.mean(0)).sum(1).argmin()].tolist()  # the one in the middle of several
    wrong, refused, position = int(heat.wrong[i, j]), int(heat.over_refused[i, j]), texts[i][j].replace(", ", " and ")
    counts = f"{count_of(wrong, 'wrong answer')} and {count_of(refused, 'wrong refusal')}"
    title = f"Cheapest at {position}: {counts}, a cost of {number(float(costs[i, j]), 0)}"
    if np.nanmin(costs) == np.nanmax(costs):
        title = f"The cost is the same at every measured value of “{first.label}” and “{second.label}”"
    heatmap = trace(
        "heatmap", x=heat.others, y=heat.values, z=costs, colorscale=_COST_SCALE,
        customdata=np.dstack([heat.wrong, heat.over_refused]), text=texts,
        colorbar={"title": {"text": "cost"}, "thickness": 12},
        hovertemplate="%{text}: %{customdata[0]} wrong, %{customdata[1]} wrongly refused, cost %{z}<extra></extra>",
    )  # fmt: skip
    marks = trace(
        "scatter", x=[now[1], heat.others[j]], y=[now[0], heat.values[i]], mode="markers+text",
        text=["now", "cheapest"], textposition="top center", textfont={"color": ACCENT, "size": 13},
        marker={"symbol": ["circle", "diamond-open"], "size": 14, "color": ACCENT, "line": {"width": 3}},
        hoverinfo="skip", cliponaxis=False,
    )  # fmt: skip
    blank = "Blank cells need a new search. " if np.isnan(costs).any() else ""
    return Picture(
        name="two_limits", title=title, traces=[heatmap, marks], height=380,
        note=(
            f"Darker cells cost more: 1 for a wrong refusal, {cost:g} for a wrong answer. {blank}The other sliders "
            "stay as they are."
        ),
        layout={"xaxis": _axis(second.label), "yaxis": _axis(first.label)},
    )  # fmt: skip


_CLOSE = 0.05
"""Maximum mean difference of stated and observed shares at which a score counts as calibrated."""


def reliability_picture(curve: Reliability) -> Picture:
    """The reliability diagram of the evidence confidence, with 95 % intervals; its title says in which direction the
    score is wrong."""
    title = "The evidence confidence: no question is measured yet"
    if curve.n:
        lean = "is too high" if curve.lean > _CLOSE else "is too low" if curve.lean < -_CLOSE else ""
        bias = f" {'is well calibrated' if curve.error <= _CLOSE else lean}".rstrip()
        error = f"calibration error {number(100 * curve.error, 0)} points over {curve.n} cases"
        title = f"The evidence confidence{bias}: {error}"
    rates = [b.true for b in curve.bins]
    most = max((r.n for r in rates), default=1)
    exact = trace("scatter", x=[0, 1], y=[0, 1], mode="lines", line={"color": QUIET, "dash": "dot"}, hoverinfo="skip")
    dots = trace(
        "scatter", x=[b.predicted for b in curve.bins], y=[r.share for r in rates], mode="lines+markers",
        line={"color": GOOD}, customdata=[(r.count, r.n) for r in rates],
        marker={"color": GOOD, "size": [7 + 9 * (r.n / most) ** 0.5 for r in rates]},
        error_y={
            "type": "data", "symmetric": False, "color": GOOD, "thickness": 1, "width": 3,
            "array": [r.interval[1] - r.share for r in rates], "arrayminus": [r.share - r.interval[0] for r in rates],
        },
        hovertemplate="score %{x:.2f}: %{customdata[0]} of %{customdata[1]} passages answer<extra></extra>",
    )  # fmt: skip
    return Picture(
        name="confidence", title=title, traces=[exact, dots], height=330,
        note=(
            "The score says how likely it is that the best passage answers the question. On the dotted line that is "
            "exactly right. Bars: 95 % intervals; larger dots: more cases."
        ),
        layout={
            "xaxis": _axis("what the score says", range=[-0.02, 1.02], constrain="domain"),
            "yaxis": _axis("how often the passage answers", range=[-0.02, 1.02]),
        },
    )  # fmt: skip
