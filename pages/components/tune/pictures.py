"""The pictures of the Tune page below the curve, one at a time; only the one that is chosen is worked out."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from core.banks.scored_bank import ValuedBank
from core.chain.number_format import number
from core.checks import all_thresholds
from core.evaluation.outcomes import Rate
from core.models.calibration import reliability_of
from core.models.profile import place_of, sources_of
from core.presets import values
from core.thresholds import Preset
from core.tuning.curves import heat, shares
from core.tuning.reliability import Reliability, of_confidence, stored
from core.tuning.score_distributions import SCALES, Spread, rulers
from pages.components.shared.figure import GOOD, QUIET, Picture, picture, trace
from pages.components.shared.session import COST, value
from pages.components.shared.sidebar import label
from pages.components.tune.check_pictures import checks_picture, ruler_picture, scores_picture
from pages.components.tune.tradeoffs import heat_picture

PICTURES = {
    "scores": "Scores of this check", "heat": "Two limits", "ruler": "Ruler", "checks": "Which checks matter",
    "confidence": "Is the confidence right?", "nli": "Are the labels right?",
}  # fmt: skip
_CONFIDENCE = "True is: the best passage holds what the question asks for."
_NLI = "Measured when the model was calibrated, on labelled sentences that it never saw."
_COLUMNS = ("said (mean)", "came true", "n", "share", "interval from", "interval to")
_CLOSE = 0.05
"""A mean promise this near to what comes true is as good as kept."""


def pictures(bank: ValuedBank, preset: Preset, key: str, spread: Spread | None, profile: str) -> None:
    """The choice, and the picture that is chosen."""
    chosen = st.segmented_control(
        "More pictures", list(PICTURES), key="tune picture", default="scores", required=True,
        format_func=PICTURES.get, label_visibility="collapsed",
    )  # fmt: skip
    if chosen == "scores":
        _scores(spread)
    elif chosen == "heat":
        _heat(bank, preset, key)
    elif chosen == "ruler":
        _ruler(bank, preset)
    elif chosen == "checks":
        picture(checks_picture(shares(bank, preset)))
    elif chosen == "confidence":
        found = bank.remembered("reliability", lambda: of_confidence(bank.cases))
        picture(reliability_picture("confidence", found, "The evidence confidence", _CONFIDENCE))
    else:
        _nli(profile)


def _scores(spread: Spread | None) -> None:
    if spread is None:
        st.caption("This check decides no case of this bank, so it has no scores to draw.")
    else:
        picture(scores_picture(spread))


def _heat(bank: ValuedBank, preset: Preset, key: str) -> None:
    others = [k for k in all_thresholds() if k != key]
    other = st.selectbox(
        "With the threshold", others, key="other threshold", width=340, format_func=lambda k: label(all_thresholds()[k])
    )
    with st.spinner("Deciding the bank at every pair of values …"):
        found = heat(bank, preset, key, other)
    now = values(preset)
    picture(heat_picture(found, value(COST), (now[key], now[other])))


def _ruler(bank: ValuedBank, preset: Preset) -> None:
    scale = st.segmented_control(
        "Score", list(SCALES), key="ruler scale", default="cosine", required=True, format_func=SCALES.get
    )
    found = bank.remembered(("ruler", scale), lambda: rulers(bank.cases, scale))
    if found:
        picture(ruler_picture(found, preset))
    else:
        st.caption("This bank holds no question without an answer to judge, so there is nothing to lay a ruler along.")


def _nli(profile: str) -> None:
    told = _told(profile)
    if not told:
        st.caption("This NLI model comes without a calibration, so nobody has counted how often its labels are right.")
        return
    after, before = stored(told["after"]), stored(told.get("before", {}))
    what = "The probability of a sentence's label"
    picture(reliability_picture("nli_labels", after, what, _NLI, before if before.n else None))


@lru_cache(maxsize=8)
def _told(profile: str) -> dict[str, Any]:
    """What the calibration of the profile's NLI model says of its labels."""
    return reliability_of(Path(place_of(sources_of(profile).entailer)[0]))


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
        name=name, title=reliability_title(what, curve), traces=traces, columns=_COLUMNS, height=330,
        rows=[(b.said, b.true.count, b.true.n, b.true.share, *b.true.interval) for b in curve.bins],
        note=f"{note} On the dotted line a promise is kept exactly. Bars: 95 % intervals; larger dots hold more.",
        layout={
            "xaxis": {"title": {"text": "what it says"}, "range": [-0.02, 1.02], "constrain": "domain"},
            "yaxis": {"title": {"text": "how often it comes true"}, "range": [-0.02, 1.02]},
        },
    )  # fmt: skip


def reliability_title(what: str, curve: Reliability) -> str:
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
