"""What is asked: the question, where to look, and who answers."""

from typing import Any

import streamlit as st

from core.case import MAX_QUERY, CaseError, Question
from core.serialization import question_of as question_of_row
from core.text.answer_sentences import MAX_CHARACTERS
from pages.components.shared.session import FORM, ask_form, fill_form, value

WRITERS = {
    "extractive": "the book's own sentences", "small": "a small language model", "endpoint": "a model on a server",
    "pasted": "an answer that you paste",
}  # fmt: skip
ABOUT = {
    "small": "A small model on this computer answers in its own words. It often makes things up, which shows what the "
    "checks are for. The first answer takes up to a minute.",
    "endpoint": "The passages and the question are sent to the server named under “Re-runs the models” in the sidebar.",
}
"""What is good to know of a writer before one asks."""


def question_form(library: Any) -> None:
    """The form. Its button asks; the fields below it wait until then."""
    with st.form("ask", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Question", key="question", placeholder="Ask what your textbooks can answer", max_chars=MAX_QUERY)
        st.form_submit_button("Ask", type="primary", on_click=ask_form, width=90)
    documents = library.documents()
    with st.container(horizontal=True, gap="small"):
        st.selectbox("Class", _classes(documents), key="class_number", format_func=_any, width=76)
        st.selectbox("Subject", _subjects(documents), key="subject", format_func=_any, width=132)
        st.multiselect("Documents", _names(documents), key="documents", placeholder="all", width=180)
        st.text_input("Pages", key="pages", placeholder="all, or 3-5", width=104)
        st.selectbox("Answer by", list(WRITERS), key="answer_by", format_func=WRITERS.get, width=200)
    with st.container():
        if value("answer_by") == "pasted":
            _pasted()
        elif about := ABOUT.get(value("answer_by")):
            st.caption(about)


def _pasted() -> None:
    st.text_area(
        "Answer to judge", key="pasted", max_chars=MAX_CHARACTERS, height=110,
        placeholder="Marks such as [1] cite the first passage; we look for the sources of an answer without marks.",
    )  # fmt: skip


def ask_instead(question: str) -> None:
    """Ask a suggested question in the same class and subject, in all documents; a callback."""
    fill_form(question=question, class_number=value("class_number"), subject=value("subject"))
    ask_form()


def question_of(form: dict[str, Any]) -> Question:
    """The question that a form describes; CaseError in one sentence when it cannot be asked."""
    row = {
        "query": form["question"], "class_number": form["class_number"] or None, "subject": form["subject"],
        "documents": list(form["documents"]), "pages": _pages(form["pages"]),
    }  # fmt: skip
    if form["answer_by"] == "pasted":
        if not form["pasted"].strip():
            raise CaseError("There is no answer to judge; paste one, or let the book's own sentences answer.")
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
        "documents": list(scope.documents), "pages": ", ".join(f"{a}-{b}" for a, b in scope.pages), **given,
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


def _any(option: object) -> str:
    return str(option or "any")
