"""The review of a decision, for educators: whether it was right, and if not, which outcome would have been."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from core.banks.row import ANSWER_EXPECTATIONS
from core.text.citation_marks import without_marks
from core.words import SHOULD

if TYPE_CHECKING:
    from core.journal import DecisionRow

_EXPECTED_OF_ROUTE: Mapping[str, str] = {
    "deliver": "answered", "deliver_corrected": "answered", "deliver_part": "part", "clarify": "clarified",
    "refuse": "refused", "escalate": "refused",
}  # fmt: skip
"""By route, the label for which this route is right; a question that was handed to a person was not answered."""


def right_label(decision: "DecisionRow") -> str:
    """The label under which this decision is right, as the row of a question set has it."""
    return label_of_route(decision.route, is_given=decision.given)


def label_of_route(route: str, *, is_given: bool) -> str:
    """The label under which this route is right. is_given: True if the answer was pasted."""
    if is_given and route != "clarify":
        return "supported" if route.startswith("deliver") else "altered"
    return _EXPECTED_OF_ROUTE[route]


def corrections(decision: "DecisionRow") -> dict[str, str]:
    """The labels that a person may choose for a wrong decision, each with its text; a single label needs no choice."""
    is_out = decision.route.startswith("deliver")
    if decision.given and decision.route != "clarify":
        labels = ("altered",) if is_out else ("supported",)
    else:
        labels = (*(("altered",) if is_out else ()), "answered", "part", "refused", "clarified")
    lead = {"supported": "The", "altered": "The"}
    return {label: f"{lead.get(label, 'It')} {SHOULD[label]}" for label in labels if label != right_label(decision)}


def labelled_row(row: Mapping[str, Any], decision: "DecisionRow", label: str) -> dict[str, Any]:
    """The row of a question set for a decision that a person gave this label. row: the question in the journal.

    The row has an answer only if the label judges one: the judged answer, or the delivered one without marks.
    """
    if label not in ANSWER_EXPECTATIONS:
        return {name: value for name, value in row.items() if name not in ("answer", "citations")}
    return dict(row) if row.get("answer") else {**row, "answer": without_marks(decision.answer or "").strip()}
