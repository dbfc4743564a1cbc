"""The library's file: one SQLite database with the documents, their PDFs, pages and passages, and the places of words.

It is the truth. What a transaction has confirmed survives a kill and a power cut, and several processes may use the
file at once. Chroma holds a second copy of texts and vectors, as an index that is made from this file whenever the two
differ (`core.library.vector_index`).
"""

import json
import os
import sqlite3
import threading
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from filelock import FileLock
from pydantic import TypeAdapter

from core.case import Passage
from core.library.documents import SAMPLE_MARK, Document, LibraryError, version_of
from core.library.ingestion import PreparedDocument
from core.library.passages import SentenceRects, passage_from, passage_row

NAME = "library.sqlite3"
_DOCUMENT = TypeAdapter(Document)
_BUSY_SECONDS = 60
"""Seconds that a process waits for another one that writes; a book is written in less than one."""
_FORMAT = 1
_EARLIER = "documents"
"""Folder in which an early version kept the documents of a home."""
_SCHEMA = """
CREATE TABLE documents (id TEXT PRIMARY KEY, about TEXT NOT NULL);
CREATE TABLE files (document TEXT PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE, pdf BLOB NOT NULL);
CREATE TABLE pages (
    document TEXT REFERENCES documents (id) ON DELETE CASCADE, number INTEGER, text TEXT NOT NULL,
    PRIMARY KEY (document, number)
) WITHOUT ROWID;
CREATE TABLE passages (
    document TEXT REFERENCES documents (id) ON DELETE CASCADE, number INTEGER, content TEXT NOT NULL,
    places TEXT NOT NULL, vector BLOB NOT NULL, is_evidence INTEGER NOT NULL,
    PRIMARY KEY (document, number)
) WITHOUT ROWID;
CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
"""Texts are stored as JSON, because a text of a PDF may hold half a character. places: for each sentence of a passage
its rectangles on the pages. state: the number of changes, the identity of the library, which no other one has, and for
each vector index the documents that it holds.
"""

VARIABLE = "GUARDRAIL_LIBRARY"
"""Environment variable: the address of a Chroma server. Unset or LOCAL: the vectors are in the library's own folder."""
LOCAL = "here"


def requested_server() -> str:
    """The address of the server that the environment names, "" for the library's own folder.

    Raises LibraryError for a bad address.
    """
    address = os.environ.get(VARIABLE, "").strip().rstrip("/")
    if address in ("", LOCAL):
        return ""
    url = urlsplit(address)
    try:
        is_address = url.scheme in ("http", "https") and url.hostname and (url.port or 1) > 0
    except ValueError:
        is_address = False
    if not is_address or url.username or url.path or url.query or url.fragment:
        raise LibraryError(
            f"{VARIABLE} must be the address of a Chroma server such as http://localhost:8000, or {LOCAL}, got "
            f"{address!r:.80}."
        )
    return address


