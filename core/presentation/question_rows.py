"""The measured questions of a set as rows: what became of each, why and from which page; and what each check says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.checks import all_checks
from core.decide import CheckResult, verdict
from core.evaluation.cases import LabelledCase
from core.evaluation.outcomes import outcome
from core.presentation.check_tiles import tile
from core.presentation.set_words import count_of
from core.thresholds import Preset

COLUMNS = (
    "question", "class", "subject", "expected", "outcome", "route", "reason", "confidence", "document", "page",
    "answer",
)  # fmt: skip
"""The columns of a row, in order."""


def result_row(case: LabelledCase, preset: Preset) -> Mapping[str, Any]:
    """The result of a question under `preset`, by COLUMNS; missing values are None. Runs no model.

    Document and page are those of the first passage that a delivered answer cites, else of the best one retrieved.
    """
    decision, row = verdict(case.trace, preset), case.row
    source = decision.source
    return {
        "question": row["query"], "class": row.get("class_number"), "subject": row.get("subject") or None,
        "expected": row.get("expected"), "outcome": outcome(row, decision).name, "route": decision.route,
        "reason": decision.explanation or None, "confidence": decision.confidence,
        "document": source.passage.name if source else None, "page": decision.source_page,
        "answer": decision.answer if decision.answered else None,
    }  # fmt: skip


FAILED, MONITORED, NOT_RUN, PASSED = -2, -1, 0, 1
"""Codes of a cell: failed and blocks, failed and is only monitored, not run, passed."""
MARKS: Mapping[int, str] = {FAILED: "✗", MONITORED: "✗", NOT_RUN: "○", PASSED: "✓"}


@dataclass(frozen=True, kw_only=True)
class Cell:
    """The result of one check for one question. code: one of the constants from FAILED to PASSED. text: value and
    limit, or why the check did not run."""

    code: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """A cell for each question and check: cells[question][check]. questions: the text of each. checks: short names."""

    questions: tuple[str, ...]
    checks: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]


def matrix(cases: Sequence[LabelledCase], preset: Preset) -> Matrix:
    """The matrix of these questions: the result of each check in the round judged under `preset`. Runs no model."""
    checks, rows = all_checks(), []
    for case in cases:
        results = verdict(case.trace, preset).checks
        rows.append(tuple(_cell(results.get(check.name)) for check in checks))
    return Matrix(
        questions=tuple(case.row["query"] for case in cases), checks=tuple(check.short for check in checks),
        cells=tuple(rows),
    )  # fmt: skip


def matrix_title(matrix_: Matrix) -> str:
    """The finding: the check that fails most of these questions."""
    failures = [sum(row[index].code == FAILED for row in matrix_.cells) for index in range(len(matrix_.checks))]
    highest = max(failures, default=0)
    if not highest:
        return "No blocking check fails any of these questions"
    name = matrix_.checks[failures.index(highest)]
    return f"“{name}” fails most often: {highest} of {count_of(len(matrix_.questions), 'question')}"


def _cell(result: CheckResult | None) -> Cell:
    if result is None:
        return Cell(code=NOT_RUN, text="not run")
    tile_ = tile(result)
    if tile_.state == "not_run":
        return Cell(code=NOT_RUN, text=tile_.state_text)
    code = PASSED if tile_.state == "passed" else FAILED if tile_.blocks else MONITORED
    return Cell(code=code, text=", ".join(filter(None, (tile_.value, tile_.limit, tile_.mode.lower()))))
