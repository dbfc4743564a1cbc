"""A SQLite file of the run-time folder in WAL mode, so that readers and writers never wait for each other."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_NO_ACCESS = {
    sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_AUTH,
}  # fmt: skip


class SqliteFile:
    """One SQLite file, safe across threads and processes. What is written survives a kill.

    Each use has a connection of its own, so that a file that was replaced meanwhile is noticed. Raises `error`, a class
    of errors, in one sentence if the file cannot be used.

    tables: SQL that creates the tables that are missing. kind: what the file is, in words. remedy: what a user can do
    if the file is damaged. patience: seconds that a writer waits for another one.
    """

    def __init__(
        self, path: Path, tables: str, *, kind: str, remedy: str, error: type[ValueError], patience: float = 30.0
    ) -> None:
        self.path, self._tables, self._kind, self._remedy = path, tables, kind, remedy
        self._error, self._patience = error, patience

    def select(self, query: str, *values: Any) -> list[tuple]:
        """All rows of a query; none if there is no file yet."""
        if not self.path.exists():
            return []
        with self.reading() as connection:
            return connection.execute(query, values).fetchall()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is committed as a whole, or not at all if the block fails or is killed."""
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A read-only snapshot of the file, unaffected by concurrent writes."""
        with self._connection() as connection:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("BEGIN")
            yield connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Create what the file lacks."""
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(self._tables)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """A connection to the file, which is created first. Closing it undoes what was not committed."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(_connect(self.path, self._patience)) as connection:
                self._prepare(connection)
                yield connection
        except sqlite3.Error as error:
            raise self._error(self._sentence(error)) from error
        except OSError as error:
            raise self._error(self._no_access(error.strerror or str(error))) from error
        except OverflowError as error:
            raise self._error(
                f"{self.path.name} holds no number of more than 18 digits; take a smaller one."
            ) from error

    def _sentence(self, error: sqlite3.Error) -> str:
        name, code = self.path.name, getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code in _BUSY:
            seconds = f"{self._patience:.0f} seconds"
            return f"{name} has been held by another program for {seconds}; try again when it has ended."
        if code == sqlite3.SQLITE_FULL:
            return f"The disk is full, so {name} cannot be written; free some room on it."
        if code in _NO_ACCESS:
            return self._no_access(str(error))
        return f"{name} is broken or no {self._kind} ({error}); {self._remedy}"

    def _no_access(self, cause: str) -> str:
        return (
            f"{self.path.name} cannot be opened or written ({cause}); see that the run-time folder can be written to."
        )


def _connect(path: Path, patience: float) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
