"""The table of the library's documents: open them, ask about them, correct their details in place, remove them."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.book_titles import book
from core.library import Document
from core.library.chapter_titles import LONGEST, tidy_title
from core.platform.access import may
from core.presentation.library_rows import distinct_names, document_columns
from core.words import count_of
from pages.components.library.try_chapter import try_chapter
from pages.components.shared.confirm import confirm
from pages.components.shared.page_picture import open_document
from pages.components.shared.page_run import turn_to_ask
from pages.components.shared.question_state import begin_anew, fill_form
from pages.components.shared.safe_display import frame_of, shorten, table_height, without_download
from pages.components.shared.session import LIBRARY, VISIT

EDITABLE_COLUMNS = {"Title": "title", "Class": "class_number", "Subject": "subject", "Chapter": "chapter"}
"""The editable columns, each with the document's field that it shows."""
ASK, TRY = "Ask about it", "Try the chapter"
_LOSSES, _LOSSES_LENGTH = "Could not be read", 42
"""The column of what the library could not read, and how many characters of it fit."""
_IN_MENU = ("Added", "Passages", "File")
"""The columns that the menu of the table shows; the others fit a screen of 1280 pixels."""
MOST_ROWS = 14


def find(library: Any) -> None:
    """Draw the search for a document by title, and buttons to open, try and remove the one that was found."""
    documents = {d.id: d for d in library.documents()}
    names = distinct_names(tuple(documents.values()))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        selected = st.selectbox(
            "Find a document", list(documents), index=None, format_func=names.get,
            placeholder=f"{count_of(len(documents), 'document')}: type a part of a title", key="picked document",
            width=420,
        )  # fmt: skip
        if (document := documents.get(selected)) is None:
            return
        st.button("Open", icon=":material/menu_book:", key="open picked", on_click=open_document, args=(selected,))
        st.button(TRY, icon=":material/quiz:", key="try picked", on_click=try_chapter, args=(library, selected))
        if may("library"):
            title = f"{book(document)} ({document.name}) with its {count_of(document.passages, 'passage')}"
            question = f"Remove {title} from the library? Answers can then no longer cite it."
            confirm("Remove", question, "Yes, remove it", "remove", _remove, library, selected)


def table(library: Any) -> None:
    """Draw one row for each document; title, class, subject and chapter are editable in place."""
    documents = library.documents()
    if LIBRARY.drawn.value != documents:  # the editor would apply its edits to rows that others have changed
        LIBRARY.table.renew()
        LIBRARY.drawn.value = documents
    columns = _columns(library, documents)
    with without_download("documents"):
        st.data_editor(
            rows(documents), key=LIBRARY.table.key, hide_index=True, column_config=columns,
            column_order=[name for name in columns if name not in _IN_MENU],
            disabled=[name for name in columns if name not in EDITABLE_COLUMNS] if may("library") else True,
            on_change=_save_edits, args=(library,), placeholder="not known",
            height=table_height(len(documents), MOST_ROWS), alt="The documents of the library, one per row",
        )  # fmt: skip


def rows(documents: Sequence[Document]) -> pd.DataFrame:
    """The table of these documents, in their order; what could not be read is as long as its column shows."""
    buttons = {label: [label] * len(documents) for label in ("Open", ASK, TRY)}
    kinds = {"Class": "Int64", "Pages": "Int64", "Passages": "Int64", "Text quality": "Float64"}
    columns = document_columns(documents)
    columns[_LOSSES] = [text and shorten(text, _LOSSES_LENGTH) for text in columns[_LOSSES]]
    return frame_of(buttons | columns, kinds)


def edited_fields(document: Any, cells: dict[str, Any]) -> dict[str, Any]:
    """The editable fields of a document after an edit. cells: the edited cells of its row, column -> value."""
    fields = {name: cells.get(column, getattr(document, name)) for column, name in EDITABLE_COLUMNS.items()}
    return fields | {name: tidy_title(fields[name] or "") for name in ("title", "subject", "chapter")}


def _save_edits(library: Any) -> None:
    """Save the cells that differ from the documents as they were drawn; a callback.

    The other cells are left alone, since they may have been corrected elsewhere.
    """
    LIBRARY.outcome.clear()
    drawn = LIBRARY.drawn.value
    is_current = drawn == library.documents()
    for row, cells in LIBRARY.table.edits.items():
        before = edited_fields(drawn[row], {})
        if new := {column: v for column, v in cells.items() if edited_fields(drawn[row], {column: v}) != before}:
            with LIBRARY.outcome.catch(is_new=False):
                document = library.document(drawn[row].id)
                library.amend(document.id, **edited_fields(document, new))
    has_all = is_current and not LIBRARY.outcome.value
    LIBRARY.drawn.value = library.documents() if has_all else ()  # the table is renewed: a refused cell is reverted


def _columns(library: Any, documents: Sequence[Document]) -> dict[str, Any]:
    """The columns of the table, in order: the title is first, since a phone shows only the first ones."""
    column, ids = st.column_config, [d.id for d in documents]
    return {
        "Title": column.TextColumn(width=240, max_chars=LONGEST),
        "Open": LIBRARY.open_button.column(ids, open_document, 66),
        ASK: LIBRARY.ask_button.column(ids, partial(ask_about, library), 112),
        TRY: LIBRARY.try_button.column(ids, partial(try_chapter, library), 126),
        "Class": column.NumberColumn(format="%d", step=1, width=78),
        "Subject": column.TextColumn(width=120, max_chars=60),
        "Chapter": column.TextColumn(width=92, max_chars=60), "Pages": column.NumberColumn(width=64),
        "Text quality": column.NumberColumn(
            format="%.1f %%", width=100, help="Share of the sentences that were read as printed; Open shows the others."
        ),
        _LOSSES: column.TextColumn(width=284, help="What the pages show but the library could not read."),
        "Added": column.TextColumn(width=150), "Passages": column.NumberColumn(width=90),
        "File": column.TextColumn(width=180),
    }  # fmt: skip


def ask_about(library: Any, id_: str) -> None:
    """Turn to the Ask page in a new conversation that is limited to a document; a callback."""
    with LIBRARY.outcome.catch():
        document = library.document(id_)
        begin_anew()
        fill_form(documents=[document.name])
        VISIT.has_visited.value = True  # the prepared case of a first visit would take the place of the document
        turn_to_ask()


def _remove(library: Any, id_: str) -> None:
    with LIBRARY.outcome.catch():
        library.remove(id_)
