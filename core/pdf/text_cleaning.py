"""Repairs damaged characters, and joins words that a line end splits."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from ftfy import TextFixerConfig, fix_text

from core.pdf.page import Line, Page, Word
from core.text.words import STOPWORDS, words

SOFT_HYPHEN = "\u00ad"
_LONE_CODE = re.compile(r"(?<!\S)[\x80-\x84\x86-\x90\x98-\x9f](?!\S)")  # a bullet, and no letter of Windows
_FIXES = TextFixerConfig(
    unescape_html=False, remove_terminal_escapes=False, uncurl_quotes=False, fix_character_width=False,
    fix_line_breaks=False, fix_surrogates=False, remove_control_chars=False, normalization=None,
)  # fmt: skip
"""Only what no writer means is changed: mojibake, and ligatures that are one letter."""
_DOTS = re.compile(r"\.(?:\s\.){2,}")
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
    """The line with readable words. If the number of words changes, they share the width of the line by their
    lengths.
    """
    text = readable(line.text)
    if text == line.text or not text:
        return line if text else replace(line, words=())
    texts = [readable(word.text) for word in line.words]
    if all(texts) and " ".join(texts) == text and all(" " not in text_ for text_ in texts):
        return replace(line, words=tuple(replace(w, text=text_) for w, text_ in zip(line.words, texts, strict=True)))
    return replace(line, words=tuple(_spread(line, text.split())))


def _spread(line: Line, texts: Sequence[str]) -> Iterator[Word]:
    """Yield words with these texts, spread over the width of a line."""
    full_text = " ".join(texts)
    char_width, offset = (line.right - line.left) / len(full_text), 0
    for text, span in zip(texts, _spans(line, len(texts)), strict=True):
        left = line.left + offset * char_width
        yield Word(text=text, left=left, right=left + len(text) * char_width, span=span)
        offset += len(text) + 1


def _spans(line: Line, parts: int) -> list[tuple[int, int] | None]:
    """Spans of `parts` words that share the letters of a line; (0, 0) if those are not consecutive in the file."""
    spans = [word.span for word in line.words]
    if None in spans:
        return [None] * parts
    if any(before[1] != after[0] for before, after in pairwise(spans)) or any(first == last for first, last in spans):
        return [(0, 0)] * parts
    first, last = spans[0][0], spans[-1][1]
    edges = [first + (last - first) * n // parts for n in range(parts + 1)]
    return [*pairwise(edges)]


def readable(line: str) -> str:
    """Expand ligatures, decode what was read in a wrong encoding, close spaced dots, and remove hidden hyphens and
    control characters.
    """
    if not line.isascii():
        line = _HIDDEN_HYPHEN.sub("", fix_text(_LONE_CODE.sub(" ", line), _FIXES).rstrip())
    printable = "".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in line)
    return _DOTS.sub("...", " ".join(printable.split()))


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
    if before.endswith(SOFT_HYPHEN) or (second and _is_broken(first[1].lower(), second[0], known_words)):
        return before[:-1], ""
    return before, ""


def _is_broken(first: str, second: str, known_words: frozenset[str]) -> bool:
    """True if the hyphen between `first` and `second` only splits a word at the line end."""
    if second[0].isupper() or f"{first}-{second.lower()}" in known_words:
        return False
    if first + second.lower() in known_words:
        return True
    return first not in _KEEPS_HYPHEN and (first in STOPWORDS or first not in known_words)
