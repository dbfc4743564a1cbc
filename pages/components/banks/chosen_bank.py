"""The open bank: select it, create one, download it, delete it; and what to do while there is no bank."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.banks import TUNING, read_bank
from core.banks.dataset_columns import COLUMNS
from core.banks.files import KINDS, as_csv, as_jsonl, for_program
from core.banks.measured_bank import StoredTraces, question_names
from core.banks.saved import SavedBanks, set_title
from core.graph.startup import home_folder
from core.platform.access import may
from pages.components.shared.resources import shared_background
from pages.components.shared.safe_display import counted, plain, show_outcome
from pages.components.shared.session import BANK, fill, notes, noting, value

SAMPLE = "sample_questions"
"""Name of the bank with the sample questions."""
NEW = "new bank"
"""Key of the field with the name of a new bank."""
REFUSED = "bank refused"
"""Key of the note with errors of actions on banks."""


def empty(banks: SavedBanks) -> None:
    """Draw what a bank is for, and the ways to create the first one."""
    st.info(
        "There is no question set yet. A question set is a list of questions, each with the outcome you expect: it "
        "shows how well a preset does, and the Tune page draws its curves from it.",
        icon=":material/list_alt:",
    )
    if not may("banks"):
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button(
            "Start with the sample questions", type="primary", key="copy sample", on_click=_copy_sample, args=(banks,),
            help="A copy of the questions about the sample chapters that come with the app",
        )  # fmt: skip
        new_bank(banks)
    st.caption(
        "Or drop a file on the Question sets page, have questions drafted from a book there, or press “Add to a set” "
        "under an answer on the Ask page."
    )
    _draw_messages()


def chosen_bank(banks: SavedBanks) -> str:
    """Draw the choice of a bank and the button for a new one; return the name of the open bank."""
    names = banks.names()
    name = value(BANK) if value(BANK) in names else names[0]
    fill(BANK, name)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox("Question set", names, key=BANK, format_func=set_title, width=320)
        if may("banks"):
            new_bank(banks)
    _draw_messages()
    return name


def new_bank(banks: SavedBanks) -> None:
    """Draw the popover that creates a bank."""
    with st.popover("New set", icon=":material/add:"), st.form("new bank form", border=False, clear_on_submit=True):
        st.text_input("Name", key=NEW, max_chars=60, placeholder="class_10_science", help="Letters, digits, _ and -")
        st.form_submit_button("Create", on_click=_make, args=(banks,))
        st.caption("It begins empty; its questions come from you, a file, or the Ask page.")
        if banks.names() and SAMPLE not in banks.names():
            st.form_submit_button("Copy the sample questions", on_click=_copy_sample, args=(banks,), type="tertiary")


def opened(name: str, sentence: str) -> None:
    """Open a bank and show a sentence in the next run; for callbacks."""
    fill(BANK, name)
    say(sentence)


def say(*sentences: str) -> None:
    """Set the sentences to show at the top of the page in the next run, once."""
    notes("bank said")[:] = sentences


def _draw_messages() -> None:
    show_outcome(notes("bank said"), notes(REFUSED), ":material/check_circle:")
    notes("bank said").clear()
    notes(REFUSED).clear()


def _make(banks: SavedBanks) -> None:
    """Create an empty bank and open it; a callback."""
    name = "_".join(value(NEW).split())
    with noting(REFUSED):
        exists = name in banks.names()
        banks.add(name, [])
        sentence = f"{name} already exists; here it is." if exists else f"{name} is created; it has no questions yet."
        opened(name, sentence)


def _copy_sample(banks: SavedBanks) -> None:
    """Create a bank with the sample questions and open it; a callback."""
    with noting(REFUSED):
        count = banks.add(SAMPLE, read_bank(TUNING))
        opened(SAMPLE, f"{count} questions about the sample chapters saved to {set_title(SAMPLE)}.")


_DELETING = "deleting bank"
"""Key of the note with the name of the bank whose deletion awaits confirmation."""


def taking(banks: SavedBanks, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Draw the downloads of a bank, and the button that deletes it after a confirmation."""
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "Download as CSV", lambda: as_csv(rows).encode("utf-8-sig"), f"{name}.csv", "text/csv",
            key="bank csv", icon=":material/download:", on_click="ignore", disabled=not rows,
            help="For a spreadsheet: no cell is taken for a formula",
        )  # fmt: skip
        st.download_button(
            "Download as JSONL", lambda: as_jsonl(rows).encode(), f"{name}.jsonl", "application/jsonl",
            key="bank jsonl", icon=":material/download:", on_click="ignore", disabled=not rows,
            help="With every field as it is, for the command line and for other programs",
        )  # fmt: skip
        with st.popover("For other programs", icon=":material/swap_horiz:", disabled=not rows):
            _for_programs(name, rows)
        if may("banks") and st.button("Delete this set", key="delete bank", icon=":material/delete:", type="tertiary"):
            notes(_DELETING)[:] = [name]
    if notes(_DELETING) == [name]:
        _confirm(banks, name, len(rows))


def _for_programs(name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Draw the download of the rows in the columns of another program."""
    program = st.selectbox("Columns of", list(COLUMNS), key="columns of", format_func=lambda p: COLUMNS[p].label)
    kind = st.selectbox("As", KINDS, key="file kind", format_func=str.upper)
    st.download_button(
        "Download", lambda: for_program(rows, program, kind), f"{name}-{program}.{kind}", key="bank for program",
        icon=":material/download:", on_click="ignore",
    )  # fmt: skip
    st.caption("Contexts go out as texts alone; JSONL in our own columns keeps the document, page and score of each.")


def _confirm(banks: SavedBanks, name: str, count: int) -> None:
    st.warning(
        plain(f"Delete {set_title(name)} with its {counted(count, 'question')}, and what was measured of it?"),
        icon=":material/help:",
    )
    with st.container(horizontal=True, gap="small"):
        st.button("Yes, delete it", type="primary", key="delete bank now", on_click=_delete, args=(banks, name))
        st.button("Keep it", key="keep bank", on_click=notes(_DELETING).clear)


def _delete(banks: SavedBanks, name: str) -> None:
    """Delete a bank, and the traces of its questions that are in no other bank; a callback."""
    notes(_DELETING).clear()
    shared_background(str(home_folder())).stop(name)
    with noting(REFUSED):
        removed = set(question_names(banks.rows(name)))
        banks.delete(name)
        remaining = {q for other in banks.names() for q in question_names(banks.rows(other))}
        StoredTraces(home_folder()).forget(removed - remaining)
        say(f"{set_title(name)} is deleted.")
