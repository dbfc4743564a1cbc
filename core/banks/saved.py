"""The question sets of users in the run-time folder: create, extend, edit, and label single questions."""

import hashlib
import json
import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from filelock import FileLock

from core.banks.files import MOST_ROWS
from core.banks.project import TUNING, read_bank
from core.banks.row import ANSWER_EXPECTATIONS, EXPECTATIONS, SetRows, question_digest, require_storable, validate_row
from core.platform.access import require
from core.platform.sqlite_file import SqliteFile
from core.question import CaseError
from core.reply.serialization import question_of, question_row

_LONGEST = 60
"""Maximum length of a set's name, in characters."""
_LETTERS = "A-Za-z0-9_-"
"""The characters of a set's name, as a range of a pattern."""
_NAME = re.compile(rf"[{_LETTERS}]{{1,{_LONGEST}}}")
OWN = "own_questions"
"""The set that questions go into if no other is named."""
SAMPLE = "sample_questions"
"""The set of sample questions, which comes with the app; a saved set of this name takes its place."""
_TITLES = {OWN: "My questions", SAMPLE: "Sample questions"}
_TABLES = """
CREATE TABLE IF NOT EXISTS sets (name TEXT PRIMARY KEY, changed INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS rows (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, id TEXT NOT NULL, question TEXT NOT NULL, row TEXT NOT NULL,
    UNIQUE (name, id)
);
"""
_PUT = """
INSERT INTO rows (name, id, question, row) VALUES (?, ?, ?, ?)
ON CONFLICT (name, id) DO UPDATE SET question = excluded.question, row = excluded.row
"""


def set_name(title: str) -> str:
    """A name that a set may have, from the title of a book or of a file."""
    return re.sub(rf"[^{_LETTERS}]+", "_", title).strip("_")[:_LONGEST] or "set"


def set_title(name: str) -> str:
    """The name of a set as people read it."""
    return _TITLES.get(name, name)


