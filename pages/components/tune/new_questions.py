"""Three ways to add questions to a set: type them, import a file whose columns and labels the user maps, or draft them
from a book."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd
import streamlit as st

from core.banks.columns import cell_of
from core.banks.drafts import drafts_of
from core.banks.files import (
    FIELDS,
    LEFT_OUT,
    MOST_PASTED,
    OWN_COLUMN,
    can_be_kept,
    columns_in,
    label_counts,
    label_of,
    mapped_lines,
    parse_questions,
    read_raw,
    sound,
)
from core.banks.formats import ENDINGS, MOST_BYTES, Line
from core.banks.row import ANSWER_EXPECTATIONS, EXPECTATIONS
from core.banks.saved import SavedBanks, set_name, set_title
from core.graph import Explorer
from core.question import CaseError
from core.words import EXPECTED, count_of
from pages.components.shared.resources import shared_explorer_of_banks
from pages.components.shared.safe_display import frame_of, plain, safe_table, shorten
from pages.components.shared.session import TUNE, VISIT
from pages.components.shared.session_types import Import, Using
from pages.components.shared.session_values import Value
from pages.components.tune.question_sets import open_set

TITLES = {
    "query": "Question", "expected": "Expected", "class_number": "Class", "subject": "Subject",
    "documents": "Documents", "pages": "Pages", "answer": "Answer to judge",
    "reference": "Reference: what a right answer says", "facts": "Facts", "kind": "Kind", "note": "Note",
    "contexts": "Contexts: texts to judge by", "id": "Id",
}  # fmt: skip
"""The name of each field, as people read it everywhere."""
HOLDS = {**TITLES, "": "say which", OWN_COLUMN: "Kept as it is", LEFT_OUT: "Left out"}
"""What a column of a file may hold, in words."""
_PREVIEWED, _MAX_SHOWN, _MAX_WRONG, _LONGEST = 5, 10, 200, 120
"""Maximum rows of the preview of a file; of its wrong rows, how many are seen without scrolling and how many are
listed; and maximum characters of a cell."""


def import_box(banks: SavedBanks) -> None:
    """Draw the upload field, and below it what the last file holds until it is imported or discarded."""
    st.file_uploader(
        "Import a question set: CSV, JSONL, Parquet or Excel", type=list(ENDINGS), key=TUNE.file.key,
        max_upload_size=MOST_BYTES // 2**20, on_change=_read_file,
        help="After the upload you say what each column holds. If a column holds contexts, each question is judged by "
        "its own contexts instead of the library.",
    )  # fmt: skip
    pending = TUNE.pending_import.value
    if pending and pending.columns:
        _mapping(pending)
    TUNE.file_outcome.draw()
    if pending is None:
        return
    if pending.lines:
        _lines(pending)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if len(pending.lines) > len(pending.wrong):
            _import_button(banks, pending)
        st.button("Discard the file", key="forget import", type="tertiary", on_click=_discard)


def _read_file() -> None:
    """Read the file that was dropped, and guess what its columns hold; a callback."""
    upload = TUNE.file.value
    if upload is None:
        return
    _discard()
    with TUNE.file_outcome.catch():
        data = upload.getvalue()
        VISIT.usage.value.take(files=1, megabytes=len(data) / 1e6)
        rows = read_raw(data, upload.name)
        TUNE.target.renew()
        _read_rows(Import(file=upload.name, rows=rows, columns=columns_in(rows)))
    TUNE.file.renew()


def _discard() -> None:
    """Forget the file and what is wrong with it; a callback."""
    TUNE.pending_import.clear()
    TUNE.file_outcome.clear()


def _choose(choices: str, name: str, choice: Value[Any]) -> None:
    """Read the rows with what was just chosen for a column or a label; a callback. choices: the field of `Import`."""
    current = TUNE.pending_import.value
    _read_rows(replace(current, **{choices: {**getattr(current, choices), name: choice.value}}))


def _read_rows(current: Import) -> None:
    """Read the rows of the file with its columns and labels, and keep it until it is imported."""
    lines: tuple[Line, ...] = ()
    with TUNE.file_outcome.catch():
        if unclear := [name for name, field in current.columns.items() if not field]:
            options = f"“{TITLES['answer']}” or “{TITLES['reference']}”"
            raise CaseError(f"Say what the column {unclear[0]} holds: {options}.")
        labels = {text: label for text, (_, label) in _labels(current).items() if label is not None}
        lines = mapped_lines(current.rows, current.columns, labels)
    TUNE.pending_import.value = replace(current, lines=lines)


def _labels(current: Import) -> dict[str, tuple[int, str | None]]:
    """The labels of the file, each with its number of rows and its meaning: a label of ours, "" for none of them, or
    None if nobody knows. Unless the user chose it, the meaning is a guess."""
    column = next((name for name, field in current.columns.items() if field == "expected"), None)
    has_answer = "answer" in current.columns.values()
    return {
        text: (count, current.labels.get(text, label_of(text, has_answer=has_answer) or None))
        for text, count in label_counts(current.rows, column).items()
    }


def _mapping(current: Import) -> None:
    """Draw the choice of what each column holds, and of what each label means."""

    def choose(choices: str, name: str, choice: Value[Any], now: str | None, title: str, **look: Any) -> None:
        choice.value = now  # Streamlit forgets it while the tab is not drawn
        st.selectbox(plain(title), key=choice.key, on_change=_choose, args=(choices, name, choice), **look)

    st.markdown(f"**{plain(current.file)}**, {count_of(len(current.rows), 'row')}: what does each column hold?")
    with st.container(horizontal=True, gap="small", key="columns of the file"):
        for name, sample in current.samples.items():
            field = current.columns[name]
            choose(
                "columns", name, TUNE.column.of(name), field, shorten(name, 40), format_func=HOLDS.get, width=190,
                options=[*([] if field else [""]), *FIELDS, *([OWN_COLUMN] if can_be_kept(name) else []), LEFT_OUT],
                help=plain(f"Such as: {shorten(sample, 200)}") if sample.strip() else None,
            )  # fmt: skip
    if labels := _labels(current):
        st.markdown("What does each label mean?")
        with st.container(horizontal=True, gap="small", key="labels of the file"):
            for text, (count, meaning) in labels.items():
                title = f"“{shorten(text, 40)}” ({count_of(count, 'row')})"
                choose(
                    "labels", text, TUNE.meaning.of(text), meaning, title, options=["", *EXPECTATIONS], width=240,
                    format_func=lambda label: EXPECTED.get(label, "not known"), placeholder="say which",
                )  # fmt: skip


def _lines(current: Import) -> None:
    """Draw the first rows as they will be stored, and the rows that are wrong, each with its line and the reason."""
    good = [line.row for line in current.lines if line.row is not None and not line.problem][:_PREVIEWED]
    if good:
        st.caption("The first rows as they will be stored")
        safe_table(preview_frame(good), "preview of the file", _PREVIEWED, {}, "The first rows of the file")
    wrong, rows = current.wrong, count_of(len(current.lines), "row")
    if not wrong:
        st.markdown(f":green[:material/check_circle: {rows} read, nothing is wrong.]")
        return
    verb = "is" if len(wrong) == 1 else "are"
    st.markdown(f":red[:material/cancel: {len(wrong):,} of {rows} {verb} wrong] and not imported.")
    listed = wrong[:_MAX_WRONG]
    first = {"Line": [line.number for line in listed], "What is wrong": [line.problem for line in listed]}
    table, column = preview_frame([line.row or {} for line in listed], first), st.column_config
    columns = {"Line": column.NumberColumn(width=60, format="%d"), "What is wrong": column.TextColumn(width=420)}
    safe_table(table, "wrong rows of the file", _MAX_SHOWN, columns, "The rows that are wrong, and why")
    more = f" These are the first {_MAX_WRONG} of {len(wrong):,}." if len(wrong) > _MAX_WRONG else ""
    st.caption(f"Correct these lines in the file, and drop it here again.{more}")


def preview_frame(
    rows: Sequence[Mapping[str, Any]], first: Mapping[str, list[Any]] = MappingProxyType({})
) -> pd.DataFrame:
    """The table of these rows of a set. A kept column whose name is the title of another one says that it is kept.

    first: columns to show before those of the rows.
    """
    table = dict(first)
    for field in sorted(dict.fromkeys(field for row in rows for field in row), key=lambda field: field not in TITLES):
        title = TITLES.get(field, field)
        cells = [shorten(cell_of(field, row.get(field)), _LONGEST) or None for row in rows]
        table[f"{title}, kept as it is" if title in table else title] = cells
    return frame_of(table, {"Line": "Int64"} if first else {})


def _import_button(banks: SavedBanks, current: Import) -> None:
    """Draw the choice of a set, and the button that adds the rows of the file to it which are not wrong."""
    count, good = len(current.lines), len(current.lines) - len(current.wrong)
    options = list(dict.fromkeys([set_name(Path(current.file).stem), *banks.names()]))
    target = st.selectbox("Add to the set", options, key=TUNE.target.key, accept_new_options=True, width=280)
    which = f"only the {count_of(good, 'good row')}" if good < count else f"all {count_of(count, 'row')}"
    label = "Import 1 row" if good == count == 1 else f"Import {which}"
    st.button(label, type="primary", key="import rows", on_click=_import, args=(banks, target))


def _import(banks: SavedBanks, target: str) -> None:
    """Add every row of the file that has no error to the bank `target`; a callback."""
    current = TUNE.pending_import.value
    rows: list[dict[str, Any]] = sound(current.lines)
    with TUNE.file_outcome.catch():
        new = banks.add(target or "", rows)
        TUNE.pending_import.clear()
        rest = f"; {count_of(len(current.wrong), 'row')} of {current.file} left out" if current.wrong else ""
        replaced = f", {len(rows) - new} replacing a row with the same id" if new < len(rows) else ""
        text = f"{count_of(len(rows), 'row')} imported into {target}: {new} new{replaced}{rest}."
        open_set(target, text, "Bench")  # from where the set is run, and where its results come


def add_box(banks: SavedBanks, name: str) -> None:
    """Draw the field that takes one question or several, one per line."""
    labels = [label for label in EXPECTATIONS if label not in ANSWER_EXPECTATIONS]
    with st.form("add questions", border=False, clear_on_submit=True):
        st.text_area(
            f"New questions, one per line, at most {MOST_PASTED}", key=TUNE.pasted.key, height=80,
            placeholder="What is an acid?\nHow fast does sound travel in steel?",
        )  # fmt: skip
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.selectbox("Expected", labels, key=TUNE.pasted_label.key, format_func=EXPECTED.get, width=260)
            st.form_submit_button("Add", on_click=_paste, args=(banks, name), icon=":material/add:")


def _paste(banks: SavedBanks, name: str) -> None:
    """Add the questions in the field to the set; a callback."""
    with TUNE.outcome.catch():
        expected = TUNE.pasted_label.value
        rows = [{**row, "kind": "own", "expected": expected} for row in parse_questions(TUNE.pasted.value)]
        new = banks.add(name, rows)
        known = len(rows) - new
        old = f"; {count_of(known, 'question')} {'was' if known == 1 else 'were'} in the set already" if known else ""
        TUNE.outcome.say(f"{count_of(new, 'question')} saved to {set_title(name)}{old}.")


def drafting_box(banks: SavedBanks, name: str, using: Using) -> None:
    """Draw the choice of a document to draft questions from, then the drafts one by one.

    The library and its models are loaded when the user opens the box.
    """
    title, key = "Draft questions from a book", TUNE.draft_box.key
    box = st.expander(title, icon=":material/edit_note:", key=key, on_change="rerun")
    if not box.open:
        return
    with box:
        if drafts := TUNE.drafts.value:
            _next_draft(banks, name, drafts)
            return
        explorer = shared_explorer_of_banks(*using)
        documents = [document.name for document in explorer.library.documents()]
        if not documents:
            st.caption("The library holds no book yet; add one on the Library page.")
            return
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.selectbox("Book", documents, key=TUNE.draft_book.key, width=320)
            st.button("Draft", key="draft", on_click=_draft, args=(banks, name, explorer))
        st.caption(
            "For each question that the book answers, you also get one that the library cannot answer. Only questions "
            "that you keep go into the set."
        )


def _next_draft(banks: SavedBanks, name: str, drafts: Sequence[dict[str, Any]]) -> None:
    """Draw the first draft with the buttons that keep or drop it."""
    row = drafts[0]
    st.markdown(f"**{plain(row['query'])}** Expected: {EXPECTED[row['expected']]}")
    st.caption(plain(row.get("reference") or row["note"]))
    if "facts" in row:
        fact = TUNE.fact.of(row["id"])
        st.text_input("Fact that a right answer must contain", row["facts"][0], key=fact.key, width=320)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Keep", type="primary", key="keep draft", on_click=_decide, args=(banks, name, True))
        st.button("Drop", key="drop draft", on_click=_decide, args=(banks, name, False))
        st.button("Drop all", key="drop drafts", type="tertiary", on_click=TUNE.drafts.clear)
        st.caption(f"{count_of(len(drafts), 'draft')} left")


def _draft(banks: SavedBanks, name: str, explorer: Explorer) -> None:
    """Draft questions from the selected document, except those that the bank has already; a callback."""
    with TUNE.outcome.catch():
        existing = {row["query"] for row in banks.rows(name)} if name in banks.names() else set()
        drafts = drafts_of(TUNE.draft_book.value, explorer.library.passages())
        TUNE.drafts.value = [row for row in drafts if row["query"] not in existing]
        if not TUNE.drafts.value:
            TUNE.outcome.say(
                "Nothing new can be drafted from this book: the set already asks about all terms that the book defines."
            )


def _decide(banks: SavedBanks, name: str, is_accepted: bool) -> None:
    """Add the first draft to the bank or drop it; a callback."""
    with TUNE.outcome.catch():
        row, *others = TUNE.drafts.value
        if is_accepted:
            fact = (TUNE.fact.of(row["id"]).value or "").strip() if "facts" in row else ""
            banks.add(name, [row | ({"facts": [fact]} if fact else {})])
            TUNE.bank.value = name
        TUNE.drafts.value = others
