"""The corrected questions of History, which a tuner adds to the open set by one button."""

from collections.abc import Collection, Sequence
from typing import Any

import streamlit as st

from core.banks.saved import OWN, SavedBanks, set_title
from pages.components.shared.safe_display import ERRORS, count_text, show
from pages.components.shared.session import TUNE
from pages.components.tune.open_set import OpenSet
from pages.components.tune.question_sets import set_messages


def corrected_questions(banks: SavedBanks, opened: OpenSet) -> None:
    """Draw the button that adds questions corrected on History to the open set; nothing if it has all of them."""
    if not opened.is_saved or opened.name == OWN or OWN not in banks.names():
        return
    try:
        rows = new_corrections(banks, [row["id"] for row in opened.rows])
    except ERRORS as error:
        show(error)
        return
    if rows:
        questions = count_text(len(rows), "corrected question")
        st.button(
            f"Add {questions} to this set", key="add corrected", icon=":material/playlist_add:", on_click=_add,
            args=(banks, opened.name, rows), help=f"They are in {set_title(OWN)}, with what they should have become.",
        )  # fmt: skip


def new_corrections(banks: SavedBanks, known_ids: Collection[str]) -> list[dict[str, Any]]:
    """The labelled rows of My questions whose ids are not among `known_ids`."""
    ids = set(known_ids)
    return [row for row in banks.rows(OWN) if row.get("kind") == "own" and row.get("expected") and row["id"] not in ids]


def _add(banks: SavedBanks, name: str, rows: Sequence[dict[str, Any]]) -> None:
    """Add corrected questions to a set and open its tab Run; a callback."""
    with TUNE.errors.catch():
        banks.add(name, rows)
        set_messages(f"{count_text(len(rows), 'question')} added. Run the set to see what becomes of them.")
        TUNE.tab.value = "Run"