class SavedBanks:
    """The sets under one run-time folder. CaseError says in one sentence what is wrong with a name, a row or a file;
    nothing is written then.

    A file NAME.jsonl in the folder, where earlier versions stored each set, is read at the first use of its name and
    moved to the folder "imported".
    """

    def __init__(self, home: Path) -> None:
        self._folder = Path(home) / "banks"
        self._store = SqliteFile(
            self._folder / "sets.sqlite", _TABLES, kind="file of question sets", error=CaseError,
            remedy="restore the question sets from a backup.",
        )  # fmt: skip

    @property
    def path(self) -> Path:
        return self._store.path

    def names(self) -> tuple[str, ...]:
        files = {path.stem for path in self._folder.glob("*.jsonl") if _NAME.fullmatch(path.stem)}
        return tuple(sorted(files | {name for (name,) in self._store.select("SELECT name FROM sets")}))

    def rows(self, name: str) -> SetRows:
        """The rows of a set, in order, each with an id."""
        self._require(name)
        found = self._store.select("SELECT question, row FROM rows WHERE name = ? ORDER BY number", name)
        return SetRows([json.loads(row) for _, row in found], [question for question, _ in found])

    def changed(self, name: str) -> int:
        """A number that changes whenever a row of the set does; 0 if there is no set of this name."""
        self._import(name)
        return next((n for (n,) in self._store.select("SELECT changed FROM sets WHERE name = ?", name)), 0)

    def add(self, name: str, rows: Iterable[Mapping[str, Any]]) -> int:
        """Add rows to a set, creating it if needed. Returns the number of new rows.

        A row replaces the row with the same id. A row without an id gets one derived from its question.
        """
        valid_rows = list(map(validate_row, rows))
        with self._changing(name) as base:
            return _put(base, name, valid_rows)

    def replace(self, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
        valid_rows = list(map(validate_row, rows))
        with self._changing(name) as base:
            base.execute("DELETE FROM rows WHERE name = ?", (name,))
            _put(base, name, valid_rows)

    def remove(self, name: str, ids: Iterable[str]) -> None:
        """Remove the rows with these ids from a set."""
        with self._changing(name) as base:
            base.executemany("DELETE FROM rows WHERE name = ? AND id = ?", [(name, id_) for id_ in ids])

    def delete(self, name: str) -> set[str]:
        """Delete a set with all its rows. Returns the digests of its questions that are in no other set."""
        with self._changing(name) as base:
            own = base.execute("DELETE FROM rows WHERE name = ? RETURNING question", (name,)).fetchall()
            base.execute("DELETE FROM sets WHERE name = ?", (name,))
            others = base.execute("SELECT question FROM rows").fetchall()
        return {question for (question,) in set(own) - set(others)}

    def measuring_lock(self, name: str) -> FileLock:
        """A lock that is held while the set is measured."""
        self._require(name)
        return FileLock(self._folder / f"{name}.measuring.lock", timeout=0)

    def _require(self, name: str) -> None:
        if not self.changed(name):
            names = ", ".join(self.names()) or "none yet"
            raise CaseError(f"There is no question set called {name}; there are {names}.")

    @contextmanager
    def _changing(self, name: str) -> Iterator[sqlite3.Connection]:
        """A transaction in which the set is changed; it is created if needed."""
        require("banks")
        self._import(name)
        with self._store.writing() as base:
            base.execute("INSERT OR REPLACE INTO sets VALUES (?, ?)", (name, time.time_ns()))
            yield base

    def _import(self, name: str) -> None:
        """Move the rows of NAME.jsonl, if there is one, into the store. Raises CaseError for a name that could lead to
        another folder, and for a line that is no row; the file then stays.
        """
        if not _NAME.fullmatch(name):
            raise CaseError(
                f"The name of a question set may have up to {_LONGEST} letters, digits, _ and -, got {name!r:.80}; "
                "choose another."
            )
        file = self._folder / f"{name}.jsonl"
        if not file.exists():
            return
        with FileLock(self._folder / "import.lock"):
            if not file.exists():  # another process has imported it meanwhile
                return
            rows = read_bank(file)
            for number, row in enumerate(rows, 1):
                try:
                    require_storable(row)
                except CaseError as error:
                    raise CaseError(f"row {number} of {file.name} cannot be read: {error}") from error
            with self._store.writing() as base:
                base.execute("INSERT OR REPLACE INTO sets VALUES (?, ?)", (name, time.time_ns()))
                _put(base, name, rows)
            (self._folder / "imported").mkdir(exist_ok=True)
            file.replace(self._folder / "imported" / file.name)


def _put(base: sqlite3.Connection, name: str, rows: Iterable[Mapping[str, Any]]) -> int:
    """Insert rows, or replace those with the same id; return the number of new ones."""
    counting = "SELECT count(*) FROM rows WHERE name = ?"
    (before,) = base.execute(counting, (name,)).fetchone()
    digests = ((row, question_digest(question_of(dict(row)))) for row in rows)
    stored = ((name, row["id"], digest, json.dumps(row, ensure_ascii=False)) for row, digest in digests)
    base.executemany(_PUT, stored)
    (after,) = base.execute(counting, (name,)).fetchone()
    if after > MOST_ROWS:
        raise CaseError(f"{name} would hold {after:,} rows, at most {MOST_ROWS:,} are kept; make another.")
    return after - before


def all_sets(banks: SavedBanks) -> tuple[str, ...]:
    """The names of all sets: the saved ones, and the sample."""
    return tuple(dict.fromkeys((*banks.names(), SAMPLE)))


def rows_of(banks: SavedBanks, name: str) -> SetRows:
    """The rows of the set `name`, each with an id: those of the saved set, or those of the sample if no set of this
    name is saved.
    """
    return _sample() if name == SAMPLE and name not in banks.names() else banks.rows(name)


def named_bank(
    bank: Path, home: Path, read: Callable[[Path], Sequence[Mapping[str, Any]]] = read_bank
) -> Sequence[Mapping[str, Any]]:
    """The rows of a bank that a command names: those of a file or a folder, by `read`, or of a saved set."""
    banks = SavedBanks(home)
    is_set = not bank.exists() and str(bank) in banks.names()
    return banks.rows(str(bank)) if is_set else read(bank)


@lru_cache(maxsize=1)
def _sample() -> SetRows:
    return SetRows(read_bank(TUNING))


def label(home: Path, row: Mapping[str, Any], expected: str) -> None:
    """Add a question to the set OWN with the label `expected`, or change its label there.

    Raises CaseError for an unknown label, and if the set cannot be read or written.
    """
    allowed = [one for one in EXPECTATIONS if row.get("answer") or one not in ANSWER_EXPECTATIONS]
    if expected not in allowed:
        raise CaseError(f"expected must be one of {', '.join(allowed)}, got {expected!r:.80}.")
    question = question_row(question_of(dict(row)))
    id_ = hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()[:12]  # of the question alone
    SavedBanks(home).add(OWN, [{"id": f"own-{id_}", "kind": "own", "expected": expected, **question}])
