"""Repairs quotes, dashes, dots and ligatures that an old encoding turned into letters: "Indiaís" becomes "India’s".

A font without Unicode codes is often decoded in the encoding of another system. The evidence comes from the same
document: a letter such as "í" is taken for a sign if it occurs where signs occur and the rest of its word is a word.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.pdf.page import Line, Page
from core.text.words import frequency, language_of, may_stand_alone

_WINDOWS, _MACINTOSH = "cp1252", "mac_roman"
_SIGNS = "‘’“”–—…"
_OPENING, _CLOSING, _DASHES, _DOTS, _APOSTROPHE = "‘“", "’”", "–—", "…", "’"
_LIGATURES = ("fi", "fl", "ff", "ffi", "ffl")
_ENDINGS = r"(?:s|t|d|m|ll|re|ve)(?![^\W\d_])"
_MIN_SIGNS = 3  # so many doubtful signs count as sure if no word has the letter as a letter
_NEAR = 40  # words: largest distance between the two ends of a quotation
_LEAST = 4  # letters: a shorter word is no evidence for a ligature
_SAMPLE_LENGTH = 20_000  # characters that are enough to detect the language of a document
_LETTERS = re.compile(r"[^\W\d_]{1,60}")
_TWICE = {sign.encode().decode(_WINDOWS, "replace").replace("\ufffd", "\x9d"): sign for sign in _SIGNS}
"""The sign for each text such as "â€™" that is its UTF-8 bytes decoded as Windows-1252; such a text can be nothing
else.
"""


def _misread(original: str, read: str) -> Mapping[str, str]:
    """{letter: sign} for text in the encoding `original` that was decoded as `read`: each sign, by the letter as which
    it appears.
    """
    return {sign.encode(original).decode(read): sign for sign in _SIGNS}


_TABLES = (_misread(_WINDOWS, _MACINTOSH), _misread(_MACINTOSH, _WINDOWS))


def decode_pages(pages: Sequence[Page]) -> list[Page]:
    """Return the pages with the signs and ligatures that old encodings hide; all other text stays."""
    texts = [word.text for page in pages for line in page.lines for word in line.words if not word.text.isascii()]
    if not texts:
        return list(pages)
    pages = _with_texts(pages, {text: _decode_twice(text) for text in texts})
    words = [word.text for page in pages for line in page.lines for word in line.words]
    if language_of(" ".join(words)[:_SAMPLE_LENGTH]):
        return list(pages)
    for table in _TABLES:
        if any(letter in text for text in words if not text.isascii() for letter in table):
            pages = _with_numbered_texts(pages, dict(_signs(words, table)))
            words = [word.text for page in pages for line in page.lines for word in line.words]
    return _with_texts(pages, _with_ligatures(words))


def _decode_twice(text: str) -> str:
    """Replace UTF-8 sequences that were decoded as Windows-1252."""
    for letters, sign in _TWICE.items():
        text = text.replace(letters, sign)
    return text


def _with_texts(pages: Sequence[Page], texts: Mapping[str, str]) -> list[Page]:
    """Return the pages with the texts of some words replaced. texts: old text -> new text."""
    if all(old == new for old, new in texts.items()):
        return list(pages)

    def line_of(line: Line) -> Line:
        return replace(line, words=tuple(replace(w, text=texts.get(w.text, w.text)) for w in line.words))

    return [replace(page, lines=tuple(map(line_of, page.lines))) for page in pages]


def _with_numbered_texts(pages: Sequence[Page], texts: Mapping[int, str]) -> Sequence[Page]:
    """Return the pages with the texts of some words replaced. texts: index of the word in the document -> new text."""
    if not texts:
        return pages
    number, new_lines = 0, []
    for page in pages:
        lines = []
        for line in page.lines:
            words = (replace(w, text=texts.get(n, w.text)) for n, w in enumerate(line.words, number))
            lines.append(replace(line, words=tuple(words)))
            number += len(line.words)
        new_lines.append(replace(page, lines=tuple(lines)))
    return new_lines


@dataclass(frozen=True)
class _Candidate:
    """A word with letters that may be misread signs. text: the word with signs in place of these letters.

    number: index of the word in the document. sure: True if each of these letters is certainly a sign. opens, closes:
    True if the word may begin or end a quotation.
    """

    number: int
    text: str
    sure: bool
    opens: bool = False
    closes: bool = False


def _signs(words: Sequence[str], table: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Yield (index in the document, corrected text) of each word in which letters of `table` are signs."""
    candidates, words_with_letters = [], 0
    for number, text in enumerate(words):
        if not text.isascii() and any(letter in text for letter in table):
            candidate = _as_signs(number, text, table)
            words_with_letters += candidate is None
            candidates += [candidate] if candidate else []
    quotation_ends = set(_quotations(candidates))
    sure = sum(candidate.sure for candidate in candidates) + len(quotation_ends)
    if not sure and not (len(candidates) >= _MIN_SIGNS and not words_with_letters):
        return
    for candidate in candidates:
        if candidate.sure or candidate.number in quotation_ends or not (candidate.opens or candidate.closes):
            yield candidate.number, candidate.text


