"""Program: reads a PDF from standard input and prints one JSON line a page, or a picture of one page with highlights.

A hostile file can end this process, and nothing else.
"""

import base64
import io
import json
import os
import stat
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pypdfium2 as pdfium
from PIL import Image

from core.pdf.boxes import assign_boxes, boxes, outside
from core.pdf.drawn_signs import with_drawn_signs
from core.pdf.glyphs import glyphs
from core.pdf.opened_file import OpenedFile, opened_file
from core.pdf.page import Line, Page, Rectangle
from core.pdf.sandbox import LIMITS, allow, confine
from core.pdf.tables import tables
from core.pdf.text_lines import lines
from core.pdf.visibility import Sight, frame

_CAUSES = {pdfium.raw.FPDF_ERR_PASSWORD: "password", pdfium.raw.FPDF_ERR_SUCCESS: "no pages"}
"""The cause for each error code of pdfium on opening. It opens no document without pages, and reports success
for one.
"""
_PEN = (255, 224, 110)  # red, green, blue of a highlight
_TALLEST = 4  # times the width: a page that is higher is drawn narrower
_FEW = 3  # lines: a page with more than this has text, whatever else it shows
_COARSE = 0.5  # pixels a point of the picture in which ink is looked for
_DARK, _INK = 200, 0.005  # grey level below which a pixel is ink; smallest share of ink in a scan
_MARGIN = 2  # pixels by which a highlight extends beyond its letters


class TooManyLettersError(ValueError):
    """Raised for a page with more letters than the limits allow."""


def main() -> None:
    """Print the number of pages and then every `step`th page from `first`, or the picture of one page as base64 PNG.

    Prints "refused" with the cause and stops where a page or the document cannot be read.
    """
    job = started_job()
    data = _input()
    try:
        document = pdfium.PdfDocument(data)
        if "picture" in job:
            return _picture(document, **job["picture"])
        file = opened_file(data)
    except pdfium.PdfiumError as error:
        return print_line(refused=_CAUSES.get(error.err_code, "damaged"))
    if not len(document):
        return print_line(refused="no pages")
    print_line(pages=len(document))
    for index in range(job.get("first", 0), len(document), job.get("step", 1)):
        allow(job["page_seconds"])
        try:
            print_line(**vars(page_at(document, index, min(job["letters"], job["page_letters"]), file)))
        except (TooManyLettersError, MemoryError, pdfium.PdfiumError) as error:
            causes = {TooManyLettersError: "letters", MemoryError: "memory"}
            return print_line(refused=causes.get(type(error), "damaged"), page=index + 1)
    return None


def started_job() -> dict[str, Any]:
    """The job that `core.pdf.sandbox` gave this program, with the limits; its memory and time are limited from now on.
    The work before the first page gets the time of one page.
    """
    job = json.loads(sys.argv[1])
    confine(job["memory"], job["parent"], job["seconds"])
    allow(job["page_seconds"])
    return job


def page_at(
    document: pdfium.PdfDocument,
    index: int,
    most_letters: int = LIMITS.page_letters,
    file: OpenedFile = OpenedFile(),  # noqa: B008 - frozen
) -> Page:
    """Read one page, counted from 0, with its lines in reading order. file: the same document, opened by pypdf.

    Raises TooManyLettersError if the page holds more than `most_letters`.
    """
    page, added = document[index], file.annotations(index)
    if added.fields or added.notes:  # what they show becomes part of the page
        pdfium.raw.FPDFPage_Flatten(page.raw, pdfium.raw.FLAT_NORMALDISPLAY)
        page.close()
        page = document[index]
    page_frame, textpage = frame(page), page.get_textpage()
    if textpage.count_chars() > most_letters:
        raise TooManyLettersError
    sight = Sight(page, page_frame, doubts_all=file.layers)
    by_turn, uncoded, slanted = glyphs(textpage.raw, page_frame, sight)
    strikes = [
        page_frame.rectangle(left, (bottom + top) / 2, right, (bottom + top) / 2)
        for left, bottom, right, top in added.strikes
    ]
    letters, struck = with_drawn_signs(by_turn[0], [*sight.paths, *strikes])
    (width, height), text_lines = page_frame.size, lines(letters)
    text_lines_with_cells, sure, loose = tables(sight.paths, text_lines)
    areas = tuple(boxes([*outside(sight.paths, sure), *loose], width, height))
    turned_lines = (replace(line, turn=turn) for turn in (1, 2, 3) for line in lines(by_turn[turn]))
    raw = textpage.get_text_range()
    return Page(
        number=index + 1, width=width, height=height, boxes=areas, raw=raw,
        lines=(*assign_boxes(text_lines_with_cells, areas), *turned_lines), hidden=sight.hidden + struck,
        uncoded=uncoded, sideways=slanted, label=file.label(index),
        loose_tables=len(loose), shows_more=_shows_more(page, text_lines), known=file.known,
        unread_fields=_count_missing(added.fields, raw), unread_notes=_count_missing(added.notes, raw),
    )  # fmt: skip


