"""A run-time folder as a whole: checking and repairing its parts, backing it up into one file, and restoring it."""

import json
import os
import re
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from filelock import FileLock, Timeout

from core.banks.measured_bank import KeptTraces
from core.banks.saved import SavedBanks
from core.journal import Journal
from core.journal.sqlite_file import NAME as JOURNAL
from core.journal.sqlite_file import require_database
from core.library import Document, Library, LibraryError
from core.library.documents import file_digest
from core.models import qwen
from core.models.embedder import bundled_embedder
from core.models.weights import MINILM_SHA256, digest
from core.saved_presets import SavedPresets


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One part of a run-time folder. sentence: what it holds, or what is wrong with it and what to do."""

    part: str
    state: Literal["whole", "mended", "broken"]
    sentence: str


class _Embedder:
    """An embedder known by its digest; its weights are loaded only when a document has to be embedded again."""

    def __init__(self, digest: str) -> None:
        self.digest = digest

    def encode(self, texts: list[str]) -> np.ndarray:
        return bundled_embedder().encode(texts)


def check(home: Path) -> list[Finding]:
    """Check every part of `home`. The app may run meanwhile. A folder that does not exist is not created."""
    if not home.is_dir():
        return [Finding(part="home", state="broken", sentence=f"There is no folder {home}; name the one that it is.")]
    banks, presets = SavedBanks(home), SavedPresets(home)
    return [
        *_library(home),
        *_database(home / JOURNAL, lambda: f"{sum(Journal(home).counts().values())} decisions"),
        *_database(KeptTraces(home).path, lambda: f"{len(KeptTraces(home).conditions())} sets of measured questions"),
        *(_finding(f"bank {name}", lambda name=name: f"{len(banks.rows(name))} rows") for name in banks.names()),
        *(_finding(f"preset {name}", lambda name=name: presets.preset(name).help) for name in presets.names()),
        *_language_model(qwen.file_in(home)),
    ]


def _library(home: Path) -> Iterator[Finding]:
    if not (home / "documents").is_dir():
        return
    write_before = _last_write(home)
    try:
        library = Library(home, _Embedder(_embedder_digest(home)))
    except ValueError as error:
        yield Finding(part="library", state="broken", sentence=str(error))
        return
    with closing(library):
        for document in library.documents():
            if problem := _document_problem(library, document):
                yield Finding(part=f"document {document.name}", state="broken", sentence=problem)
        yield _index(library, mended=_last_write(home) != write_before)


def _document_problem(library: Library, document: Document) -> str:
    """Why a document is not intact; "" if it is."""
    remedy = f"remove {document.name} and add its file again"
    try:
        if file_digest(library.pdf(document.id).read_bytes()) != document.file:
            return f"Its copy is not the file that was added; {remedy}."
        passages, vectors = library.kept(document)
    except (OSError, LibraryError) as error:
        return f"It cannot be read ({error}); {remedy}."
    if not len(passages) == len(vectors) == document.passages:
        return f"It has {len(passages)} passages and {len(vectors)} vectors, not {document.passages}; {remedy}."
    return ""


def _index(library: Library, *, mended: bool) -> Finding:
    """Compare the index with the stored vectors, and rebuild it if they differ."""
    if not _index_matches(library):
        library.rebuild()
        mended = True
    if not _index_matches(library):
        return Finding(part="library", state="broken", sentence="The index cannot be made anew; free room on the disk.")
    contents = f"{len(library.documents())} documents, {len(library.passages())} passages"
    sentence = f"{contents}; the index was made anew or put in order from the files" if mended else contents
    return Finding(part="library", state="mended" if mended else "whole", sentence=f"{sentence}.")


def _index_matches(library: Library) -> bool:
    try:
        for document in library.documents():
            passages, stored = library.kept(document)
            indexed = library.vectors([p.id for p in passages])
            if stored.shape != indexed.shape or not np.allclose(stored, indexed, atol=1e-5):
                return False
    except Exception:  # Chroma may raise anything on a broken index
        return False
    return True


def _database(path: Path, describe: Callable[[], str]) -> Iterator[Finding]:
    """Check a SQLite file page by page."""
    if path.exists():
        yield _finding(path.name, lambda: _require_intact(path) or describe())


def _language_model(file: Path) -> Iterator[Finding]:
    """Check the model file of the writer `local`, if it has been assembled; delete it if it is damaged."""
    if file.is_file() and digest(file) == qwen.SHA256:
        yield Finding(part="language model", state="whole", sentence=f"{qwen.NAME}.")
    elif file.is_file():
        file.unlink()
        sentence = "Its file was damaged and is put together anew for the next answer of the writer local."
        yield Finding(part="language model", state="mended", sentence=sentence)


def _require_intact(path: Path) -> None:
    try:
        require_database(path)
        with closing(sqlite3.connect(path)) as connection:
            (result,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.Error as error:
        result = str(error)
    if result != "ok":
        result = " ".join(result.split())
        raise ValueError(f"It cannot be read ({result}); restore it from a backup, or move the file away.")


def _finding(part: str, describe: Callable[[], str]) -> Finding:
    try:
        return Finding(part=part, state="whole", sentence=f"{describe().rstrip('.')}.")
    except (ValueError, OSError, sqlite3.Error) as error:
        return Finding(part=part, state="broken", sentence=str(error))


def _last_write(home: Path) -> Any:
    """The number of the last write to the library; None if unknown."""
    try:
        return json.loads((home / "turns.json").read_bytes())["turn"]
    except (OSError, ValueError, KeyError):
        return None


def _embedder_digest(home: Path) -> str:
    """The digest of the embedder used for the documents in `home`; the bundled one for an empty library."""
    for path in sorted((home / "documents").glob("*.json")):
        try:
            return json.loads(path.read_bytes()).get("embedder") or MINILM_SHA256
        except (OSError, ValueError, AttributeError):
            continue
    return MINILM_SHA256


_LOCK_SECONDS = 600
"""Seconds that a backup waits for a book that is being added."""
_BACKED_UP = re.compile(
    r"(?:documents/[0-9a-f]+\.json|files/[0-9a-f]+\.pdf|readings/[0-9a-f]+\.(?:jsonl|npy)|presets/[\w -]+\.json"
    r"|banks/[\w-]+\.jsonl|banks/measured\.sqlite|journal\.sqlite3|sample_was_added)"
)
"""The files in a backup. The index is rebuilt from the readings, and locks belong to running processes."""


class BackupError(ValueError):
    """A backup cannot be written, read or restored; the message says why, and what to do."""


def backup(home: Path, file: Path) -> int:
    """Write all of `home` into one ZIP file that only its owner may read. Returns the number of files in it.

    The library is locked meanwhile; databases are copied as snapshots. An existing file stays until the new one is
    complete.
    """
    if not home.is_dir():
        raise BackupError(f"There is no folder {home} to be kept; name the one that it is.")
    part = file.with_name(f"{file.name}.part")
    try:
        with (
            FileLock(home / "library.lock", timeout=_LOCK_SECONDS),
            tempfile.TemporaryDirectory(dir=file.parent) as folder,
        ):
            count = _write_zip(home, part, Path(folder))
        part.replace(file)
    except Timeout:
        raise BackupError(f"The library in {home} is held by another process; end it, or try again.") from None
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"{file.name} cannot be written ({error}); free the disk or name another place.") from error
    finally:
        part.unlink(missing_ok=True)
    return count


def restore(file: Path, home: Path) -> None:
    """Create the folder `home` from a backup, completely or not at all. Raises BackupError if `home` is not empty."""
    if home.exists() and (not home.is_dir() or any(home.iterdir())):
        raise BackupError(f"{home} holds something already; name a folder that is not there yet.")
    part = home.with_name(f"{home.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        with zipfile.ZipFile(file) as archive:
            if unexpected := [name for name in archive.namelist() if not _BACKED_UP.fullmatch(name)]:
                raise BackupError(f"{file.name} is no backup: it holds {unexpected[0]!r:.80}; name another file.")
            archive.extractall(part)
        if home.exists():
            home.rmdir()
        part.rename(home)
    except (OSError, zipfile.BadZipFile) as error:
        raise BackupError(f"{file.name} cannot be restored ({error}); name a backup that is whole.") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _write_zip(home: Path, part: Path, folder: Path) -> int:
    with os.fdopen(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o600), "w+b") as stream:
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for path, name in _files(home, folder):
                archive.write(path, name)
        stream.flush()
        os.fsync(stream.fileno())
        return len(archive.namelist())


def _files(home: Path, folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield every file to back up with its name in the backup; a database is first copied into `folder`."""
    databases = (home / JOURNAL, KeptTraces(home).path)
    for path in (database for database in databases if database.exists()):
        copy = folder / path.name
        with closing(sqlite3.connect(path)) as database, closing(sqlite3.connect(copy)) as target:
            database.backup(target)
        yield copy, path.relative_to(home).as_posix()
    for path in sorted(home.rglob("*")):
        name = path.relative_to(home).as_posix()
        if path.is_file() and path not in databases and _BACKED_UP.fullmatch(name):
            yield path, name
