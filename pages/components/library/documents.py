"""The documents of the library as a table: opened, corrected in place, taken out."""

from datetime import datetime
from typing import Any

import pandas as pd
import streamlit as st

from core.library.losses import loss_sentences
from core.platform.access import may
from core.text.book_titles import book, book_title
from pages.components.library.page_reader import open_document
from pages.components.shared.safe_display import ERRORS, frame_of, plain, show, table_height, without_download
from pages.components.shared.session import clicked, edits, fresh, notes, noting, renew

TABLE = "documents"
EDITED = {"Class": "class_number", "Subject": "subject", "Chapter": "chapter"}
"""The columns that a person may correct, and what they are called in the library."""
FIXED = ("Open", "Title", "Pages", "Passages", "Read well", "Not read", "Added", "File")
MOST_ROWS = 14


def find(library: Any) -> None:
    """A document found by its title, to open it or to take it out; that is asked for twice."""
    documents = {d.id: d for d in library.documents()}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        picked = st.selectbox(
            "Find a document", list(documents), index=None, format_func=lambda i: book(documents[i]),
            placeholder="type a part of its title", key="picked document", width=420,
        )  # fmt: skip
        nothing = picked is None
        st.button(
            "Open", disabled=nothing, icon=":material/menu_book:", key="open picked", on_click=open_document,
            args=(picked,),
        )  # fmt: skip
        asked = may("library") and st.button("Remove", disabled=nothing, icon=":material/delete:", key="remove")
    if asked:
        notes("removing")[:] = [picked]
    if picked and notes("removing") == [picked]:
        _confirm(library, documents[picked])


def table(library: Any) -> None:
    """One row a document; class, subject and chapter are corrected where they stand."""
    documents = library.documents()
    _renewed_where_it_lies(documents)
    notes("rows")[:] = [d.id for d in documents]
    notes("edits as drawn")[:] = [{row: dict(cells) for row, cells in edits(TABLE).items()}]
    with without_download("documents"):
        st.data_editor(
            rows(documents), key=fresh(TABLE), hide_index=True, disabled=FIXED if may("library") else True,
            column_config=_columns(),
            on_change=_corrected, args=(library,), placeholder="not known",
            height=table_height(len(documents), MOST_ROWS), alt="The documents of the library, one a row",
        )  # fmt: skip
    for error in notes("not corrected"):
        show(error)


def rows(documents: tuple[Any, ...]) -> pd.DataFrame:
    """What the table shows of these documents, in their order."""
    return frame_of(
        {
            "Open": ["Open"] * len(documents), "Title": [book_title(d.name) for d in documents],
            "Class": [d.class_number for d in documents], "Subject": [d.subject or None for d in documents],
            "Chapter": [d.chapter or None for d in documents], "Pages": [d.pages for d in documents],
            "Passages": [d.passages for d in documents], "Read well": [_share(d) for d in documents],
            "Not read": [_not_read(d) for d in documents],
            "Added": [_local(d.added) for d in documents], "File": [d.name for d in documents],
        },
        {"Class": "Int64", "Pages": "Int64", "Passages": "Int64", "Read well": "Float64"},
    )  # fmt: skip


def corrected(document: Any, changed: dict[str, Any]) -> dict[str, Any]:
    """Class, subject and chapter of a document, with these cells of its row as a person has changed them."""
    found = {name: changed.get(column, getattr(document, name)) for column, name in EDITED.items()}
    return found | {name: " ".join((found[name] or "").split()) for name in ("subject", "chapter")}


def _renewed_where_it_lies(documents: tuple[Any, ...]) -> None:
    """A table keeps what was typed into it; it is made anew where the library holds something else by now."""
    shown = {d.id: d for d in documents}
    lies = notes("rows") != list(shown) or any(
        corrected(documents[row], cells) != corrected(documents[row], {}) for row, cells in edits(TABLE).items()
    )
    if lies:
        renew(TABLE)


def _corrected(library: Any) -> None:
    """Tell the library what has just been typed; what was typed before may have been corrected elsewhere since."""
    notes("not corrected").clear()
    for row, cells in edits(TABLE).items():
        drawn = notes("edits as drawn")[0].get(row, {})
        if typed := {column: v for column, v in cells.items() if column not in drawn or drawn[column] != v}:
            with noting("not corrected"):
                document = library.document(notes("rows")[row])
                library.amend(document.id, **corrected(document, typed))


def _local(iso: str) -> str:
    """A time as the clock on the wall says it, to the minute."""
    return f"{datetime.fromisoformat(iso).astimezone():%Y-%m-%d %H:%M}"


def _not_read(document: Any) -> str | None:
    """What of a document was not read, "nothing" where all of it was; None where nobody has counted."""
    return "; ".join(loss_sentences(document.losses)) or ("nothing" if document.sentences else None)


def _share(document: Any) -> float | None:
    """How much of a document was read well, in per cent; None where nobody has counted.

    What was not read at all counts as sentences, too: a page without text as many as others have, else one a page.
    """
    if not document.sentences:
        return None
    blank = sum(loss.kind == "no text" for loss in document.losses)
    usual = document.sentences / max(1, document.pages - blank)
    unread = blank * max(1.0, usual) + len(document.losses) - blank
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
        "Read well": column.NumberColumn(
            format="%.1f %%",
            width=100,
            help="Sentences that stand on their page as read; Open lists the others",
        ),
        "Not read": column.TextColumn(width="medium", help="What the pages show and the library could not read"),
        "Added": column.TextColumn(width=150),
        "File": column.TextColumn(width=180),
    }


def _open() -> None:
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
