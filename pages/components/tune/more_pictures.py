"""Further pictures on the tab Limits, of which the user chooses one: which checks decide, the costs of two thresholds,
score ranges, and how reliable probabilities are.
"""

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
from core.tuning.curves import SCALES, heat, of_confidence, rulers, shares, stored_reliability
from pages.components.shared.figure import picture
from pages.components.shared.session import TUNE
from pages.components.shared.sidebar import label
from pages.components.tune.check_pictures import checks_picture, ruler_picture
from pages.components.tune.tradeoffs import heat_picture, reliability_picture

PICTURES = {
    "checks": "Which checks matter", "heat": "Threshold pair", "ruler": "Score ranges",
    "confidence": "Is the confidence right?", "nli": "Are the labels right?",
}  # fmt: skip
"""The pictures to choose from, by key."""
_CONFIDENCE = "True means that the best passage holds what the question asks for."
_NLI = "Measured when the model was calibrated, on labelled sentences that it never saw."


def more_pictures(bank: ValuedBank, preset: Preset, key: str, profile: str) -> None:
    """Draw the choice of a picture and the chosen picture. key: of the threshold that is selected on the tab."""
    selected = st.segmented_control(
        "More pictures", list(PICTURES), key="tune picture", default="checks", required=True,
        format_func=PICTURES.get, label_visibility="collapsed",
    )  # fmt: skip
    if selected == "heat":
        _heat(bank, preset, key)
    elif selected == "ruler":
        _ruler(bank, preset)
    elif selected == "checks":
        picture(checks_picture(shares(bank, preset)))
    elif selected == "confidence":
        reliability = bank.cached("reliability", lambda: of_confidence(bank))
        picture(reliability_picture("confidence", reliability, "The evidence confidence", _CONFIDENCE))
    else:
        _draw_entailer(profile)


def _heat(bank: ValuedBank, preset: Preset, key: str) -> None:
    others = [k for k in all_thresholds() if k != key]
    second_key = st.selectbox(
        "With the threshold", others, key="other threshold", width=340, format_func=lambda k: label(all_thresholds()[k])
    )
    with st.spinner("Deciding the set at every pair of values …"):
        costs = heat(bank, preset, key, second_key)
    current = values(preset)
    picture(heat_picture(costs, TUNE.cost.value, (current[key], current[second_key])))


def _ruler(bank: ValuedBank, preset: Preset) -> None:
    scale = st.segmented_control(
        "Score", list(SCALES), key="ruler scale", default="cosine", required=True, format_func=SCALES.get
    )
    groups = bank.cached(("ruler", scale), lambda: rulers(bank, scale))
    if groups:
        picture(ruler_picture(groups, preset))
    else:
        st.caption("This set has no question without an answer to judge, so there are no score ranges to draw.")


def _draw_entailer(profile: str) -> None:
    stored_curves = _stored_curves(profile)
    if not stored_curves:
        st.caption("This NLI model comes without a calibration, so nobody has counted how often its labels are right.")
        return
    after, before = stored_reliability(stored_curves["after"]), stored_reliability(stored_curves.get("before", {}))
    score = "The probability of a sentence's label"
    picture(reliability_picture("nli_labels", after, score, _NLI, before if before.n else None))


@lru_cache(maxsize=8)
def _stored_curves(profile: str) -> dict[str, Any]:
    """The reliability curves stored with the NLI model of the profile, "before" and "after" calibration; {} without
    any."""
    return reliability_of(Path(place_of(sources_of(profile).entailer)[0]))