def _count_missing(texts: Sequence[str], raw: str) -> int:
    """Count the texts that are not in the text of a page, spaces ignored."""
    page_text = "".join(raw.split())
    return sum("".join(text.split()) not in page_text for text in texts)


def _shows_more(page: pdfium.PdfPage, lines: Sequence[Line]) -> bool:
    """True if a page with at most a few lines shows anything else: an image, or more ink than a rule."""
    if len(lines) > _FEW:
        return False
    if next(page.get_objects(filter=(pdfium.raw.FPDF_PAGEOBJ_IMAGE,)), None) is not None:
        return True
    picture = page.render(scale=_COARSE, grayscale=True).to_pil().convert("L")
    for line in lines:
        picture.paste(255, tuple(round(_COARSE * edge) for edge in line.rectangle))
    return sum(picture.histogram()[:_DARK]) > _INK * picture.width * picture.height


def render_page(document: pdfium.PdfDocument, index: int, width: int) -> Image.Image:
    """Draw a page, counted from 0, `width` pixels wide; a very high page is drawn narrower."""
    page = document[index]
    wide, high = page.get_size()
    return page.render(scale=min(width / wide, _TALLEST * width / high)).to_pil().convert("RGB")


def highlight(picture: Image.Image, marks: Sequence[Rectangle]) -> Image.Image:
    """Return `picture` with highlights. marks: shares of its width and height. Black stays black under a highlight."""
    if not marks:
        return picture
    from PIL import ImageChops, ImageDraw  # imported here: they take as long as reading a page

    pen = Image.new("RGB", picture.size, "white")
    wide, high = picture.size
    for left, top, right, bottom in marks:
        box = left * wide - _MARGIN, top * high - _MARGIN, right * wide + _MARGIN, bottom * high + _MARGIN
        ImageDraw.Draw(pen).rectangle(box, fill=_PEN)
    return ImageChops.multiply(picture, pen)


def print_line(**line: Any) -> None:
    """Print one JSON line. Lines and words of a page become objects. It is ASCII, so that no locale can corrupt it."""
    print(json.dumps(line, default=vars), flush=True)


def _picture(document: pdfium.PdfDocument, page: int, width: int, marks: Sequence[Rectangle]) -> None:
    """Print one page, counted from 1, as a base64 PNG, or "refused" with "memory" or "damaged"."""
    out = io.BytesIO()
    try:
        highlight(render_page(document, page - 1, width), marks).save(out, "png")
    except (MemoryError, pdfium.PdfiumError) as error:
        return print_line(refused="memory" if isinstance(error, MemoryError) else "damaged")
    return print_line(picture=base64.b64encode(out.getvalue()).decode())


def _input() -> bytes:
    """Read standard input from its start, even if another process that shares the file has moved its position."""
    status = os.fstat(0)
    shared = stat.S_ISREG(status.st_mode) and hasattr(os, "pread")
    return os.pread(0, status.st_size, 0) if shared else sys.stdin.buffer.read()


if __name__ == "__main__":
    main()
