"""A program: a PDF on standard input becomes one JSON line a page, or a picture of one, with places marked as with a
felt pen. Hostile files can end it, and nothing else.
"""

import argparse
import base64
import io
import json
import os
import stat
import sys
from collections.abc import Sequence
from typing import Any

import pypdfium2 as pdfium
from PIL import Image, ImageChops, ImageDraw

from core.pdf.boxes import boxed, boxes, outside
from core.pdf.glyphs import glyphs
from core.pdf.page import Line, Page, Rectangle, page_row
from core.pdf.sandbox import LIMITS, allow, confine
from core.pdf.tables import tables
from core.pdf.text_lines import lines, turned_lines
from core.pdf.visibility import Sight, frame

_CAUSES = {pdfium.raw.FPDF_ERR_PASSWORD: "password", pdfium.raw.FPDF_ERR_SUCCESS: "no pages"}
"""Why a document does not open; pdfium opens none without pages, and finds no fault in it either."""
_PEN = (255, 224, 110)
_TALLEST = 4  # times the width: a longer page is drawn narrower
_FEW = 3  # lines: a page with more has text, whatever else it shows
_COARSE, _DARK, _INK = 0.5, 200, 0.005  # pixels a point; of 255, what is darker is ink; and the share of ink in a scan
_MARGIN = 2  # pixels that a mark reaches beyond its letters


class TooManyLettersError(ValueError):
    """A page holds more letters than are read of a document."""


def main() -> None:
    """The number of pages, then every `step`th page from `first`, or "picture", a PNG in base 64, of one page alone;
    "refused" where it goes no further, and why.
    """
    options = _options()
    bound(options)
    document = opened()
    if document is None:
        return
    if options.picture is None:
        _pages(document, options)
    else:
        _picture(document, options)


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
    by_turn = glyphs(text.raw, seen, sight)
    (width, height), written = seen.size, lines(by_turn.turned[0])
    read = tables(sight.paths, written)
    found = tuple(boxes([*outside(sight.paths, read.sure), *read.frames], width, height))
    return Page(
        number=place + 1, width=width, height=height, boxes=found, raw=text.get_text_range(),
        lines=(*boxed(read.lines, found), *turned_lines(by_turn)), hidden=sight.hidden, uncoded=by_turn.uncoded,
        sideways=by_turn.slanted, label=document.get_page_label(place), loose_tables=len(read.loose),
        shows_more=_shows_more(page, written),
    )  # fmt: skip


def _shows_more(page: pdfium.PdfPage, lines: Sequence[Line]) -> bool:
    """Does a page with a few lines at most show anything beside them: a picture, or more ink than a rule?"""
    if len(lines) > _FEW:
        return False
    if next(page.get_objects(filter=(pdfium.raw.FPDF_PAGEOBJ_IMAGE,)), None) is not None:
        return True
    picture = page.render(scale=_COARSE, grayscale=True).to_pil().convert("L")
    for line in lines:
        picture.paste(255, tuple(round(_COARSE * edge) for edge in line.rectangle))
    return sum(picture.histogram()[:_DARK]) > _INK * picture.width * picture.height


def drawn(document: pdfium.PdfDocument, place: int, width: int) -> Image.Image:
    """A page, counted from 0, `width` pixels wide."""
    page = document[place]
    wide, high = page.get_size()
    return page.render(scale=min(width / wide, _TALLEST * width / high)).to_pil().convert("RGB")


def marked(picture: Image.Image, marks: Sequence[Rectangle]) -> Image.Image:
    """`picture` with these shares of it painted over; what is black below stays black."""
    if not marks:
        return picture
    pen = Image.new("RGB", picture.size, "white")
    wide, high = picture.size
    for left, top, right, bottom in marks:
        box = left * wide - _MARGIN, top * high - _MARGIN, right * wide + _MARGIN, bottom * high + _MARGIN
        ImageDraw.Draw(pen).rectangle(box, fill=_PEN)
    return ImageChops.multiply(picture, pen)


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


def _picture(document: pdfium.PdfDocument, options: argparse.Namespace) -> None:
    out = io.BytesIO()
    try:
        marked(drawn(document, options.picture - 1, options.width), options.marks).save(out, "png")
    except (MemoryError, pdfium.PdfiumError) as error:
        return say(refused="memory" if isinstance(error, MemoryError) else "damaged")
    return say(picture=base64.b64encode(out.getvalue()).decode())


def _pages(document: pdfium.PdfDocument, options: argparse.Namespace) -> None:
    say(pages=len(document))
    for place in range(options.first, len(document), options.step):
        allow(options.page_seconds)
        if not _said(document, place, options.letters):
            return


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
    parser.add_argument("--picture", type=int, help="draw this page, counted from 1")
    parser.add_argument("--width", type=int, default=900, help="pixels")
    parser.add_argument("--marks", type=json.loads, default=[], help="left, top, right, bottom of each, in [0, 1]")
    return parser.parse_args()


if __name__ == "__main__":
    main()
