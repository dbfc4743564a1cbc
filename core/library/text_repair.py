"""Small repairs of single lines, and of the seam between two of them."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from core.pdf.page import Line, Page, Word
from core.text.words import STOPWORDS, sentences, words

SOFT_HYPHEN = "\u00ad"
_LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_DOTS = re.compile(r"\.(?:\s\.){2,}")
_HIDDEN_HYPHEN = re.compile(r"\u00ad(?!$)")
_HYPHENATED = re.compile(r"([^\W\d_]+)[-\u2010\u00ad]$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_ECHO = re.compile(r"([\w.(][\w .:()’'-]{3,79}?)(?:\s?\1){3,}")  # no signs: a sum repeats its terms
_NUMBER = re.compile(r"\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]+")
_LETTERS = re.compile(r"[^\W\d_]{3}")
_KEEPS_HYPHEN = frozenset(
    ["co", "cross", "ex", "half", "mid", "multi", "non", "self", "semi", "so", "two", "up", "well"]
)


def mended(page: Page) -> Page:
    """The page with every word fit to be stored and read, and no line without a word."""
    found = (_mended(line) for line in page.lines)
    return replace(page, lines=tuple(line for line in found if line.words))


def _mended(line: Line) -> Line:
    """The same line; where its wording changes, its words share its width by their lengths."""
    text = readable(line.text)
    if text == line.text or not text:
        return line if text else replace(line, words=())
    each, place, words = (line.right - line.left) / len(text), 0, []
    for part in text.split():
        place = text.index(part, place)
        left = line.left + place * each
        words.append(Word(text=part, left=left, right=left + len(part) * each))
        place += len(part)
    return replace(line, words=tuple(words))


def readable(line: str) -> str:
    """Ligatures opened, spaced dots closed up, hyphens that do not show and control characters gone."""
    line = _HIDDEN_HYPHEN.sub("", line.translate(_LIGATURES).rstrip())
    shown = "".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in line)
    return without_echo(_DOTS.sub("...", " ".join(shown.split())))


def without_echo(line: str) -> str:
    """A line printed several times over itself, to look bold, once; the same for its parts.

    Stray spaces may differ between the copies: of a whole line, the copy with the fewest stays.
    """
    bare = line.replace(" ", "")
    for copies in (5, 4, 3):
        size = len(bare) // copies
        if 3 < size <= 80 and bare == bare[:size] * copies and _LETTERS.search(bare):
            return min(_in_parts(line, size), key=len)
    return _ECHO.sub(_once, line)


def _once(echo: re.Match[str]) -> str:
    """One copy of words printed four to six times; more often is not for boldness."""
    bold = _LETTERS.search(echo[1]) and echo[0].count(echo[1]) <= 6
    return echo[1] if bold else echo[0]


def _in_parts(line: str, size: int) -> list[str]:
    """`line` cut after every `size` characters that are no spaces."""
    return [part.strip() for part in re.findall(rf"(?:\S\s*){{{size}}}", line)]


def whole_words(lines: Iterable[str]) -> frozenset[str]:
    """Every word of the document, lower case, without the halves that a line end has broken off."""
    return frozenset(word for line in lines for word in words(_HYPHENATED.sub("", line)))


def seam(before: str, after: str, known: frozenset[str]) -> tuple[str, str]:
    """`before` as it meets `after`, and what stands between them: nothing inside a word, else a space.

    `known` are the whole words of the document. A hyphen goes when the joined word is known, or when its
    first half is no word that carries content; in doubt it stays, as in "well-known".
    """
    first = _HYPHENATED.search(before)
    if not first or not after[:1].isalnum():
        return before, " " if before else ""
    second = _FIRST_WORD.match(after)
    if before.endswith(SOFT_HYPHEN) or (second and _is_broken(first[1].lower(), second[0], known)):
        return before[:-1], ""
    return before, ""


def _is_broken(first: str, second: str, known: frozenset[str]) -> bool:
    """True where the hyphen only says that the line was full."""
    if second[0].isupper() or f"{first}-{second.lower()}" in known:
        return False
    if first + second.lower() in known:
        return True
    return first not in _KEEPS_HYPHEN and (first in STOPWORDS or first not in known)


def sentences_in(text: str) -> list[str]:
    """The sentences of `text`; a number that stands alone, as in "3. What is sound?", before its own."""
    joined: list[str] = []
    for sentence in sentences(text):
        if joined and _NUMBER.fullmatch(joined[-1]):
            joined[-1] += f" {sentence}"
        else:
            joined.append(sentence)
    return joined
