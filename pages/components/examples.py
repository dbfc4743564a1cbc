"""Cases to try, one click each: what the guardrail does, shown on the sample chapters."""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from core.query.suggestions import questions_of
from pages.components.plain import plain
from pages.components.session import ask_form, fill_form

_FREQUENCY = (
    "The number of oscillations in one second is called the frequency. "
    "A frequency of 50 Hz means {} oscillations in every second."
)


@dataclass(frozen=True, kw_only=True)
class Example:
    """A filled form and what it shows. `needs`: the document that it is about, "" for any library."""

    title: str
    shows: str
    form: dict[str, Any] = field(hash=False)
    needs: str = ""


EXAMPLES = (
    Example(
        title="What is photosynthesis?", shows="answered from the book, with its page",
        form={"question": "What is photosynthesis?", "class_number": 7, "subject": "Science"},
        needs="nutrition_in_plants.pdf",
    ),
    Example(
        title="Who wrote the play Hamlet?", shows="off the syllabus, so it is refused",
        form={"question": "Who wrote the play Hamlet?"},
    ),
    Example(
        title="50 Hz means 50 oscillations", shows="a pasted answer, as the book says it",
        form={
            "question": "What is the frequency of a vibration?", "answer_by": "pasted", "pasted": _FREQUENCY.format(50),
        },
        needs="sound.pdf",
    ),
    Example(
        title="50 Hz means 70 oscillations", shows="one number altered in it, and caught",
        form={
            "question": "What is the frequency of a vibration?", "answer_by": "pasted", "pasted": _FREQUENCY.format(70),
        },
        needs="sound.pdf",
    ),
    Example(
        title="Which frequencies can people hear?", shows="asked of one named document",
        form={"question": "Which frequencies can people hear?", "documents": ["sound.pdf"]}, needs="sound.pdf",
    ),
)  # fmt: skip


def examples(library: Any) -> None:
    """The empty state of the Ask page."""
    st.subheader("Try one of these")
    with st.container(horizontal=True, gap="small"):
        for example in fitting(library):
            with st.container(border=True, width=272):
                st.caption(plain(example.shows[0].upper() + example.shows[1:]))
                st.button(plain(example.title), key=f"example {example.title}", on_click=_picked, args=(example,))


def fitting(library: Any) -> list[Example]:
    """The examples that this library can show; questions of its own when it does not hold the sample."""
    held = {document.name for document in library.documents()}
    found = [e for e in EXAMPLES if not e.needs or e.needs in held]
    if len(found) > 1:
        return found
    own = dict.fromkeys(q for p in library.passages()[:300] for q in questions_of(p))
    asked = [Example(title=q, shows="from your library", form={"question": q}) for q in list(own)[:4]]
    return [*asked, *found]


def _picked(example: Example) -> None:
    fill_form(**example.form)
    ask_form()
