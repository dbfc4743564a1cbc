"""Quotes, dashes, dots and ligatures that an old encoding turned into letters: "Indiaís" becomes "India’s".

A font without Unicode codes is often read in the encoding of another system. Only the document tells: a letter such
as "í" is a sign where it stands as a sign does and what is left are words.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.pdf.page import Line, Page
from core.text.word_list import frequency, may_stand_alone
from core.text.words import language_of

_WINDOWS, _MACINTOSH = "cp1252", "mac_roman"
_SIGNS = "‘’“”–—…"
_OPENING, _CLOSING, _DASHES, _DOTS, _APOSTROPHE = "‘“", "’”", "–—", "…", "’"
_LIGATURES = ("fi", "fl", "ff", "ffi", "ffl")
_ENDINGS = r"(?:s|t|d|m|ll|re|ve)(?![^\W\d_])"
_SURE = 3  # times: so many doubtful signs without a letter among them are signs
_NEAR = 40  # words: a quotation ends at most so many after it begins
_LEAST = 4  # letters: a shorter word tells of no ligature
_READ = 20_000  # characters that are enough to tell the language of a document
_LETTERS = re.compile(r"[^\W\d_]{1,60}")
_TWICE = {sign.encode().decode(_WINDOWS, "replace").replace("\ufffd", "\x9d"): sign for sign in _SIGNS}
"""The bytes of UTF-8 read as Windows-1252: "â€™" can be nothing else."""


def _misread(written: str, read: str) -> Mapping[str, str]:
    """For each sign, the letter that its byte in the encoding `written` is in the encoding `read`."""
    return {sign.encode(written).decode(read): sign for sign in _SIGNS}


_TABLES = (_misread(_WINDOWS, _MACINTOSH), _misread(_MACINTOSH, _WINDOWS))


def decoded(pages: Sequence[Page]) -> list[Page]:
    """The pages with the signs and ligatures that old encodings hide; all others as they are."""
    texts = [word.text for page in pages for line in page.lines for word in line.words if not word.text.isascii()]
    if not texts:
        return list(pages)
    pages = _changed(pages, {text: _opened(text) for text in texts})
    words = [word.text for page in pages for line in page.lines for word in line.words]
    if language_of(" ".join(words)[:_READ]):
        return list(pages)
    for table in _TABLES:
        if any(letter in text for text in words if not text.isascii() for letter in table):
            pages = _in_place(pages, dict(_signs(words, table)))
            words = [word.text for page in pages for line in page.lines for word in line.words]
    return _changed(pages, _with_ligatures(words))


def _opened(text: str) -> str:
    for letters, sign in _TWICE.items():
        text = text.replace(letters, sign)
    return text


def _changed(pages: Sequence[Page], texts: Mapping[str, str]) -> list[Page]:
    """The pages with other texts for some words."""
    if all(old == new for old, new in texts.items()):
        return list(pages)

    def line_of(line: Line) -> Line:
        return replace(line, words=tuple(replace(w, text=texts.get(w.text, w.text)) for w in line.words))

    return [replace(page, lines=tuple(map(line_of, page.lines))) for page in pages]


def _in_place(pages: Sequence[Page], texts: Mapping[int, str]) -> Sequence[Page]:
    """The pages with other texts for the words with these numbers."""
    if not texts:
        return pages
    number, changed = 0, []
    for page in pages:
        lines = []
        for line in page.lines:
            words = (replace(w, text=texts.get(n, w.text)) for n, w in enumerate(line.words, number))
            lines.append(replace(line, words=tuple(words)))
            number += len(line.words)
        changed.append(replace(page, lines=tuple(lines)))
    return changed


@dataclass(frozen=True)
class _Found:
    """A word with letters that may be signs. sure: no letter can stand there; opens, closes: it may quote."""

    number: int
    text: str
    sure: bool
    opens: bool = False
    closes: bool = False


def _signs(words: Sequence[str], table: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """The number and the mended text of each word in which letters of `table` are signs."""
    found, letters = [], 0
    for number, text in enumerate(words):
        if not text.isascii() and any(letter in text for letter in table):
            one = _as_signs(number, text, table)
            letters += one is None
            found += [one] if one else []
    quoted = set(_quoted(found))
    sure = sum(one.sure for one in found) + len(quoted)
    if not sure and not (len(found) >= _SURE and not letters):
        return
    for one in found:
        if one.sure or one.number in quoted or not (one.opens or one.closes):
            yield one.number, one.text


def _quoted(found: Sequence[_Found]) -> Iterator[int]:
    """The words at both ends of each quotation: one that opens it, and the next that closes it."""
    opening: int | None = None
    for one in found:
        if one.closes and opening is not None and one.number - opening <= _NEAR:
            yield from (opening, one.number)
            opening = None
        if one.opens and not one.closes:
            opening = one.number
        elif one.opens and one.closes:
            yield one.number


def _as_signs(number: int, text: str, table: Mapping[str, str]) -> _Found | None:
    """`text` with signs for the letters of `table`; None where one of them stands as a letter does."""
    sure, opens, closes, read = True, False, False, text
    for place, letter in enumerate(text):
        if letter not in table:
            continue
        before, after, sign = text[:place], text[place + 1 :], table[letter]
        kind = _kind(before, after, sign)
        if not kind:
            return None
        sure, opens, closes = sure and kind == "sure", opens or kind == "opens", closes or kind == "closes"
        read = read[:place] + sign + read[place + 1 :]
    left = "".join(letter if letter not in table else " " for letter in text)
    known = all(_is_word(part) for part in _LETTERS.findall(re.sub(rf"(?<= ){_ENDINGS}", "", left)))
    return _Found(number, read, sure and known, opens, closes) if known or sure else None


def _is_word(text: str) -> bool:
    """Is `text` a word, what stands before an apostrophe, or a name?"""
    return may_stand_alone(text) or may_stand_alone(_stem(text)) or (len(text) >= _LEAST and text.istitle())


def _kind(before: str, after: str, sign: str) -> str:
    """How a sign stands between two parts of its word: "sure", "opens", "closes", "doubtful", or "" for a letter."""
    ends, begins = before[-1:].isalnum(), after[:1].isalnum()
    if sign in _DASHES:
        digits = before[-1:].isdigit() and after[:1].isdigit()
        words = len(before) > 2 and len(after) > 2 and ends and begins
        return "sure" if digits else "doubtful" if words or not (ends or begins) else ""
    if sign in _DOTS:
        return "doubtful" if not begins and not before[-1:].isupper() else ""
    if sign == _APOSTROPHE and ends and begins:
        follows = re.match(_ENDINGS, after)
        return "sure" if follows and may_stand_alone(_stem(before)) else "doubtful" if follows else ""
    if sign in _OPENING:
        return "opens" if begins and not ends else ""
    return "closes" if before and not begins else ""


def _stem(before: str) -> str:
    """The letters right before an apostrophe, for "don" of "don’t" the verb."""
    last = _LETTERS.findall(before)[-1:] or [""]
    return {"don": "do", "won": "will", "can": "can"}.get(last[0].lower(), last[0].removesuffix("n") or last[0])


def _with_ligatures(words: Sequence[str]) -> Mapping[str, str]:
    """For words with a letter that stands for a ligature, what they are.

    A letter does where one and the same ligature makes words of all that hold it, and none of them is one as it is. A
    capital within small letters is enough, else two different words.
    """
    held: dict[str, set[str]] = defaultdict(set)
    for text in words:
        if not text.isascii():
            for letter in text:
                if not letter.isascii() and unicodedata.name(letter, "").startswith("LATIN"):
                    held[letter].add(text)
    return {text: new for letter, texts in held.items() for text, new in _ligature(letter, texts)}


def _ligature(letter: str, texts: set[str]) -> Iterator[tuple[str, str]]:
    fitting = [part for part in _LIGATURES if all(_fits(text, text.replace(letter, part)) for text in texts)]
    inside = letter.isupper() and any(re.search(rf"[a-z]{letter}[a-z]", text) for text in texts)
    if len(fitting) == 1 and (inside or len({text.lower() for text in texts}) > 1):
        yield from ((text, text.replace(letter, fitting[0])) for text in texts)


def _fits(text: str, new: str) -> bool:
    """Is every part of `new` a word, and `text` none?"""
    parts = _LETTERS.findall(new)
    return max(map(len, parts)) >= _LEAST and all(map(may_stand_alone, parts)) and not frequency(text)
