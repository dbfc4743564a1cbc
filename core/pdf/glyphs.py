"""Reads the glyphs that pdfium reports for a page. Coordinates are points from the top left corner of the
visible page.

pdftext was tried: it takes many lower indices for powers, tears a line of text at every index, and reads letters that
are hidden or struck out.
"""

import ctypes
import math
import string
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

import pypdfium2.raw as pdfium

from core.pdf.page import BULLET, UNCODED, Rectangle
from core.pdf.visibility import Frame, Ink, Sight

_PRIVATE = 0xF000
"""First code of symbol fonts in the private use area of Unicode."""
_SYMBOL = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
"""Adobe's Symbol encoding, from code 32."""
_SYMBOL_HIGH = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\0⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
"""Adobe's Symbol encoding, from code 160."""
_COMMON = "×÷±°¬·"
"""Characters that a Symbol font may have as Unicode already, so that they are not decoded again."""
_PIECES = frozenset("⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎞⎟⎠⎤⎥⎦⎫⎬⎭⏐⎯⌠⎮⌡‾\0")
"""Parts of tall brackets and long bars, which count as drawing, not as text."""
_BULLET_FONTS = ("wingding", "dingbat", "webding")
_ARROWS, _ARROW = "3", "→"  # Wingdings 3 holds arrows
_RUPEE = "₹"
_SPACE = 32  # pdfium generates no characters but spaces and line ends
_ITALIC_FLAG = 64
_NAME = 64  # bytes of a font name that are read
_NO_CODES = frozenset((0, 0xFFFD, 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)))
"""Codes that pdfium reports for a glyph whose character is unknown. Surrogate pairs are joined before this test."""
_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)
_LETTERS = {0xF001: "fi", 0xF002: "fl"} | dict(zip((0xF6F9, 0xF6FA, 0xF6FD, 0xF6FF, 0xF7FF), "ŁŒŠŽŸ", strict=True))
_LETTERS |= {0xF730 + digit: str(digit) for digit in range(10)} | {0xF720 + ord(c): c for c in string.ascii_uppercase}
_LETTERS |= {0xF720 + code: chr(code) for code in range(ord("À"), ord("ß")) if chr(code) != "×"}
"""Private codes that are letters: ligatures of old Macintosh fonts, Adobe's small capitals and old-style figures."""
_TEXT_FONT = 3
"""Minimum number of different letters that a font must have on a page to count as a text font; an unknown private code
in a text font is a letter.
"""
_SAME = 0.01  # points: the characters of one glyph have the same edges, up to rounding
_DOUBLE = 1.3  # times the width of one letter: a glyph that is wider holds the letter twice
_ASCENT, _DESCENT = 0.8, 0.2
"""Height of a letter above and below its baseline, as shares of the font size.

The metrics of the font are not used: two subsets of one font that a file embeds may differ in them and would look like
two sizes.
"""
_ONE_LINE = 2.5  # of the font size: largest distance between two letters of one slanted line
_TURN = 1_000_000  # difference of the first numbers of letters of one turn and of the next: no page has more letters


@lru_cache(maxsize=10_000)
def readable(code: int, font: str) -> str:
    """Return the text of a glyph with this code in this font. font: the font's name in lower case.

    "" for drawings and for glyphs without text; UNCODED if the character is unknown. A private code is returned
    unchanged if only the rest of the page can show whether it is a letter.
    """
    if code == 2:  # pdfium's mark for a hyphen at the end of a line
        return "-"
    dingbats = any(name in font for name in _BULLET_FONTS)
    if code in _NO_CODES:
        return BULLET if dingbats else UNCODED
    char = chr(code)
    if "symbol" in font and char not in _COMMON:
        code -= _PRIVATE if code >= _PRIVATE else 0
        if code < 256:  # one byte of Adobe's Symbol encoding
            tables = ((32, _SYMBOL), (160, _SYMBOL_HIGH))
            symbols = (table[code - first] for first, table in tables if 0 <= code - first < len(table))
            return next((symbol for symbol in symbols if symbol not in _PIECES), "")
    if dingbats:
        has_ink = not char.isspace() and (code < 256 or _is_private(char))  # of a font without Unicode, its upper half
        return (_ARROW if _ARROWS in font else BULLET) if has_ink else char
    if "rupee" in font and char in "`R":
        return _RUPEE
    if _is_private(char):
        return "" if "symbol" in font else _LETTERS.get(code, char)
    return "" if char in _PIECES else unicodedata.normalize("NFKC", char) if code > 0xFFFF else char


