"""What became of each question of a list: opened on the Ask page, labelled into a bank, taken away as CSV."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from core.banks.question_lists import as_csv
from core.banks.saved import JUDGED, LABELS, label
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
"""Seconds between two looks at a list that is under way."""
MOST_ROWS = 14
ROUTES = {
    "deliver": "✓ answered", "deliver_part": "✓ in part", "deliver_corrected": "✓ corrected", "clarify": "? asked back",
    "refuse": "✗ refused", "escalate": "→ handed over", "not asked": "○ not asked",
}  # fmt: skip
"""Each route with a sign of its own."""
BUTTONS = {"answered": "Answered", "refused": "Refused", "clarified": "Vague"}
"""The buttons that label a question, by what is then expected of it."""
HEAD = "Should be"
SAID = "Answer, or why there is none"
WIDTHS = {
    "Open": 72, "Question": 240, "Route": 112, SAID: 430, **dict.fromkeys(BUTTONS.values(), 92), "Evidence": 84,
    "Page": 170,
}  # fmt: skip
"""Pixels of each column; what follows them scrolls."""


def list_table(preset: Preset) -> None:
    """The list that was asked last, as `preset` decides it, drawn anew while it is under way."""
    run = run_of()
    if run is None:
        return
    busy = not run.ended.is_set()
    st.fragment(_drawn, run_every=POLLED if busy else None)(run, preset, busy)


def _drawn(run: Run, preset: Preset, busy: bool) -> None:
    progress(run)
    if run.sentence:
        st.error(plain(run.sentence), icon=":material/error:")
    if lines := run.lines(preset):
        _table(run, lines, preset)
        _below(run, lines, preset)
    show_outcome(notes("labelled"), notes("not labelled"))
    turn_to_ask("opened from the list")
    if busy and run.ended.is_set():
        st.rerun()


def _table(run: Run, lines: list[dict[str, Any]], preset: Preset) -> None:
    table = rows(lines, limits(preset))
    if not may("banks"):
        table = table.drop(columns=list(BUTTONS.values()))
    safe_table(table, "list table", MOST_ROWS, _columns(run), "What became of each question, one a row")


def rows(lines: list[dict[str, Any]], ends: tuple[float, ...]) -> pd.DataFrame:
    """What the table shows of these questions, in their order. `ends`: the limits of the confidence, 0 to 100."""
    count = len(lines)
    return frame_of(
        {
            "Open": ["Open"] * count, "Question": [line["question"] for line in lines],
            "Route": [ROUTES.get(line["route"], line["route"]) for line in lines],
            SAID: [line["answer"] or line["reason"] for line in lines],
            **{title: [title] * count for title in BUTTONS.values()},
            "Evidence": [rounded_confidence(line["confidence"], ends) for line in lines],
            "Page": [_place(line) for line in lines],
        },
        {"Evidence": "Float64"},
    )  # fmt: skip


def rounded_confidence(confidence: float | None, ends: tuple[float, ...]) -> float | None:
    """A confidence in as many digits as it takes not to contradict its band."""
    return None if confidence is None else round(confidence, decimals_for(confidence, ends, 0))


def _place(line: dict[str, Any]) -> str | None:
    title = line["document"] and book_title(line["document"])
    return title if line["page"] is None else f"p. {line['page']}, {title}"


def _columns(run: Run) -> dict[str, Any]:
    column = st.column_config
    return {
        "Open": column.ButtonColumn("", width=WIDTHS["Open"], key="open listed", on_click=_open, args=(run,)),
        "Question": column.TextColumn(width=WIDTHS["Question"]),
        "Route": column.TextColumn(width=WIDTHS["Route"]),
        SAID: column.TextColumn(width=WIDTHS[SAID]),
        "Evidence": column.NumberColumn(width=WIDTHS["Evidence"], format="%g/100", help="How good the passages are."),
        "Page": column.TextColumn(
            width=WIDTHS["Page"],
            help="What the answer cites first; of a refused question, the best passage that was found.",
        ),
        **label_columns("label", _label, run),
    }


def label_columns(key: str, put: Callable[..., None], *args: Any) -> dict[str, Any]:
    """The buttons that put a question into the bank; `put` is called with `args` and what is then expected of it."""
    return {
        title: st.column_config.ButtonColumn(
            "" if n else HEAD, width=WIDTHS[title], key=f"{key} {expected}", on_click=put, args=(*args, expected),
            help=plain(f"Into your bank: this question {expected_text(expected)}"),
        )
        for n, (expected, title) in enumerate(BUTTONS.items())
    }  # fmt: skip


def _below(run: Run, lines: list[dict[str, Any]], preset: Preset) -> None:
    answered = sum(line["route"].startswith("deliver") for line in lines)
    st.download_button(
        "Download as CSV", as_csv(lines).encode("utf-8-sig"), "questions.csv", "text/csv", key="download list",
        icon=":material/download:", on_click="ignore",
    )  # fmt: skip
    again = run.unmeasured(preset)
    more = f" {again} of them would search again under these limits; ask them again to measure that." if again else ""
    labels = (
        f" The buttons under {HEAD} put a question into your bank: as one that the library should answer, that should "
        "be refused, or that is too vague."
    )
    st.caption(
        f"{answered} of {len(lines)} answered, not checked against facts, as the preset and the sliders of the Ask "
        f"page stand now.{more}" + (labels if may("banks") else "")
    )


def form_of(row: dict[str, Any]) -> dict[str, Any]:
    """The form of the Ask page for a question of a list."""
    about = {"class_number": row.get("class_number") or 0, "subject": row.get("subject") or ""}
    return {**FORM, "question": row["query"], **about}


def _open(run: Run) -> None:
    """Show a question on the Ask page, as it was measured here; a callback."""
    if listed := clicked("open listed", run.done):
        using = run.using if listed.trace else None
        open_asked(Asked(form=form_of(dict(listed.row)), trace=listed.trace, measured_with=using))
        notes("opened from the list")[:] = [True]


def _label(run: Run, expected: str) -> None:
    """Put a question into the bank; a callback."""
    notes("labelled").clear()
    notes("not labelled").clear()
    if listed := clicked(f"label {expected}", run.done):
        with noting("not labelled"):
            notes("labelled").append(put_text(listed.row, expected, label(home_folder(), listed.row, expected)))


def put_text(row: Mapping[str, Any], expected: str, path: Path) -> str:
    """Where a question stands now that it was labelled."""
    where = f"{path.name}, in the folder {path.parent.resolve()}"
    return f"“{shortened(row['query'], 80)}” {expected_text(expected)}: it stands in {where}."


def expected_text(expected: str) -> str:
    """What is expected of a question, as the end of a sentence about it."""
    words = {**LABELS, **JUDGED}[expected]
    return words if words.startswith(("should", "has")) else f"is {words}"
