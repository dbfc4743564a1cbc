"""Reads PDF bytes into pages, and draws pictures of pages, in processes of their own. A file that cannot be read raises
one sentence that says why.
"""

import base64
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

from pydantic import TypeAdapter

from core.library.documents import Document, LibraryError
from core.pdf.page import Page
from core.pdf.sandbox import LIMITS, Limits, ProgramHalted, printed_lines, processes, readers

_HEAD, _TAIL = 1024, 2048  # bytes at the start and end in which a PDF must have its two markers
_SMALL = 50_000  # bytes: one process reads a smaller file faster than several can start

OCR = "if it was scanned, run OCR on it first, for example with `ocrmypdf scan.pdf with_text.pdf`, and add the result"
"""What to do with a document of pictures only."""
_REFUSALS = {
    "password": "{name} is protected by a password; save a copy without one and add that.",
    "no pages": "{name} has no pages; export it again.",
    "damaged": "{name} is damaged{at} and cannot be read; download or export it again.",
    "letters": "{name} has more than {letters} letters{at}, which no book has; add it in parts.",
    "memory": "{name} takes more than {memory} MB of memory to read{at}; export it again in a simpler form.",
    "died": "{name} stopped the PDF reader{at}, since it is damaged or needs more than {memory} MB of memory; "
    "download or export it again.",
    "slow": "{name} takes too long to read{at} (over {page_seconds} s of processor time for a page, or {seconds} s in "
    "all); export it again in a simpler form, or in parts.",
}  # fmt: skip
"""One sentence per cause. at: " at page 3", or "" if the page is not known."""
_PAGE = TypeAdapter(Page)


def read_pages(
    data: bytes,
    name: str = "The file",
    *,
    limits: Limits = LIMITS,
    on_page: Callable[[int, int], None] = lambda *_: None,
    check_cancelled: Callable[[], None] = lambda: None,
) -> tuple[Page, ...]:
    """Read every page in order. on_page: called after each page with the number of pages done and of all pages.

    Several processes read in parallel, so pages are done in any order. Raises LibraryError for a file that is no PDF,
    empty, cut off, damaged, encrypted, without pages or text, or beyond `limits`. check_cancelled: called at every page
    and five times a second; an exception from it stops the work.
    """
    if not data:
        raise LibraryError(f"{name} is empty; choose a PDF file that holds text.")
    refuse_by_size(len(data), name, limits)
    if b"%PDF-" not in data[:_HEAD]:
        raise LibraryError(f"{name} is no PDF file, whatever its name says; choose a PDF file.")
    if b"%%EOF" not in data.rstrip(b"\0\r\n\t ")[-_TAIL:]:
        raise LibraryError(f"{name} is cut off, its end is missing; download or export it again.")
    pages_by_number: dict[int, Page] = {}
    count = 0
    step = 1 if len(data) < _SMALL or not hasattr(os, "pread") else processes()
    lines = _lines(data, name, limits, step, check_cancelled)
    with readers().take_turn(size=step), closing(lines):
        for line in lines:
            if "pages" in line:
                if (count := line["pages"]) > limits.pages:
                    raise LibraryError(f"{name} has {count} pages, at most {limits.pages} are read; add it in parts.")
                continue
            page = _PAGE.validate_python(line)
            pages_by_number[page.number] = page
            if sum(len(page.raw) for page in pages_by_number.values()) > limits.letters:
                raise _refusal("letters", name, limits, None)
            on_page(len(pages_by_number), count)
    pages = tuple(pages_by_number[number] for number in sorted(pages_by_number))
    if not any(page.lines for page in pages):
        page_count = "1 page" if len(pages) == 1 else f"{len(pages)} pages"
        raise LibraryError(f"{name} has {page_count} and no text; {OCR}.")
    return pages


def _lines(
    data: bytes, name: str, limits: Limits, step: int, check_cancelled: Callable[[], None]
) -> Iterator[dict[str, Any]]:
    """Yield the lines, parsed from JSON, that `step` processes print, each of which reads every `step`-th page. A
    refusal by one of them stops all.
    """
    programs = [("core.pdf.read", {"first": first, "step": step}) for first in range(step)]
    line_counts = [0] * step
    try:
        with closing(printed_lines(data, programs, limits, check_cancelled)) as lines:
            for program, line in lines:
                if "refused" in line:
                    raise _refusal(line["refused"], name, limits, line.get("page"))
                line_counts[program] += 1
                yield line
    except ProgramHalted as halt:
        count = line_counts[halt.program]  # its first line is the number of pages
        page = halt.program + 1 + (count - 1) * step if count else None
        raise _refusal(halt.cause, name, limits, page) from None


def _refusal(cause: str, name: str, limits: Limits, page: int | None) -> LibraryError:
    position = f" at page {page}" if page else ""
    values = vars(limits) | ({"letters": min(limits.letters, limits.page_letters)} if page else {})
    return LibraryError(_REFUSALS[cause].format(name=name, at=position, **values))


def refuse_by_size(size: int, name: str, limits: Limits = LIMITS) -> None:
    """Raise LibraryError for a file that is too large. size: in bytes; the file need not be in memory."""
    if size > limits.megabytes * 1e6:
        limit_text = f"at most {limits.megabytes:g} are read"
        raise LibraryError(f"{name} has {size / 1e6:.1f} MB, {limit_text}; add it in parts.")


def picture_of(
    data: bytes,
    document: Document,
    page: int,
    marks: Sequence[tuple[float, ...]],
    width: int,
    limits: Limits = LIMITS,
) -> bytes:
    """PNG of a page of `document`, `width` pixels wide. Raises LibraryError if it cannot be drawn.

    data: the bytes of its PDF. marks: rectangles to highlight, each its left, top, right and bottom as shares of the
    page's width and height.
    """
    program = "core.pdf.read", {"picture": {"page": page, "width": width, "marks": marks}}
    try:
        with readers().take_turn():
            lines = [line for _, line in printed_lines(data, [program], limits)]
        return base64.b64decode(lines[-1]["picture"])
    except (ProgramHalted, OSError, KeyError) as error:  # KeyError: the program printed a cause in its place
        raise LibraryError(
            f"Page {page} of {document.name} cannot be drawn; its text is still in the library."
        ) from error
