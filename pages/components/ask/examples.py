"""Before a question: what the app is, which books it answers from, and cases to try, one click each."""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from core.query.rewriting import questions_of
from core.text.book_titles import book
from pages.components.shared.asked_question import ask_form, asked, borrow, leave_conversation
from pages.components.shared.safe_display import plain
from pages.components.shared.settings_box import house

WIDTH = 272
_OWN = "A question that one of your documents seems to answer. Watch which passages are found."


@dataclass(frozen=True, kw_only=True)
class Example:
    """A filled form, the routes that it may end on, and what to watch for.

    `needs`: the documents that it is about, none for any library.
    """

    title: str
    case: str
    watch: str
    form: dict[str, Any] = field(hash=False)
    routes: tuple[str, ...] = ("refuse",)
    needs: tuple[str, ...] = ()


EXAMPLES = (
    Example(
        title="What is photosynthesis?", case="In the library", routes=("deliver",),
        watch="Answered in its own sentences. Press a source to see its page, the sentence marked.",
        form={"question": "What is photosynthesis?"},
        needs=("nutrition_in_plants.pdf",),
    ),
    Example(
        title="Who wrote the play Hamlet?", case="Off the topic",
        watch="Refused: nothing that is loaded is about it. Watch the evidence: it stays near 0 of 100.",
        form={"question": "Who wrote the play Hamlet?"},
    ),
    Example(
        title="Sound in water, 5100 m/s", case="An altered number",
        routes=("deliver_corrected", "deliver_part", "refuse", "escalate"),
        watch="A pasted answer; the page says 1500. Watch a check catch it, and what goes out instead.",
        form={
            "question": "How fast does sound travel in water?", "answer_by": "pasted",
            "pasted": "The speed of sound in water is about 5100 metres per second.",
        },
        needs=("sound.pdf",),
    ),
    Example(
        title="The speed", case="Vague", routes=("clarify",),
        watch="The library speaks of more than one speed. You are asked back which you mean, with choices to press.",
        form={"question": "the speed"}, needs=("motion.pdf",),
    ),
    Example(
        title="Sound, and Hamlet", case="Two questions in one", routes=("deliver_part",),
        watch="Taken apart: one half is answered, the other one refused, each with a verdict of its own.",
        form={"question": "How fast does sound travel in water, and who wrote the play Hamlet?"},
        needs=("sound.pdf",),
    ),
    Example(
        title="Good morning!", case="A greeting", routes=("deliver",),
        watch="No question, so nothing is searched. Watch the way it takes through the checks: it is short.",
        form={"question": "Good morning!"},
    ),
)  # fmt: skip
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
    newest = reversed(library.documents())
    named = (_named(d) for d in newest)
    names = list(dict.fromkeys(named))
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
    held = {document.name for document in library.documents()}
    found = [e for e in EXAMPLES if held.issuperset(e.needs)]
    if any(e.needs for e in found):
        return found
    own = dict.fromkeys(q for p in library.passages()[:300] for q in questions_of(p))
    asked = [Example(title=q, case="From your library", watch=_OWN, form={"question": q}) for q in list(own)[:4]]
    return [*asked, *found]


def _picked(example: Example) -> None:
    leave_conversation()
    borrow(example.form)
    ask_form()
