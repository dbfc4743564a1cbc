"""Seed C's own calibration sweep, drawn: five values, the most accurate one, and whether it keeps the seed's limit."""

import streamlit as st

from core.banks.scored_bank import ValuedBank
from core.checks import all_thresholds
from core.tuning.proposals import MOST_REFUSED, SEED_C_KEY, SEED_C_VALUES, Calibration, calibration
from pages.components.shared.errors import ERRORS, show
from pages.components.shared.limits import move_sliders
from pages.components.shared.number_format import number, threshold_value
from pages.components.tune.counts import share


def seed_c_calibration(bank: ValuedBank) -> None:
    """Sweep, and say what came out of it."""
    try:
        with st.spinner("Sweeping the five values …"):
            found = calibration(bank.cases)
    except ERRORS as error:
        show(error)
        return
    with st.container(border=True):
        st.markdown("\n".join(table(found)))
        st.markdown(sentence(found))
        st.button(
            "Move the slider there", key="accept seed c", on_click=move_sliders, args=({SEED_C_KEY: found.chosen},),
            help="Only this slider; the preset Seed C lets nothing but that seed's checks block",
        )  # fmt: skip


def table(found: Calibration) -> list[str]:
    """A line for each of the seed's values."""
    t = all_thresholds()[SEED_C_KEY]
    lines = [f"| {t.label} | as it should be, on the half that is swept |", "|---|---|"]
    for value, rate in zip(SEED_C_VALUES, found.accuracy, strict=True):
        sign = " :blue[**chosen**]" if value == found.chosen else ""
        lines.append(f"| {threshold_value(t, value)}{sign} | {rate.count} of {rate.n} ({share(rate)}) |")
    return lines


def sentence(found: Calibration) -> str:
    """What the chosen value comes to on the other half, beside the seed's own, and beside the seed's limit."""
    mine, seed = found.held_out, found.default
    kept = "keeps" if found.keeps else "does not keep"
    return (
        f"On the other half, with only seed C’s checks blocking: {share(mine.as_it_should_be)} as it should be "
        f"(the seed’s 0.30: {share(seed.as_it_should_be)}), {mine.over_refused} of {mine.due} over-refused "
        f"({share(mine.over_refusal, MOST_REFUSED)}), which {kept} the seed’s limit of "
        f"{number(100 * MOST_REFUSED, 0)} %."
    )
