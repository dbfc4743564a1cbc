"""Two presets beside each other: what differs, and which of them is stricter there."""

from collections.abc import Sequence

import streamlit as st

from core.check import Check
from core.checks import all_thresholds
from core.presets import presets
from core.presets.comparison import Difference, differences
from core.presets.named import titled
from core.presets.saved import SavedPresets, named_preset
from core.startup import home_folder
from core.thresholds import Preset
from pages.components.shared.errors import ERRORS, show
from pages.components.shared.limits import chosen_preset, current_preset
from pages.components.shared.number_format import threshold_value
from pages.components.shared.plain_text import counted, plain

NOW = "(now)"
"""In the lists, the preset with everything that was moved since; no preset can be called so."""


@st.dialog("Compare two presets", width="large", icon=":material/compare_arrows:")
def compare_dialog() -> None:
    names = [NOW, *presets(), *SavedPresets(home_folder()).names()]
    with st.container(horizontal=True, gap="medium"):
        first = st.selectbox("This one", names, index=names.index(chosen_preset().name), format_func=_called)
        second = st.selectbox("and that one", names, index=0, format_func=_called)
    try:
        found = differences(_preset(first), _preset(second))
    except ERRORS as error:
        show(error)
        return
    st.markdown(f"**{plain(summary(found, _called(first), _called(second)))}**")
    if found:
        st.markdown(table(found, _called(first), _called(second)))


def summary(found: Sequence[Difference], first: str, second: str) -> str:
    """How much differs, and which one is stricter how often."""
    if not found:
        return f"{first} and {second} are the same in every limit and every mode."
    stricter = [side for side in (d.stricter for d in found) if side != "neither"]
    ways = [f"{name} is stricter in {stricter.count(side)}" for side, name in (("first", first), ("second", second))]
    return f"{counted(len(found), 'difference')}: {', '.join(ways)}."


def table(found: Sequence[Difference], first: str, second: str) -> str:
    """What differs as a table of Markdown, a row for each limit or mode."""
    head = f"| limit | {plain(first)} | {plain(second)} | unit | stricter |\n|---|---|---|---|---|"
    sides = {"first": plain(first), "second": plain(second), "neither": "neither"}
    return "\n".join([head, *(f"| {_row(d)} | {sides[d.stricter]} |" for d in found)])


def _row(d: Difference) -> str:
    threshold = all_thresholds().get(d.key)
    if threshold is None:
        words = f"Mode: {plain(Check.registry[d.check].plain)}"
        return f"{words} :gray[{plain(d.key)}] | {d.first} | {d.second} | mode"
    values = " | ".join(plain(threshold_value(threshold, value)) for value in (d.first, d.second))
    return f"{plain(threshold.label)} :gray[{plain(d.key)}] | {values} | {plain(threshold.unit)}"


def _called(name: str) -> str:
    return "As it stands now" if name == NOW else titled(name)


def _preset(name: str) -> Preset:
    return current_preset() if name == NOW else named_preset(name, home_folder())
