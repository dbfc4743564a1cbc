"""The choice of the question set to open, the form for a new set, and the downloads and deletion of a set."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from core.banks.background_measuring import Background
from core.banks.columns import COLUMNS
from core.banks.files import KINDS, as_csv, as_jsonl, for_program
from core.banks.measured_bank import StoredTraces
from core.banks.saved import SAMPLE, SavedBanks, all_sets, rows_of, set_title
from core.errors import UserError
from core.platform.access import may
from core.platform.home import home_folder
from core.words import count_of
from pages.components.shared.confirm import confirm
from pages.components.shared.presets import limits_button
from pages.components.shared.safe_display import show
from pages.components.shared.session import TUNE


@st.cache_resource(show_spinner=False)
def shared_background(home: str) -> Background:
    """The background measuring of this process, shared by all sessions."""
    return Background(Path(home))


def choose_set(banks: SavedBanks) -> str:
    """Draw the title, the choice of a set, and buttons for a new set and for the limits; return the name of the open
    set. The sample is open until the user chooses another set, since it is the one that comes measured."""
    head = st.container(horizontal=True, vertical_alignment="center", gap="small", key="head of Tune")
    head.title("Tune", width="content")
    try:
        names = all_sets(banks)
    except UserError as error:
        show(error)
        st.stop()
    name = TUNE.bank.value = TUNE.bank.value if TUNE.bank.value in names else SAMPLE
    with head:
        st.selectbox(
            "Question set", names, **TUNE.bank.kept, format_func=set_title, width=320, label_visibility="collapsed"
        )
        if may("banks"):
            box = st.popover("New set", icon=":material/add:", key=TUNE.new_box.key, on_change="rerun")
            with box, st.form("new bank form", border=False, clear_on_submit=True):
                st.text_input(
                    "Name", key=TUNE.new_bank.key, max_chars=60, placeholder="class_10_science",
                    help="Letters, digits, _ and -",
                )  # fmt: skip
                st.form_submit_button("Create", on_click=_make, args=(banks,))
                st.caption("A new set is empty: you add questions by hand, from a file, a book or the Ask page.")
        limits_button("Tune")
    return name


def open_set(name: str, sentence: str, tab: str) -> None:
    """Open a set on this tab, and show `sentence` in the next run; for callbacks."""
    TUNE.bank.value, TUNE.tab.value = name, tab
    TUNE.outcome.say(sentence)


def copy_sample(banks: SavedBanks) -> None:
    """Save the sample questions as a set that can be edited; a callback."""
    with TUNE.outcome.catch():
        count = banks.add(SAMPLE, rows_of(banks, SAMPLE))
        TUNE.outcome.say(f"You can edit these {count} questions now. Deleting the set brings the original back.")


def downloads(name: str, rows: Sequence[Mapping[str, Any]], *, deletable: bool) -> None:
    """Draw the downloads of a set, and the button that deletes it."""
    files = (
        ("csv", lambda: as_csv(rows).encode("utf-8-sig"), "For a spreadsheet: cells are never read as formulas"),
        ("jsonl", lambda: as_jsonl(rows).encode(), "With every field as it is, for programs and the command line"),
    )
    with st.container(horizontal=True, gap="small"):
        for ending, make, help_ in files:
            st.download_button(
                f"Download as {ending.upper()}", make, f"{name}.{ending}", key=f"bank {ending}", disabled=not rows,
                icon=":material/download:", on_click="ignore", help=help_,
            )  # fmt: skip
        with st.popover("For other programs", icon=":material/swap_horiz:", disabled=not rows):
            names = {program: columns.label for program, columns in COLUMNS.items()}
            program = st.selectbox("Columns of", list(names), key="columns of", format_func=names.get)
            kind = st.selectbox("File type", KINDS, key="file kind", format_func=str.upper)
            st.download_button(
                "Download", lambda: for_program(rows, program, kind), f"{name}-{program}.{kind}",
                key="bank for program", icon=":material/download:", on_click="ignore",
            )  # fmt: skip
            st.caption(
                "Contexts are saved as texts only. “Download as JSONL” also keeps the document, page and score of each "
                "context."
            )
        if deletable and may("banks"):
            question = f"Delete {set_title(name)} with its {count_of(len(rows), 'question')} and its results?"
            confirm("Delete this set", question, "Yes, delete it", "delete bank", _delete, name, type="tertiary")


def _make(banks: SavedBanks) -> None:
    """Create an empty set and open it; a callback."""
    name = "_".join(TUNE.new_bank.value.split())
    with TUNE.outcome.catch():
        exists = name in banks.names()
        banks.add(name, [])
        sentence = f"{name} already exists; here it is." if exists else f"{name} is created; it has no questions yet."
        open_set(name, sentence, "Questions")
        TUNE.new_box.value = False  # the popover would cover that sentence


def _delete(name: str) -> None:
    """Delete a set, and the traces of its questions that are in no other set; a callback."""
    shared_background(str(home_folder())).stop(name)
    with TUNE.outcome.catch():
        StoredTraces(home_folder()).forget(SavedBanks(home_folder()).delete(name))
        TUNE.outcome.say(f"{set_title(name)} is deleted.")
