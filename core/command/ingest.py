"""The command `ingest`: files go into the library, read here or by the workers of a cluster."""

import os
import signal
import sys
from argparse import ArgumentParser, Namespace
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.command.cluster import Asked, Preparing, preparing_of
from core.command.terminal import clear, line, shown, with_time_left
from core.graph.startup import home_folder
from core.library import Cancelled, Library, LibraryError, clashes, in_brackets, refuse_by_size, safe_name
from core.library.documents import Document
from core.library.ingestion import Ingested
from core.library.losses import loss_sentences

Found = Ingested | LibraryError | OSError
"""What became of a file."""


def add_options(sub: ArgumentParser) -> None:
    sub.add_argument("files", nargs="+", type=Path, metavar="FILE.pdf")
    sub.add_argument("--class-number", type=int)
    sub.add_argument("--subject")
    sub.add_argument("--chapter")


def ingest(options: Namespace) -> int:
    """Put files into the library: a line each on stdout, progress on stderr; 1 when any was refused.

    Ctrl-C ends it with 130: files that are done stay, of the one under way nothing is kept.
    """
    with _interrupts() as cancelled:
        preparing = preparing_of(options)
        from core.models.embedder import bundled_embedder

        library = Library(home_folder(options.home), bundled_embedder())
        done = _over(preparing, library, options, cancelled) if preparing else _here(library, options, cancelled)
        try:
            return max([_line(path, found) for path, found in zip(options.files, done, strict=True)])
        except Cancelled as error:
            clear()
            print(f"ingest: {error}", file=sys.stderr)
            return 130


def _here(library: Library, options: Namespace, cancelled: Callable[[], bool]) -> Iterator[Found]:
    """What becomes of each file, one after the other."""
    clashing, place = _clashes(options.files), _said(options)
    for path in options.files:
        try:
            data = _read(path, clashing)
            found: Found = library.ingest(data, path.name, progress=shown, cancelled=cancelled, **place)
        except Cancelled:
            raise
        except (LibraryError, OSError) as error:
            found = error
        yield found


def _over(preparing: Preparing, library: Library, options: Namespace, cancelled: Callable[[], bool]) -> Iterator[Found]:
    """The same where others read and embed; what they have prepared is stored here, in the order of the files."""
    clashing, sent = _clashes(options.files), deque[Asked]()

    def asked() -> Iterator[Asked]:
        for path in options.files:
            sent.append(_asked(library, path, options, clashing))
            yield sent[-1]

    for ready in with_time_left(preparing(asked()), len(options.files), "files"):
        one = sent.popleft()
        if cancelled():
            raise Cancelled("Stopped; the files before this one are in the library.")
        if isinstance(ready, Document):
            yield Ingested(document=ready, added=False)
        elif isinstance(ready, Exception):
            yield ready
        else:
            try:
                yield library.store(ready, one[0])
            except (LibraryError, OSError) as error:
                yield error


def _asked(library: Library, path: Path, options: Namespace, clashing: dict[Path, str]) -> Asked:
    """What is to be prepared; or what the library holds of it, or why it is refused, so that nothing is to be done."""
    try:
        data, name = _read(path, clashing), safe_name(path.name)
        found = library.place(data, name, **_said(options))
    except (LibraryError, OSError) as error:
        return error
    return found if isinstance(found, Document) else (data, name, found)


def _said(options: Namespace) -> dict[str, Any]:
    return {"class_number": options.class_number, "subject": options.subject, "chapter": options.chapter}


def _line(path: Path, found: Found) -> int:
    """A line of what became of a file and of what was not read of it; 1 when it was refused."""
    name = safe_name(path.name)
    if isinstance(found, LibraryError):
        return line(f"{name}: refused: {found}", 1)
    if isinstance(found, OSError):
        why = f"it cannot be stored ({found.strerror}); free the disk and add it again."
        return line(f"{name}: refused: {why}", 1)
    document = found.document
    lost = "".join(f"; {sentence}" for sentence in loss_sentences(document.losses))
    return line(f"{name}: {_done(name, found)}: {document.pages} pages, {document.passages} passages{lost}", 0)


def _done(name: str, found: Ingested) -> str:
    """What became of a file that the library holds, and under which name where that is another one."""
    shown = "" if found.document.name == name else f" as {found.document.name}"
    if not found.added:
        return f"already in the library{shown}"
    return f"replaced{in_brackets(found.replaced)}" if found.replaced else f"added{shown}"


def _clashes(paths: list[Path]) -> dict[Path, str]:
    """Why a file cannot go in together with those named before it."""
    known = [path for path in paths if path.is_file() and os.access(path, os.R_OK)]
    found = clashes([path.name for path in known], lambda place: _bytes_of(known[place]))
    return {known[place]: sentence for place, sentence in found.items()}


def _read(path: Path, clashing: dict[Path, str]) -> bytes:
    if path in clashing:
        raise LibraryError(clashing[path])
    return _bytes_of(path)


def _bytes_of(path: Path) -> bytes:
    try:
        refuse_by_size(path.stat().st_size, safe_name(path.name))
        return path.read_bytes()
    except OSError as error:
        raise LibraryError(f"The file cannot be opened ({error.strerror}); check its name.") from error


@contextmanager
def _interrupts() -> Iterator[Callable[[], bool]]:
    """Has Ctrl-C been pressed within the block? Pressed twice, it ends the program at once."""
    pressed = []

    def press(*_: Any) -> None:
        pressed.append(True)
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, before)
