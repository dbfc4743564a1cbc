"""The pictures of the Tune page below the curve, one at a time; only the one that is chosen is worked out."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from core.banks.scored_bank import ValuedBank
from core.checks import all_thresholds
from core.models.calibration import reliability_of
from core.models.profile import place_of, sources_of
from core.presets import values
from core.thresholds import Preset
from core.tuning.curves import heat, shares
from core.tuning.reliability import of_confidence, stored
from core.tuning.score_distributions import SCALES, Spread, rulers
from pages.components.shared.figure import picture
from pages.components.shared.session import COST, value
from pages.components.shared.sidebar import label
from pages.components.tune.check_pictures import checks_picture, ruler_picture, scores_picture
from pages.components.tune.reliability import reliability_picture
from pages.components.tune.tradeoffs import heat_picture

PICTURES = {
    "scores": "Scores of this check", "heat": "Two limits", "ruler": "Ruler", "checks": "Which checks matter",
    "confidence": "Is the confidence right?", "nli": "Are the labels right?",
}  # fmt: skip
_CONFIDENCE = "True is: the best passage holds what the question asks for."
_NLI = "Measured when the model was calibrated, on labelled sentences that it never saw."


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
