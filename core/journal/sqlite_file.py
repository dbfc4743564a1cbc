"""The file of the journal: SQLite in WAL mode, so that reading never waits for writing, nor writing for reading."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from filelock import FileLock

NAME = "journal.sqlite3"
PATIENCE = 3.0
"""Seconds that a writer waits for another; each holds the file for some milliseconds."""
_PATIENCE_AT_FIRST = 30.0
_OURS = 0x47455831
"""Marks a file as a journal of this program."""
_FORMAT = 3
_ADDED = {
    2: "ALTER TABLE decisions ADD COLUMN understood TEXT",
    3: """ALTER TABLE decisions RENAME COLUMN confidence TO measured; ALTER TABLE decisions ADD COLUMN confidence REAL;
    UPDATE decisions SET confidence = measured; ALTER TABLE decisions DROP COLUMN measured""",
}
"""What makes a journal of the format before one of this format."""
_SCHEMA = """
CREATE TABLE decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, source TEXT NOT NULL, question TEXT, folded TEXT,
    class_number INTEGER, subject TEXT NOT NULL, route TEXT NOT NULL, reason TEXT, confidence REAL,
    answer TEXT, document TEXT, page INTEGER, given INTEGER NOT NULL, preset TEXT NOT NULL, seconds REAL NOT NULL,
    handed_over INTEGER NOT NULL, attended REAL, should_be TEXT, understood TEXT
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
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_SHUT = {
    sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_AUTH,
}  # fmt: skip


class JournalError(ValueError):
    """The journal cannot be read or written, or does not hold what was asked for; the message says what to do."""


class JournalFile:
    """One journal file. Threads and processes may share it; JournalError in one sentence when it cannot be used.

    A connection for writing stays open, since closing the last one makes SQLite copy the whole log.
    """

    def __init__(self, home: Path) -> None:
        self.path = home / NAME
        self._lock = threading.Lock()
        self._writer: sqlite3.Connection | None = None
        self._seen: tuple[int, int] | None = None

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is there as a whole after the block, or, when the block fails or is killed, not at all."""
        with self._told(), self._lock:
            connection = self._kept_open()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The journal as it stands at the first look, whatever is written meanwhile."""
        with self._told():
            with self._lock:
                self._kept_open()
            connection = _connected(self.path)
            try:
                connection.execute("PRAGMA query_only = ON")
                connection.execute("BEGIN")
                yield connection
            finally:
                connection.close()

    def shrink(self) -> None:
        """Give the room of what was removed back to the disk, its copies in the log too."""
        with self._told(), self._lock:
            connection = self._kept_open()
            connection.executescript("PRAGMA incremental_vacuum;")  # execute would free a single page
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        with self._lock:
            self._let_go()

    def _let_go(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._writer = None

    def _kept_open(self) -> sqlite3.Connection:
        """The connection for writing; another one when the file was moved away, which SQLite would not notice."""
        if self._writer is not None and self._seen == self._identity():
            self._require_database()
            return self._writer
        self._let_go()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self.path.exists():
            self._require_database()
        connection = _connected(self.path)
        try:
            with FileLock(self.path.with_suffix(".lock"), timeout=_PATIENCE_AT_FIRST):
                self._known_or_begun(connection)
        except BaseException:
            connection.close()
            raise
        self._writer, self._seen = connection, self._identity()
        return connection

    def _require_database(self) -> None:
        try:
            require_database(self.path)
        except sqlite3.DatabaseError:
            if self._writer is not None:
                self._writer.execute("PRAGMA shrink_memory")  # what is put back may be older than what it remembers
            raise

    def _known_or_begun(self, connection: sqlite3.Connection) -> None:
        """JournalError for a file of another program; an empty one becomes a journal."""
        (ours,) = connection.execute("PRAGMA application_id").fetchone()
        (written,) = connection.execute("PRAGMA user_version").fetchone()
        if ours != _OURS and connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise JournalError(f"{NAME} is a file of another program; {self._way_out}")
        if ours != _OURS:
            _begin(connection)
        elif written > _FORMAT:
            raise JournalError(f"{NAME} was written by a newer version of this program; {self._way_out}")
        else:
            for number in range(written + 1, _FORMAT + 1):
                connection.executescript(f"BEGIN; {_ADDED[number]}; PRAGMA user_version = {number}; COMMIT;")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")  # what is removed is gone from the disk too
        connection.execute("PRAGMA synchronous = FULL")  # neither a kill nor a power cut takes a decision back

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return (found.st_dev, found.st_ino) if found.st_size else None

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Errors of SQLite and of the disk as one sentence."""
        try:
            yield
        except sqlite3.Error as error:
            raise JournalError(self._sentence(error)) from error
        except OSError as error:
            raise JournalError(self._shut_out(error.strerror or str(error))) from error
        except OverflowError as error:
            raise JournalError("The journal holds no number of more than 18 digits; take a smaller one.") from error

    def _sentence(self, error: sqlite3.Error) -> str:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code in _BUSY:
            return f"{NAME} has been held by another program for {PATIENCE:.0f} seconds; try again when it has ended."
        if code == sqlite3.SQLITE_FULL:
            return f"The disk is full, so {NAME} cannot be written; free some room on it."
        if code in _SHUT:
            return self._shut_out(str(error))
        return f"{NAME} is broken or no journal ({error}); {self._way_out}"

    def _shut_out(self, why: str) -> str:
        return f"{NAME} cannot be opened or written ({why}); see that the folder {self._folder} can be written to."

    @property
    def _way_out(self) -> str:
        return f"move it out of the folder {self._folder}, and a new journal is begun."

    @property
    def _folder(self) -> Path:
        return self.path.parent.resolve()


def require_database(path: Path) -> None:
    """sqlite3.DatabaseError where another program has written over the file, which SQLite does not notice while it has
    the file open, or finds enough in the log. The log stays as it is: with the file put back nothing is lost.
    """
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as without_log:
        without_log.execute("PRAGMA schema_version").fetchone()


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)


def _begin(connection: sqlite3.Connection) -> None:
    """Make an empty file a journal: as a whole, or not at all."""
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL")
    mark = f"PRAGMA application_id = {_OURS}; PRAGMA user_version = {_FORMAT};"
    connection.executescript(f"BEGIN; {_SCHEMA} {mark} COMMIT;")
