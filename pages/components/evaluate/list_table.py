"""The results of a list of questions as a table, with buttons to open, label and download them."""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core.banks.question_lists import as_csv
from core.banks.saved import JUDGED, LABELS, OWN, label, set_title
from core.chain.display_rounding import decimals_for
from core.chain.facts import limits
from core.graph.startup import home_folder
from core.platform.access import may
from core.text.book_titles import book_title
from core.thresholds import Preset
from pages.components.evaluate.question_lists import Run, progress, run_of
from pages.components.shared.question_state import Asked, open_asked
from pages.components.shared.safe_display import frame_of, plain, safe_table, shortened, show_outcome
from pages.components.shared.session import FORM, clicked, notes, noting, turn_to_ask

POLLED = 1.0
"""Seconds between two redraws while a list runs."""
MOST_ROWS = 14
ROUTES = {
    "deliver": "✓ answered", "deliver_part": "✓ in part", "deliver_corrected": "✓ corrected",
    "clarify": "? clarification", "refuse": "✗ refused", "escalate": "→ handed over", "not asked": "○ not asked",
}  # fmt: skip
"""Label and sign of each route."""
BUTTONS = {"answered": "Answered", "refused": "Refused", "clarified": "Vague"}
"""The titles of the buttons that label a question, by the label."""
HEAD = "Expected"
SAID = "Answer, or why there is none"
WIDTHS = {
    "Open": 72, "Question": 240, "Outcome": 128, SAID: 430, **dict.fromkeys(BUTTONS.values(), 92), "Evidence": 84,
    "Page": 170,
}  # fmt: skip
"""Width of each column in pixels; further columns scroll."""


def list_table(preset: Preset) -> None:
    """Draw the results of the last list under `preset`; redraw them while the list runs."""
    run = run_of()
    if run is None:
        return
    busy = not run.ended.is_set()
    st.fragment(_draw, run_every=POLLED if busy else None)(run, preset, busy)


def _draw(run: Run, preset: Preset, busy: bool) -> None:
    progress(run)
    if run.sentence:
        st.error(plain(run.sentence), icon=":material/error:")
    if lines := run.lines(preset):
        table = rows(lines, limits(preset))
        if not may("banks"):
            table = table.drop(columns=list(BUTTONS.values()))
        safe_table(table, "list table", MOST_ROWS, _columns(run), "What became of each question, one a row")
        _download_and_summary(run, lines, preset)
    show_outcome(notes("labelled"), notes("not labelled"))
    turn_to_ask("opened from the list")
    if busy and run.ended.is_set():
        st.rerun()


def rows(lines: list[dict[str, Any]], ends: tuple[float, ...]) -> pd.DataFrame:
    """The table of these results, in their order. ends: the limits of the evidence confidence, 0 to 100."""
    count = len(lines)
    return frame_of(
        {
            "Open": ["Open"] * count, "Question": [line["question"] for line in lines],
            "Outcome": [ROUTES.get(line["route"], line["route"]) for line in lines],
            SAID: [line["answer"] or line["reason"] for line in lines],
            **{title: [title] * count for title in BUTTONS.values()},
            "Evidence": [rounded_confidence(line["confidence"], ends) for line in lines],
            "Page": [_source(line) for line in lines],
        },
        {"Evidence": "Float64"},
    )  # fmt: skip


def rounded_confidence(confidence: float | None, ends: tuple[float, ...]) -> float | None:
    """A confidence rounded to the fewest digits that keep it on the correct side of every limit; None for None."""
    return None if confidence is None else round(confidence, decimals_for(confidence, ends, 0))


def _source(line: dict[str, Any]) -> str | None:
    """Page and title of the cited passage; the title alone without a page; None without a document."""
    title = line["document"] and book_title(line["document"])
    return title if line["page"] is None else f"p. {line['page']}, {title}"


def _columns(run: Run) -> dict[str, Any]:
    column = st.column_config
    return {
        "Open": column.ButtonColumn("", width=WIDTHS["Open"], key="open listed", on_click=_open, args=(run,)),
        "Question": column.TextColumn(width=WIDTHS["Question"]),
        "Outcome": column.TextColumn(width=WIDTHS["Outcome"]),
        SAID: column.TextColumn(width=WIDTHS[SAID]),
        "Evidence": column.NumberColumn(width=WIDTHS["Evidence"], format="%g/100", help="How good the passages are."),
        "Page": column.TextColumn(
            width=WIDTHS["Page"],
            help="What the answer cites first; of a refused question, the best passage that was found.",
        ),
        **label_columns("label", _label, run),
    }


def label_columns(key: str, put: Callable[..., None], *args: Any) -> dict[str, Any]:
    """The columns of buttons that add a question to the bank. put: the callback, called with `args` and the label."""
    return {
        title: st.column_config.ButtonColumn(
            "" if n else HEAD, width=WIDTHS[title], key=f"{key} {expected}", on_click=put, args=(*args, expected),
            help=plain(f"Save to {set_title(OWN)}. Expected: {expected_text(expected)}"),
        )
        for n, (expected, title) in enumerate(BUTTONS.items())
    }  # fmt: skip


def _download_and_summary(run: Run, lines: list[dict[str, Any]], preset: Preset) -> None:
    answered = sum(line["route"].startswith("deliver") for line in lines)
    st.download_button(
        "Download as CSV", as_csv(lines).encode("utf-8-sig"), "questions.csv", "text/csv", key="download list",
        icon=":material/download:", on_click="ignore",
    )  # fmt: skip
    unmeasured = run.unmeasured(preset)
    search_note = (
        f" {unmeasured} of them would search again under these limits; ask them again to measure that."
        if unmeasured
        else ""
    )
    button_note = (
        f" The buttons under {HEAD} save a question to {set_title(OWN)}: as one that the library should answer, that "
        "should be refused, or that is too vague."
    )
    st.caption(
        f"{answered} of {len(lines)} answered, not checked against facts, as the preset and the sliders of the Ask "
        f"page stand now.{search_note}" + (button_note if may("banks") else "")
    )


def form_of(row: dict[str, Any]) -> dict[str, Any]:
    """The form of the Ask page for a row of a list."""
    scope = {"class_number": row.get("class_number") or 0, "subject": row.get("subject") or ""}
    return {**FORM, "question": row["query"], **scope}


def _open(run: Run) -> None:
    """Show a question on the Ask page with its trace; a callback."""
    if listed := clicked("open listed", run.done):
        using = run.using if listed.trace else None
        open_asked(Asked(form=form_of(dict(listed.row)), trace=listed.trace, measured_with=using))
        notes("opened from the list")[:] = [True]


def _label(run: Run, expected: str) -> None:
    """Add a question to the bank with the label `expected`; a callback."""
    notes("labelled").clear()
    notes("not labelled").clear()
    if listed := clicked(f"label {expected}", run.done):
        with noting("not labelled"):
            label(home_folder(), listed.row, expected)
            notes("labelled").append(put_text(listed.row, expected))


def put_text(row: Mapping[str, Any], expected: str) -> str:
    """A sentence on the labelled question that was saved."""
    return f"Saved to {set_title(OWN)}: “{shortened(row['query'], 80)}”. Expected: {expected_text(expected)}."


def expected_text(expected: str) -> str:
    """The meaning of a label in words."""
    return {**LABELS, **JUDGED}[expected]
