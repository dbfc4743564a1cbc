"""The measured questions of a set as rows: what became of each, why, and from which page."""

from collections.abc import Callable, Mapping
from typing import Any

from core.decide import Verdict, verdict
from core.evaluation.cases import LabelledCase
from core.evaluation.outcomes import outcome
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
