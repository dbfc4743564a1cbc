"""The letters that pdfium finds on a page, from the top left corner of what is seen."""

import ctypes
import math
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import pypdfium2.raw as pdfium

from core.pdf.page import BULLET
from core.pdf.visibility import Frame, Ink, Sight

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
_SPACE = 32  # pdfium adds no other sign than spaces and line ends
_ITALIC_FLAG = 64
_NAME = 64


@lru_cache(maxsize=10_000)
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
    baseline: float
    ink: Ink


def glyphs(textpage: pdfium.FPDF_TEXTPAGE, frame: Frame, sight: Sight) -> Iterator[Glyph]:
    """Every upright letter that is seen, in the order of the file, as often as it is printed."""
    space, piece, how, shown, edges = False, b"", None, 0, pdfium.FS_RECTF()
    for place in range(pdfium.FPDFText_CountChars(textpage)):
        code = pdfium.FPDFText_GetUnicode(textpage, place)
        if code <= _SPACE and pdfium.FPDFText_IsGenerated(textpage, place):
            continue
        thing = pdfium.FPDFText_GetTextObject(textpage, place)
        if how is None or bytes(thing) != piece:  # asked once a piece: most letters follow one of their own
            piece, how = bytes(thing), _set(textpage, place, frame, sight.ink(thing))
        text = readable(code, how.font)
        if not text or text.isspace():
            space = space or bool(text)
            continue
        if not how.upright:
            continue
        pdfium.FPDFText_GetLooseCharBox(textpage, place, edges)  # as wide as the letter moves the pen on
        box = left, top, right, bottom = frame.rectangle(edges.left, edges.bottom, edges.right, edges.top)
        if sight.shows(box, how.ink):
            size, look = bottom - top, (how.bold, how.italic, space, how.font)
            yield Glyph(text, left, right, top, bottom, how.baseline, size, *look, shown)
            shown += 1
            space = False


def _set(textpage: pdfium.FPDF_TEXTPAGE, place: int, frame: Frame, ink: Ink) -> _Set:
    name, flags = _font(textpage, place)
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(textpage, place, x, y)
    upright, baseline = frame.is_upright(_turned(textpage, place)), frame.seen(x.value, y.value)[1]
    return _Set(name, _is_bold(name), _is_italic(name, flags), upright, baseline, ink)


def _turned(textpage: pdfium.FPDF_TEXTPAGE, place: int) -> float:
    """How far a letter's baseline is turned, radians to the right. A slant is no turn, as pdfium's own angle has it:
    the italics of a font without an italic face would be lost, and a "not" with them."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(textpage, place, matrix)
    return math.atan2(-matrix.b, matrix.a)


def _font(textpage: pdfium.FPDF_TEXTPAGE, place: int) -> tuple[str, int]:
    """Name in lower case, without the six letters of a subset, and flags of the font of a letter."""
    name, flags = ctypes.create_string_buffer(_NAME), ctypes.c_int()
    pdfium.FPDFText_GetFontInfo(textpage, place, name, _NAME, flags)
    return name.value.decode("latin-1").lower().rpartition("+")[2], flags.value


def _is_italic(name: str, flags: int) -> bool:
    return bool(flags & _ITALIC_FLAG) or "italic" in name or "oblique" in name


def _is_bold(name: str) -> bool:
    return any(weight in name for weight in ("bold", "demi", "black", "heavy"))
