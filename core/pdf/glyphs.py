"""The letters that pdfium finds on a page, from the top left corner of what is seen."""

import ctypes
import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import pypdfium2.raw as pdfium
from fontTools.agl import LEGACY_AGL2UV

from core.pdf.page import BULLET, UNCODED, Rectangle
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
_NO_CODES = frozenset((0, 0xFFFD, 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)))
"""What pdfium says of a glyph whose character nobody knows; the halves of a pair are put together before."""
_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)
_VARIANT = re.compile(r"(.+)(?:small|oldstyle)")
_LETTERS = {0xF001: "fi", 0xF002: "fl"} | {
    codes[0]: chr(LEGACY_AGL2UV[plain[1]][0])
    for name, codes in LEGACY_AGL2UV.items()
    if (plain := _VARIANT.fullmatch(name)) and chr(LEGACY_AGL2UV.get(plain[1], (0,))[0]).isalnum()
}
"""Private codes of letters: two ligatures of old Macintosh fonts, small capitals and old-style figures of Adobe's."""
_TEXT_FONT = 3
"""Different letters that a font shows on a page at least, if an unknown private code of it stands for a letter."""
_SAME = 0.01  # points: the characters of one glyph have the same edges but for rounding
_DOUBLE = 1.3  # times the width of one letter: a glyph that holds the letter twice is wider
_ASCENT, _DESCENT = 0.8, 0.2
"""What a letter takes above and below its line, as shares of the size it is set in. A font may say other heights, and
two parts of one font that a file embeds may say two: they would seem to be two sizes."""
_ONE_LINE = 2.5  # of the size: letters of one slanted line are not farther apart


@lru_cache(maxsize=10_000)
def readable(code: int, font: str) -> str:
    """The character of a glyph with this code in this font (its name in lower case).

    "" for drawing and for what has no text; UNCODED where nobody knows the character; a private code of which only
    the page can tell whether it is a letter comes back as it is.
    """
    if code == 2:  # pdfium's mark for a hyphen at the end of a line
        return "-"
    dingbats = any(name in font for name in _BULLET_FONTS)
    if code in _NO_CODES:
        return BULLET if dingbats else UNCODED
    sign = chr(code)
    if "symbol" in font and sign not in _COMMON:
        code -= _PRIVATE if code >= _PRIVATE else 0
        if code < 256:
            return _symbol(code)
    if dingbats:
        drawn = not sign.isspace() and (sign.isascii() or _is_private(sign))
        return (_ARROW if _ARROWS in font else BULLET) if drawn else sign
    if "rupee" in font and sign in "`R":
        return _RUPEE
    if _is_private(sign):
        return "" if "symbol" in font else _LETTERS.get(code, sign)
    return "" if sign in _PIECES else unicodedata.normalize("NFKC", sign) if code > 0xFFFF else sign


def _is_private(sign: str) -> bool:
    return unicodedata.category(sign) == "Co"


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
    """How one piece of text of the file is set. turn: quarters to the right, or None for another angle.

    baseline: in the frame in which the text is upright. em: how large it is set (points); 0 where nobody knows.
    """

    font: str
    bold: bool
    italic: bool
    turn: int | None
    baseline: float
    em: float
    ink: Ink


@dataclass(frozen=True)
class Letters:
    """The letters that a page shows, in the order of the file, as often as they are printed.

    turned: for 0, 1, 2 and 3 quarter turns to the right, the letters that are turned so, each placed as on the page
    turned back by as much. uncoded: how many of them have no known character. slanted: lines at other angles.
    """

    turned: tuple[Sequence[Glyph], Sequence[Glyph], Sequence[Glyph], Sequence[Glyph]]
    uncoded: int
    slanted: int


def glyphs(textpage: pdfium.FPDF_TEXTPAGE, frame: Frame, sight: Sight) -> Letters:
    """Every letter of a page that is seen."""
    frames = [replace(frame, quarters=(frame.quarters - turn) % 4) for turn in range(4)]
    turned: tuple[list[Glyph], ...] = ([], [], [], [])
    slanted: list[Rectangle] = []
    space, piece, how, edges, before, members = False, b"", None, pdfium.FS_RECTF(), (-1.0, -1.0), 1
    for place in range(pdfium.FPDFText_CountChars(textpage)):
        code = pdfium.FPDFText_GetUnicode(textpage, place)
        if code <= _SPACE and pdfium.FPDFText_IsGenerated(textpage, place):
            continue
        thing = pdfium.FPDFText_GetTextObject(textpage, place)
        if how is None or bytes(thing) != piece:  # asked once a piece: most letters follow one of their own
            piece, how, before = bytes(thing), _set(textpage, place, frame, sight.ink(thing)), (-1.0, -1.0)
        text = readable(code, how.font)
        if text == UNCODED:
            text = _uncoded(textpage, place, code, how.font)
        if not text or text.isspace():
            space = space or bool(text)
            continue
        pdfium.FPDFText_GetLooseCharBox(textpage, place, edges)  # as wide as the letter moves the pen on
        box = frame.rectangle(edges.left, edges.bottom, edges.right, edges.top)
        if not sight.shows(box, how.ink):
            continue
        if how.turn is None:
            slanted.append(box)
            continue
        found, (left, top, right, bottom) = turned[how.turn], box
        if how.turn:
            left, top, right, bottom = frames[how.turn].rectangle(edges.left, edges.bottom, edges.right, edges.top)
        if how.em:
            top, bottom = how.baseline - _ASCENT * how.em, how.baseline + _DESCENT * how.em
        look = (how.bold, how.italic, space, how.font)
        found.append(Glyph(text, left, right, top, bottom, how.baseline, bottom - top, *look, len(found)))
        if abs(left - before[0]) < _SAME and abs(right - before[1]) < _SAME and _is_one(thing, found[-members - 1 :]):
            members += 1
            found[-members:] = _shared(found[-members:], *before)
        else:
            before, members = (left, right), 1
        space = False
    kept = tuple(_letters(found) for found in turned)
    return Letters(kept, sum(g.text == UNCODED for found in kept for g in found), _count(slanted))


