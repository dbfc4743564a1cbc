"""The question form (what to ask, where to search, who answers), and the measuring of the question.

On the Ask page, models run only here and, for a perturbed answer, in perturb_box.py.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.book_titles import titles_of
from core.case import MAX_QUERY, CaseError, Question, Trace
from core.decide import next_step
from core.decide.sensitivity import MEASURE
from core.errors import UserError
from core.platform.home import home_folder
from core.question import read_pages
from core.reply.serialization import question_of as question_of_row
from core.settings import Settings
from core.text.answer_sentences import MAX_CHARACTERS
from core.thresholds import Preset
from core.writers.qwen import missing
from pages.components.shared.progress import STOPPED_TEXT, waiting, writing
from pages.components.shared.question_state import (
    ask_form,
    fill_form,
    forget,
    is_answer_judged,
    paste_answer,
    remember,
    restore_form,
    sensitivity_of,
)
from pages.components.shared.safe_display import plain, show
from pages.components.shared.session import ASK, FORM, SETTINGS, VISIT
from pages.components.shared.session_types import AskedQuestion, Using
from pages.components.shared.settings_box import current_domain, endpoint_key, real_writer, with_writer

if TYPE_CHECKING:
    from core.graph import Explorer

ABOUT = {
    "local": "A language model on this computer writes the answers, one at a time. The model sounds sure even when it "
    "makes things up, and its first answer takes longer.",
    "endpoint": "The passages and the question are sent to the server named under “Settings that re-run the models” "
    "in the sidebar.",
}
"""What users should know about a writer before they ask."""
_edited = st.components.v2.component("guardrail.edited", js=Path(__file__).with_name("edited.js").read_text("utf-8"))
TOOL_RESULT = (
    "What a calculator, a search or another program returned for this question. The answer may repeat that result; "
    "everything else in the answer is checked against the {sources} as usual."
)
_SCOPE = (FORM.class_number, FORM.subject, FORM.documents, FORM.pages)
_MORE = (*_SCOPE, FORM.tool_result)
"""The fields that the button "More options" shows and counts."""


def question_form(documents: Sequence[Any]) -> None:
    """Draw the question form. Nothing in it has an effect before "Ask" is pressed, so no press is lost to a rerun.

    documents: those of the library.
    """
    is_pasted, is_judged = FORM.answer_by.value == "pasted", is_answer_judged()
    with st.form("ask", border=False):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.text_input(
                "Question", **FORM.question.kept, max_chars=MAX_QUERY, label_visibility="collapsed",
                placeholder=current_domain().words["placeholder"],
            )  # fmt: skip
            st.form_submit_button("Ask", type="primary", on_click=ask_form, width=80)
        with st.container(key="pasted answer"):
            if is_pasted and not is_judged:  # the verdict shows a judged answer, with a red pen
                st.text_area(
                    "Answer to judge", **FORM.pasted.kept, max_chars=MAX_CHARACTERS, height="content",
                    placeholder="Paste an answer here. A mark such as [1] cites the first passage; without marks, we "
                    "find the sources.",
                )  # fmt: skip
        if ASK.more_box.value:
            _more_options(documents)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="form buttons"):
        if is_judged and not ASK.current.value.prepared:
            st.button(
                "Change the answer", key="edit answer", type="tertiary", icon=":material/edit:",
                on_click=ASK.edits_answer.set, args=(True,),
            )  # fmt: skip
        elif is_pasted and not is_judged:
            st.button(
                "Let the app answer", key="let write", type="tertiary", on_click=FORM.answer_by.set, args=("writer",)
            )
        else:
            st.button(
                "Check an answer", key="paste an answer", type="tertiary", icon=":material/content_paste:",
                on_click=paste_answer, help="Judge an answer that another program or a pupil has written.",
            )  # fmt: skip
        changes = sum(field.value != field.initial for field in _MORE)
        ASK.more_box.button(f"More options ({changes} on)" if changes else "More options")
    if FORM.documents.value and not ASK.more_box.value:
        titles = titles_of(FORM.documents.value, documents)
        st.caption(f":material/filter_alt: Search limited to: {plain(', '.join(titles))}.")
    writer = SETTINGS.writer.value
    install_note = missing(home_folder()) if writer == "local" else ""
    if not is_pasted and (note := install_note or ABOUT.get(real_writer(writer), "")):
        st.caption(note)
    if question := ASK.current.value:
        _edited(key="edited", data={field.key: question.form[field.key] for field in (FORM.question, FORM.pasted)})


def _more_options(documents: Sequence[Any]) -> None:
    names = {d.name for d in documents} | set(FORM.documents.value)
    title_by_name = dict(zip(names, titles_of(names, documents), strict=True))
    classes = sorted({0, FORM.class_number.value} | {d.class_number for d in documents if d.class_number})
    subjects = sorted({"", FORM.subject.value} | {d.subject for d in documents})
    with st.container(horizontal=True, gap="small", key="more options of a question"):
        st.selectbox("Class", classes, **FORM.class_number.kept, format_func=option_label, width=90)
        st.selectbox("Subject", subjects, **FORM.subject.kept, format_func=option_label, width=150)
        st.multiselect(
            "Documents", sorted(names, key=title_by_name.get), **FORM.documents.kept, placeholder="all", width=260,
            format_func=title_by_name.get,
        )  # fmt: skip
        st.text_input("Pages", **FORM.pages.kept, placeholder="all, or 3-5", width=110)
        st.text_area(
            "A tool's result", **FORM.tool_result.kept, max_chars=MAX_CHARACTERS, height=80, width=260,
            help=TOOL_RESULT.format_map(current_domain().words),
        )  # fmt: skip


def ask_instead(question: str) -> None:
    """Ask a suggested question in the same class and subject, in all documents; a callback."""
    restore_form()
    fill_form(question=question, class_number=FORM.class_number.value, subject=FORM.subject.value)
    ask_form()


def ask_everywhere() -> None:
    """Ask the question on screen again in all books; a callback."""
    fill_form(**{**ASK.current.value.form, **{field.key: field.initial for field in _SCOPE}})
    ask_form()


def question_of(form: dict[str, Any]) -> Question:
    """The question of a form. Raises CaseError with one sentence if it cannot be asked."""
    row = {
        "query": form["question"], "class_number": form["class_number"] or None, "subject": form["subject"],
        "documents": list(form["documents"]), "pages": read_pages(form["pages"]),
        "tool_results": [form["tool_result"]] if form["tool_result"].strip() else [],
    }  # fmt: skip
    if form["answer_by"] == "pasted":
        if not form["pasted"].strip():
            raise CaseError("There is no answer to judge. Paste one, or let the app answer.")
        row["answer"] = form["pasted"]
    if not form["question"].strip():
        raise CaseError("The question is empty. Type a question.")
    return question_of_row(row)


def option_label(option: object) -> str:
    """The label of an option of a select box; "any" for the empty option."""
    return str(option or "any")


MEANWHILE = {
    "corrected": "Rewriting the answer from the passages (needed only once) …",
    "rechecked": "Checking the answer again with more passages (needed only once) …",
}
"""The text shown while a round is measured, by the name of the round."""
SEARCHING_FIRST = "Searching the {sources} and comparing the answer with them …"
SEARCHING = "This limit needs another search (only once) …"
PART = "Answering the parts of the question one by one (needed only once) …"


def measure_current(explorer: "Explorer", profile: str, settings: Settings, preset: Preset) -> Trace | None:
    """The trace of the question on screen, measured as far as `preset` needs.

    None if there is no question, or if it cannot be measured; then the error is shown and the question is removed.
    """
    if ASK.stopped.take():
        st.info(STOPPED_TEXT, icon=":material/stop_circle:")
    question = ASK.current.value
    if question is None:
        return None
    try:
        settings = with_writer(settings, question.form["answer_by"])
        trace = _measure(explorer, question, (profile, settings), preset)
    except UserError as error:
        forget()
        show(error)
        return None
    ASK.write_now.clear()
    if trace is not question.trace:
        remember(replace(question, trace=trace, measured_with=(profile, settings)))
    return trace


def _measure(explorer: "Explorer", question: AskedQuestion, using: Using, preset: Preset) -> Trace:
    """The trace of `question`, measured as far as `preset` needs.

    Models run only if the question is new, if its settings changed, if a draft was requested, or if a round is missing;
    otherwise this is the stored trace. using: the model profile and the settings.
    """
    settings, trace = using[1], question.trace
    is_new = trace is None or question.measured_with != using
    needs_answer = ASK.write_now.value
    if not is_new and not needs_answer and sensitivity_of(trace).ends(preset) != MEASURE:
        return trace
    if is_new:
        VISIT.usage.value.take(questions=1)
        message = SEARCHING_FIRST.format_map(current_domain().words)
    else:
        step = next_step(trace, preset)
        message = PART if step.part is not None else MEANWHILE.get(step.round, SEARCHING)
    writer = "" if question.form["answer_by"] == "pasted" else real_writer(settings.writer)
    with waiting(message), writing(writer) as listen:
        explorer = explorer.with_settings(settings, endpoint_key(settings), listen)
        if is_new:
            earlier_question = trace and trace.question
            return explorer.ask(
                earlier_question or replace(question_of(question.form), history=question.history), preset
            )[0]
        return explorer.complete(explorer.write_drafts(trace) if needs_answer else trace, preset)
