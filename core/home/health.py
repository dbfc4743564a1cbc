"""Whether everything in a run-time folder can be read, and what of it can be made anew."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from core.banks.measured_bank import KeptTraces
from core.banks.saved import SavedBanks
from core.journal import Journal
from core.journal.sqlite_file import NAME as JOURNAL
from core.journal.sqlite_file import require_database
from core.library import Document, Library, LibraryError
from core.library.documents import file_digest
from core.models.embedder import bundled_embedder
from core.models.weights import MINILM_SHA256, digest
from core.presets.saved import SavedPresets
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
