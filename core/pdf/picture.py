"""A program: a PDF on standard input becomes a picture of one page, with places marked as with a felt pen."""

import argparse
import base64
import io
import json
from collections.abc import Sequence

import pypdfium2 as pdfium
from PIL import Image, ImageChops, ImageDraw

from core.pdf.page import Rectangle
from core.pdf.read import bound, bounded, opened, say

_PEN = (255, 224, 110)
_TALLEST = 4  # times the width: a longer page is drawn narrower
_MARGIN = 2  # pixels that a mark reaches beyond its letters


def main() -> None:
    """One line: "picture", a PNG in base 64; or "refused" and why."""
    options = _options()
    bound(options)
    document = opened()
    if document is None:
        return None
    try:
        picture = marked(drawn(document, options.page - 1, options.width), options.marks)
    except (MemoryError, pdfium.PdfiumError) as error:
        return say(refused="memory" if isinstance(error, MemoryError) else "damaged")
    out = io.BytesIO()
    picture.save(out, "png")
    return say(picture=base64.b64encode(out.getvalue()).decode())


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


def _options() -> argparse.Namespace:
    parser = bounded(argparse.ArgumentParser(description=__doc__))
    parser.add_argument("--page", type=int, default=1, help="counted from 1")
    parser.add_argument("--width", type=int, default=900, help="pixels")
    parser.add_argument("--marks", type=json.loads, default=[], help="left, top, right, bottom of each, in [0, 1]")
    return parser.parse_args()


if __name__ == "__main__":
    main()
