"""PDF bytes become pages or pictures of pages, in processes of their own, or one sentence that says why not."""

import base64
import io
import json
import logging
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from core.library.documents import Cancelled, Document, LibraryError
from core.pdf.page import Page, Place, page_of
from core.pdf.sandbox import LIMITS, Halted, Limits, processes, readers, spoken

_HEAD, _TAIL = 1024, 2048  # readers of PDFs look for the two marks of a file within these many bytes
_SMALL = 50_000  # bytes: what one process reads faster than several start

OCR = "if it was scanned, run OCR on it first, for example with `ocrmypdf scan.pdf with_text.pdf`, and add the result"
"""What to do with pictures of pages."""
_REFUSALS = {
    "password": "{name} is protected by a password; save a copy without one and add that.",
    "no pages": "{name} has no pages; export it again.",
    "damaged": "{name} is damaged{at} and cannot be read; download or export it again.",
    "letters": "{name} has more than {letters} letters{at}, which no book has; add it in parts.",
    "memory": "{name} takes more than {memory} MB of memory to read{at}; export it again in a simpler form.",
    "died": "{name} makes the reader of PDFs stop{at}, damaged or in need of more than {memory} MB of memory; "
    "download or export it again.",
    "slow": "{name} takes too long to read{at} (over {page_seconds} s of a processor for a page, {seconds} s in all); "
    "export it again in a simpler form, or in parts.",
}  # fmt: skip
"""Why a file is refused, in one sentence each. at: " at page 3", or nothing where the page is not known."""
_KEPT = 32_000_000  # bytes of pictures
_WIDTHS = 50, 3000
Key = tuple[str, int, tuple[tuple[float, ...], ...], int]


