"""Questions that a person has labelled, kept as a bank in the run-time folder."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from filelock import FileLock

from core.banks import read_bank
from core.case import CaseError

LABELS: Mapping[str, str] = {
    "answered": "should be answered",
    "refused": "should be refused",
    "clarified": "vague, to be asked back",
}
"""What a person may expect of a question, and how it is said."""
_KEPT = ("query", "class_number", "subject")
_PATIENCE = 30  # seconds


def own_bank(home: Path) -> Path:
    """Where the questions are kept that were labelled under this run-time folder."""
    return home / "banks" / "own_questions.jsonl"


def label(home: Path, row: Mapping[str, Any], expected: str) -> Path:
    """Put a question into the bank, or give it another label there; returns the bank's file.

    The file is written whole, so that it is never seen half done. CaseError when it cannot be read or written.
    """
    if expected not in LABELS:
        raise CaseError(f"expected must be one of {', '.join(LABELS)}, got {expected!r:.80}.")
    path = own_bank(home)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock"), timeout=_PATIENCE):
            new, rows = _labelled(row, expected), read_bank(path) if path.exists() else []
            _write(path, [*(r for r in rows if r.get("id") != new["id"]), new])
    except OSError as error:
        raise CaseError(f"{path.name} cannot be written ({error}); free the folder and try again.") from error
    return path


def _labelled(row: Mapping[str, Any], expected: str) -> dict[str, Any]:
    kept = {name: row[name] for name in _KEPT if row.get(name)}
    id_ = hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:12]
    return {"id": f"own-{id_}", "kind": "own", "expected": expected, **kept}


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    part = path.with_suffix(".part")
    part.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    part.replace(path)
