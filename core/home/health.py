"""Checks every part of a run-time folder, and repairs what can be rebuilt."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Literal

from core.banks.measured_bank import StoredTraces
from core.banks.saved import SavedBanks
from core.journal import Journal
from core.journal.journal_file import NAME as JOURNAL
from core.library import Library
from core.library.documents import file_digest
from core.library.store import NAME as LIBRARY
from core.library.store import documents_in
from core.models.weights import MINILM_SHA256, digest
from core.presets.saved import SavedPresets
from core.writers import qwen


@dataclass(frozen=True, kw_only=True)
class Finding:
    """The state of one part of a run-time folder. part: its name. state: "mended" if it was repaired. sentence: what
    the part holds, or what is wrong with it and what to do.
    """

    part: str
    state: Literal["whole", "mended", "broken"]
    sentence: str


def check(home: Path) -> list[Finding]:
    """Check every part of `home`, and repair what can be rebuilt. The app may run meanwhile. A folder that does not
    exist is not created.
    """
    if not home.is_dir():
        return [Finding(part="home", state="broken", sentence=f"There is no folder {home}; name an existing folder.")]
    presets = SavedPresets(home)
    return [
        *_library(home),
        *_database(home / JOURNAL, lambda: f"{sum(Journal(home).counts().values())} decisions"),
        *_question_sets(home),
        *(_finding(f"preset {name}", lambda name=name: presets.preset(name).help) for name in presets.names()),
        *_language_model(qwen.file_in(home)),
    ]


def _question_sets(home: Path) -> Iterator[Finding]:
    banks, traces = SavedBanks(home), StoredTraces(home)
    yield from _database(traces.path, lambda: f"{len(traces.conditions())} sets of measured questions")
    findings = list(_database(banks.path, lambda: f"{len(banks.names())} question sets"))
    yield from findings
    if all(finding.state == "whole" for finding in findings):
        for name in banks.names():
            yield _finding(f"bank {name}", lambda name=name: f"{len(banks.rows(name))} rows")


def _library(home: Path) -> Iterator[Finding]:
    """Check the library's file and each document in it, and build the index anew if it is not that of the file."""
    try:
        documents = documents_in(home)
        if not documents and not (home / LIBRARY).exists():
            return
        _require_intact(home / LIBRARY)
        # Nothing is embedded, so no model is loaded.
        embedder = SimpleNamespace(digest=documents[0].embedder if documents else MINILM_SHA256)
        library = Library(home, embedder)
    except ValueError as error:
        yield Finding(part="library", state="broken", sentence=str(error))
        return
    with closing(library):
        for document in library.documents():
            count = len(library.database.passages(document))
            problem = f"It has {count} passages, not {document.passages}" if count != document.passages else ""
            if file_digest(library.pdf(document.id)) != document.file:
                problem = "Its copy is not the file that was added"
            if problem:
                sentence = f"{problem}; remove {document.name} and add its file again."
                yield Finding(part=f"document {document.name}", state="broken", sentence=sentence)
        if not library.index.is_true():
            library.index.build()
        contents = f"{len(library.documents())} documents, {len(library.passages())} passages"
        if library.index.was_built:
            contents += "; the index was rebuilt from them"
        yield Finding(part="library", state="mended" if library.index.was_built else "whole", sentence=f"{contents}.")


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
        sentence = "Its file was damaged and will be rebuilt before the writer local is used next."
        yield Finding(part="language model", state="mended", sentence=sentence)


def _require_intact(path: Path) -> None:
    try:
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