def read_pages(
    data: bytes,
    name: str = "The file",
    *,
    limits: Limits = LIMITS,
    on_page: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> tuple[Page, ...]:
    """Every page, in order, as pdfium reads it; `on_page` hears after each how many of how many are read.

    Several processes read at once, so pages are done in any order. Raises LibraryError for a file that is no
    PDF, empty, cut off, damaged, encrypted, without pages or text, or beyond `limits`; Cancelled once
    `cancelled` says so, which is asked at every page and five times a second.
    """
    _refuse_by_bytes(data, name, limits)
    found: dict[int, Page] = {}
    pages = 0
    step = 1 if len(data) < _SMALL or not hasattr(os, "pread") else processes()
    lines = _lines(data, name, limits, step, lambda: require_wanted(name, cancelled))
    with readers().taken(size=step), closing(lines):
        for line in lines:
            if "pages" in line:
                pages = _counted(line["pages"], name, limits)
                continue
            page = page_of(line)
            found[page.number] = page
            _require_fewer_letters(found, name, limits)
            if on_page:
                on_page(len(found), pages)
    return _with_text(tuple(found[number] for number in sorted(found)), name)


def require_wanted(name: str, cancelled: Callable[[], bool] | None) -> None:
    """Raises Cancelled when `cancelled` says so."""
    if cancelled and cancelled():
        raise Cancelled(f"{name} was cancelled; nothing of it was kept.")


def _lines(data: bytes, name: str, limits: Limits, step: int, look: Callable[[], None]) -> Iterator[dict[str, Any]]:
    """The lines of the `step` processes that read `data`; a refusal of one of them is the end of all."""
    options = ["--step", str(step), "--letters", str(_most_letters(limits))]
    programs = [["core.pdf.read", "--first", str(first), *options] for first in range(step)]
    done = [0] * step
    try:
        with closing(spoken(data, programs, limits, look)) as lines:
            for program, line in lines:
                if "refused" in line:
                    raise _refusal(line["refused"], name, limits, line.get("page"))
                done[program] += 1
                yield line
    except Halted as halt:
        ahead = done[halt.program]  # its first line was the number of pages
        page = halt.program + 1 + (ahead - 1) * step if ahead else None
        raise _refusal(halt.cause, name, limits, page) from None


def _refusal(cause: str, name: str, limits: Limits, page: int | None) -> LibraryError:
    at = f" at page {page}" if page else ""
    said = vars(limits) | ({"letters": _most_letters(limits)} if page else {})
    return LibraryError(_REFUSALS[cause].format(name=name, at=at, **said))


def _most_letters(limits: Limits) -> int:
    """Of one page."""
    return min(limits.letters, limits.page_letters)


def refuse_by_size(size: int, name: str, limits: Limits = LIMITS) -> None:
    """LibraryError for a file of more bytes than are read; it need not be in memory to be told."""
    if size > limits.megabytes * 1e6:
        most = f"at most {limits.megabytes:g} are read"
        raise LibraryError(f"{name} has {size / 1e6:.1f} MB, {most}; add it in parts.")


def _refuse_by_bytes(data: bytes, name: str, limits: Limits) -> None:
    """What can be told without opening the file."""
    if not data:
        raise LibraryError(f"{name} is empty; choose a PDF file that holds text.")
    refuse_by_size(len(data), name, limits)
    if b"%PDF-" not in data[:_HEAD]:
        raise LibraryError(f"{name} is no PDF file, whatever its name says; choose a PDF file.")
    if b"%%EOF" not in data.rstrip(b"\0\r\n\t ")[-_TAIL:]:
        raise LibraryError(f"{name} is cut off, its end is missing; download or export it again.")


def _counted(pages: int, name: str, limits: Limits) -> int:
    if pages == 0:
        raise _refusal("no pages", name, limits, None)
    if pages > limits.pages:
        raise LibraryError(f"{name} has {pages} pages, at most {limits.pages} are read; add it in parts.")
    return pages


def _require_fewer_letters(found: dict[int, Page], name: str, limits: Limits) -> None:
    if sum(len(page.raw) for page in found.values()) > limits.letters:
        raise _refusal("letters", name, limits, None)


def _with_text(pages: tuple[Page, ...], name: str) -> tuple[Page, ...]:
    if not any(page.lines for page in pages):
        counted = "1 page" if len(pages) == 1 else f"{len(pages)} pages"
        raise LibraryError(f"{name} has {counted} and no text; {OCR}.")
    return pages


class Pictures:
    """Draws one page at a time, and remembers the last ones."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.limits = limits
        self._lock = threading.Lock()
        self._kept: dict[Key, bytes] = {}  # the one used last is the last

    def picture(self, document: Document, pdf: Path, page: int, marks: Sequence[Place], width: int) -> bytes:
        """PNG of a page with the places on it marked; LibraryError when it cannot be drawn."""
        require_page(document, page)
        if not _WIDTHS[0] <= width <= _WIDTHS[1]:
            raise LibraryError(f"A picture is {_WIDTHS[0]} to {_WIDTHS[1]} pixels wide, got {width}.")
        key = document.id, page, tuple(tuple(mark[1:]) for mark in marks if mark[0] == page), width
        with self._lock:
            found = self._kept[key] = self._kept.pop(key, None) or self._drawn(document, pdf, key)
            while len(self._kept) > 1 and sum(map(len, self._kept.values())) > _KEPT:
                del self._kept[next(iter(self._kept))]
        return found

    def _drawn(self, document: Document, pdf: Path, key: Key) -> bytes:
        _, page, marks, width = key
        program = ["core.pdf.read", "--picture", str(page), "--width", str(width), "--marks", json.dumps(marks)]
        try:
            with readers().taken():
                lines = [line for _, line in spoken(pdf.read_bytes(), [program], self.limits)]
        except (Halted, OSError) as error:
            raise LibraryError(_cannot_be_drawn(document, page)) from error
        if "picture" not in lines[-1]:
            raise LibraryError(_cannot_be_drawn(document, page))
        return base64.b64decode(lines[-1]["picture"])


def _cannot_be_drawn(document: Document, page: int) -> str:
    return f"Page {page} of {document.name} cannot be drawn; its text is in the library all the same."


def require_page(document: Document, page: int) -> None:
    """Raises LibraryError for a page that `document` does not have."""
    if not 1 <= page <= document.pages:
        raise LibraryError(f"{document.name} has the pages 1 to {document.pages}, got {page}.")


def plain_page_texts(data: bytes) -> list[str]:
    """The text of every page of a sound PDF as pypdf gives it, in this process and without limits: what the benchmark
    compares with. pypdf's own errors are raised.
    """
    import pypdf  # only the benchmark pays for it

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages]