def _quotations(candidates: Sequence[_Candidate]) -> Iterator[int]:
    """Yield the indices, in the document, of the first and last word of each quotation."""
    opening: int | None = None
    for candidate in candidates:
        if candidate.closes and opening is not None and candidate.number - opening <= _NEAR:
            yield from (opening, candidate.number)
            opening = None
        if candidate.opens and not candidate.closes:
            opening = candidate.number
        elif candidate.opens and candidate.closes:
            yield candidate.number


def _as_signs(number: int, text: str, table: Mapping[str, str]) -> _Candidate | None:
    """Return `text` with signs for the letters of `table`; None if one of them can only be a letter."""
    sure, opens, closes, result = True, False, False, text
    for index, letter in enumerate(text):
        if letter not in table:
            continue
        before, after, sign = text[:index], text[index + 1 :], table[letter]
        kind = _sign_kind(before, after, sign)
        if not kind:
            return None
        sure, opens, closes = sure and kind == "sure", opens or kind == "opens", closes or kind == "closes"
        result = result[:index] + sign + result[index + 1 :]
    letters_only = "".join(letter if letter not in table else " " for letter in text)
    is_text = all(
        may_stand_alone(part) or may_stand_alone(_stem(part)) or (len(part) >= _LEAST and part.istitle())
        for part in _LETTERS.findall(re.sub(rf"(?<= ){_ENDINGS}", "", letters_only))
    )
    return _Candidate(number, result, sure and is_text, opens, closes) if is_text or sure else None


def _sign_kind(before: str, after: str, sign: str) -> str:
    """How likely the character between `before` and `after`, two pieces of a word, is `sign`: "sure"; "doubtful";
    "opens" or "closes" for a sign that opens or closes a quotation; "" if it is a letter.
    """
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
    """The letters right before an apostrophe; "do" for "don" of "don’t"."""
    last = _LETTERS.findall(before)[-1:] or [""]
    return {"don": "do", "won": "will", "can": "can"}.get(last[0].lower(), last[0].removesuffix("n") or last[0])


def _with_ligatures(words: Sequence[str]) -> Mapping[str, str]:
    """{word: corrected word} for the words in which a letter is really a ligature.

    This needs a ligature that, in place of the letter, turns every word with that letter into real words, while none of
    these words is real as it is; no other ligature may do the same. In addition, the letter must be a capital between
    small letters, or occur in two different words.
    """
    texts_by_letter: dict[str, set[str]] = defaultdict(set)
    for text in words:
        if not text.isascii():
            for letter in text:
                if not letter.isascii() and unicodedata.name(letter, "").startswith("LATIN"):
                    texts_by_letter[letter].add(text)
    new_texts = {}
    for letter, texts in texts_by_letter.items():
        fitting = [part for part in _LIGATURES if all(_fits(text, text.replace(letter, part)) for text in texts)]
        inside = letter.isupper() and any(re.search(rf"[a-z]{letter}[a-z]", text) for text in texts)
        if len(fitting) == 1 and (inside or len({text.lower() for text in texts}) > 1):
            new_texts |= {text: text.replace(letter, fitting[0]) for text in texts}
    return new_texts


def _fits(text: str, new: str) -> bool:
    """True if all parts of `new` are words, while `text` is not one."""
    parts = _LETTERS.findall(new)
    return max(map(len, parts)) >= _LEAST and all(map(may_stand_alone, parts)) and not frequency(text)
