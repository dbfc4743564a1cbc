"""The letters of a page with their places, as pdfium finds them."""

import ctypes
import math
from collections.abc import Iterator
from typing import NamedTuple

import pypdfium2.raw as pdfium

from core.pdf.frame import Frame
from core.pdf.page import Rectangle
from core.pdf.symbols import readable

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


def glyphs(textpage: pdfium.FPDF_TEXTPAGE, frame: Frame) -> Iterator[Glyph]:
    """Every upright letter that is seen in `frame`, in the order of the file, as often as it is printed."""
    space = False
    for place in range(pdfium.FPDFText_CountChars(textpage)):
        if pdfium.FPDFText_IsGenerated(textpage, place):
            continue
        name, flags = _font(textpage, place)
        text = readable(pdfium.FPDFText_GetUnicode(textpage, place), name)
        if not text or text.isspace():
            space = space or bool(text)
            continue
        if not frame.is_upright(_turned(textpage, place)):
            continue
        (left, top, right, bottom), baseline = _place(textpage, place, frame)
        if frame.holds(left, top):
            yield Glyph(
                text=text, left=left, right=right, top=top, bottom=bottom, baseline=baseline, size=bottom - top,
                bold=_is_bold(name), italic=_is_italic(name, flags), space=space, font=name,
            )  # fmt: skip
            space = False


def _turned(textpage: pdfium.FPDF_TEXTPAGE, place: int) -> float:
    """How far a letter's baseline is turned, radians to the right. A slant is no turn, as pdfium's own angle has it:
    the italics of a font without an italic face would be lost, and a "not" with them."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(textpage, place, matrix)
    return math.atan2(-matrix.b, matrix.a)


def _place(textpage: pdfium.FPDF_TEXTPAGE, place: int, frame: Frame) -> tuple[Rectangle, float]:
    """The box of a letter, as wide as it moves the pen on, and its baseline."""
    box, x, y = pdfium.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetLooseCharBox(textpage, place, box)
    pdfium.FPDFText_GetCharOrigin(textpage, place, x, y)
    return frame.rectangle(box.left, box.bottom, box.right, box.top), frame.seen(x.value, y.value)[1]


def _font(textpage: pdfium.FPDF_TEXTPAGE, place: int) -> tuple[str, int]:
    """Name in lower case, without the six letters of a subset, and flags of the font of a letter."""
    name, flags = ctypes.create_string_buffer(_NAME), ctypes.c_int()
    pdfium.FPDFText_GetFontInfo(textpage, place, name, _NAME, flags)
    return name.value.decode("latin-1").lower().rpartition("+")[2], flags.value


def _is_italic(name: str, flags: int) -> bool:
    return bool(flags & _ITALIC_FLAG) or "italic" in name or "oblique" in name


def _is_bold(name: str) -> bool:
    return any(weight in name for weight in ("bold", "demi", "black", "heavy"))
