"""A bank taken away as a file, or out of the app."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.banks.files import as_csv, as_jsonl
from core.banks.measured_bank import KeptTraces, question_names
from core.banks.saved import SavedBanks
from core.startup import home_folder
from pages.components.banks.choice import refuse, say
from pages.components.banks.measuring import shared_background
from pages.components.shared.errors import ERRORS
from pages.components.shared.plain_text import counted, plain
from pages.components.shared.resettable import notes

_SURE = "deleting bank"


def taking(banks: SavedBanks, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Both files, and the bank's end, which is asked for twice."""
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
        if st.button("Delete this bank", key="delete bank", icon=":material/delete:", type="tertiary"):
            notes(_SURE)[:] = [name]
    if notes(_SURE) == [name]:
        _confirm(banks, name, len(rows))


def _confirm(banks: SavedBanks, name: str, count: int) -> None:
    st.warning(
        plain(f"Delete {name} with its {counted(count, 'question')}, and what was measured of it?"),
        icon=":material/help:",
    )
    with st.container(horizontal=True, gap="small"):
        st.button("Yes, delete it", type="primary", key="delete bank now", on_click=_delete, args=(banks, name))
        st.button("Keep it", key="keep bank", on_click=notes(_SURE).clear)


def _delete(banks: SavedBanks, name: str) -> None:
    """Delete a bank, and what was measured of questions that stand in no other; a callback."""
    notes(_SURE).clear()
    shared_background(str(home_folder())).stop(name)
    try:
        gone = set(question_names(banks.rows(name)))
        banks.delete(name)
        held = {q for other in banks.names() for q in question_names(banks.rows(other))}
        KeptTraces(home_folder()).forget(gone - held)
    except ERRORS as error:
        refuse(error)
    else:
        say(f"{name} is deleted.")
