"""Every measured question of a set: a heat map of the checks for some questions, and a table of all questions that
opens each on the Ask page."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from core.banks.bank_counts import signs, wrong_outcomes
from core.banks.open_bank import OpenBank, state_of
from core.banks.spreadsheet import csv_text
from core.book_titles import book, book_title
from core.library import library_documents
from core.platform.home import home_folder
from core.presentation.question_rows import COLUMNS, matrix, result_row
from core.presentation.set_words import count_of
from core.reply.display_rounding import whole
from core.thresholds import Preset
from core.words import OUTCOMES
from pages.components.shared.figure import picture
from pages.components.shared.page_run import turn_to_ask
from pages.components.shared.pager import page_of
from pages.components.shared.safe_display import frame_of, safe_table
from pages.components.shared.session import TUNE
from pages.components.shared.session_types import Using
from pages.components.tune.changed_questions import open_button
from pages.components.tune.matrix_picture import matrix_picture

MAX_ROWS = 40
"""Maximum questions in the heat map."""
_MOST_ROWS = 12
_WRONG = "wrong outcomes"
_ANSWER = "Answer, or why there is none"


def question_checks(bank: OpenBank, preset: Preset) -> None:
    """Draw the choice of a group of questions, and a heat map of the results of every check on them."""
    groups = {_WRONG: [change.case for change in wrong_outcomes(bank, preset)]} | _kinds(bank)
    name = st.selectbox(
        "Questions", list(groups), key="kind of questions", width=320,
        format_func=lambda kind: f"{kind} ({len(groups[kind])})",
    )  # fmt: skip
    questions_ = groups[name][:MAX_ROWS]
    if not questions_:
        st.caption("There is no such question under these limits.")
        return
    key = ("matrix", state_of(preset), tuple(questions_))
    picture(matrix_picture(bank.cached(key, lambda: matrix(list(bank.cases(questions_)), preset))))
    if len(groups[name]) > MAX_ROWS:
        st.caption(f"The first {MAX_ROWS} of {count_of(len(groups[name]), 'question')} are drawn.")


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


def _kinds(bank: OpenBank) -> dict[str, list[int]]:
    """The indices of the questions by the field "kind" of their rows; "other" without that field."""
    kinds = bank.labels.of_each(lambda row: str(row.get("kind") or "other").replace("_", " "), object)
    return {name: np.flatnonzero(kinds == name).tolist() for name in dict.fromkeys(kinds.tolist())}
