"""The tab Questions of the Tune page: the ways to add questions, and the table that edits, removes and restores those
of the open set."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.banks.columns import cell_of, value_of
from core.banks.row import ANSWER_EXPECTATIONS, CLASSES, EXPECTATIONS
from core.banks.saved import OWN, SavedBanks, set_title
from core.case import MAX_QUERY
from core.errors import UserError
from core.platform.access import may
from core.platform.home import home_folder
from core.words import EXPECTED, count_of
from pages.components.shared.safe_display import frame_of, plain, shorten, show, table_height, without_download
from pages.components.shared.session import TUNE
from pages.components.shared.session_types import Using
from pages.components.tune.new_questions import TITLES, add_box, drafting_box, import_box
from pages.components.tune.open_set import OpenSet
from pages.components.tune.question_sets import copy_sample, downloads

COLUMNS = {title: field for field, title in TITLES.items() if field not in ("contexts", "id")}
"""The editable columns, and the field of each."""
MOST_ROWS = 14
STATE_TEXTS = {"measured": "✓ measured", "": "○ not yet"}


def questions_tab(opened: OpenSet, using: Using) -> None:
    """Draw the questions of a set and the ways to add some. The sample that comes with the app can only be edited as a
    copy."""
    banks, editable = SavedBanks(home_folder()), opened.is_saved and may("banks")
    if not opened.is_saved:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(
                "These questions about the seven sample chapters come with the app, with their results. For questions "
                "of your own press “New set”.", width="stretch",
            )  # fmt: skip
            if may("banks"):
                st.button("Edit a copy", key="copy sample", icon=":material/edit:", on_click=copy_sample, args=(banks,))
    if may("banks"):
        if editable:
            _corrected_questions(banks, opened)
            add_box(banks, opened.name)
        import_box(banks)
        drafting_box(banks, opened.name if editable else OWN, using)
    _table(banks, opened, editable)
    downloads(opened.name, opened.rows, deletable=opened.is_saved)


def _corrected_questions(banks: SavedBanks, opened: OpenSet) -> None:
    """Draw the button that adds the labelled questions of My questions to the open set; nothing if it has them all."""
    if opened.name == OWN or OWN not in banks.names():
        return
    try:
        own = banks.rows(OWN)
    except UserError as error:
        show(error)
        return
    known_ids = {row["id"] for row in opened.rows}
    rows = [row for row in own if row.get("kind") == "own" and row.get("expected") and row["id"] not in known_ids]
    if rows:
        questions = count_of(len(rows), "corrected question")
        st.button(
            f"Add {questions} to this set", key="add corrected", icon=":material/playlist_add:", on_click=_add,
            args=(banks, opened.name, rows), help=f"They are in {set_title(OWN)}, with their expected outcomes.",
        )  # fmt: skip


def _add(banks: SavedBanks, name: str, rows: Sequence[dict[str, Any]]) -> None:
    """Add corrected questions to a set and open its tab Run; a callback."""
    with TUNE.outcome.catch():
        banks.add(name, rows)
        TUNE.outcome.say(f"{count_of(len(rows), 'question')} added. Run the set to see what becomes of them.")
        TUNE.tab.value = "Run"


def _table(banks: SavedBanks, opened: OpenSet, editable: bool) -> None:
    """Draw one row for each question with its state, a page at a time.

    Edits are saved at once; an invalid one shows an error, and its text stays in its cell.
    """
    name = opened.name
    expected = [row.get("expected") or "" for row in opened.rows]
    st.markdown(f"**{heading(expected)}**")
    removed_from, removed_row = TUNE.removed_row.value or ("", {})
    if editable and removed_from == name:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"“{plain(shorten(removed_row['query'], 80))}” was removed.", width="content")
            st.button(
                "Put it back", key="put back", icon=":material/undo:", on_click=_restore,
                args=(banks, name, removed_row),
            )  # fmt: skip
    if not expected:
        st.info("This set is empty. Add questions above.")
        return
    if without := expected.count(""):
        verb = "has" if without == 1 else "have"
        st.caption(f"{count_of(without, 'question')} {verb} no label yet. Choose one in the column “Expected”.")
    page = TUNE.page.of("questions").rows(len(expected))
    rows = opened.rows[page.start : page.stop]
    drawn = (name, page.start, banks.changed(name))
    if TUNE.table_stamp.value != drawn:  # the editor would apply its edits to rows that others have changed
        TUNE.table.renew()
        TUNE.cell_errors.clear()
        TUNE.table_stamp.value = drawn
    table = frame(rows, opened.states[page.start : page.stop])
    with without_download("bank"):
        st.data_editor(
            table if editable else table.drop(columns="Remove"), key=TUNE.table.key, hide_index=True,
            disabled=["Measured", TITLES["contexts"], "Id", "Remove"] if editable else True,
            column_config=_columns(banks, name, rows), on_change=_save_edits, args=(banks, name, rows), placeholder="",
            height=table_height(len(rows), MOST_ROWS), alt="The questions of the set, one per row",
        )  # fmt: skip
    for sentence in TUNE.cell_errors.value:
        show(sentence)


def heading(expected: Sequence[str]) -> str:
    """The number of questions and of pasted answers with each label, in words. expected: the label of each row of a
    set, "" for none."""
    words = {label: f"to {text}" for label, text in EXPECTED.items()} | {"supported": "right", "altered": "wrong"}
    pasted = [label for label in expected if label in ANSWER_EXPECTATIONS]
    questions = [label for label in expected if label not in ANSWER_EXPECTATIONS]
    texts = []
    for noun, labels in (("question", questions), ("pasted answer", pasted)):
        counts = ", ".join(f"{labels.count(label)} {words[label]}" for label in EXPECTATIONS if label in labels)
        if labels:
            texts.append(count_of(len(labels), noun) + (f" ({counts})" if counts else ""))
    return " and ".join(texts) or "0 questions"


def frame(rows: Sequence[Mapping[str, Any]], states: Sequence[str]) -> pd.DataFrame:
    """The table of these rows, in their order. states: of each row, as in `OpenSet`."""
    texts = {title: [cell_of(field, row.get(field)) or None for row in rows] for title, field in COLUMNS.items()}
    classes = [row.get("class_number") if row.get("class_number") in CLASSES else None for row in rows]
    counts = [len(row["contexts"]) if row.get("contexts") is not None else None for row in rows]
    return frame_of(
        {
            "Measured": [STATE_TEXTS.get(state, f"✗ {state}") for state in states], **texts, "Class": classes,
            **({} if set(counts) == {None} else {TITLES["contexts"]: counts}),  # no column if no row has contexts
            "Id": [row["id"] for row in rows], "Remove": ["Remove"] * len(rows),
        },
        {"Class": "Int64", TITLES["contexts"]: "Int64"},
    )  # fmt: skip


def edited_row(row: Mapping[str, Any], cells: Mapping[str, Any]) -> dict[str, Any]:
    """`row` with these edited cells applied; an emptied field is removed. cells: column -> value."""

    def text(cell: Any) -> str:
        return "" if cell is None else f"{cell:g}" if isinstance(cell, float) else str(cell)

    cell_edits = {
        COLUMNS[title]: value_of(COLUMNS[title], text(cell)) for title, cell in cells.items() if title in COLUMNS
    }
    return {field: v for field, v in {**row, **cell_edits}.items() if v is not None or field not in cell_edits}


def _save_edits(banks: SavedBanks, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Save the edited cells of the drawn rows one by one; a callback. A cell with an invalid value is not saved."""
    TUNE.cell_errors.clear()
    _, first, changed = TUNE.table_stamp.value
    is_current = changed == banks.changed(name)
    for index, cells in TUNE.table.edits.items():
        row = rows[index]
        for title, cell in cells.items():
            new_row = edited_row(row, {title: cell})
            if new_row == row:
                continue
            try:
                banks.add(name, [new_row])
                row = new_row
            except UserError as error:
                TUNE.cell_errors.value.append(f"{title} of “{shorten(row['query'], 60)}” is not saved: {error}")
    if is_current:  # the table has these changes already
        TUNE.table_stamp.value = (name, first, banks.changed(name))


