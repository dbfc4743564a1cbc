"""The table of the library's documents: open them, correct their details in place, remove them."""

from datetime import datetime
from typing import Any

import pandas as pd
import streamlit as st

from core.library.documents import loss_sentences
from core.platform.access import may
from core.text.book_titles import book, book_title
from pages.components.library.page_reader import open_document
from pages.components.shared.safe_display import ERRORS, frame_of, plain, show, table_height, without_download
from pages.components.shared.session import clicked, edits, fresh, notes, noting, renew

TABLE = "documents"
EDITED = {"Class": "class_number", "Subject": "subject", "Chapter": "chapter"}
"""The editable columns, and the library's field of each."""
FIXED = ("Open", "Title", "Pages", "Passages", "Text quality", "Not read", "Added", "File")
MOST_ROWS = 14


def find(library: Any) -> None:
    """Draw the search for a document by title, with buttons to open it and to remove it after a confirmation."""
    documents = {d.id: d for d in library.documents()}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        selected = st.selectbox(
            "Find a document", list(documents), index=None, format_func=lambda i: book(documents[i]),
            placeholder="type a part of its title", key="picked document", width=420,
        )  # fmt: skip
        is_empty = selected is None
        st.button(
            "Open", disabled=is_empty, icon=":material/menu_book:", key="open picked", on_click=open_document,
            args=(selected,),
        )  # fmt: skip
        is_remove = may("library") and st.button("Remove", disabled=is_empty, icon=":material/delete:", key="remove")
    if is_remove:
        notes("removing")[:] = [selected]
    if selected and notes("removing") == [selected]:
        _confirm(library, documents[selected])


def table(library: Any) -> None:
    """Draw one row for each document; class, subject and chapter are editable in place."""
    documents = library.documents()
    _renew_stale_table(documents)
    notes("rows")[:] = [d.id for d in documents]
    notes("edits as drawn")[:] = [{row: dict(cells) for row, cells in edits(TABLE).items()}]
    with without_download("documents"):
        st.data_editor(
            rows(documents), key=fresh(TABLE), hide_index=True, disabled=FIXED if may("library") else True,
            column_config=_columns(),
            on_change=_save_edits, args=(library,), placeholder="not known",
            height=table_height(len(documents), MOST_ROWS), alt="The documents of the library, one a row",
        )  # fmt: skip
    for error in notes("not corrected"):
        show(error)


def rows(documents: tuple[Any, ...]) -> pd.DataFrame:
    """The table of these documents, in their order."""
    return frame_of(
        {
            "Open": ["Open"] * len(documents), "Title": [book_title(d.name) for d in documents],
            "Class": [d.class_number for d in documents], "Subject": [d.subject or None for d in documents],
            "Chapter": [d.chapter or None for d in documents], "Pages": [d.pages for d in documents],
            "Passages": [d.passages for d in documents], "Text quality": [_percent_read_well(d) for d in documents],
            "Not read": [_losses(d) for d in documents],
            "Added": [f"{datetime.fromisoformat(d.added).astimezone():%Y-%m-%d %H:%M}" for d in documents],
            "File": [d.name for d in documents],
        },
        {"Class": "Int64", "Pages": "Int64", "Passages": "Int64", "Text quality": "Float64"},
    )  # fmt: skip


def corrected(document: Any, changed: dict[str, Any]) -> dict[str, Any]:
    """Class, subject and chapter of a document with the edited cells of its row applied. changed: column -> value."""
    fields = {name: changed.get(column, getattr(document, name)) for column, name in EDITED.items()}
    return fields | {name: " ".join((fields[name] or "").split()) for name in ("subject", "chapter")}


def _renew_stale_table(documents: tuple[Any, ...]) -> None:
    """Renew the table if the library no longer matches its edits, since a data editor keeps them."""
    is_stale = notes("rows") != [d.id for d in documents] or any(
        corrected(documents[row], cells) != corrected(documents[row], {}) for row, cells in edits(TABLE).items()
    )
    if is_stale:
        renew(TABLE)


def _save_edits(library: Any) -> None:
    """Save the cells that were just edited; older edits may have been corrected elsewhere since. A callback."""
    notes("not corrected").clear()
    for row, cells in edits(TABLE).items():
        drawn_cells = notes("edits as drawn")[0].get(row, {})
        if typed := {column: v for column, v in cells.items() if column not in drawn_cells or drawn_cells[column] != v}:
            with noting("not corrected"):
                document = library.document(notes("rows")[row])
                library.amend(document.id, **corrected(document, typed))


def _losses(document: Any) -> str | None:
    """What was not read of a document; "nothing" if all was read, None if its sentences were never counted."""
    return "; ".join(loss_sentences(document.losses)) or ("nothing" if document.sentences else None)


def _percent_read_well(document: Any) -> float | None:
    """The percentage of a document that was read well; None if its sentences were never counted.

    A page without text counts as the mean number of sentences of the others, any other loss as one sentence.
    """
    if not document.sentences:
        return None
    blank = sum(loss.kind == "no text" for loss in document.losses)
    mean = document.sentences / max(1, document.pages - blank)
    unread = blank * max(1.0, mean) + len(document.losses) - blank
    return 100 * (document.sentences - document.broken) / (document.sentences + unread)


def _columns() -> dict[str, Any]:
    column = st.column_config
    return {
        "Open": column.ButtonColumn("", width=80, on_click=_open, key="open row"),
        "Title": column.TextColumn(width="medium"),
        "Class": column.NumberColumn(format="%d", step=1, width=90),
        "Subject": column.TextColumn(width=160, max_chars=60),
        "Chapter": column.TextColumn(width=100, max_chars=60),
        "Pages": column.NumberColumn(width=80),
        "Passages": column.NumberColumn(width=90),
        "Text quality": column.NumberColumn(
            format="%.1f %%",
            width=100,
            help="Sentences that stand on their page as read; Open lists the others",
        ),
        "Not read": column.TextColumn(width="medium", help="What the pages show and the library could not read"),
        "Added": column.TextColumn(width=150),
        "File": column.TextColumn(width=180),
    }


def _open() -> None:
    """Open the document whose button was pressed; a callback."""
    if document := clicked("open row", notes("rows")):
        open_document(document)


def _confirm(library: Any, document: Any) -> None:
    question = f"Take {book(document)} ({document.name}) with its {document.passages} passages out of the library?"
    st.warning(plain(f"{question} Answers can no longer cite it."), icon=":material/help:")
    with st.container(horizontal=True, gap="small"):
        st.button("Yes, remove it", type="primary", key="remove now", on_click=_remove, args=(library, document.id))
        st.button("Keep it", key="keep", on_click=notes("removing").clear)


def _remove(library: Any, id_: str) -> None:
    notes("removing").clear()
    try:
        library.remove(id_)
    except ERRORS as error:
        show(error)
