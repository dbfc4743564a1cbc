"""Questions that a person has labelled, kept as a bank in the run-time folder."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.banks.rows import row_of
from core.banks.saved import SavedBanks
from core.case import CaseError
from core.json_rows import question_of

OWN = "own_questions"
"""The bank that questions go into when no other is named."""
LABELS: Mapping[str, str] = {
    "answered": "should be answered",
    "refused": "should be refused",
    "clarified": "vague, to be asked back",
}
"""What a person may expect of a question, and how it is said."""
PARTLY: Mapping[str, str] = {"part": "should be answered in part"}
"""The same of a question that asks several things."""
JUDGED: Mapping[str, str] = {"supported": "has an answer that is right", "altered": "has an answer that is wrong"}
"""The same of a question with an answer to judge."""


def label(home: Path, row: Mapping[str, Any], expected: str, bank: str = OWN) -> Path:
    """Put a question into a bank, or give it another label there; returns the bank's file.

    The file is written whole, so that it is never seen half done. CaseError when it cannot be read or written.
    """
    allowed = {**LABELS, **PARTLY, **(JUDGED if row.get("answer") else {})}
    if expected not in allowed:
        raise CaseError(f"expected must be one of {', '.join(allowed)}, got {expected!r:.80}.")
    banks = SavedBanks(home)
    banks.add(bank, [_labelled(row, expected)])
    return banks.path(bank)


def _labelled(row: Mapping[str, Any], expected: str) -> dict[str, Any]:
    """What is asked in `row` with its label, under a name that only what is asked decides."""
    kept = row_of(question_of(dict(row)))
    id_ = hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:12]
    return {"id": f"own-{id_}", "kind": "own", "expected": expected, **kept}
