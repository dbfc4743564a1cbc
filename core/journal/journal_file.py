"""The journal's file: its tables, its format, and the migration of older ones."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock

from core.errors import UserError
from core.platform.sqlite_file import SqliteFile

NAME = "journal.sqlite3"
PATIENCE = 3.0
"""Seconds that a writer waits for another one; each holds the file for a few milliseconds."""
_FIRST_LOCK_SECONDS = 30.0
_REMEDY = "move it out of the run-time folder, and a new journal is begun."
_APPLICATION_ID = 0x47455831
"""SQLite application id of journals of this program."""
_FORMAT = 5
_MIGRATIONS = {
    2: "ALTER TABLE decisions ADD COLUMN understood TEXT",
    3: """ALTER TABLE decisions RENAME COLUMN confidence TO measured; ALTER TABLE decisions ADD COLUMN confidence REAL;
    UPDATE decisions SET confidence = measured; ALTER TABLE decisions DROP COLUMN measured""",
    4: "ALTER TABLE decisions ADD COLUMN topic REAL",
    5: "ALTER TABLE decisions ADD COLUMN note TEXT",
}
"""For each format, the SQL statements that upgrade a journal of the previous format to it."""
_SCHEMA = """
CREATE TABLE decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, source TEXT NOT NULL, question TEXT, folded TEXT,
    class_number INTEGER, subject TEXT NOT NULL, route TEXT NOT NULL, reason TEXT, confidence REAL,
    answer TEXT, document TEXT, page INTEGER, given INTEGER NOT NULL, preset TEXT NOT NULL, seconds REAL NOT NULL,
    handed_over INTEGER NOT NULL, attended REAL, should_be TEXT, understood TEXT,
    topic REAL, note TEXT
);
CREATE INDEX decisions_by_time ON decisions (at);
CREATE INDEX decisions_counted ON decisions (at, route, reason, class_number, subject);
CREATE INDEX decisions_waiting ON decisions (at) WHERE handed_over AND attended IS NULL;
CREATE TABLE contents (
    id INTEGER PRIMARY KEY REFERENCES decisions (id) ON DELETE CASCADE, trace BLOB, why TEXT NOT NULL,
    preset TEXT NOT NULL, models TEXT NOT NULL, profile TEXT NOT NULL, settings TEXT NOT NULL
);
CREATE TABLE lacking (
    decision INTEGER NOT NULL REFERENCES decisions (id) ON DELETE CASCADE, question TEXT NOT NULL, reason TEXT NOT NULL
);
CREATE INDEX lacking_of ON lacking (decision);
CREATE TABLE keeping (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
"""


class JournalError(UserError):
    """The journal cannot be read or written, or lacks what was requested; the message says what to do."""


class JournalFile(SqliteFile):
    """One journal file. Raises JournalError in one sentence if it cannot be used."""

    def __init__(self, home: Path) -> None:
        super().__init__(home / NAME, _SCHEMA, kind="journal", remedy=_REMEDY, error=JournalError, patience=PATIENCE)
        self._one_writer = threading.Lock()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        with self._one_writer, super().writing() as connection:
            yield connection

    def shrink(self) -> None:
        """Return the space of removed decisions to the disk, also from the log."""
        with self._one_writer, self._connection() as connection:
            connection.executescript("PRAGMA incremental_vacuum;")  # execute would free a single page
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Create the journal in an empty file, or migrate one of an older format. Raises JournalError for the file of
        another program, or of a newer version.
        """
        if _marks(connection) != (_APPLICATION_ID, _FORMAT):
            with FileLock(self.path.with_suffix(".lock"), timeout=_FIRST_LOCK_SECONDS):
                application_id, version = _marks(connection)
                is_other = application_id != _APPLICATION_ID
                if is_other and connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                    raise JournalError(f"{NAME} is a file of another program; {_REMEDY}")
                if version > _FORMAT:
                    raise JournalError(f"{NAME} was written by a newer version of this program; {_REMEDY}")
                if is_other:
                    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
                    connection.execute("PRAGMA journal_mode = WAL")
                    mark = f"PRAGMA application_id = {_APPLICATION_ID}; PRAGMA user_version = {_FORMAT};"
                    connection.executescript(f"BEGIN; {self._tables} {mark} COMMIT;")  # as a whole or not at all
                else:
                    for number in range(version + 1, _FORMAT + 1):
                        migration = f"{_MIGRATIONS[number]}; PRAGMA user_version = {number};"
                        connection.executescript(f"BEGIN; {migration} COMMIT;")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")  # overwrite removed data on the disk
        connection.execute("PRAGMA synchronous = FULL")  # survive a kill and a power cut


def _marks(connection: sqlite3.Connection) -> tuple[int, int]:
    """The application id and the format that are written in the file; (0, 0) for an empty one."""
    application_id, version = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
    )
    return application_id, version
