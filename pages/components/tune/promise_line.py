"""One line for whoever tunes a limit: does it keep the promise that so few of the answers given out are wrong?"""

import streamlit as st

from core.banks.open_bank import OpenBank
from core.checks import all_thresholds
from core.presentation.set_words import ASSUMES, guarantee_line
from core.presets import values
from core.thresholds import Preset
from core.tuning.guarantee import Promise, guarantee, wrong_answers
from pages.components.shared.limits import move_sliders
from pages.components.shared.safe_display import ERRORS, plain
from pages.components.shared.session import TUNE

_HELP = "The values of the limit in hand are tested from the strictest to the most lenient, with 95 % confidence. "


def promise_line(bank: OpenBank, preset: Preset, key: str) -> None:
    """Draw the promise with its share to change, whether the threshold `key` keeps it, and a button that sets a value
    that does. No model runs.
    """
    left, middle, right, last = st.columns([2, 2, 12, 4], vertical_alignment="center", gap="small")
    left.markdown("At most")
    middle.number_input("Share of wrong answers, %", 1, 50, **TUNE.promised_percent.kept, label_visibility="collapsed")
    promise = Promise(share=TUNE.promised_percent.value / 100)
    try:
        result, now = guarantee(bank, preset, key, promise), values(preset)[key]
    except ERRORS as error:
        right.markdown(plain(f"% of the answers given out are wrong: {error}"))
        return
    line = guarantee_line(result, now, wrong_answers(bank, preset))
    right.markdown(f"% of the answers given out are wrong, at 95 %: **{plain(line)}**", help=_HELP + ASSUMES)
    if result.kept and not result.holds_at(now):
        last.button(
            f"Set {all_thresholds()[key].label} to {result.value:g}", key="set guaranteed limit",
            on_click=move_sliders, args=({key: result.value},),
        )  # fmt: skip
