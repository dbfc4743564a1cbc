"""Repairs damaged characters, and joins words that a line end splits.

ftfy repairs UTF-8 that was decoded in another encoding. What is left are single bytes of Windows that were read as
Macintosh's or the other way round ("Indiaís" for "India’s"), and glyphs of ligatures that were named after another
letter. The evidence for these is in the document: a letter is taken for a sign only where a sign, and no letter, makes
words.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ftfy import TextFixerConfig, fix_text

from core.pdf.page import Line, Page, Word
from core.text.words import STOPWORDS, frequency, language_of, may_stand_alone, without_accents, words

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
_LIGATURES = ("fi", "fl", "ff", "ffi", "ffl")
_LEAST = 4  # letters: a shorter word is no evidence for a ligature
_SAMPLE_LENGTH = 20_000  # characters that are enough to detect the language of a document
_QUOTED = 300  # characters of a quotation at most
_LETTERS = re.compile(r"[^\W\d_]{1,60}")
_HALF = 61  # letters: half of a split word is no longer
_HIDDEN_HYPHEN = re.compile(r"\u00ad(?!$)")
_HYPHEN_END = re.compile(r"([^\W\d_]{1,60})[-\u2010\u00ad]$")  # bounded, since a page of letters would take too long
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_KEEPS_HYPHEN = frozenset(
    ["co", "cross", "ex", "half", "mid", "multi", "non", "self", "semi", "so", "two", "up", "well"]
)


def clean_page(page: Page) -> Page:
    """Return the page with readable words, and without lines that have no word. Dots that stand apart, as in "2, 4,
    . . .", become one word.
    """
    lines: list[Line] = []
    for line in page.lines:
        mended: list[Word] = []
        for word in line.words:
            text = readable(word.text)
            if mended and mended[-1].text.endswith(".") and _DOT.fullmatch(text):
                dots = mended[-1].joined(replace(word, text=text))
                mended[-1] = replace(dots, text=_DOTS.sub("...", dots.text))
            elif text:
                mended.append(replace(word, text=text))
        lines += [replace(line, words=tuple(mended))] if mended else []
    return replace(page, lines=tuple(lines))


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
    half = _HYPHEN_END.search(before[-_HALF:])
    if not half or not after[:1].isalnum():
        return before, " " if before else ""
    is_broken, other_half = before.endswith(SOFT_HYPHEN), _FIRST_WORD.match(after)
    if other_half and not other_half[0][0].isupper():  # no name
        first, second = without_accents(half[1]), without_accents(other_half[0])
        is_known = first + second in known_words
        is_half = first not in _KEEPS_HYPHEN and (first in STOPWORDS or first not in known_words)
        is_broken |= f"{first}-{second}" not in known_words and (is_known or is_half)
    return before[:-1] if is_broken else before, ""


def decode_pages(pages: Sequence[Page]) -> list[Page]:
    """Return the pages with the signs and ligatures that old encodings hide; all other text stays."""
    old = [word.text for page in pages for line in page.lines for word in line.words]
    if all(map(str.isascii, old)) or language_of(" ".join(old)[:_SAMPLE_LENGTH]):
        return list(pages)
    text = " ".join(old)
    for original, read in (("cp1252", "mac_roman"), ("mac_roman", "cp1252")):
        text = _with_signs(text, *(sign.encode(original).decode(read) for sign in "‘’“”–—…"))
    new = text.split(" ")
    ligatures = _ligatures(new)
    texts = iter([ligatures.get(word, word) for word in new])

    return [
        replace(
            page,
            lines=tuple(
                replace(line, words=tuple(replace(word, text=next(texts)) for word in line.words))
                for line in page.lines
            ),
        )
        for page in pages
    ]


def _with_signs(text: str, opens: str, closes: str, opens_double: str, closes_double: str, *others: str) -> str:
    """Return `text`, with as many letters, in which signs take the place of these seven letters: two quotes of each
    kind, the two dashes and the dots.
    """
    dash, long_dash, dots = others
    if not any(letter in text for letter in (opens, closes, opens_double, closes_double, *others)):
        return text
    before = text
    # Between letters an apostrophe is sure if a word ends before it: "Indiaís", "donít".
    text = re.sub(rf"([A-Za-z]+){closes}(?=(?:s|t|d|m|ll|re|ve)\b)", _apostrophe, text)
    for first, last, quotes in ((opens_double, closes_double, "“”"), (opens, closes, "‘’")):
        quoted = rf"(?<!\w){first}(?=[A-Za-z])([^{first}{last}]{{1,{_QUOTED}}}){last}(?!\w)"
        text = re.sub(quoted, rf"{quotes[0]}\1{quotes[1]}", text)
    text = re.sub(rf"(?<=\d){dash}(?=\d)", "–", text)
    if text != before:  # the document has signs of this encoding: what may be another one is
        text = re.sub(rf"(?<=[a-z]){dots}(?!\w)", "…", text)
        text = re.sub(rf"(?<= )[{dash}{long_dash}](?= )", lambda match: "–" if match[0] == dash else "—", text)
    return text


def _apostrophe(match: re.Match[str]) -> str:
    stem = {"don": "do", "won": "will", "can": "can"}.get(match[1].lower(), match[1].removesuffix("n") or match[1])
    return f"{match[1]}’" if may_stand_alone(stem) or may_stand_alone(match[1]) else match[0]


def _ligatures(words: Iterable[str]) -> Mapping[str, str]:
    """{word: corrected word} for the words in which a letter is really a ligature.

    This needs a ligature that, in place of the letter, turns every word with that letter into real words, while none of
    these words is real as it is; no other ligature may do the same. In addition, the letter must be a capital between
    small letters, or occur in two different words.
    """
    texts_by_letter: dict[str, set[str]] = defaultdict(set)
    for text in words:
        for letter in () if text.isascii() else text:
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
