"""The conversation around the question on screen: its other turns, as what a turn was understood, and a way out."""

import streamlit as st

from core.case import Trace, Turn
from core.chain.messages import ENDS
from core.text.answer_sentences import without_marks
from pages.components.shared.asked_question import Asked, asked, begin_anew, open_turn, others
from pages.components.shared.safe_display import counted, plain, shortened
from pages.components.shared.settings_box import house

IN_SIGHT = 2
"""Turns that are shown at once, the last ones; those before them are folded."""
LOOKS = {
    "deliver": ":green[:material/check_circle:]", "deliver_part": ":green[:material/rule:]",
    "deliver_corrected": ":green[:material/spellcheck:]", "clarify": ":blue[:material/help:]",
    "refuse": ":red[:material/cancel:]", "escalate": ":blue[:material/support_agent:]",
}  # fmt: skip
"""Icon and colour of each route, never one without the other."""
WHO = {"user": "asked", "assistant": "answered", "tool": "a tool gave"}
TAKEN_AS = {
    "small_talk": ":material/waving_hand: Taken as a greeting or small talk: it asks nothing of the {sources}.",
    "about_last_turn": ":material/reply: Taken as a question about the answer before: its own words reply.",
    "tool_result": ":material/calculate: Taken as a question for what the tool gave: its result replies.",
}
"""What a turn that asks nothing of the library was taken for."""


def title() -> None:
    """The title of the page, and beside it the way out of a conversation."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(house().words["title"], anchor=False, width="stretch")
        if asked() or others():
            st.button(
                "New conversation", key="new conversation", icon=":material/add_comment:", type="tertiary",
                on_click=begin_anew, help="What is asked from now on has nothing to do with what was asked before.",
            )  # fmt: skip


def other_turns() -> None:
    """The turns that are not on screen, a line each; what was said before all of them, where it came from a file."""
    told = others()
    first = (told or (asked(),))[0]
    lines = [*(first.history if first else ()), *told]
    if not lines:
        return
    with st.container(key="other turns shown", gap=None):
        if len(lines) > IN_SIGHT:
            with st.expander(f"{counted(len(lines) - IN_SIGHT, 'turn')} before these", icon=":material/forum:"):
                _lines(lines[:-IN_SIGHT])
        _lines(lines[-IN_SIGHT:])


def _lines(lines: list[Turn | Asked]) -> None:
    for one in lines:
        if isinstance(one, Turn):
            st.caption(f"{WHO.get(one.role, 'said')}: {plain(shortened(one.text, 160))}")
        else:
            _line(one)


def _line(one: Asked) -> None:
    """A turn in a line; its question opens it again."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            plain(shortened(one.form["question"], 70)), key=f"turn {one.number}", type="tertiary",
            on_click=open_turn, args=(one.number,), help="Look at it again",
        )  # fmt: skip
        st.caption(
            f"{LOOKS[one.route]} {ENDS[one.route]}: {plain(shortened(without_marks(one.said), 90))}", width="content"
        )


def taken_as(trace: Trace) -> None:
    """What a follow-up was understood as, or what a turn was taken for that asks nothing of the library."""
    kind = trace.rounds[0].case.kind if trace.rounds else "question"
    if trace.question.understood:
        st.markdown(f":material/subdirectory_arrow_right: Understood as: **{plain(trace.question.understood)}**")
    elif kind in TAKEN_AS:
        st.caption(TAKEN_AS[kind].format_map(house().words))
