"""The letters that pdfium finds on a page, from the top left corner of what is seen."""

import ctypes
import math
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

import pypdfium2.raw as pdfium

from core.pdf.frame import Frame
from core.pdf.page import BULLET, Rectangle
from core.pdf.visibility import Ink, Sight

_PRIVATE = 0xF000
"""Symbol fonts keep their codes from here on, in the private area of Unicode."""
_SYMBOL = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
"""Adobe's Symbol encoding, from code 32."""
_SYMBOL_HIGH = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\0⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
"""The same from code 160."""
_COMMON = "×÷±°¬·"
"""Signs that a Symbol font may already have been read as."""
_PIECES = frozenset("⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎞⎟⎠⎤⎥⎦⎫⎬⎭⏐⎯⌠⎮⌡‾\0")
"""Parts of tall brackets and long bars: drawing, not text."""
_BULLET_FONTS = ("wingding", "dingbat", "webding")
_ARROWS, _ARROW = "3", "→"  # Wingdings 3 holds arrows
_RUPEE = "₹"
_ITALIC_FLAG = 64
_NAME = 64


def readable(code: int, font: str) -> str:
    """The sign of a letter with this code in this font (its name in lower case); "" for what is no text."""
    if code in (0, 0xFFFE, 0xFFFF) or 0xD800 <= code < 0xE000:
        return ""
    if code == 2:  # pdfium's mark for a hyphen at the end of a line
        return "-"
    sign = chr(code)
    if "symbol" in font and sign not in _COMMON:
        code -= _PRIVATE if code >= _PRIVATE else 0
        if code < 256:
            return _symbol(code)
    if any(name in font for name in _BULLET_FONTS):
        return sign if sign.isspace() or not sign.isascii() else _ARROW if _ARROWS in font else BULLET
    if "rupee" in font and sign in "`R":
        return _RUPEE
    return "" if sign in _PIECES or unicodedata.category(sign) == "Co" else sign


def _symbol(code: int) -> str:
    for first, table in ((32, _SYMBOL), (160, _SYMBOL_HIGH)):
        if 0 <= code - first < len(table):
            sign = table[code - first]
            return "" if sign in _PIECES else sign
    return ""


class Glyph(NamedTuple):
    """One letter. `space` is True when the file has a space before it; that need not be seen on the page.

    place: among the letters of its page, in the order of the file.
    """

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
    place: int = 0


class _Set(NamedTuple):
    """How one piece of text of the file is set."""

    font: str
    bold: bool
    italic: bool
    upright: bool
    ink: Ink


def glyphs(textpage: pdfium.FPDF_TEXTPAGE, frame: Frame, sight: Sight) -> Iterator[Glyph]:
    """Every upright letter that is seen, in the order of the file, as often as it is printed."""
    space, piece, how = False, None, None
    for place in range(pdfium.FPDFText_CountChars(textpage)):
        if pdfium.FPDFText_IsGenerated(textpage, place):
            continue
        thing = pdfium.FPDFText_GetTextObject(textpage, place)
        address = ctypes.cast(thing, ctypes.c_void_p).value
        if how is None or address != piece:  # asked once a piece: most letters follow one of their own
            piece, how = address, _set(textpage, place, frame, sight.ink(thing))
        text = readable(pdfium.FPDFText_GetUnicode(textpage, place), how.font)
        if not text or text.isspace():
            space = space or bool(text)
            continue
        if not how.upright:
            continue
        box, baseline = _place(textpage, place, frame)
        if sight.shows(box, how.ink):
            left, top, right, bottom = box
            yield Glyph(
                text=text, left=left, right=right, top=top, bottom=bottom, baseline=baseline, size=bottom - top,
                bold=how.bold, italic=how.italic, space=space, font=how.font,
            )  # fmt: skip
            space = False


def _set(textpage: pdfium.FPDF_TEXTPAGE, place: int, frame: Frame, ink: Ink) -> _Set:
    name, flags = _font(textpage, place)
    return _Set(name, _is_bold(name), _is_italic(name, flags), frame.is_upright(_turned(textpage, place)), ink)


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
