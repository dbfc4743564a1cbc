"""The banks of users in the run-time folder: create, extend, edit, and label single questions."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from filelock import FileLock

from core.banks import TUNING, read_bank
from core.banks.files import MOST_ROWS, as_jsonl
from core.banks.row_index import FileRows, delete_index, file_rows
from core.banks.rows import validate_row, with_id
from core.case import CaseError
from core.chain.serialization import question_of, question_row
from core.platform.access import require
from core.platform.atomic_write import write_whole

_NAME = re.compile(r"[A-Za-z0-9_-]{1,60}")
_LOCK_SECONDS = 30  # seconds that a writer waits for another one
OWN = "own_questions"
"""The bank that questions go into if no other is named."""
SAMPLE = "sample_questions"
"""The set of sample questions, which comes with the app; a saved bank of this name takes its place."""
LABELS: Mapping[str, str] = {
    "answered": "answer",
    "refused": "refuse",
    "clarified": "ask for clarification",
}
"""The expected outcome of a question, in words."""
PARTLY: Mapping[str, str] = {"part": "answer in part"}
"""The expected outcome, in words, that a question of several things may have besides LABELS."""
JUDGEMENT_LABELS: Mapping[str, str] = {
    "supported": "accept its answer, which is right",
    "altered": "block its answer, which is wrong",
}
"""The expected outcomes, in words, that a question with an answer to judge may have besides LABELS."""

_TITLES = {OWN: "My questions", SAMPLE: "Sample questions"}


def set_title(name: str) -> str:
    """The name of a bank as people read it."""
    return _TITLES.get(name, name)


class SavedBanks:
    """The banks under one run-time folder, one JSONL file each, which any command can read.

    A file is written as a whole and by one writer at a time, so readers never see half a file. CaseError says in one
    sentence what is wrong with a name, a row or a file; nothing is written then.
    """

    def __init__(self, home: Path) -> None:
        self.folder = Path(home) / "banks"

    def names(self) -> tuple[str, ...]:
        """The names of all banks, sorted."""
        return tuple(sorted(p.stem for p in self.folder.glob("*.jsonl") if _NAME.fullmatch(p.stem)))

    def path(self, name: str) -> Path:
        """The file of a bank, whether or not it exists."""
        if not _NAME.fullmatch(name):
            raise CaseError(
                f"The name of a question set may have up to 60 letters, digits, _ and -, got {name!r:.80}; "
                "choose another."
            )
        return self.folder / f"{name}.jsonl"

    def rows(self, name: str) -> FileRows:
        """The rows of a bank, in order, each with an id; each is parsed when it is used."""
        path = self.path(name)
        if not path.exists():
            raise CaseError(
                f"There is no question set called {name}; there are {', '.join(self.names()) or 'none yet'}."
            )
        return _read(path)

    def add(self, name: str, rows: Iterable[Mapping[str, Any]]) -> int:
        """Add rows to a bank, creating it if needed. Returns the number of new rows.

        A row replaces the row with the same id. A row without an id gets one derived from its question.
        """
        new_rows = {row["id"]: row for row in map(validate_row, rows)}
        with self._lock(name) as path:
            old = _read(path) if path.exists() else ()
            ids = old.ids if old else ()
            lines = [_line(new_rows.pop(id_)) if id_ in new_rows else old.line(n) for n, id_ in enumerate(ids)]
            _write(path, [*lines, *map(_line, new_rows.values())])
        return len(new_rows)

    def replace(self, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Replace all rows of a bank."""
        new_rows = {row["id"]: row for row in map(validate_row, rows)}
        with self._lock(name) as path:
            _write(path, list(map(_line, new_rows.values())))

    def remove(self, name: str, ids: Iterable[str]) -> None:
        """Remove the rows with these ids from a bank."""
        removed = set(ids)
        with self._lock(name) as path:
            old = _read(path) if path.exists() else ()
            _write(path, [old.line(n) for n, id_ in enumerate(old.ids if old else ()) if id_ not in removed])

    def delete(self, name: str) -> None:
        """Delete a bank with all its rows."""
        with self._lock(name) as path:
            delete_index(path)  # first: a kill between the two leaves no ids of a set that is gone
            path.unlink(missing_ok=True)

    @contextmanager
    def _lock(self, name: str) -> Iterator[Path]:
        """The file of a bank, locked against other writers within the block."""
        require("banks")
        path = self.path(name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(path.with_suffix(".lock"), timeout=_LOCK_SECONDS):
                yield path
        except OSError as error:
            raise CaseError(f"{path.name} cannot be written ({error}); free the folder and try again.") from error


def all_sets(banks: SavedBanks) -> tuple[str, ...]:
    """The names of all banks: the saved ones, and the sample."""
    return tuple(dict.fromkeys((*banks.names(), SAMPLE)))


def rows_of(banks: SavedBanks, name: str) -> Sequence[dict[str, Any]]:
    """The rows of the bank `name`, each with an id: those of the saved bank, or those of the sample if no bank of this
    name is saved.
    """
    if name == SAMPLE and name not in banks.names():
        return [dict(row) for row in _sample()]
    return banks.rows(name)


@lru_cache(maxsize=1)
def _sample() -> tuple[dict[str, Any], ...]:
    return tuple(with_id(row) for row in read_bank(TUNING))


def _read(path: Path) -> FileRows:
    try:
        return file_rows(path)
    except OSError as error:
        raise CaseError(f"{path.name} cannot be read ({error}); free the file, or name another set.") from error


def _line(row: Mapping[str, Any]) -> bytes:
    return as_jsonl([row]).encode().rstrip(b"\n")


def _write(path: Path, lines: Sequence[bytes]) -> None:
    if len(lines) > MOST_ROWS:
        raise CaseError(f"{path.stem} would hold {len(lines):,} rows, at most {MOST_ROWS:,} are kept; make another.")
    write_whole(path, (line + b"\n" for line in lines))


def label(home: Path, row: Mapping[str, Any], expected: str, bank: str = OWN) -> Path:
    """Add a question to a bank with the label `expected`, or change its label there. Returns the bank's file.

    Raises CaseError for an unknown label, and if the bank cannot be read or written.
    """
    allowed = {**LABELS, **PARTLY, **(JUDGEMENT_LABELS if row.get("answer") else {})}
    if expected not in allowed:
        raise CaseError(f"expected must be one of {', '.join(allowed)}, got {expected!r:.80}.")
    banks = SavedBanks(home)
    banks.add(bank, [_label_row(row, expected)])
    return banks.path(bank)


def _label_row(row: Mapping[str, Any], expected: str) -> dict[str, Any]:
    """The question of `row` with its label, under an id that depends on the question alone."""
    question = question_row(question_of(dict(row)))
    id_ = hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()[:12]
    return {"id": f"own-{id_}", "kind": "own", "expected": expected, **question}
