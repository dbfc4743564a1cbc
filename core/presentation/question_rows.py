"""A row for each measured question of a set, with its outcome, the reason and a page, for people who read the outcomes
one by one."""

from collections.abc import Mapping
from typing import Any

from core.decide import verdict
from core.evaluation.cases import LabelledCase
from core.evaluation.outcomes import outcome
from core.thresholds import Preset

COLUMNS = (
    "question", "class", "subject", "expected", "outcome", "route", "reason", "confidence", "document", "page",
    "answer",
)  # fmt: skip
"""The columns of a result, in order."""


def result_row(case: LabelledCase, preset: Preset) -> Mapping[str, Any]:
    """The result of a question under `preset`, by COLUMNS; missing values are None. Runs no model.

    Document and page are those of the first passage that a delivered answer cites, else of the best one retrieved.
    """
    found, row = verdict(case.trace, preset), case.row
    cells = (
        row["query"], row.get("class_number"), row.get("subject") or None, row.get("expected"),
        outcome(row, found).name, found.route, found.explanation or None, found.confidence,
        found.source and found.source.passage.name, found.source_page, found.answer if found.answered else None,
    )  # fmt: skip
    return dict(zip(COLUMNS, cells, strict=True))
