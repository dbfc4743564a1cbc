"""The conversation: what stands on the page before it begins (the prepared case and examples), its earlier turns, how a
turn was understood, and the button that starts another conversation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st
from pydantic import TypeAdapter

from core.book_titles import book
from core.case import Passage, Trace, Turn
from core.evaluation.prepared_case import MIXED, TRUE, needed_document, prepared_question, prepared_trace
from core.library import library_documents
from core.platform.home import home_folder
from core.question import unknown_documents
from core.text.citation_marks import without_marks
from core.words import ROUTES, count_of
from pages.components.ask.verdict_words import LOOKS
from pages.components.shared.limits import leave_class_limits
from pages.components.shared.question_state import (
    ask_form,
    begin_anew,
    borrow,
    form_of,
    leave_conversation,
    open_turn,
    remember,
)
from pages.components.shared.safe_display import plain, shorten
from pages.components.shared.session import ASK, DETAILS, VISIT
from pages.components.shared.session_types import AskedQuestion
from pages.components.shared.settings_box import chosen_settings, current_domain

WIDTH = 272
_OWN = "One of your documents seems to answer this question. See which passages are found."


@dataclass(frozen=True, kw_only=True)
class Example:
    """An example question.

    title: its label. case: what it demonstrates. watch: what the user should notice. form: the form fields that it
    fills. routes: the routes on which it may end. needs: the documents that it is about; empty if it fits any library.
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
"""The examples for new users; the benchmark uses the first one."""
MAX_NAMES = 2
"""Maximum books that are named before a question; of more, the number of the others is shown."""


def examples(documents: Sequence[Any], passages: Callable[[], Sequence[Passage]]) -> None:
    """Draw the examples that fit these documents of the library. passages: a function that returns the passages of the
    library."""

    def ask(example: Example) -> None:
        leave_conversation()
        borrow(example.form)
        ask_form()

    st.markdown("**Try an example**")
    with st.container(horizontal=True, gap="small"):
        for n, example in enumerate(fitting(documents, passages)):
            with st.container(border=True, width=WIDTH, key=f"case {n}", gap="small"):
                st.markdown(f":gray[{plain(example.case)}]")
                st.button(plain(example.title), key=f"example {example.title}", on_click=ask, args=(example,))
                st.caption(plain(example.watch))


def introduction(documents: Sequence[Any]) -> None:
    """Draw what the page does and which books it has, the latest first, until a question is asked. A book is named by
    its title, with its class unless the title contains it."""
    names: dict[str, None] = {}
    for document in reversed(documents):
        title, class_name = book(document), f"class {document.class_number}"
        names[f"{title} ({class_name})" if document.class_number and class_name not in title else title] = None
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    lead = f"We answer only what your {current_domain().words['sources']} support. "
    with st.container(key="loaded"):
        st.caption(f"{lead}In the library: {plain('; '.join([*names][:MAX_NAMES]))}{more}.")


def fitting(documents: Sequence[Any], passages: Callable[[], Sequence[Passage]]) -> list[Example]:
    """The examples that fit a library. If the library lacks the sample, the first ones are questions from its own
    books."""
    names = [document.name for document in documents]
    suitable = [e for e in EXAMPLES if not unknown_documents(e.needs, names)]
    if any(e.needs for e in suitable):
        return suitable
    from core.retrieval.suggestions import questions_of

    questions = list(dict.fromkeys(q for p in passages()[:300] for q in questions_of(p)))[:4]
    own = [Example(title=q, case="From your library", watch=_OWN, form={"question": q}) for q in questions]
    return own + suitable


def open_on_first_visit() -> None:
    """Show the prepared case on the first visit of a user, if the library has the document that the case is about."""
    is_first, VISIT.has_visited.value = not VISIT.has_visited.value, True
    if not is_first or ASK.current.value is not None:
        return
    if needed_document() in {d.name for d in library_documents(home_folder())}:
        open_prepared(MIXED)


