"""The top of the Tune page as it is drawn, wherever its numbers come from."""

from collections.abc import Sequence

import streamlit as st

from core.checks import all_thresholds
from core.evaluation.cases import Labelled
from core.settings import Settings
from pages.components.shared.figure import picture
from pages.components.shared.limits import follow
from pages.components.shared.session import CURVE, value
from pages.components.shared.sliders import label
from pages.components.tune.changed_questions import changed_table, heading
from pages.components.tune.counts import counts, refusals
from pages.components.tune.tradeoff_curve import curve_picture
from pages.components.tune.view import View


def drawn_threshold() -> str:
    """The threshold whose curve is drawn: the one whose slider was moved last, or that was chosen since."""
    follow(CURVE)
    return value(CURVE)


def top(cases: Sequence[Labelled], now: View, using: tuple[str, Settings]) -> None:
    """Counts, grid, curve, and the questions that changed."""
    counts(now.now, now.before, now.unmeasured)
    st.selectbox(
        "Curve of", list(all_thresholds()), key=CURVE, format_func=lambda key: label(all_thresholds()[key]), width=340,
        help="It follows the slider that you moved last",
    )  # fmt: skip
    picture(curve_picture(now.curve, float(value(now.curve.key))))
    st.subheader(heading(now.changes), anchor=False)
    if not now.changes:
        st.caption("Move a slider, or a check's mode: the questions that then end otherwise stand here.")
    changed_table("changed", cases, now.changes, using, "Under the preset", "Now")
    with st.expander("Refusals by reason", icon=":material/list:", key="refusals"):
        refusals(now.inside, now.outside)
