"""A run-time folder as a whole: whether everything in it can be read, what of it can be made anew, its backup in one
file, and a new folder from that."""

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
from core.models.embedder import bundled_embedder
from core.models.weights import MINILM_SHA256, digest
from core.saved_presets import SavedPresets
from core.writers import qwen


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One part of a home. sentence: what it holds, or what is wrong with it and what to do."""

    part: str
    state: Literal["whole", "mended", "broken"]
    sentence: str


class _Embedder:
    """The embedder of a library by its digest; its weights are loaded only when a document is read anew."""

    def __init__(self, digest: str) -> None:
        self.digest = digest

    def encode(self, texts: list[str]) -> np.ndarray:
        return bundled_embedder().encode(texts)


def check(home: Path) -> list[Finding]:
    """What there is in `home`, part by part. The app may run meanwhile; a folder that is not there is not made."""
    if not home.is_dir():
        return [Finding(part="home", state="broken", sentence=f"There is no folder {home}; name the one that it is.")]
    banks, presets = SavedBanks(home), SavedPresets(home)
    return [
        *_library(home),
        *_base(home / JOURNAL, lambda: f"{sum(Journal(home).counts().values())} decisions"),
        *_base(KeptTraces(home).path, lambda: f"{len(KeptTraces(home).conditions())} sets of measured questions"),
        *(_read(f"bank {name}", lambda name=name: f"{len(banks.rows(name))} rows") for name in banks.names()),
        *(_read(f"preset {name}", lambda name=name: presets.preset(name).help) for name in presets.names()),
        *_language_model(qwen.file_in(home)),
    ]


def _library(home: Path) -> Iterator[Finding]:
    if not (home / "documents").is_dir():
        return
    before = _turn(home)
    try:
        library = Library(home, _Embedder(_digest(home)))
    except ValueError as error:
        yield Finding(part="library", state="broken", sentence=str(error))
        return
    with closing(library):
        for document in library.documents():
            if wrong := _wrong_with(library, document):
                yield Finding(part=f"document {document.name}", state="broken", sentence=wrong)
        yield _index(library, mended=_turn(home) != before)


def _wrong_with(library: Library, document: Document) -> str:
    """Why a document is not whole, "" when it is."""
    again = f"remove {document.name} and add its file again"
    try:
        if file_digest(library.pdf(document.id).read_bytes()) != document.file:
            return f"Its copy is not the file that was added; {again}."
        passages, vectors = library.kept(document)
    except (OSError, LibraryError) as error:
        return f"It cannot be read ({error}); {again}."
    if not len(passages) == len(vectors) == document.passages:
        return f"It has {len(passages)} passages and {len(vectors)} vectors, not {document.passages}; {again}."
    return ""


def _index(library: Library, *, mended: bool) -> Finding:
    """The index against the vectors that were kept; made anew where it says something else."""
    if not _agrees(library):
        library.rebuild()
        mended = True
    if not _agrees(library):
        return Finding(part="library", state="broken", sentence="The index cannot be made anew; free room on the disk.")
    held = f"{len(library.documents())} documents, {len(library.passages())} passages"
    said = f"{held}; the index was made anew or put in order from the files" if mended else held
    return Finding(part="library", state="mended" if mended else "whole", sentence=f"{said}.")


def _agrees(library: Library) -> bool:
    try:
        for document in library.documents():
            passages, kept = library.kept(document)
            found = library.vectors([p.id for p in passages])
            if kept.shape != found.shape or not np.allclose(kept, found, atol=1e-5):
                return False
    except Exception:  # whatever Chroma raises of a broken index: it is not what was kept
        return False
    return True


def _base(path: Path, told: Callable[[], str]) -> Iterator[Finding]:
    """A file of SQLite, page by page."""
    if path.exists():
        yield _read(path.name, lambda: _sound(path) or told())


def _language_model(file: Path) -> Iterator[Finding]:
    """The file of the writer `local`, where it has been put together."""
    if file.is_file() and digest(file) == qwen.SHA256:
        yield Finding(part="language model", state="whole", sentence=f"{qwen.NAME}.")
    elif file.is_file():
        file.unlink()
        said = "Its file was damaged and is put together anew for the next answer of the writer local."
        yield Finding(part="language model", state="mended", sentence=said)


def _sound(path: Path) -> None:
    try:
        require_database(path)
        with closing(sqlite3.connect(path)) as base:
            (said,) = base.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.Error as error:
        said = str(error)
    if said != "ok":
        said = " ".join(said.split())
        raise ValueError(f"It cannot be read ({said}); restore it from a backup, or move the file away.")


def _read(part: str, told: Callable[[], str]) -> Finding:
    try:
        return Finding(part=part, state="whole", sentence=f"{told().rstrip('.')}.")
    except (ValueError, OSError, sqlite3.Error) as error:
        return Finding(part=part, state="broken", sentence=str(error))


def _turn(home: Path) -> Any:
    """The number of the last writer's turn, None when there is no saying."""
    try:
        return json.loads((home / "turns.json").read_bytes())["turn"]
    except (OSError, ValueError, KeyError):
        return None


