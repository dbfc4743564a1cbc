"""Two tables of measured questions, for tuners: those whose outcome changed or is wrong, and all of them. A
button in each row opens the question on the Ask page."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.banks.bank_counts import Change, signs
from core.banks.open_bank import OpenBank, state_of
from core.banks.spreadsheet import csv_text
from core.book_titles import titles_of
from core.library import library_documents
from core.platform.home import home_folder
from core.presentation.question_rows import COLUMNS, result_row
from core.presentation.set_words import DIRECTION_WORDS
from core.reply.display_rounding import whole
from core.thresholds import Preset
from core.words import OUTCOMES
from pages.components.shared.page_run import turn_to_ask
from pages.components.shared.question_state import show_measured
from pages.components.shared.safe_display import frame_of, safe_table
from pages.components.shared.session import TUNE
from pages.components.shared.session_types import Using

_MOST_ROWS = 8


def changed_table(name: str, bank: OpenBank, changes: Sequence[Change], using: Using, before: str, now: str) -> None:
    """Draw the changed outcomes, one per row, a page at a time; draw nothing without changes.

    before, now: the titles of the columns with the old and the new outcome. If `before` is "", only the new outcomes
    are shown.
    """
    if not changes:
        return
    page = TUNE.page.of(name).rows(len(changes))
    changes = changes[page.start : page.stop]
    table, column = frame(bank.rows, changes, before, now), st.column_config
    if not before:
        table = table.drop(columns=["Change", before])
    columns = {
        "Open": open_button(name, bank, [change.case for change in changes], using),
        "Change": column.TextColumn(width=80), "Question": column.TextColumn(width=300),
    }  # fmt: skip
    description = f"Changed outcomes: {before}, {now}" if before else "Wrong outcomes"
    safe_table(table, f"table {name}", _MOST_ROWS, columns, description)


def frame(bank_rows: Sequence[Mapping[str, Any]], changes: Sequence[Change], before: str, now: str) -> pd.DataFrame:
    """The table of these changes, in their order. bank_rows: the row of each case of the set."""
    rows = [bank_rows[c.case] for c in changes]
    texts = {
        "Open": ["Open"] * len(rows), "Change": [DIRECTION_WORDS[c.direction] for c in changes],
        "Question": [r["query"] for r in rows],
        before: [OUTCOMES[c.before] for c in changes], now: [OUTCOMES[c.after] for c in changes],
        "Expected": [r.get("expected") or "answered" for r in rows],
        "Kind": [(r.get("kind") or "").replace("_", " ") for r in rows],
        "Answer to judge": [r.get("answer") or "" for r in rows],
    }  # fmt: skip
    return frame_of(texts)


def open_button(name: str, bank: OpenBank, indices: Sequence[int], using: Using) -> Any:
    """The column of buttons that open a case on the Ask page. indices: for each row of the table, the index of its
    case."""

    def open_case(index: int) -> None:
        (case,) = bank.cases([index])
        show_measured(case.trace, using)
        turn_to_ask()

    return TUNE.open_button.of(name).column(
        indices, open_case, 72, "Opens the question on the Ask page, with the current limits"
    )


_MOST_RESULTS = 12
_ANSWER = "Answer, or why there is none"


def question_results(bank: OpenBank, preset: Preset, using: Using) -> None:
    """Draw the outcome of every measured question, one per row, in pages, with a download of all."""
    page = TUNE.page.of("results").rows(len(bank.rows))
    key = ("rows", state_of(preset), page.start)
    with st.spinner("Reading the questions of this page …"):
        rows = bank.cached(key, lambda: [result_row(c, preset) for c in bank.cases(page)])
    books = titles_of([row["document"] or "" for row in rows], library_documents(home_folder()))
    pages = [row["page"] and f"p. {row['page']}" for row in rows]
    count, marks = len(rows), signs(bank, preset)[page.start : page.stop]
    table = frame_of(
        {
            "Open": ["Open"] * count, "Question": [row["question"] for row in rows],
            "Outcome": [f"{mark} {OUTCOMES[row['outcome']]}" for mark, row in zip(marks, rows, strict=True)],
            _ANSWER: [row["answer"] or row["reason"] for row in rows],
            "Evidence": [None if (c := row["confidence"]) is None else whole(c) for row in rows],
            "Page": [", ".join(filter(None, source)) or None for source in zip(pages, books, strict=True)],
        },
        {"Evidence": "Float64"},
    )  # fmt: skip
    column = st.column_config
    columns = {
        "Open": open_button("listed", bank, page, using), "Question": column.TextColumn(width=260),
        _ANSWER: column.TextColumn(width=380),
        "Evidence": column.NumberColumn(width=84, format="%g/100", help="How good the passages are."),
    }  # fmt: skip
    safe_table(table, "every question", _MOST_RESULTS, columns, "What became of each question, one per row")
    st.download_button(
        "Download as CSV",
        lambda: csv_text([result_row(case, preset) for case in bank.cases()], COLUMNS).encode("utf-8-sig"),
        "questions.csv", "text/csv",
        key="download results", icon=":material/download:", on_click="ignore",
    )  # fmt: skip
