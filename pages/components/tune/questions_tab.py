"""The tab Questions of the Tune page: the questions of the open set, and where new ones come from."""

from collections.abc import Collection, Sequence
from typing import Any

import streamlit as st

from core.banks.saved import OWN, SavedBanks, set_title
from core.errors import UserError
from core.platform.access import may
from core.platform.home import home_folder
from core.words import count_of
from pages.components.shared.safe_display import show
from pages.components.shared.session import TUNE
from pages.components.shared.session_types import Using
from pages.components.tune.new_questions import add_box, drafting_box, import_box
from pages.components.tune.open_set import OpenSet
from pages.components.tune.question_sets import copy_sample, downloads
from pages.components.tune.question_table import question_table


def questions_tab(open_set: OpenSet, using: Using) -> None:
    """Draw the questions of a set and the ways to add some. The sample that comes with the app can only be edited as a
    copy."""
    banks, editable = SavedBanks(home_folder()), open_set.is_saved and may("banks")
    if not open_set.is_saved:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(
                "These questions about the seven sample chapters come with the app, with their results. For questions "
                "of your own press “New set”.", width="stretch",
            )  # fmt: skip
            if may("banks"):
                st.button("Edit a copy", key="copy sample", icon=":material/edit:", on_click=copy_sample, args=(banks,))
    if may("banks"):
        if editable:
            _corrected_questions(banks, open_set)
            add_box(banks, open_set.name)
        import_box(banks)
        drafting_box(banks, open_set.name if editable else OWN, using)
    question_table(banks, open_set.name, open_set.rows, open_set.states, editable=editable)
    downloads(open_set.name, open_set.rows, deletable=open_set.is_saved)


def _corrected_questions(banks: SavedBanks, opened: OpenSet) -> None:
    """Draw the button that adds questions corrected on History to the open set; nothing if it has all of them."""
    if not opened.is_saved or opened.name == OWN or OWN not in banks.names():
        return
    try:
        rows = new_corrections(banks, [row["id"] for row in opened.rows])
    except UserError as error:
        show(error)
        return
    if rows:
        questions = count_of(len(rows), "corrected question")
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
    with TUNE.outcome.catch():
        banks.add(name, rows)
        TUNE.outcome.say(f"{count_of(len(rows), 'question')} added. Run the set to see what becomes of them.")
        TUNE.tab.value = "Run"
