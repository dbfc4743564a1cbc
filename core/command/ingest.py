"""The command `ingest`: adds files to the library, read here or by the workers of a cluster."""

import os
import signal
import sys
from argparse import ArgumentParser, Namespace
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.command.cluster import IngestRequest, Preparing, preparing_of
from core.command.terminal import clear, line, show_progress, track_progress
from core.graph.startup import home_folder
from core.library import Cancelled, Library, LibraryError, clashes, in_brackets, refuse_by_size, safe_name
from core.library.documents import Document, loss_sentences
from core.library.ingestion import IngestionOutcome

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
        preparing = preparing_of(options)
        from core.models.embedder import bundled_embedder

        library = Library(home_folder(options.home), bundled_embedder())
        results = (
            _on_cluster(preparing, library, options, cancelled)
            if preparing
            else _ingest_locally(library, options, cancelled)
        )
        try:
            return max([_report(path, result) for path, result in zip(options.files, results, strict=True)])
        except Cancelled as error:
            clear()
            print(f"ingest: {error}", file=sys.stderr)
            return 130


def _ingest_locally(library: Library, options: Namespace, cancelled: Callable[[], bool]) -> Iterator[IngestResult]:
    """Add the files in this process, one after the other, and yield the result of each."""
    clash_sentences, shelf = _clashes(options.files), _shelf_options(options)
    for path in options.files:
        try:
            data = _checked_bytes(path, clash_sentences)
            result: IngestResult = library.ingest(data, path.name, progress=show_progress, cancelled=cancelled, **shelf)
        except Cancelled:
            raise
        except (LibraryError, OSError) as error:
            result = error
        yield result


def _on_cluster(
    preparing: Preparing, library: Library, options: Namespace, cancelled: Callable[[], bool]
) -> Iterator[IngestResult]:
    """Read and embed the files on a cluster, store them here in their order, and yield the result of each."""
    clash_sentences, pending = _clashes(options.files), deque[IngestRequest]()

    def requests() -> Iterator[IngestRequest]:
        for path in options.files:
            pending.append(_request(library, path, options, clash_sentences))
            yield pending[-1]

    for ready in track_progress(preparing(requests()), len(options.files), "files"):
        request = pending.popleft()
        if cancelled():
            raise Cancelled("Stopped; the files before this one are in the library.")
        if isinstance(ready, Document):
            yield IngestionOutcome(document=ready, added=False)
        elif isinstance(ready, Exception):
            yield ready
        else:
            try:
                yield library.store(ready, request[0])
            except (LibraryError, OSError) as error:
                yield error


def _request(library: Library, path: Path, options: Namespace, clash_sentences: dict[Path, str]) -> IngestRequest:
    """What a worker gets for a file: the PDF to prepare, the document if the library already holds it, or the error for
    which it is refused.
    """
    try:
        data, name = _checked_bytes(path, clash_sentences), safe_name(path.name)
        shelf = library.classify_pdf(data, name, **_shelf_options(options))
    except (LibraryError, OSError) as error:
        return error
    return shelf if isinstance(shelf, Document) else (data, name, shelf)


def _shelf_options(options: Namespace) -> dict[str, Any]:
    return {"class_number": options.class_number, "subject": options.subject, "chapter": options.chapter}


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


def _clashes(paths: list[Path]) -> dict[Path, str]:
    """By path, the sentence on why a file cannot be added together with those named before it."""
    readable = [path for path in paths if path.is_file() and os.access(path, os.R_OK)]
    sentences = clashes([path.name for path in readable], lambda index: _bytes_of(readable[index]))
    return {readable[index]: sentence for index, sentence in sentences.items()}


def _checked_bytes(path: Path, clash_sentences: dict[Path, str]) -> bytes:
    if path in clash_sentences:
        raise LibraryError(clash_sentences[path])
    return _bytes_of(path)


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
