"""The guarantee on the tab Limits: the fields of a promise, the limit that keeps it, and its errors at each limit."""

import numpy as np
import streamlit as st

from core.chain.display_rounding import threshold_value
from core.checks import all_thresholds
from core.graph.startup import home_folder
from core.presentation.class_words import uncovered_sentence
from core.presentation.guarantee_words import certificate_title, sentences
from core.presentation.outcome_words import LIKELY
from core.presets import values
from core.presets.by_class import changing, limits_by_class
from core.thresholds import Preset
from core.tuning.certificates import row
from core.tuning.guarantee import (
    GROUPS,
    RISKS,
    Certificate,
    Counts,
    Promise,
    Shortfall,
    bounds,
    count_errors,
    guarantee,
    guarantees,
)
from pages.components.shared.figure import ACCENT, GOOD, QUIET, SIDES, Picture, picture, trace, upright
from pages.components.shared.limits import current_preset, move_sliders
from pages.components.shared.safe_display import ERRORS, plain, show
from pages.components.shared.session import TUNE
from pages.components.tune.open_set import OpenSet
from pages.components.tune.saved_guarantee import corrected_questions, save_box, saved_guarantee

_GROUP_NAMES = {"": "the whole set", "class_number": "each class", "subject": "each subject"}
_LABELS = {"wrong": "Wrong answers", "over_refused": "Wrongly refused", "off_topic": "Off-topic answers"}
_COLUMNS = ("threshold", "value", "errors", "of", "share", "upper bound")


def guarantee_box(open_set: OpenSet, preset: Preset, key: str) -> None:
    """Draw the fields of a promise and, for the threshold `key`, the limit that keeps it. No model runs."""
    st.subheader("Guarantee", anchor=False)
    saved_guarantee(open_set, preset)
    corrected_questions(open_set)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        for risk, words in RISKS.items():
            st.number_input(
                f"{_LABELS[risk]}, at most (%)", 1, 90, None, key=TUNE.guarantee_shares[risk].key, step=1, width=215,
                placeholder="any", help=f"{words[:1].upper()}{words[1:]}; leave it empty for no promise.",
            )  # fmt: skip
        st.selectbox(
            "with confidence", [80, 90, 95, 99], key=TUNE.guarantee_confidence.key, format_func="{} %".format, width=130
        )
        st.selectbox("for", ["", *GROUPS], key=TUNE.guarantee_group.key, format_func=_GROUP_NAMES.get, width=160)
    percent = {risk: widget.value for risk, widget in TUNE.guarantee_shares.items() if widget.value}
    if not percent:
        st.caption("Fill in at least one share to see which limit keeps it.")
        return
    promise = Promise(
        shares={risk: share / 100 for risk, share in percent.items()}, confidence=TUNE.guarantee_confidence.value / 100
    )
    try:
        if group := TUNE.guarantee_group.value:
            _groups(guarantees(open_set.bank, preset, key, promise, group))
        else:
            _whole(open_set, preset, key, promise, guarantee(open_set.bank, preset, key, promise))
        _uncovered(preset)
    except ERRORS as error:
        show(error)


def _whole(open_set: OpenSet, preset: Preset, key: str, promise: Promise, result: Certificate | Shortfall) -> None:
    """Draw the result for the whole set: a picture for each promised share, sentences, and for a certificate the
    buttons that set the slider to its limit and save it.

    result: a certificate, or a shortfall (why no limit keeps the promise).
    """
    counts = count_errors(open_set.bank, preset, key, tuple(promise.shares))
    left, right = st.columns(2, gap="medium")
    with left:
        for risk in promise.shares:
            picture(guarantee_picture(counts, promise, result, risk))
    with right:
        _result(result)
        st.caption(LIKELY)
        if isinstance(result, Certificate):
            save_box(open_set, preset, result)


def _groups(results: dict[str, Certificate | Shortfall]) -> None:
    """Draw the result of each class or subject, by name. The confidence of the promise applies to all these results
    together, not to each."""
    for name, result in results.items():
        with st.container(border=True):
            st.markdown(f"**{plain(name)}**")
            _result(result, name)


def _uncovered(preset: Preset) -> None:
    """Draw the classes and subjects that the guarantee does not cover, since they have limits of their own."""
    try:
        sentence = uncovered_sentence(changing(preset, limits_by_class(home_folder())))
    except ERRORS as error:
        show(error)
        return
    if sentence:
        st.caption(plain(sentence))


def _result(result: Certificate | Shortfall, name: str = "") -> None:
    """Draw a result in sentences, and for a certificate the button that sets its limit."""
    first, *others = sentences(row(result))
    mark = ":green[:material/verified:]" if isinstance(result, Certificate) else ":gray[:material/pending:]"
    st.markdown(f"{mark} **{plain(first)}**")
    st.markdown("  \n".join(map(plain, others)))
    if isinstance(result, Certificate):
        is_set = values(current_preset())[result.key] == result.value
        st.button(
            "This limit is set" if is_set else f"Set {all_thresholds()[result.key].label} to {result.value:g}",
            key=f"apply guarantee {name}", disabled=is_set, on_click=move_sliders, args=({result.key: result.value},),
        )  # fmt: skip


def guarantee_picture(counts: Counts, promise: Promise, result: Certificate | Shortfall, risk: str) -> Picture:
    """The share of errors and its upper bound at each value of the threshold, beside the share that was promised. risk:
    which of the errors in RISKS is drawn."""
    promise_share, of = promise.shares[risk], counts.totals[risk]
    observed_shares = np.where(of > 0, counts.errors[risk] / np.maximum(of, 1), np.nan)
    upper = bounds(counts, risk, 1 - promise.confidence)
    t = all_thresholds()[counts.key]
    texts = [
        f"{t.label} {threshold_value(t, float(v))}<br>{e} in {n}, at most {100 * b:.1f} %"
        for v, e, n, b in zip(counts.values, counts.errors[risk], of, upper, strict=True)
    ]
    lines = (("at most", upper, QUIET, "dash"), ("observed", observed_shares, ACCENT, "solid"))
    traces = [
        trace(
            "scatter", x=counts.values, y=100 * np.minimum(share, 1), mode="lines", name=name, text=texts,
            line={"color": colour, "width": 2, "dash": dash}, hovertemplate="%{text}<extra></extra>",
        )
        for name, share, colour, dash in lines
    ]  # fmt: skip
    level = {
        "type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 100 * promise_share, "y1": 100 * promise_share,
        "line": {"color": GOOD, "width": 1.5, "dash": "dot"},
    }  # fmt: skip
    marks = [upright(result.value, GOOD)] if isinstance(result, Certificate) else []
    most = min(100.0, float(np.nanmax([*(100 * observed_shares), 300 * promise_share, 150 * upper.min()])))
    return Picture(
        name=f"guarantee {risk}", title=certificate_title(row(result), risk), traces=traces, columns=_COLUMNS,
        height=290, beside=SIDES, lines=[level, *marks],
        rows=[
            (counts.key, float(v), int(e), int(n), None if np.isnan(o) else float(o), float(b))
            for v, e, n, o, b in zip(counts.values, counts.errors[risk], of, observed_shares, upper, strict=True)
        ],
        note=(
            "The solid line is the share of errors in this set, the dashed line its upper bound at this confidence, "
            "and the dotted line the promise."
        ),
        layout={
            "xaxis": {"title": {"text": t.label}},
            "yaxis": {"title": {"text": f"{_LABELS[risk]}, %"}, "range": [0, most * 1.05]},
        },
    )  # fmt: skip
