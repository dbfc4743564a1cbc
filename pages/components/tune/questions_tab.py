"""The tab Questions of the Tune page: the questions of the open set, and where new ones come from."""

import streamlit as st

from core.banks.saved import OWN, SavedBanks
from core.platform.access import may
from core.platform.home import home_folder
from pages.components.shared.session_types import Using
from pages.components.tune.corrections import corrected_questions
from pages.components.tune.new_questions import drafting_box, import_box, paste_box
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
            corrected_questions(banks, open_set)
            paste_box(banks, open_set.name)
        import_box(banks)
        drafting_box(banks, open_set.name if editable else OWN, using)
    question_table(banks, open_set.name, open_set.rows, open_set.states, editable=editable)
    downloads(open_set.name, open_set.rows, deletable=open_set.is_saved)
