"""The limits of classes and subjects as a table to edit, in a dialog of the sidebar."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.graph.startup import home_folder
from core.platform.access import may
from core.presentation.class_words import entries_of, limit_names, table_columns
from core.presets.by_class import ClassLimits, limits_by_class, save_limits_by_class
from core.thresholds import MODE_NAMES
from pages.components.shared.safe_display import ERRORS, frame_of, show, without_download
from pages.components.shared.session import LIMITS

_ABOUT = (
    "A question asked in one of these classes or subjects is decided by these limits in place of those of the preset. "
    "Leave the class or the subject empty for any; the more exact row wins."
)
_HOW = "Click the empty row at the end to add one. To delete rows, mark them at their left edge and press Delete."


def class_button() -> None:
    """Draw the button that opens the table, for a user who may change presets."""
    if may("presets") and st.button("Limits by class", key="by class", icon=":material/school:", type="tertiary"):
        class_dialog()


@st.dialog("Limits by class", width="large", icon=":material/school:")
def class_dialog() -> None:
    """Draw the table and the button that saves it; an error is shown below, and the edits stay."""
    try:
        by_class = limits_by_class(home_folder())
    except ERRORS as error:
        show(error)
        return
    st.markdown(_ABOUT)
    edited = _editor(by_class)
    st.caption(_HOW)
    if st.button("Save", key="save limits by class", type="primary"):
        try:
            save_limits_by_class(home_folder(), entries_of(rows_of(edited)))
        except ERRORS as error:
            show(error)
        else:
            LIMITS.class_table.renew()
            st.rerun()


def rows_of(table: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of an edited table; None for an empty cell."""
    return table.astype(object).where(table.notna(), None).to_dict("records")


def _editor(by_class: Sequence[ClassLimits]) -> pd.DataFrame:
    """Draw these entries as an editable table, to which the user can add rows, and return the edited table."""
    names, column = limit_names(), st.column_config
    table = frame_of(table_columns(by_class), {"Class": "Int64"})
    with without_download("limits by class"):
        return st.data_editor(
            table, key=LIMITS.class_table.key, hide_index=True, num_rows="dynamic", placeholder="",
            alt="Limits by class, one per row",
            column_config={
                "Class": column.NumberColumn(min_value=1, max_value=12, step=1, format="%d", width=64),
                "Subject": column.TextColumn(width=120, max_chars=60),
                "Limit": column.SelectboxColumn(options=list(names), format_func=names.get, width=330),
                "Value": column.TextColumn(
                    width=90, max_chars=20, help=f"A number; for a mode {', '.join(MODE_NAMES.values())}."
                ),
            },
        )  # fmt: skip