def _columns(banks: SavedBanks, name: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    column = st.column_config
    return {
        "Measured": column.TextColumn(width=110),
        "Question": column.TextColumn(width=520, required=True, max_chars=MAX_QUERY),
        "Expected": column.SelectboxColumn(width=170, options=list(EXPECTATIONS), format_func=EXPECTED.get),
        "Class": column.NumberColumn(width=70, min_value=1, max_value=12, step=1, format="%d"),
        "Subject": column.TextColumn(width=120),
        "Documents": column.TextColumn(width=160, help="Documents to search; separate several with ;"),
        "Pages": column.TextColumn(width=90, help="For example 3-5, 8"),
        "Answer to judge": column.TextColumn(width=220, help="This answer is judged; the app writes none"),
        TITLES["reference"]: column.TextColumn(
            width=260, help="For people to read; answers are compared with the facts"
        ),
        "Facts": column.TextColumn(width=200, help="What a right answer must contain; separate several with ;"),
        TITLES["contexts"]: column.NumberColumn(width=200, help="Number of texts that are used instead of the library"),
        "Id": column.TextColumn(width=140),
        "Remove": TUNE.remove_button.column(rows, partial(_remove, banks, name), 90),
    }


def _remove(banks: SavedBanks, name: str, row: Mapping[str, Any]) -> None:
    """Remove a row; a callback."""
    with TUNE.outcome.catch():
        banks.remove(name, [row["id"]])
        TUNE.removed_row.value = (name, row)


def _restore(banks: SavedBanks, name: str, row: dict[str, Any]) -> None:
    """Add a removed row to its bank again, at the end; a callback."""
    TUNE.removed_row.clear()
    with TUNE.outcome.catch():
        banks.add(name, [row])
