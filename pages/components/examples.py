"""Cases to try, one click each: what the guardrail does, shown on the sample chapters."""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from core.query.suggestions import questions_of
from pages.components.plain import plain
from pages.components.session import ask_form, fill_form

WIDTH, HEIGHT = 244, 216
_OWN = "A question that one of your documents seems to answer. Watch which passages are found."


@dataclass(frozen=True, kw_only=True)
class Example:
    """A filled form, the word of the verdict that it gets, and what to watch for.

    `needs`: the documents that it is about, none for any library.
    """

    title: str
    case: str
    watch: str
    form: dict[str, Any] = field(hash=False)
    verdict: str = "REFUSED"
    needs: tuple[str, ...] = ()


EXAMPLES = (
    Example(
        title="What is photosynthesis?", case="In the book", verdict="ANSWERED",
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
        watch="A pasted answer; the book says 1500. Watch the card of the check on numbers catch it.",
        form={
            "question": "How fast does sound travel in water?", "answer_by": "pasted",
            "pasted": "The speed of sound in water is about 5100 metres per second.",
        },
        needs=("sound.pdf",),
    ),
    Example(
        title="How does it work?", case="Vague",
        watch="Nobody can tell what “it” is. Refused, with better questions to ask instead.",
        form={"question": "How does it work?"},
    ),
    Example(
        title="Sound, and the pH scale", case="Two questions in one",
        watch="Refused: no passage is about both. Ask each half alone and the books answer it.",
        form={"question": "How fast does sound travel in water, and who proposed the pH scale?"},
        needs=("sound.pdf", "acids_bases_salts.pdf"),
    ),
    Example(
        title="Good morning!", case="A greeting",
        watch="No question. It is refused like one off the syllabus: greetings are not told apart yet.",
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