def _digest(home: Path) -> str:
    """The embedder of the documents in `home`; the bundled one for a library without any."""
    for path in sorted((home / "documents").glob("*.json")):
        try:
            return json.loads(path.read_bytes()).get("embedder") or MINILM_SHA256
        except (OSError, ValueError, AttributeError):
            continue
    return MINILM_SHA256


_PATIENCE = 600
"""Seconds that a backup waits for somebody who adds a book."""
_KEPT = re.compile(
    r"(?:documents/[0-9a-f]+\.json|files/[0-9a-f]+\.pdf|readings/[0-9a-f]+\.(?:jsonl|npy)|presets/[\w -]+\.json"
    r"|banks/[\w-]+\.jsonl|banks/measured\.sqlite|journal\.sqlite3|sample_was_added)"
)
"""What a backup holds. The index is made anew from the readings, and locks belong to those who run."""


class BackupError(ValueError):
    """A backup cannot be written, read or restored; the message says why, and what to do."""


def backup(home: Path, file: Path) -> int:
    """Everything of `home` in one ZIP file, which only its owner may read; how many files it holds.

    Books neither come nor go while it is written; the journal is copied as it stands at one moment. What was at
    `file` stays until the new one is whole.
    """
    if not home.is_dir():
        raise BackupError(f"There is no folder {home} to be kept; name the one that it is.")
    part = file.with_name(f"{file.name}.part")
    try:
        with FileLock(home / "library.lock", timeout=_PATIENCE), tempfile.TemporaryDirectory(dir=file.parent) as folder:
            count = _written(home, part, Path(folder))
        part.replace(file)
    except Timeout:
        raise BackupError(f"The library in {home} is held by another process; end it, or try again.") from None
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"{file.name} cannot be written ({error}); free the disk or name another place.") from error
    finally:
        part.unlink(missing_ok=True)
    return count


def restore(file: Path, home: Path) -> None:
    """A new folder `home` from a backup; nothing is there unless all of it is. BackupError where something stands."""
    if home.exists() and (not home.is_dir() or any(home.iterdir())):
        raise BackupError(f"{home} holds something already; name a folder that is not there yet.")
    part = home.with_name(f"{home.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        with zipfile.ZipFile(file) as kept:
            if strange := [name for name in kept.namelist() if not _KEPT.fullmatch(name)]:
                raise BackupError(f"{file.name} is no backup: it holds {strange[0]!r:.80}; name another file.")
            kept.extractall(part)
        if home.exists():
            home.rmdir()
        part.rename(home)
    except (OSError, zipfile.BadZipFile) as error:
        raise BackupError(f"{file.name} cannot be restored ({error}); name a backup that is whole.") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _written(home: Path, part: Path, folder: Path) -> int:
    with os.fdopen(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o600), "w+b") as stream:
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as kept:
            for path, name in _files(home, folder):
                kept.write(path, name)
        stream.flush()
        os.fsync(stream.fileno())
        return len(kept.namelist())


def _files(home: Path, folder: Path) -> Iterator[tuple[Path, str]]:
    """Every file to be kept with its name in the backup; a base as a copy in `folder`, whoever writes into it."""
    bases = (home / JOURNAL, KeptTraces(home).path)
    for path in (base for base in bases if base.exists()):
        copy = folder / path.name
        with closing(sqlite3.connect(path)) as base, closing(sqlite3.connect(copy)) as copied:
            base.backup(copied)
        yield copy, path.relative_to(home).as_posix()
    for path in sorted(home.rglob("*")):
        name = path.relative_to(home).as_posix()
        if path.is_file() and path not in bases and _KEPT.fullmatch(name):
            yield path, name
