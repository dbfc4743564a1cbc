"""A SQLite file of question sets or of what was measured of them."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from core.question import CaseError

_BUSY_SECONDS = 30  # seconds that a writer waits for another one


class SetStore:
    """One SQLite file, which threads and processes may share. What is written survives a kill.

    tables: SQL that creates the tables that are missing. remedy: what a user can do if the file is damaged. Raises
    CaseError if the file cannot be read or written.
    """

    def __init__(self, path: Path, tables: str, remedy: str) -> None:
        self.path, self._tables, self._remedy = path, tables, remedy

    def select(self, query: str, *values: Any) -> list[tuple]:
        """All rows of a query; none if there is no file yet."""
        if not self.path.exists():
            return []
        with self.connected() as base:
            return base.execute(query, values).fetchall()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, committed as a whole or not at all."""
        with self.connected() as base, base:
            base.execute("BEGIN IMMEDIATE")
            yield base

    @contextmanager
    def connected(self) -> Iterator[sqlite3.Connection]:
        """A connection to the file, created if missing. A write-ahead log allows reading during writes."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)) as base:
                base.execute("PRAGMA journal_mode = WAL")
                base.executescript(self._tables)
                yield base
        except (sqlite3.Error, OSError) as error:
            raise CaseError(f"{self.path.name} cannot be used ({error}); free the disk, or {self._remedy}.") from error