def _is_private(char: str) -> bool:
    return unicodedata.category(char) == "Co"


class Glyph(NamedTuple):
    """One letter of a page. Lengths are points; `size` is its font size.

    space: True if the file has a space before it, which need not be visible. order: its number among the letters of its
    page that are turned like it, in file order. parted: True if pdfium itself sees a gap between words before it.
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
    order: int = 0
    parted: bool = False


class _Typesetting(NamedTuple):
    """How one text object is set on the page. turn: quarter turns clockwise, None for any other angle. baseline: its y
    after the page is turned so that the text is upright (points). em: font size (points), 0 if unknown. ink: its colour
    and visibility.
    """

    text_object: pdfium.FPDF_PAGEOBJECT
    font: str
    bold: bool
    italic: bool
    turn: int | None
    baseline: float
    em: float
    ink: Ink


def glyphs(textpage: pdfium.FPDF_TEXTPAGE, frame: Frame, sight: Sight) -> tuple[tuple[Sequence[Glyph], ...], int, int]:
    """Return (every visible letter of a page, number of letters whose character is unknown, number of slanted lines).

    The letters are four sequences, for text with 0, 1, 2 and 3 quarter turns clockwise, each in file order and with the
    letters that are printed twice. The coordinates of each sequence are those of the page after it is turned back, so
    that its text is upright. Hidden letters are left out and counted in `sight.hidden`. If a glyph has several
    characters, such as a ligature, they share its width.
    """
    frames = [replace(frame, quarters=(frame.quarters - turn) % 4) for turn in range(4)]
    turned: tuple[list[_Placed], ...] = ([], [], [], [])
    slanted: list[Rectangle] = []
    setting, edges, space, parted = None, pdfium.FS_RECTF(), False, False
    for index in range(pdfium.FPDFText_CountChars(textpage)):
        code = pdfium.FPDFText_GetUnicode(textpage, index)
        if code <= _SPACE and pdfium.FPDFText_IsGenerated(textpage, index):
            parted = parted or code == _SPACE
            continue
        text_object = pdfium.FPDFText_GetTextObject(textpage, index)
        # Most letters share the object of the letter before.
        if setting is None or bytes(text_object) != bytes(setting.text_object):
            setting = _typesetting(textpage, index, frame, text_object, sight.ink(text_object))
        text = readable(code, setting.font)
        if text == UNCODED:
            text = _resolve_glyph(textpage, index, code, setting.font)
        if not text or text.isspace():
            space = space or bool(text)
            continue
        pdfium.FPDFText_GetLooseCharBox(textpage, index, edges)  # as wide as the letter's advance
        box = frame.rectangle(edges.left, edges.bottom, edges.right, edges.top)
        if not sight.shows(box, setting.ink):
            continue
        if setting.turn is None:
            slanted.append(box)
            continue
        left, top, right, bottom = box
        if setting.turn:
            left, top, right, bottom = frames[setting.turn].rectangle(edges.left, edges.bottom, edges.right, edges.top)
        if setting.em:
            top, bottom = setting.baseline - _ASCENT * setting.em, setting.baseline + _DESCENT * setting.em
        letters, place = turned[setting.turn], (left, right, top, bottom, setting.baseline, bottom - top)
        style = setting.bold, setting.italic, space, setting.font
        letters.append((Glyph(text, *place, *style, setting.turn * _TURN + len(letters), parted), setting))
        space = parted = False
    by_turn = tuple(_without_drawings(_side_by_side(letters)) for letters in turned)
    return by_turn, sum(g.text == UNCODED for letters in by_turn for g in letters), _count_lines(slanted)


def _resolve_glyph(textpage: pdfium.FPDF_TEXTPAGE, index: int, code: int, font: str) -> str:
    """The text of a glyph without a code of its own. For a surrogate pair it is the character at the first half and ""
    at the second half. For any other glyph it is "" if nothing is drawn, else UNCODED.
    """
    if code in _HIGH:
        low = pdfium.FPDFText_GetUnicode(textpage, index + 1)
        return readable(0x10000 + ((code - _HIGH.start) << 10) + low - _LOW.start, font) if low in _LOW else UNCODED
    if code in _LOW and index and pdfium.FPDFText_GetUnicode(textpage, index - 1) in _HIGH:
        return ""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    pdfium.FPDFText_GetCharBox(textpage, index, left, right, bottom, top)
    return UNCODED if right.value - left.value > _SAME and top.value - bottom.value > _SAME else ""


_Placed = tuple[Glyph, _Typesetting]


def _side_by_side(placed: Iterable[_Placed]) -> list[Glyph]:
    """The letters, with those of one glyph, such as a ligature, side by side: each gets an equal share of its width."""
    result: list[Glyph] = []
    for _, same_box in groupby(placed, key=lambda one: (one[0].left, one[0].right, id(one[1]))):
        letters, settings = zip(*same_box, strict=True)
        if len(letters) > 1 and _is_one_glyph(settings[0].text_object, letters):
            left, width = letters[0].left, (letters[0].right - letters[0].left) / len(letters)
            places = ((left + n * width, left + (n + 1) * width) for n in range(len(letters)))
            letters = [g._replace(left=x, right=u) for g, (x, u) in zip(letters, places, strict=True)]
        result += letters
    return result


def _is_one_glyph(text_object: pdfium.FPDF_PAGEOBJECT, letters: Sequence[Glyph]) -> bool:
    """True if letters with the same edges come from one glyph, such as a ligature.

    The same letter twice may instead be printed over itself to look bold: then the box is no wider than one letter.
    """
    last = letters[-1]
    if any(letter.text != last.text for letter in letters):
        return True
    width, size, matrix = ctypes.c_float(), ctypes.c_float(), pdfium.FS_MATRIX()
    pdfium.FPDFTextObj_GetFontSize(text_object, size)
    pdfium.FPDFPageObj_GetMatrix(text_object, matrix)
    font, scale = pdfium.FPDFTextObj_GetFont(text_object), math.hypot(matrix.a, matrix.b)
    pdfium.FPDFFont_GetGlyphWidth(font, ord(last.text[0]), size.value, width)
    return not width.value or _DOUBLE * scale * width.value < last.right - last.left


def _without_drawings(glyphs: Sequence[Glyph]) -> Sequence[Glyph]:
    """Drop glyphs that are drawings. A glyph with an unknown private code is replaced by UNCODED in a text font, where
    it must be a letter, and dropped in any other font.
    """
    if not any(_is_private(g.text[0]) for g in glyphs):
        return glyphs
    letters_by_font: dict[str, set[str]] = defaultdict(set)
    for letter in glyphs:
        letters_by_font[letter.font] |= {letter.text} if letter.text.isalpha() else set()
    letters = (
        g._replace(text=UNCODED) if _is_private(g.text[0]) else g
        for g in glyphs
        if not _is_private(g.text[0]) or len(letters_by_font[g.font]) >= _TEXT_FONT
    )
    return [g._replace(order=order) for order, g in enumerate(letters, glyphs[0].order)]


def _count_lines(slanted: Iterable[Rectangle]) -> int:
    """Count the lines that slanted letters form. A letter far from the one before begins a new line."""
    lines, before = 0, None
    for left, top, right, bottom in slanted:
        x, y, size = (left + right) / 2, (top + bottom) / 2, max(right - left, bottom - top)
        lines += before is None or math.dist(before, (x, y)) > _ONE_LINE * size
        before = x, y
    return lines


def _typesetting(
    textpage: pdfium.FPDF_TEXTPAGE, index: int, frame: Frame, text_object: pdfium.FPDF_PAGEOBJECT, ink: Ink
) -> _Typesetting:
    """Read how the text object of one character is set. index: of the character on the page."""
    buffer, flags = ctypes.create_string_buffer(_NAME), ctypes.c_int()
    pdfium.FPDFText_GetFontInfo(textpage, index, buffer, _NAME, flags)
    name = buffer.value.decode("latin-1").lower().rpartition("+")[2]  # without the prefix of a subset
    is_bold = any(weight in name for weight in ("bold", "demi", "black", "heavy"))
    is_italic = bool(flags.value & _ITALIC_FLAG) or "italic" in name or "oblique" in name
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(textpage, index, x, y)
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(textpage, index, matrix)
    em = pdfium.FPDFText_GetFontSize(textpage, index) * math.hypot(matrix.c, matrix.d)
    # A slant is no angle, unlike in pdfium's own function: synthetic italics would be lost, and a "not" with them.
    turn = frame.turn_of(math.atan2(-matrix.b, matrix.a))
    upright = replace(frame, quarters=(frame.quarters - turn) % 4) if turn else frame
    baseline = upright.visible_point(x.value, y.value)[1]
    return _Typesetting(text_object, name, is_bold, is_italic, turn, baseline, em, ink)
