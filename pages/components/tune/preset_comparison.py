"""Two presets on one bank: where they differ, and whether that is more than chance."""

import streamlit as st

from core.banks.scored_bank import ValuedBank
from core.chain.number_format import number
from core.presets.named import titled
from core.presets.saved import named_preset
from core.settings import Settings
from core.startup import home_folder
from core.thresholds import Preset
from core.tuning.curves import Comparison, compare
from pages.components.shared.presets import preset_names
from pages.components.shared.session import value
from pages.components.tune.bank import changes
from pages.components.tune.changed_questions import changed_table
from pages.components.tune.outcomes import share

NOW = "the sliders as they stand"
_BOX = "comparing"
_SURE = 0.05


def comparison(bank: ValuedBank, preset: Preset, using: tuple[str, Settings]) -> None:
    """The two choices, and what they come to."""
    box = st.expander("Compare two presets on this bank", icon=":material/compare_arrows:", key=_BOX, on_change="rerun")
    if box.open:  # nothing is decided for what nobody looks at
        with box:
            _compared(bank, preset, using)


def comparing() -> bool:
    """True while they are looked at."""
    return bool(value(_BOX))


def _compared(bank: ValuedBank, preset: Preset, using: tuple[str, Settings]) -> None:
    names = [NOW, *preset_names()]
    with st.container(horizontal=True, gap="small"):
        first, second = (
            st.selectbox(title, names, index=place, key=title, format_func=_titled, width=240)
            for place, title in ((1, "First"), (0, "Second"))
        )
    one, other = (preset if name == NOW else named_preset(name, home_folder()) for name in (first, second))
    if first == second:
        st.caption("Choose two different ones to see where they differ.")
        return
    st.markdown("  \n".join(told_of(compare(bank, one, other), _titled(first), _titled(second))))
    changed_table("compared", bank.cases, changes(bank, other, one), using, _column(first), _column(second))


def told_of(found: Comparison, first: str, second: str) -> list[str]:
    """Both results, the questions on which only one is right, and the test."""
    lines = [
        f"**{name}**: {t.as_it_should_be.count} of {t.n} as it should be ({share(t.as_it_should_be)}), "
        f"{t.wrong + t.let_out} wrong answers, {t.over_refused} over-refused."
        for name, t in ((first, found.first), (second, found.second))
    ]
    uneven = found.only_first + found.only_second
    if not uneven:
        return [*lines, "There is no case on which only one of them is right."]
    verdict = "more than chance would do" if found.p < _SURE else "no more than chance may do"
    return [
        *lines,
        f"Of the {uneven} cases on which only one is right, {first} is right on **{found.only_first}** and {second} on "
        f"**{found.only_second}**: {verdict} (exact McNemar test, p = {_p(found.p)}).",
    ]


def _p(p: float) -> str:
    return "below 0.001" if p < 0.001 else number(p, 3)


def _titled(name: str) -> str:
    return name if name == NOW else titled(name)


def _column(name: str) -> str:
    return "Now" if name == NOW else f"{titled(name)} "  # two columns of one name are one