def open_prepared(name: str) -> None:
    """Show the prepared case with the answer of this name, in a new conversation, without loading a model; a callback.

    If it was measured with other models than those that ship, it is measured anew like a question that is asked.
    """
    leave_conversation()
    leave_class_limits()
    form, trace = form_of(prepared_question(name)), prepared_trace(name)
    borrow(form)
    using = chosen_settings() if trace else None
    remember(AskedQuestion(form=form, trace=trace, measured_with=using, prepared=name))


def open_to_break() -> None:
    """Open the section that breaks an answer on the prepared true answer; a callback."""
    open_prepared(TRUE)
    ASK.detail.value = DETAILS[-1]


IN_SIGHT = 2
"""Number of latest turns that are shown at once; earlier ones are folded."""
ROLE_TEXTS = {"user": "Question", "assistant": "Answer", "tool": "Result of a tool"}
KIND_TEXTS = {
    "small_talk": ":material/waving_hand: This message is a greeting or small talk, so the {sources} are not searched.",
    "about_last_turn": ":material/reply: This message is about the last answer, so the reply quotes that answer.",
    "tool_result": ":material/calculate: This message asks for the result of a tool, so the reply is that result.",
}
"""How a turn that asks nothing of the library was understood."""


def title() -> None:
    """Draw the title of the page, and beside it the button that starts anew."""
    current = ASK.current.value
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(current_domain().words["title"], anchor=False, width="stretch")
        if current or ASK.other_turns.value:
            st.button(
                "Ask your own" if current and current.prepared else "New conversation", key="new conversation",
                icon=":material/add_comment:", type="tertiary", on_click=begin_anew,
                help="Start over: the next question will not be read as a follow-up.",
            )  # fmt: skip


def present_button() -> None:
    """Draw the button that begins to present the question."""

    def begin() -> None:
        current = ASK.current.value
        if current and current.prepared == MIXED:  # its answer is corrected, and the second step breaks a correct one
            open_prepared(TRUE)
        ASK.presents.value, ASK.step_presented.value = True, 0

    with st.container(key="present button"):
        st.button("Present", key="present", shortcut="P", type="tertiary", on_click=begin)


def other_turns() -> None:
    """Draw the earlier turns, one line each. The history that came with the first question is drawn above them."""
    earlier = ASK.other_turns.value
    first = (earlier or (ASK.current.value,))[0]
    turns = [*(first.history if first else ()), *earlier]
    if not turns:
        return
    with st.container(key="other turns shown", gap=None):
        if len(turns) > IN_SIGHT:
            with st.expander(count_of(len(turns) - IN_SIGHT, "earlier message"), icon=":material/forum:"):
                _lines(turns[:-IN_SIGHT])
        _lines(turns[-IN_SIGHT:])


def _lines(turns: Sequence[Turn | AskedQuestion]) -> None:
    """Draw each turn as one line; the question of a turn that was asked here is a button that opens it again."""
    for turn in turns:
        if isinstance(turn, Turn):
            st.caption(f"{ROLE_TEXTS.get(turn.role, 'Message')}: {plain(shorten(turn.text, 160))}")
            continue
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(
                plain(shorten(turn.form["question"], 70)), key=f"turn {turn.number}", type="tertiary",
                on_click=open_turn, args=(turn.number,), help="Show this question again",
            )  # fmt: skip
            answer = plain(shorten(without_marks(turn.answer), 90))
            st.caption(f"{LOOKS[turn.route]} {ROUTES[turn.route].title}: {answer}", width="content")


def draw_reading(trace: Trace) -> None:
    """Draw how a question was understood: its full wording if that differs, or that it asks nothing of the library."""
    kind = trace.rounds[0].case.kind if trace.rounds else "question"
    if trace.question.understood:
        st.markdown(f":material/subdirectory_arrow_right: Understood as: **{plain(trace.question.understood)}**")
    elif kind in KIND_TEXTS:
        st.caption(KIND_TEXTS[kind].format_map(current_domain().words))
