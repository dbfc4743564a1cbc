"""A banner on the drift from the set of a certificate to the questions in the journal, with a picture of both
distributions."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.journal.drift import drift_since
from core.platform.access import may
from core.presentation.drift_words import ABOUT, drift_sentences, drift_title, shares
from core.tuning.drift import SCORES, Comparison, Drift
from pages.components.shared.figure import ACCENT, QUIET, Picture, picture, trace
from pages.components.shared.resources import shared_journal
from pages.components.shared.safe_display import ERRORS, plain, show

_MOST_BARS = 8
_STRIPES = {"shape": "/", "fillmode": "overlay", "fgcolor": "#ffffff", "fgopacity": 0.35, "size": 9, "solidity": 0.3}
_COLUMNS = ("category", "set, %", "now, %")


def drift_of(preset: str, certificate: Mapping[str, Any]) -> Drift | None:
    """The drift since a valid certificate. None if this user may not read the whole journal, or if an error occurred;
    the error is then drawn.

    preset: the name of the preset that has the certificate.
    """
    if not may("journal"):
        return None
    try:
        return drift_since(shared_journal(), preset, certificate)
    except ERRORS as error:
        show(error)
        return None


def drift_box(result: Drift) -> None:
    """Draw the drift: a banner with a picture if the questions differ from those of the certificate, else one line."""
    first, *others = drift_sentences(result)
    if result.state != "different":
        st.caption(plain(" ".join([first, *others])), help=ABOUT)
        return
    st.warning(plain(first), icon=":material/difference:")
    picture(drift_picture(result, result.largest))
    st.caption(plain(" ".join(others)), help=ABOUT)


def drift_picture(result: Drift, comparison: Comparison) -> Picture:
    """Two distributions of one property: that of the questions of the set, and that of the questions of the journal.

    Scores are drawn as a histogram. Shares of categories are drawn as horizontal bars, because the categories have long
    names.
    """
    rows, is_score = shares(comparison), comparison.name in SCORES
    drawn = rows if is_score else rows[:_MOST_BARS]
    share_axis: dict[str, Any] = {"title": {"text": "share, %"}, "rangemode": "tozero"}
    name_axis: dict[str, Any] = {"type": "category", "automargin": True}
    name_axis |= {} if is_score else {"autorange": "reversed"}
    return Picture(
        name="drift", title=drift_title(result, comparison), columns=_COLUMNS, rows=rows, height=260,
        traces=[
            _bars("the set", drawn, 1, is_score, {"color": QUIET}),
            _bars("the last questions", drawn, 2, is_score, {"color": ACCENT, "pattern": _STRIPES}),
        ],
        layout={
            "barmode": "group", "showlegend": True, "margin": {"l": 8, "r": 14, "t": 64, "b": 44},
            "legend": {"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0},
            "xaxis": name_axis if is_score else share_axis, "yaxis": share_axis if is_score else name_axis,
        },
    )  # fmt: skip


def _bars(name: str, rows: list[tuple[str, float, float]], side: int, upright: bool, look: dict[str, Any]) -> Any:
    """The bars of one of two distributions, as a plotly trace.

    rows: (name, share in the set, share in the journal). side: 1 for the set, 2 for the journal. upright: True for
    vertical bars.
    """
    names, values = [row[0] for row in rows], [row[side] for row in rows]
    if upright:
        return trace("bar", name=name, x=names, y=values, marker=look, hovertemplate="%{x}: %{y:.0f} %")
    return trace("bar", name=name, y=names, x=values, orientation="h", marker=look, hovertemplate="%{y}: %{x:.0f} %")
