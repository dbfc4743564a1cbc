"""The letters of a page with their places, as pdfium finds them."""

import ctypes
import math
from collections.abc import Iterator
from typing import NamedTuple

import pypdfium2.raw as pdfium

from core.pdf.symbols import readable

_UPRIGHT = 0.05  # radians
_ITALIC_FLAG = 64
_NAME = 64


class Glyph(NamedTuple):
    """One letter. `space` is True when the file has a space before it; that need not be seen on the page."""

    text: str
    left: float
    right: float
    top: float
    bottom: float
    baseline: float
    size: float
    bold: bool
    italic: bool
    space: bool
    font: str


def glyphs(textpage: pdfium.FPDF_TEXTPAGE, height: float) -> Iterator[Glyph]:
    """Every upright letter of a page in the order of the file, as often as it is printed."""
    space = False
    box, x, y = pdfium.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
    for place in range(pdfium.FPDFText_CountChars(textpage)):
        if pdfium.FPDFText_IsGenerated(textpage, place):
            continue
        name, flags = _font(textpage, place)
        text = readable(pdfium.FPDFText_GetUnicode(textpage, place), name)
        if not text or text.isspace():
            space = space or bool(text)
            continue
        angle = pdfium.FPDFText_GetCharAngle(textpage, place)
        if min(angle % math.tau, -angle % math.tau) > _UPRIGHT:
            continue
        pdfium.FPDFText_GetLooseCharBox(textpage, place, box)
        pdfium.FPDFText_GetCharOrigin(textpage, place, x, y)
        yield Glyph(
            text=text, left=box.left, right=box.right, top=height - box.top, bottom=height - box.bottom,
            baseline=height - y.value, size=abs(box.top - box.bottom), space=space,
            bold=_is_bold(name), italic=bool(flags & _ITALIC_FLAG) or "italic" in name or "oblique" in name, font=name,
        )  # fmt: skip
        space = False


def _font(textpage: pdfium.FPDF_TEXTPAGE, place: int) -> tuple[str, int]:
    """Name in lower case, without the six letters of a subset, and flags of the font of a letter."""
    name, flags = ctypes.create_string_buffer(_NAME), ctypes.c_int()
    pdfium.FPDFText_GetFontInfo(textpage, place, name, _NAME, flags)
    return name.value.decode("latin-1").lower().rpartition("+")[2], flags.value


def _is_bold(name: str) -> bool:
    return any(weight in name for weight in ("bold", "demi", "black", "heavy"))
