"""The way that a question took, drawn on the map of the chain, with its steps as a list beside it."""

from collections.abc import Sequence

import streamlit as st

from core.case import Trace
from core.chain import Verdict
from core.thresholds import Preset
from pages.components.ask.route_map import SIZE, lit, shapes
from pages.components.ask.route_steps import ENDS, Leg, legs
from pages.components.shared.chain_map import PLACES, WIDTH
from pages.components.shared.drawing import drawing
from pages.components.shared.plain_text import plain

_LIST = 330
"""Pixels that the list takes beside the map; where there is no room it stands below."""


def route_box(trace: Trace, verdict: Verdict, preset: Preset, key: str = "route") -> None:
    """The map and the list."""
    steps = legs(trace, verdict, preset)
    with st.container(horizontal=True, gap="medium"):
        with st.container(width=WIDTH, key=f"{key}_map"):
            drawing(key, picture_title(steps, verdict), SIZE, shapes(lit(steps, verdict), steps))
        with st.container(width=_LIST, key=f"{key}_list"):
            st.markdown("**Step by step**")
            st.markdown(listed(steps))


def picture_title(steps: Sequence[Leg], verdict: Verdict) -> str:
    """What the map shows, for those who cannot see it."""
    passed = ", ".join(dict.fromkeys(PLACES[leg.place].text for leg in steps[:-1]))
    return f"The way of this question through the checks: {passed}. It ends: {ENDS[verdict.route].lower()}."


def listed(steps: Sequence[Leg]) -> str:
    """The steps as a numbered list of Markdown; what a book or a person wrote in it is escaped."""
    names = [PLACES[leg.place].text if leg.place in PLACES else "" for leg in steps]
    lines = [f"{lead(name)} {plain(leg.told)}" for name, leg in zip(names[:-1], steps[:-1], strict=True)]
    return "\n".join(f"1. {one}" for one in [*lines, f"**{plain(steps[-1].told)}**"])


def lead(name: str) -> str:
    """The name of a box before what is said of it."""
    return f"**{plain(name)}{'' if name.endswith('?') else ':'}**"
