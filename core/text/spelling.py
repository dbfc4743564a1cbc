"""One spelling for what is written in several ways, so that a fact is found however an answer writes it."""

import re
import unicodedata
from functools import lru_cache

from core.text.quantities import CARDINALS
from core.text.words import sentences

_SCALES = ("hundred", "thousand")
_WORD = "|".join(sorted((*CARDINALS, *_SCALES), key=len, reverse=True))
_NUMBER = re.compile(
    rf"\b(?:a (?=hundred\b|thousand\b))?(?:{_WORD})(?: (?:{_WORD})|(?:(?<=hundred)|(?<=thousand)) and (?:{_WORD}))*\b"
)
_ENDINGS = (
    (re.compile(r"(?<=[a-z]{2})our(?=(?:s|ed|ing|ful|less|ably|able|ite|ites|hood|al)?\b)"), "or"),
    (re.compile(r"(?<=[a-z]{3})([iy])s(?=(?:e|ed|es|er|ers|ing|ation|ations)\b)"), r"\1z"),
    (re.compile(r"\b((?:[a-z]*met|[a-z]*lit|cent|fib|theat))re(?=s?\b)"), r"\1er"),
    (re.compile(r"\bsulph"), "sulf"),
)
"""British endings, with the American ones that stand for both."""
_MARKS = re.compile(r"\s*\[\d+(?:\s*[,;]\s*\d+)*\]")
_FOLDED = str.maketrans({"−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "⁄": "/", "’": "'", "‘": "'"})


@lru_cache(maxsize=256)
def one_spelling(text: str) -> str:
    """`text` in lower case with plain letters, one spelling and numbers in figures; signs of writing are left out.

    Sub- and superscripts become plain figures, also where a source marks them with ~ and ^.
    """
    text = unicodedata.normalize("NFKC", re.sub(r"[~^]", "", _MARKS.sub(" ", text))).translate(_FOLDED).casefold()
    text = re.sub(r"(?<=\d),(?=\d{2,3}\b)", "", text)
    text = re.sub(r"(?<=[a-z]) ?- ?(?=[a-z])", " ", text)
    text = re.sub(r"\.(?!\d)|[,;:!?\"“”]|(?<!\w)'|'(?!\w)", " ", text)
    text = re.sub(r"\s*([+=×÷/*()]|-(?!\d))\s*", r"\1", " ".join(text.split()))
    text = _NUMBER.sub(lambda found: str(_value(found.group().split())), text)
    text = re.sub(r"(?<=\d) ?(?:per cent\b|percent\b|%)", "%", text)
    for british, american in _ENDINGS:
        text = british.sub(american, text)
    return text


def holds(text: str, fact: str) -> bool:
    """True when `text` says `fact` in whole words, in any spelling. A fact may list alternatives: "red | crimson"."""
    held = one_spelling(text)
    return any(_stands(held, one_spelling(alternative)) for alternative in fact.split("|"))


def length(text: str) -> tuple[int, int]:
    """Sentences and words of `text`, without its citation marks."""
    plain = _MARKS.sub("", text)
    return len(sentences(plain)), len(plain.split())


def _stands(text: str, fact: str) -> bool:
    """True when a whole word, number or formula of `text` begins and another ends where `fact` does; plurals count."""
    before = r"(?<![\w.])" if fact[:1].isdigit() else r"(?<!\w)"
    plural = "(?:e?s)?" if re.search(r"[^\W\d_]{3}$", fact) else ""
    return bool(fact) and bool(re.search(rf"{before}{re.escape(fact)}{plural}(?!\w|\.\d)", text))


def _value(words: list[str]) -> int:
    """The value of "two thousand five hundred" or "a hundred", given as words."""
    whole = part = 0
    for word in words:
        if word == "thousand":
            whole, part = whole + (part or 1) * 1000, 0
        elif word == "hundred":
            part = (part or 1) * 100
        else:
            part += int(CARDINALS.get(word, 0))
    return whole + part
