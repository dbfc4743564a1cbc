"""Cases to try, one click each: what the guardrail does, shown on the sample chapters."""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from core.query.rewriting import questions_of
from pages.components.shared.plain_text import plain
from pages.components.shared.session import ask_form, fill_form

WIDTH, HEIGHT = 244, 216
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
        title="What is photosynthesis?", case="In the book", routes=("deliver",),
        watch="Answered in the book's own sentences. Press a source to see its page, the sentence marked.",
        form={"question": "What is photosynthesis?", "class_number": 7, "subject": "Biology"},
        needs=("nutrition_in_plants.pdf",),
    ),
    Example(
        title="Who wrote the play Hamlet?", case="Off the syllabus",
        watch="Refused: no chapter is about it. Watch the evidence: it stays near 0 of 100.",
        form={"question": "Who wrote the play Hamlet?"},
    ),
    Example(
        title="Sound in water, 5100 m/s", case="An altered number",
        routes=("deliver_corrected", "deliver_part", "refuse", "escalate"),
        watch="A pasted answer; the book says 1500. Watch a check catch it, and what goes out instead.",
        form={
            "question": "How fast does sound travel in water?", "answer_by": "pasted",
            "pasted": "The speed of sound in water is about 5100 metres per second.",
        },
        needs=("sound.pdf",),
    ),
    Example(
        title="The speed", case="Vague", routes=("clarify",),
        watch="The books speak of more than one speed. You are asked back which you mean, with choices to press.",
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


def examples(library: Any) -> None:
    """The empty state of the Ask page."""
    st.subheader("Try one of these", anchor=False)
    with st.container(horizontal=True, gap="small"):
        for n, example in enumerate(fitting(library)):
            with st.container(border=True, width=WIDTH, height=HEIGHT, key=f"case {n}"):
                st.markdown(f":gray[{plain(example.case)}]")
                st.button(plain(example.title), key=f"example {example.title}", on_click=_picked, args=(example,))
                st.caption(plain(example.watch))


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
    fill_form(**example.form)
    ask_form()
