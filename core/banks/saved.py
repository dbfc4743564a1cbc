"""The banks that people keep in the run-time folder: made, added to, edited, questions labelled one by one."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock

from core.banks import read_bank
from core.banks.files import MOST_ROWS, as_jsonl
from core.banks.rows import checked, with_id
from core.case import CaseError
from core.chain.serialization import question_of, question_row
from core.platform.access import require
from core.platform.atomic_write import write_whole

_NAME = re.compile(r"[A-Za-z0-9_-]{1,60}")
_PATIENCE = 30  # seconds
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


class SavedBanks:
    """The banks under one run-time folder, a JSONL file each, which any command can read.

    A file is written whole, by one at a time, so that it is never seen half done. CaseError says in one sentence
    what is wrong with a name, a row or a file; nothing is written then.
    """

    def __init__(self, home: Path) -> None:
        self.folder = Path(home) / "banks"

    def names(self) -> tuple[str, ...]:
        """Every bank, in the order of the alphabet."""
        return tuple(sorted(p.stem for p in self.folder.glob("*.jsonl") if _NAME.fullmatch(p.stem)))

    def path(self, name: str) -> Path:
        """The file of a bank, whether it is there or not."""
        if not _NAME.fullmatch(name):
            raise CaseError(
                f"A bank's name may have up to 60 letters, digits, _ and -, got {name!r:.80}; choose another."
            )
        return self.folder / f"{name}.jsonl"

    def rows(self, name: str) -> list[dict[str, Any]]:
        """The rows of a bank, in their order, each with an id."""
        path = self.path(name)
        if not path.exists():
            raise CaseError(f"There is no bank called {name}; there are {', '.join(self.names()) or 'none yet'}.")
        return _read(path)

    def add(self, name: str, rows: Iterable[Mapping[str, Any]]) -> int:
        """Put rows into a bank, which is made when it is not there; returns how many are new.

        A row whose id stands there takes the place of that one; a row without an id is named after its question.
        """
        wanted = {row["id"]: row for row in map(checked, rows)}
        with self._alone(name) as path:
            kept = [wanted.pop(row["id"], row) for row in _read(path)]
            _write(path, [*kept, *wanted.values()])
        return len(wanted)

    def replace(self, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Make these the rows of a bank, whatever it held."""
        wanted = {row["id"]: row for row in map(checked, rows)}
        with self._alone(name) as path:
            _write(path, list(wanted.values()))

    def remove(self, name: str, ids: Iterable[str]) -> None:
        """Take the rows of these ids out of a bank."""
        gone = set(ids)
        with self._alone(name) as path:
            _write(path, [row for row in _read(path) if row["id"] not in gone])

    def delete(self, name: str) -> None:
        """Take a bank away, with all its rows."""
        with self._alone(name) as path:
            path.unlink(missing_ok=True)

    @contextmanager
    def _alone(self, name: str) -> Iterator[Path]:
        """The file of a bank, which nobody else writes within the block."""
        require("banks")
        path = self.path(name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(path.with_suffix(".lock"), timeout=_PATIENCE):
                yield path
        except OSError as error:
            raise CaseError(f"{path.name} cannot be written ({error}); free the folder and try again.") from error


def _read(path: Path) -> list[dict[str, Any]]:
    return [with_id(row) for row in read_bank(path)] if path.exists() else []


def _write(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    if len(rows) > MOST_ROWS:
        raise CaseError(f"{path.stem} would hold {len(rows):,} rows, at most {MOST_ROWS:,} are kept; make another.")
    write_whole(path, as_jsonl(rows).encode())


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
    kept = question_row(question_of(dict(row)))
    id_ = hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:12]
    return {"id": f"own-{id_}", "kind": "own", "expected": expected, **kept}
