"""The banks that people keep in the run-time folder: made, added to, edited, taken away."""

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

_NAME = re.compile(r"[A-Za-z0-9_-]{1,60}")
_PATIENCE = 30  # seconds


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
    part = path.with_suffix(".part")
    part.write_text(as_jsonl(rows), encoding="utf-8")
    part.replace(path)
