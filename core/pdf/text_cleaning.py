"""Repairs damaged characters, and joins words that a line end splits."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from ftfy import TextFixerConfig, fix_text

from core.pdf.page import Line, Page, Word
from core.text.words import STOPWORDS, without_accents, words

SOFT_HYPHEN = "\u00ad"
_LONE_CODE = re.compile(r"^[\x80-\x84\x86-\x90\x98-\x9f]$")  # a bullet, and no letter of Windows
_FIXES = TextFixerConfig(
    unescape_html=False, remove_terminal_escapes=False, uncurl_quotes=False, fix_character_width=False,
    fix_line_breaks=False, fix_surrogates=False, remove_control_chars=False, normalization=None,
)  # fmt: skip
"""Only what no writer means is changed: mojibake, and ligatures that are one letter."""
_DOT, _DOTS = re.compile(r"\.\W*"), re.compile(r"\.{4,}")
_CUT_CODES = {code & 0xFF: code for code in map(ord, "‘’“”–—")}
"""Signs of which a file kept only the last byte of the code."""
_HALF = 61  # letters: half of a split word is no longer
_HIDDEN_HYPHEN = re.compile(r"\u00ad(?!$)")
_HYPHEN_END = re.compile(r"([^\W\d_]{1,60})[-\u2010\u00ad]$")  # bounded, since a page of letters would take too long
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_KEEPS_HYPHEN = frozenset(
    ["co", "cross", "ex", "half", "mid", "multi", "non", "self", "semi", "so", "two", "up", "well"]
)


def clean_page(page: Page) -> Page:
    """Return the page with readable words, and without lines that have no word."""
    lines = (_mended_line(line) for line in page.lines)
    return replace(page, lines=tuple(line for line in lines if line.words))


def _mended_line(line: Line) -> Line:
    """The line with readable words. Dots that stand apart, as in "2, 4, . . .", are one word."""
    mended: list[Word] = []
    for word in line.words:
        text = readable(word.text)
        if mended and mended[-1].text.endswith(".") and _DOT.fullmatch(text):
            dots = mended[-1].joined(replace(word, text=text))
            mended[-1] = replace(dots, text=_DOTS.sub("...", dots.text))
        elif text:
            mended.append(replace(word, text=text))
    return replace(line, words=tuple(mended))


def readable(word: str) -> str:
    """Expand ligatures, decode what was read in a wrong encoding, and remove hidden hyphens and control characters."""
    if not word.isascii():
        word = _HIDDEN_HYPHEN.sub("", fix_text(_LONE_CODE.sub("", word), _FIXES).rstrip())
    if any(map(str.isalpha, word)):  # where a font has no letters, a code may stand for anything
        word = word.translate(_CUT_CODES)
    return "".join(c for c in word if unicodedata.category(c) not in ("Cc", "Cs"))


def whole_words(lines: Iterable[str]) -> frozenset[str]:
    """Every word of the document in lower case, without halves that a line end splits off."""
    return frozenset(word for line in lines for word in words(line[:-_HALF] + _HYPHEN_END.sub("", line[-_HALF:])))


def seam(before: str, after: str, known_words: frozenset[str]) -> tuple[str, str]:
    """How to join two lines: (`before`, without a hyphen that only splits a word at the line end; the text to insert
    before `after`: "" inside a word, else a space).

    known_words: the whole words of the document. The hyphen is removed if the joined word is known, or if the first
    half is a stopword or unknown. Otherwise it stays, as in "well-known".
    """
    first = _HYPHEN_END.search(before[-_HALF:])
    if not first or not after[:1].isalnum():
        return before, " " if before else ""
    second = _FIRST_WORD.match(after)
    if before.endswith(SOFT_HYPHEN) or (second and _is_broken(first[1], second[0], known_words)):
        return before[:-1], ""
    return before, ""


def _is_broken(first: str, second: str, known_words: frozenset[str]) -> bool:
    """True if the hyphen between `first` and `second` only splits a word at the line end."""
    is_name, first, second = second[0].isupper(), without_accents(first), without_accents(second)
    if is_name or f"{first}-{second}" in known_words:
        return False
    if first + second in known_words:
        return True
    return first not in _KEEPS_HYPHEN and (first in STOPWORDS or first not in known_words)
