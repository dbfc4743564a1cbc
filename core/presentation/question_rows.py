"""One row for each measured question of a set: what became of it, why, how confident, and from which page."""

from collections.abc import Mapping
from typing import Any

from core.decide import verdict
from core.evaluation.cases import LabelledCase
from core.evaluation.outcomes import outcome
from core.evaluation.sources import first_source, page_of
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
    source = first_source(decision)
    return {
        "question": row["query"], "class": row.get("class_number"), "subject": row.get("subject") or None,
        "expected": row.get("expected"), "outcome": outcome(row, decision).name, "route": decision.route,
        "reason": decision.explanation or None, "confidence": decision.confidence,
        "document": source.passage.name if source else None, "page": page_of(decision, source) if source else None,
        "answer": decision.answer if decision.answered else None,
    }  # fmt: skip
