"""The command `ingest`: adds files to the library."""

import os
import signal
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.command.terminal import clear, line, show_progress
from core.library import Cancelled, Library, LibraryError, clashes, in_brackets, refuse_by_size, safe_name
from core.library.documents import loss_sentences
from core.library.ingestion import IngestionOutcome
from core.platform.home import home_folder

IngestResult = IngestionOutcome | LibraryError | OSError
"""The result for one file: what the library did with it, or why it was refused."""


def add_options(sub: ArgumentParser) -> None:
    sub.add_argument("files", nargs="+", type=Path, metavar="FILE.pdf")
    sub.add_argument("--class-number", type=int)
    sub.add_argument("--subject")
    sub.add_argument("--chapter")


def ingest(options: Namespace) -> int:
    """Add files to the library: one line each on stdout, progress on stderr. Returns 1 if any file was refused.

    Ctrl-C returns 130: finished files stay, and nothing of the current one is stored.
    """
    with _interrupts() as cancelled:
        from core.models.embedder import bundled_embedder

        library = Library(home_folder(options.home), bundled_embedder())
        results = _results(library, options, cancelled)
        try:
            return max([_report(path, result) for path, result in zip(options.files, results, strict=True)])
        except Cancelled as error:
            clear()
            print(f"ingest: {error}", file=sys.stderr)
            return 130


def _results(library: Library, options: Namespace, cancelled: Callable[[], bool]) -> Iterator[IngestResult]:
    """Add the files one after the other, and yield the result of each."""
    readable = [path for path in options.files if path.is_file() and os.access(path, os.R_OK)]
    sentences = clashes([path.name for path in readable], lambda index: _bytes_of(readable[index]))
    shelf = {"class_number": options.class_number, "subject": options.subject, "chapter": options.chapter}
    for path in options.files:
        try:
            if path in readable and readable.index(path) in sentences:
                raise LibraryError(sentences[readable.index(path)])
            data = _bytes_of(path)
            result: IngestResult = library.ingest(data, path.name, progress=show_progress, cancelled=cancelled, **shelf)
        except Cancelled:
            raise
        except (LibraryError, OSError) as error:
            result = error
        yield result


def _report(path: Path, result: IngestResult) -> int:
    """Print a line on the result of a file and on what could not be read of it. Returns 1 if it was refused."""
    name = safe_name(path.name)
    if isinstance(result, LibraryError):
        return line(f"{name}: refused: {result}", 1)
    if isinstance(result, OSError):
        cause = f"it cannot be stored ({result.strerror}); free the disk and add it again."
        return line(f"{name}: refused: {cause}", 1)
    document = result.document
    losses = "".join(f"; {sentence}" for sentence in loss_sentences(document.losses))
    return line(
        f"{name}: {_outcome_words(name, result)}: {document.pages} pages, {document.passages} passages{losses}", 0
    )


def _outcome_words(name: str, result: IngestionOutcome) -> str:
    """The result of adding a file, in words: what the library did with it, and its name in the library if that differs
    from `name`.
    """
    new_name = "" if result.document.name == name else f" as {result.document.name}"
    if not result.added:
        return f"already in the library{new_name}"
    return f"replaced{in_brackets(result.replaced)}" if result.replaced else f"added{new_name}"


def _bytes_of(path: Path) -> bytes:
    try:
        refuse_by_size(path.stat().st_size, safe_name(path.name))
        return path.read_bytes()
    except OSError as error:
        raise LibraryError(f"The file cannot be opened ({error.strerror}); check its name.") from error


@contextmanager
def _interrupts() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns True once Ctrl-C was pressed. A second Ctrl-C ends the program."""
    signals = []

    def press(*_: Any) -> None:
        signals.append(True)
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: bool(signals)
    finally:
        signal.signal(signal.SIGINT, before)
