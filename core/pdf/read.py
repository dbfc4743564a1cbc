"""A program: a PDF on standard input becomes one JSON line a page. Hostile files can end it, and nothing else."""

import argparse
import json
import os
import stat
import sys
from typing import Any

import pypdfium2 as pdfium

from core.pdf.boxes_and_tables import boxed, boxes, tables
from core.pdf.frame import frame
from core.pdf.glyphs import glyphs
from core.pdf.page import Page, page_row
from core.pdf.sandbox import LIMITS, allow, confine
from core.pdf.text_lines import lines
from core.pdf.visibility import Sight

_CAUSES = {pdfium.raw.FPDF_ERR_PASSWORD: "password", pdfium.raw.FPDF_ERR_SUCCESS: "no pages"}
"""Why a document does not open; pdfium opens none without pages, and finds no fault in it either."""


class TooManyLettersError(ValueError):
    """A page holds more letters than are read of a document."""


def main() -> None:
    """The number of pages, then every `step`th page from `first`; "refused" where it goes no further, and why."""
    options = _options()
    bound(options)
    document = opened()
    if document is None:
        return
    say(pages=len(document))
    for place in range(options.first, len(document), options.step):
        allow(options.page_seconds)
        if not _said(document, place, options.letters):
            return


def opened() -> pdfium.PdfDocument | None:
    """The document on standard input; None once "refused" was said, and why."""
    try:
        return pdfium.PdfDocument(_input())
    except pdfium.PdfiumError as error:
        say(refused=_CAUSES.get(error.err_code, "damaged"))
        return None


def page_at(document: pdfium.PdfDocument, place: int, letters: int = LIMITS.page_letters) -> Page:
    """A page, counted from 0, with its lines in reading order. TooManyLettersError beyond `letters`."""
    page = document[place]
    seen, text = frame(page), page.get_textpage()
    if text.count_chars() > letters:
        raise TooManyLettersError
    sight = Sight(page, seen)
    (width, height), written = seen.size, lines(glyphs(text.raw, seen, sight))
    found = tuple(boxes([*sight.paths, *tables(sight.paths, written)], width, height))
    return Page(
        number=place + 1, width=width, height=height, boxes=found, raw=text.get_text_range(),
        lines=boxed(written, found), hidden=sight.hidden,
    )  # fmt: skip


def say(**line: Any) -> None:
    """One line to the reader of this program; ASCII, so that no locale can spoil it."""
    print(json.dumps(line), flush=True)


def bounded(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """`parser` with the options that `bound` wants."""
    parser.add_argument("--memory", type=int, default=LIMITS.memory, help="MB that the program may take at most")
    parser.add_argument("--seconds", type=int, default=LIMITS.seconds, help="of a processor, in all")
    parser.add_argument("--page-seconds", type=int, default=LIMITS.page_seconds, help="of a processor, for one page")
    parser.add_argument("--parent", type=int, default=0, help="the process without which this one ends")
    return parser


def bound(options: argparse.Namespace) -> None:
    """Bind this process as its options say; what comes before the first page has the time of a page, too."""
    confine(options.memory, options.parent, options.seconds)
    allow(options.page_seconds)


def _said(document: pdfium.PdfDocument, place: int, letters: int) -> bool:
    """Say a page; False when it was refused, with "letters", "memory" or "damaged"."""
    try:
        say(**page_row(page_at(document, place, letters)))
    except (TooManyLettersError, MemoryError, pdfium.PdfiumError) as error:
        causes = {TooManyLettersError: "letters", MemoryError: "memory"}
        say(refused=causes.get(type(error), "damaged"), page=place + 1)
        return False
    return True


def _input() -> bytes:
    """Standard input from its beginning, wherever another process that shares it has come to."""
    status = os.fstat(0)
    shared = stat.S_ISREG(status.st_mode) and hasattr(os, "pread")
    return os.pread(0, status.st_size, 0) if shared else sys.stdin.buffer.read()


def _options() -> argparse.Namespace:
    parser = bounded(argparse.ArgumentParser(description=__doc__))
    parser.add_argument("--first", type=int, default=0, help="the first page to read, counted from 0")
    parser.add_argument("--step", type=int, default=1, help="read every so many pages from there")
    parser.add_argument("--letters", type=int, default=LIMITS.page_letters, help="letters of a page at most")
    return parser.parse_args()


if __name__ == "__main__":
    main()
