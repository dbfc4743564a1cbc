"""The tab Limits of the Tune page: what each threshold trades off on the set, and proposals for better ones."""

import streamlit as st

from core.checks import all_thresholds, check_of
from core.graph.startup import home_folder
from core.presets import display_name, values
from core.presets.saved import named_preset
from core.thresholds import Preset
from core.tuning.curves import curve, spread
from core.tuning.operating_points import operating_points, risk_curve
from pages.components.shared.figure import picture
from pages.components.shared.limits import current_preset, follow_last_move
from pages.components.shared.page_setup import require_access
from pages.components.shared.presets import preset_names
from pages.components.shared.session import TUNE
from pages.components.shared.session_types import Using
from pages.components.shared.sidebar import DECISION_FIELDS, label
from pages.components.tune.changed_questions import comparison
from pages.components.tune.check_pictures import scores_picture
from pages.components.tune.more_pictures import more_pictures
from pages.components.tune.open_set import OpenSet
from pages.components.tune.promise_line import promise_line
from pages.components.tune.proposals import proposals
from pages.components.tune.risk_picture import risk_picture
from pages.components.tune.tradeoffs import curve_picture


def _presets() -> dict[str, Preset]:
    """Every preset, by its title."""
    return {display_name(name): named_preset(name, home_folder()) for name in preset_names()}


def limits_tab(open_set: OpenSet, using: Using) -> None:
    """Draw the pictures of the current limits, then proposals and the comparison of two presets."""
    _pictures(open_set, using)
    proposals(open_set.bank, current_preset())
    comparison(open_set.bank, current_preset(), using)


@st.fragment(key=DECISION_FIELDS)
def _pictures(open_set: OpenSet, using: Using) -> None:
    """Draw the pictures of what limits decide about a set; this fragment runs alone when a limit moves."""
    require_access()
    follow_last_move()  # the curve belongs to the slider that moved last, unless the user chose another since
    preset, key, bank = current_preset(), TUNE.curve.value, open_set.bank
    st.markdown(
        "Move a slider, and the blue dot moves: further right, more questions get an answer; further down, fewer "
        "answers are wrong. Diamonds are presets; Documents A to E have the limits that the source documents print."
    )
    st.selectbox(
        "Limit", list(all_thresholds()), key=TUNE.curve.key, format_func=lambda key: label(all_thresholds()[key]),
        help="It follows the slider that you moved last", width=420,
    )  # fmt: skip
    picture(risk_picture(risk_curve(bank, preset, key), operating_points(bank, _presets())))
    left, right = st.columns(2, gap="medium")
    with left:
        picture(curve_picture(curve(bank, preset, key), values(preset)[key]))
    with right:
        scores = spread(bank, preset, check_of(key), key.partition(".")[2])
        if scores is None:
            st.caption("This check decides no case of this set, so it has no scores to draw.")
        else:
            picture(scores_picture(scores))
    promise_line(bank, preset, key)
    more_pictures(bank, preset, key, using[0])
