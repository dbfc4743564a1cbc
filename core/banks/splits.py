"""Banks: labelled questions in JSONL, and the two halves of those that come with the project."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from core.case import CaseError

BANKS = Path(__file__).parents[2] / "data" / "banks"
TUNING = BANKS / "tuning"
"""What limits may be chosen on, and what may be looked at while the checks are written."""
REPORTING = BANKS / "reporting"
"""What figures are reported on. Nothing that fits, trains, tunes or calibrates may open it."""
SAMPLE_BANKS = "reporting half of the sample banks"
"""What figures call the bank that is counted when none is named."""
EXPECTED = ("answered", "part", "refused", "clarified", "supported", "altered")
"""What a row may expect; "supported" and "altered" are for rows with an answer."""


def for_fitting(question: str) -> bool:
    """True when this question belongs to the half that may be fitted on; figures are reported on the other half.

    The half depends on the question's text alone, so that every part of the project splits alike.
    """
    return hashlib.sha256(question.strip().encode()).digest()[-1] % 2 == 0


def half_of(query: str) -> Literal["tuning", "reporting"]:
    """The half that a question belongs to, by its text alone, so that both rows of a pair stay together."""
    return "tuning" if for_fitting(query) else "reporting"


def check_labels(row: Mapping[str, Any]) -> None:
    """CaseError when a label is of no use for counting; labels may be left out."""
    if row.get("expected") not in (None, *EXPECTED):
        raise CaseError(f"expected must be one of {', '.join(EXPECTED)}, got {row['expected']!r:.80}.")
    for name in ("facts", "false_facts"):
        facts = row.get(name) or []
        if not isinstance(facts, list) or not all(isinstance(f, str) and f.strip() for f in facts):
            raise CaseError(f"{name} must be a list of texts that are not empty, got {facts!r:.80}.")
