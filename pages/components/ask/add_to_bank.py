"""The question on screen, put into a bank with what should become of it."""

import streamlit as st

from core.banks.saved import JUDGED, LABELS, OWN, PARTLY, SavedBanks, label
from core.case import Trace
from core.serialization import question_row
from core.startup import home_folder
from pages.components.shared.errors import ERRORS, show
from pages.components.shared.plain_text import plain, shortened
from pages.components.shared.resettable import notes
from pages.components.shared.session import value

BANK, EXPECTED = "add to bank", "add as"


def add_to_bank(trace: Trace) -> None:
    """A button that opens the choice of a bank and of a label."""
    labels = {**LABELS, **PARTLY} if trace.question.answer is None else {**JUDGED, **LABELS}
    with st.popover("Add to bank", icon=":material/bookmark_add:"):
        names = list(dict.fromkeys([OWN, *SavedBanks(home_folder()).names()]))
        st.selectbox("Bank", names, key=BANK, accept_new_options=True, help="Type a name for a new one")
        st.selectbox("This question", list(labels), key=EXPECTED, format_func=labels.get)
        st.button("Add", type="primary", key="add question to bank", on_click=_add, args=(trace, labels))
    for sentence in notes("added to bank"):
        st.success(plain(sentence), icon=":material/bookmark_added:")
    for error in notes("not added to bank"):
        show(error)
    notes("added to bank").clear()
    notes("not added to bank").clear()


def _add(trace: Trace, labels: dict[str, str]) -> None:
    """Put the question into the bank; a callback."""
    row, bank, expected = question_row(trace.question), value(BANK) or "", value(EXPECTED)
    try:
        label(home_folder(), row, expected, bank)
    except ERRORS as error:
        notes("not added to bank").append(error)
        return
    notes("added to bank").append(
        f"“{shortened(row['query'], 80)}” {labels[expected]}: it stands in the bank {bank}, on the Banks page."
    )