class Store:
    """The library's file in one run-time folder. Threads may share it. Every method raises LibraryError if the file
    cannot be used.
    """

    def __init__(self, home: Path) -> None:
        self.home, self.path = home, home / NAME
        self._lock = threading.RLock()
        self._open_connection: sqlite3.Connection | None = None
        self._documents: tuple[int, tuple[Document, ...]] = (-1, ())

    def close(self) -> None:
        with self._lock:
            if self._open_connection:
                self._open_connection.close()
            self._open_connection = None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self.raising_library_errors():
            yield self._connection()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is committed as a whole, or not at all if the block raises or the process is killed. No
        other process writes meanwhile.
        """
        with self.reading() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def changes(self) -> int:
        """The number of changes of the documents so far, by any process."""
        return int(self.state("changes") or 0)

    def documents(self) -> tuple[Document, ...]:
        """All documents in the order in which they were added, each under its file name, which several may share."""
        with self.reading() as connection:
            changes = self.changes()
            if connection.in_transaction or changes != self._documents[0]:
                rows = connection.execute("SELECT about FROM documents").fetchall()
                known = (_DOCUMENT.validate_python(json.loads(about)) for (about,) in rows)
                documents = tuple(sorted(known, key=lambda d: (d.added, d.id)))
                if connection.in_transaction:  # it may still be rolled back
                    return documents
                self._documents = changes, documents
            return self._documents[1]

    def add(self, ready: PreparedDocument, pdf: bytes) -> None:
        """Add a document with its pages and passages. pdf: the bytes of its file. Call only within `writing`."""
        id_, cut = ready.document.id, ready.cut
        with self.reading() as connection:
            connection.execute("INSERT INTO documents VALUES (?, ?)", (id_, json.dumps(asdict(ready.document))))
            connection.execute("INSERT INTO files VALUES (?, ?)", (id_, pdf))
            pages = ((id_, page.number, json.dumps(page.raw)) for page in ready.pages)
            connection.executemany("INSERT INTO pages VALUES (?, ?, ?)", pages)
            passages = (
                (*_key(p.id), json.dumps(passage_row(p)), json.dumps(rects), vector.astype("<f4").tobytes(), p.tells)
                for p, rects, vector in zip(cut.passages, cut.rects, ready.vectors, strict=True)
            )
            connection.executemany("INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?)", passages)
            self._count_change()

    def replace(self, document: Document) -> None:
        """Store other details of a document. Call only within `writing`."""
        with self.reading() as connection:
            connection.execute(
                "UPDATE documents SET about = ? WHERE id = ?", (json.dumps(asdict(document)), document.id)
            )
            self._count_change()

    def remove(self, id_: str) -> None:
        """Remove a document and all that belongs to it. Call only within `writing`."""
        with self.reading() as connection:
            connection.execute("DELETE FROM documents WHERE id = ?", (id_,))
            self._count_change()

    def passages(self, document: Document) -> tuple[Passage, ...]:
        """The passages of a document in reading order."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT number, content FROM passages WHERE document = ? ORDER BY number", (document.id,)
            ).fetchall()
        return tuple(passage_from(_passage_id(document.id, number), json.loads(row), document) for number, row in rows)

    def evidence(self, id_: str) -> tuple[list[str], list[str], np.ndarray]:
        """The ids, texts and unit vectors, (passages, d), of the passages of a document that can be evidence."""
        select = "SELECT number, content, vector FROM passages WHERE document = ? AND is_evidence ORDER BY number"
        with self.reading() as connection:
            rows = connection.execute(select, (id_,)).fetchall()
        texts = [" ".join(json.loads(content)["sentences"]) for _, content, _ in rows]
        return [_passage_id(id_, number) for number, _, _ in rows], texts, _matrix(vector for _, _, vector in rows)

    def evidence_counts(self) -> dict[str, int]:
        """For each document, the number of its passages that can be evidence."""
        with self.reading() as connection:
            rows = connection.execute("SELECT document, sum(is_evidence) FROM passages GROUP BY document").fetchall()
        return dict(rows)

    def vectors(self, passage_ids: Sequence[str]) -> np.ndarray:
        """The unit vectors of these passages in this order: (passages, d), float32."""
        select = "SELECT vector FROM passages WHERE document = ? AND number = ?"
        return _matrix(self._value(select, *_key(id_)) for id_ in passage_ids)

    def sentence_rects(self, passage_id: str) -> tuple[SentenceRects, ...]:
        """The page rectangles of each sentence of a passage."""
        places = self._value("SELECT places FROM passages WHERE document = ? AND number = ?", *_key(passage_id))
        return tuple(tuple(map(tuple, sentence)) for sentence in json.loads(places))

    def page_text(self, id_: str, page: int) -> str:
        """The text of a page, counted from 1, as the file has it."""
        return json.loads(self._value("SELECT text FROM pages WHERE document = ? AND number = ?", id_, page))

    def pdf(self, id_: str) -> bytes:
        """The bytes of the PDF of a document."""
        return self._value("SELECT pdf FROM files WHERE document = ?", id_)

    def state(self, name: str) -> str | None:
        """A value of the table of states; None if it was never set."""
        with self.reading() as connection:
            row = connection.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def set_state(self, name: str, value: str) -> None:
        with self.reading() as connection:
            connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))

    @contextmanager
    def raising_library_errors(self) -> Iterator[None]:
        """Turn errors of SQLite and of the disk into a LibraryError in one sentence."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            cause = getattr(error, "strerror", None) or str(error)
            is_broken = getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
            remedy = f"restore a backup, or move {NAME} away" if is_broken else "free room on its disk"
            raise LibraryError(
                f"The library in {self.home} cannot be used ({cause}); {remedy}, check that it is writable, and try "
                "again."
            ) from error

    def _value(self, select: str, *key: Any) -> Any:
        with self.reading() as connection:
            row = connection.execute(select, key).fetchone()
        if row is None:
            raise LibraryError("The document was removed from the library meanwhile; add its file again.")
        return row[0]

    def _count_change(self) -> None:
        self.set_state("changes", str(self.changes() + 1))

    def _connection(self) -> sqlite3.Connection:
        """The open connection; the first one creates the file."""
        if self._open_connection is None:
            if (self.home / _EARLIER).is_dir():
                raise LibraryError(
                    f"{self.home} holds books of an early version, which this version cannot read; move its folders "
                    "documents, files and readings elsewhere, and add the PDFs again (the folder files has copies, "
                    "named by ids): then give each book its name, class, subject, chapter and title again; all else "
                    "stays."
                )
            try:
                self.home.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                why = f"{self.home} cannot hold a library ({error.strerror}); choose another --home."
                raise LibraryError(why) from None
            connection = sqlite3.connect(
                self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._open_connection = connection
            try:
                self._prepare(connection)
            except BaseException:
                self.close()
                raise
        return self._open_connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        (found,) = connection.execute("PRAGMA user_version").fetchone()
        if found > _FORMAT:
            raise LibraryError(
                f"{self.path} was written by a newer version of this program; use that version, or another --home."
            )
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")  # survive a power cut too
        if found < _FORMAT:
            with FileLock(self.home / "library.lock"):  # two processes may open a home for the first time at once
                connection.execute("PRAGMA journal_mode = WAL")
                if connection.execute("PRAGMA user_version").fetchone() == (0,):
                    identity = f"INSERT INTO state VALUES ('identity', '{uuid.uuid4().hex}');"
                    mark = f"PRAGMA user_version = {_FORMAT};"
                    connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} {identity} {mark} COMMIT;")


def _matrix(vectors: Iterable[bytes]) -> np.ndarray:
    blobs = list(vectors)
    return np.frombuffer(b"".join(blobs), dtype="<f4").reshape(len(blobs), -1 if blobs else 0)


def _passage_id(document: str, number: int) -> str:
    return f"{document}:{number:04d}"


def _key(passage_id: str) -> tuple[str, int]:
    document, _, number = passage_id.partition(":")
    return document, int(number)


def documents_in(home: Path) -> tuple[Document, ...]:
    """The documents of the library in the run-time folder `home`, without Chroma; none if it was never used."""
    if not (home / NAME).exists() and not (home / _EARLIER).is_dir():
        return ()
    with closing(Store(home)) as store:
        return store.documents()


def version_in(home: Path) -> str:
    """The version of the library in the run-time folder `home`, without Chroma; "" if it was never used.

    The app adds the sample chapters to a library that was never used.
    """
    documents = documents_in(home)
    return version_of(documents) if documents or (home / SAMPLE_MARK).exists() else ""