def _uncoded(textpage: pdfium.FPDF_TEXTPAGE, place: int, code: int, font: str) -> str:
    """What a glyph without a code of its own is: half of a pair, nothing where it has no ink, or a lost letter."""
    if code in _HIGH:
        low = pdfium.FPDFText_GetUnicode(textpage, place + 1)
        return readable(0x10000 + ((code - _HIGH.start) << 10) + low - _LOW.start, font) if low in _LOW else UNCODED
    if code in _LOW and place and pdfium.FPDFText_GetUnicode(textpage, place - 1) in _HIGH:
        return ""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    pdfium.FPDFText_GetCharBox(textpage, place, left, right, bottom, top)
    return UNCODED if right.value - left.value > _SAME and top.value - bottom.value > _SAME else ""


def _is_one(piece: pdfium.FPDF_PAGEOBJECT, letters: Sequence[Glyph]) -> bool:
    """Do letters with the same edges come from one glyph? The same letter twice may be printed over itself, to look
    bold: then its box is no wider than one letter. A font that has no single letter of the kind has it in a ligature.
    """
    last = letters[-1]
    if any(letter.text != last.text for letter in letters):
        return True
    width, size, matrix = ctypes.c_float(), ctypes.c_float(), pdfium.FS_MATRIX()
    pdfium.FPDFTextObj_GetFontSize(piece, size)
    pdfium.FPDFPageObj_GetMatrix(piece, matrix)
    font, scale = pdfium.FPDFTextObj_GetFont(piece), math.hypot(matrix.a, matrix.b)
    pdfium.FPDFFont_GetGlyphWidth(font, ord(last.text[0]), size.value, width)
    whole = sum(letter.right - letter.left for letter in letters[:-1])
    return not width.value or _DOUBLE * scale * width.value < whole


def _shared(letters: Sequence[Glyph], left: float, right: float) -> list[Glyph]:
    """The letters of one glyph side by side, each with an equal share of its width."""
    each = (right - left) / len(letters)
    return [g._replace(left=left + n * each, right=left + (n + 1) * each) for n, g in enumerate(letters)]


def _letters(found: Sequence[Glyph]) -> Sequence[Glyph]:
    """The glyphs without drawing: an unknown private code is a letter only in a font that writes letters."""
    if not any(_is_private(g.text[0]) for g in found):
        return found
    written: dict[str, set[str]] = defaultdict(set)
    for letter in found:
        written[letter.font] |= {letter.text} if letter.text.isalpha() else set()
    kept = (
        g._replace(text=UNCODED) if _is_private(g.text[0]) else g
        for g in found
        if not _is_private(g.text[0]) or len(written[g.font]) >= _TEXT_FONT
    )
    return [g._replace(place=place) for place, g in enumerate(kept)]


def _count(slanted: Iterable[Rectangle]) -> int:
    """In how many lines letters at odd angles stand: one that stands far from the letter before begins a line."""
    lines, before = 0, None
    for left, top, right, bottom in slanted:
        x, y, size = (left + right) / 2, (top + bottom) / 2, max(right - left, bottom - top)
        lines += before is None or math.dist(before, (x, y)) > _ONE_LINE * size
        before = x, y
    return lines


def _set(textpage: pdfium.FPDF_TEXTPAGE, place: int, frame: Frame, ink: Ink) -> _Set:
    name, flags = _font(textpage, place)
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(textpage, place, x, y)
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(textpage, place, matrix)
    em = pdfium.FPDFText_GetFontSize(textpage, place) * math.hypot(matrix.c, matrix.d)
    turn = frame.turn_of(_turned(matrix))
    upright = replace(frame, quarters=(frame.quarters - turn) % 4) if turn else frame
    return _Set(name, _is_bold(name), _is_italic(name, flags), turn, upright.seen(x.value, y.value)[1], em, ink)


def _turned(matrix: pdfium.FS_MATRIX) -> float:
    """How far a letter's baseline is turned, radians to the right. A slant is no turn, as pdfium's own angle has it:
    the italics of a font without an italic face would be lost, and a "not" with them."""
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
