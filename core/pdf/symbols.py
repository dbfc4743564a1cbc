"""Letters of symbol fonts, which carry codes of their own, as the signs that are seen."""

import unicodedata

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
BULLET = "•"
_BULLET_FONTS = ("wingding", "dingbat", "webding")
_ARROWS, _ARROW = "3", "→"  # Wingdings 3 holds arrows
_RUPEE = "₹"


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
