"""The reliability curve: what a probability said, and how often it came true."""

from typing import Any

from core.chain.number_format import number
from core.evaluation.outcomes import Rate
from core.tuning.reliability import Reliability
from pages.components.shared.figure import GOOD, QUIET, Picture, trace

_COLUMNS = ("said (mean)", "came true", "n", "share", "interval from", "interval to")
_CLOSE = 0.05
"""A mean promise this near to what comes true is as good as kept."""


def reliability_picture(
    name: str, curve: Reliability, what: str, note: str, before: Reliability | None = None
) -> Picture:
    """The curve of `what`, with the interval of each point; before: the same before it was calibrated."""
    traces = [
        trace("scatter", x=[0, 1], y=[0, 1], mode="lines", line={"color": QUIET, "dash": "dot"}, hoverinfo="skip")
    ]
    if before:
        traces.append(_curve(before, QUIET, "before the calibration", "circle-open"))
    traces.append(_curve(curve, GOOD, "now", "circle"))
    return Picture(
        name=name, title=title(what, curve), traces=traces, columns=_COLUMNS, height=330,
        rows=[(b.said, b.true.count, b.true.n, b.true.share, *b.true.interval) for b in curve.bins],
        note=f"{note} On the dotted line a promise is kept exactly. Bars: 95 % intervals; larger dots hold more.",
        layout={
            "xaxis": {"title": {"text": "what it says"}, "range": [-0.02, 1.02], "constrain": "domain"},
            "yaxis": {"title": {"text": "how often it comes true"}, "range": [-0.02, 1.02]},
        },
    )  # fmt: skip


def title(what: str, curve: Reliability) -> str:
    """What the curve shows: how far the promise lies from what comes true, and on which side."""
    if not curve.n:
        return f"{what}: no question is measured yet"
    off, lean = number(100 * curve.error, 0), curve.lean
    if curve.error <= _CLOSE:
        return f"{what} keeps its word: off by {off} points in the mean of {curve.n} cases"
    way = "promises too much" if lean > _CLOSE else "promises too little" if lean < -_CLOSE else "is off both ways"
    return f"{what} {way}: off by {off} of 100 points in the mean of {curve.n} cases"


def _curve(curve: Reliability, colour: str, said: str, symbol: str) -> dict[str, Any]:
    """The dots of a curve with their intervals."""
    rates = [b.true for b in curve.bins]
    most = max((r.n for r in rates), default=1)
    return trace(
        "scatter", x=[b.said for b in curve.bins], y=[r.share for r in rates], mode="lines+markers",
        line={"color": colour}, customdata=[(r.count, r.n) for r in rates],
        marker={"symbol": symbol, "color": colour, "size": [7 + 9 * (r.n / most) ** 0.5 for r in rates]},
        error_y={
            "type": "data", "symmetric": False, "color": colour, "thickness": 1, "width": 3,
            "array": [_reach(r, 1) for r in rates], "arrayminus": [_reach(r, 0) for r in rates],
        },
        hovertemplate=f"{said}: says %{{x:.2f}}, comes true %{{customdata[0]}} of %{{customdata[1]}}<extra></extra>",
    )  # fmt: skip


def _reach(rate: Rate, end: int) -> float:
    """How far the interval goes beyond the share, down (0) or up (1)."""
    return abs(rate.interval[end] - rate.share)
