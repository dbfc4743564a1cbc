"""The prepared case: what the Ask page shows before anybody has asked, drawn without loading a model."""

from core.evaluation.prepared_case import MIXED, TRUE, needed_document, prepared_question, prepared_trace
from core.library import library_documents
from core.platform.home import home_folder
from pages.components.shared.class_limits import put_back
from pages.components.shared.question_state import borrow, current_question, form_of, leave_conversation, remember
from pages.components.shared.session import ASK, DETAILS, VISIT
from pages.components.shared.session_types import AskedQuestion
from pages.components.shared.settings_box import chosen_settings, with_writer


def open_on_first_visit() -> None:
    """Show the prepared case on the first visit of a user, if the library has the document that the case is about."""
    is_first, VISIT.has_visited.value = not VISIT.has_visited.value, True
    if (
        is_first
        and current_question() is None
        and needed_document() in {d.name for d in library_documents(home_folder())}
    ):
        open_prepared(MIXED)


def open_prepared(name: str) -> None:
    """Show the prepared case with the answer of this name, in a new conversation; a callback.

    If it was measured with other models than those that ship, it is measured anew like a question that is asked.
    """
    leave_conversation()
    put_back()
    question, trace = prepared_question(name), prepared_trace(name)
    borrow(form_of(question))
    profile, settings = chosen_settings()
    using = (profile, with_writer(settings, "pasted")) if trace else None
    remember(AskedQuestion(form=form_of(question), trace=trace, measured_with=using, prepared=name))


def open_to_break() -> None:
    """Open the section that breaks an answer on the prepared true answer; a callback."""
    open_prepared(TRUE)
    ASK.detail.value = DETAILS[-1]
