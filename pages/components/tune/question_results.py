"""Every measured question of a set as a table that opens each on the Ask page."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.banks.bank_counts import signs
from core.banks.open_bank import OpenBank, state_of
from core.banks.spreadsheet import csv_text
from core.book_titles import book, book_title
from core.library import library_documents
from core.platform.home import home_folder
from core.presentation.question_rows import COLUMNS, result_row
from core.reply.display_rounding import whole
from core.thresholds import Preset
from core.words import OUTCOMES
from pages.components.shared.page_run import turn_to_ask
from pages.components.shared.pager import page_of
from pages.components.shared.safe_display import frame_of, safe_table
from pages.components.shared.session import TUNE
from pages.components.shared.session_types import Using
from pages.components.tune.changed_questions import open_button

_MOST_ROWS = 12
_ANSWER = "Answer, or why there is none"


def question_results(bank: OpenBank, preset: Preset, using: Using) -> None:
    """Draw the outcome of every measured question, one per row, in pages, with a download of all."""
    page = page_of(len(bank.rows), TUNE.page.of("results"))
    key = ("rows", state_of(preset), page.start)
    with st.spinner("Reading the questions of this page …"):
        rows = bank.cached(key, lambda: [result_row(c, preset) for c in bank.cases(page)])
    titles = {d.name: book(d) for d in library_documents(home_folder())}
    count, marks = len(rows), signs(bank, preset)[page.start : page.stop]
    table = frame_of(
        {
            "Open": ["Open"] * count, "Question": [row["question"] for row in rows],
            "Outcome": [f"{mark} {OUTCOMES[row['outcome']]}" for mark, row in zip(marks, rows, strict=True)],
            _ANSWER: [row["answer"] or row["reason"] for row in rows],
            "Evidence": [None if (c := row["confidence"]) is None else whole(c) for row in rows],
            "Page": [_source(row, titles) for row in rows],
        },
        {"Evidence": "Float64"},
    )  # fmt: skip
    column = st.column_config
    columns = {
        "Open": open_button("listed", bank, page, using), "Question": column.TextColumn(width=260),
        _ANSWER: column.TextColumn(width=380),
        "Evidence": column.NumberColumn(width=84, format="%g/100", help="How good the passages are."),
    }  # fmt: skip
    safe_table(table, "every question", _MOST_ROWS, columns, "What became of each question, one per row")
    st.download_button(
        "Download as CSV", lambda: _all_rows(bank, preset), "questions.csv", "text/csv",
        key="download results", icon=":material/download:", on_click="ignore",
    )  # fmt: skip
    turn_to_ask(TUNE.has_opened.of("listed"))


def _all_rows(bank: OpenBank, preset: Preset) -> bytes:
    """The results of all questions as a CSV file."""
    return csv_text([result_row(case, preset) for case in bank.cases()], COLUMNS).encode("utf-8-sig")


def _source(row: Mapping[str, Any], titles: Mapping[str, str]) -> str | None:
    """Page and title of the cited passage; the title alone without a page; None without a document.

    titles: of the documents of the library, by file name.
    """
    title = row["document"] and titles.get(row["document"], book_title(row["document"]))
    return title if row["page"] is None else f"p. {row['page']}, {title}"
