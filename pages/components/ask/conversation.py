"""The conversation: what can be tried before it, its other turns, as what a turn was understood, and a way out."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st
from pydantic import TypeAdapter

from core.case import Trace, Turn
from core.chain.messages import ENDS
from core.question import unknown_documents
from core.retrieval.suggestions import questions_of
from core.text.book_titles import book
from core.text.citation_marks import without_marks
from pages.components.shared.question_state import (
    Asked,
    ask_form,
    asked,
    begin_anew,
    borrow,
    leave_conversation,
    open_turn,
    others,
)
from pages.components.shared.safe_display import counted, plain, shortened
from pages.components.shared.settings_box import house

WIDTH = 272
_OWN = "A question that one of your documents seems to answer. Watch which passages are found."


@dataclass(frozen=True, kw_only=True)
class Example:
    """A filled form, what to watch for, and the routes that it may end on.

    needs: the documents that it is about, none for any library.
    """

    title: str
    case: str
    watch: str
    form: dict[str, Any] = field(hash=False)
    routes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


EXAMPLES = TypeAdapter(tuple[Example, ...]).validate_json(
    (Path(__file__).parents[3] / "data" / "sample" / "examples.json").read_bytes()
)
"""The cases of a newcomer; the first one is what the benchmark looks at."""
NAMED = 4
"""Books that are named before a question; of more only the number is said."""


def examples(library: Any) -> None:
    """The empty state of the Ask page."""
    st.markdown("**Try one of these**")
    with st.container(horizontal=True, gap="small"):
        for n, example in enumerate(fitting(library)):
            with st.container(border=True, width=WIDTH, key=f"case {n}", gap="small"):
                st.markdown(f":gray[{plain(example.case)}]")
                st.button(plain(example.title), key=f"example {example.title}", on_click=_picked, args=(example,))
                st.caption(plain(example.watch))


def introduction(library: Any) -> None:
    """What this page is, until something is asked, and which books it answers from, those added last first."""
    names = list(dict.fromkeys(_named(d) for d in reversed(library.documents())))
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    lead = f"An answer goes out only when your {house().words['sources']} say it: see every check, move every limit. "
    st.caption(
        f"{lead if asked() is None else ''}Loaded: {plain('; '.join(names[:NAMED]))}{more}.",
        help=plain("; ".join(names)) if more else None,
    )


def _named(document: Any) -> str:
    """A book, with its class where it does not say it itself."""
    title, of = book(document), f"class {document.class_number}"
    return f"{title} ({of})" if document.class_number and of not in title else title


def fitting(library: Any) -> list[Example]:
    """The examples that this library can show; questions of its own when it does not hold the sample."""
    held = [document.name for document in library.documents()]
    found = [e for e in EXAMPLES if not unknown_documents(e.needs, held)]
    if any(e.needs for e in found):
        return found
    own = dict.fromkeys(q for p in library.passages()[:300] for q in questions_of(p))
    return [Example(title=q, case="From your library", watch=_OWN, form={"question": q}) for q in list(own)[:4]] + found


def _picked(example: Example) -> None:
    leave_conversation()
    borrow(example.form)
    ask_form()


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
