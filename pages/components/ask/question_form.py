"""What is asked: the question, where to look, and who answers; and cases to try, one click each."""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from core.case import MAX_QUERY, CaseError, Question
from core.models.qwen import missing
from core.query.rewriting import questions_of
from core.serialization import question_of as question_of_row
from core.text.answer_sentences import MAX_CHARACTERS
from core.text.book_titles import book, book_title
from pages.components.shared.asked_question import ask_form, asked, borrow, fill_form, give_back, leave_conversation
from pages.components.shared.safe_display import plain
from pages.components.shared.session import FORM, value
from pages.components.shared.settings_box import house

WRITERS = {
    "extractive": "the library's own sentences", "small": "a small language model",
    "local": "a language model on this computer", "endpoint": "a model on a server",
    "pasted": "an answer that you paste",
}  # fmt: skip
ABOUT = {
    "small": "A small model on this computer answers in its own words. It often makes things up, which shows what the "
    "checks are for. The first answer takes up to a minute.",
    "local": "A language model on this computer answers fluently, and sounds just as sure when it makes things up. It "
    "is loaded for the first answer, and answers one question at a time.",
    "endpoint": "The passages and the question are sent to the server named under “Re-runs the models” in the sidebar.",
}
"""What is good to know of a writer before one asks."""
TOOL_RESULT = (
    "What a calculator, a search or another program gave for this question. Asked for it, the assistant hands it on; "
    "numbers that the tool did not give, and what it says of the {sources}, are checked as ever."
)
EVERYWHERE = {name: FORM[name] for name in ("class_number", "subject", "documents", "pages")}


def question_form(library: Any) -> None:
    """The form in one row. Its button asks; the fields beside it wait until then."""
    documents = library.documents()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with (
            st.form("ask", border=False, width="stretch"),
            st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
        ):
            st.text_input("Question", key="question", placeholder=house().words["placeholder"], max_chars=MAX_QUERY)
            st.form_submit_button("Ask", type="primary", on_click=ask_form, width=80)
        if len(classes := _classes(documents)) > 1:
            st.selectbox("Class", classes, key="class_number", format_func=or_any, width=76)
        if len(subjects := _subjects(documents)) > 1:
            st.selectbox("Subject", subjects, key="subject", format_func=or_any, width=126)
        with st.popover(more_label(), icon=":material/tune:"):
            st.multiselect("Documents", _names(documents), key="documents", placeholder="all", format_func=book_title)
            st.text_input("Pages", key="pages", placeholder="all, or 3-5")
            st.selectbox("Answer by", list(WRITERS), key="answer_by", format_func=WRITERS.get)
            st.text_area(
                "A tool's result", key="tool_result", max_chars=MAX_CHARACTERS, height=80,
                help=TOOL_RESULT.format_map(house().words),
            )  # fmt: skip
    with st.container():
        if value("answer_by") == "pasted":
            _pasted()
        elif about := _about(value("answer_by"), library):
            st.caption(about)


def _about(answer_by: str, library: Any) -> str:
    """What is good to know of a writer, or how to get it where it is not there."""
    lacking = missing(library.home) if answer_by == "local" else ""
    return lacking or ABOUT.get(answer_by, "")


def more_label() -> str:
    """What the fields one level deeper are set to, where it is not what they begin with."""
    kept = [name for name in ("documents", "pages", "answer_by", "tool_result") if value(name) != FORM[name]]
    return f"More ({len(kept)} set)" if kept else "More"


def _pasted() -> None:
    st.text_area(
        "Answer to judge", key="pasted", max_chars=MAX_CHARACTERS, height=110,
        placeholder="Marks such as [1] cite the first passage; we look for the sources of an answer without marks.",
    )  # fmt: skip


def ask_instead(question: str) -> None:
    """Ask a suggested question in the same class and subject, in all documents; a callback."""
    give_back()
    fill_form(question=question, class_number=value("class_number"), subject=value("subject"))
    ask_form()


def ask_everywhere() -> None:
    """Ask the question on screen again in all books; a callback."""
    fill_form(**{**asked().form, **EVERYWHERE})
    ask_form()


def question_of(form: dict[str, Any]) -> Question:
    """The question that a form describes; CaseError in one sentence when it cannot be asked."""
    row = {
        "query": form["question"], "class_number": form["class_number"] or None, "subject": form["subject"],
        "documents": list(form["documents"]), "pages": _pages(form["pages"]),
        "tool_results": [form["tool_result"]] if form["tool_result"].strip() else [],
    }  # fmt: skip
    if form["answer_by"] == "pasted":
        if not form["pasted"].strip():
            raise CaseError("There is no answer to judge; paste one, or let the library's own sentences answer.")
        row["answer"] = form["pasted"]
    if not form["question"].strip():
        raise CaseError("The question is empty; type one.")
    return question_of_row(row)


def form_of(question: Question) -> dict[str, Any]:
    """The form that describes `question`, as far as it can: `question_of` the other way round."""
    scope = question.scope
    given = {"answer_by": "pasted", "pasted": question.answer} if question.answer is not None else {}
    return {
        **FORM, "question": question.query, "class_number": scope.class_number or 0, "subject": scope.subject,
        "documents": list(scope.documents), "tool_result": "\n".join(question.tool_results),
        "pages": ", ".join(f"{a}-{b}" for a, b in scope.pages), **given,
    }  # fmt: skip


def _pages(text: str) -> list[str]:
    """ "3-5, 8" as its ranges; any dash will do."""
    return [part.strip() for part in text.replace("–", "-").split(",") if part.strip()]


def _classes(documents: tuple[Any, ...]) -> list[int]:
    return sorted({0, value("class_number")} | {d.class_number for d in documents if d.class_number})


def _subjects(documents: tuple[Any, ...]) -> list[str]:
    return sorted({"", value("subject")} | {d.subject for d in documents})


def _names(documents: tuple[Any, ...]) -> list[str]:
    return sorted({d.name for d in documents} | set(value("documents")))


def or_any(option: object) -> str:
    """An option of a list whose empty one stands for all."""
    return str(option or "any")


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
