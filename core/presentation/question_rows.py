"""The measured questions of a set as rows: what became of each, why and from which page; and what each check says."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.checks import all_checks
from core.decide import CheckResult, Verdict, verdict
from core.evaluation.cases import LabelledCase
from core.evaluation.outcomes import outcome
from core.presentation.check_tiles import tile
from core.presentation.set_words import count_of
from core.thresholds import Preset

_CELLS: Mapping[str, Callable[[LabelledCase, Verdict], Any]] = {
    "question": lambda case, _: case.row["query"],
    "class": lambda case, _: case.row.get("class_number"),
    "subject": lambda case, _: case.row.get("subject") or None,
    "expected": lambda case, _: case.row.get("expected"),
    "outcome": lambda case, decision: outcome(case.row, decision).name,
    "route": lambda _, decision: decision.route,
    "reason": lambda _, decision: decision.explanation or None,
    "confidence": lambda _, decision: decision.confidence,
    "document": lambda _, decision: decision.source and decision.source.passage.name,
    "page": lambda _, decision: decision.source_page,
    "answer": lambda _, decision: decision.answer if decision.answered else None,
}
"""Each column of a result with its cell, from the measured question and the verdict on it."""
COLUMNS = tuple(_CELLS)
"""The columns of a result, in order."""


def result_row(case: LabelledCase, preset: Preset) -> Mapping[str, Any]:
    """The result of a question under `preset`, by COLUMNS; missing values are None. Runs no model.

    Document and page are those of the first passage that a delivered answer cites, else of the best one retrieved.
    """
    decision = verdict(case.trace, preset)
    return {name: cell(case, decision) for name, cell in _CELLS.items()}


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
