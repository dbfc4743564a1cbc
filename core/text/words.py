"""The words of a text: content words, stems, how common a word is, spelling, and the language."""

import re
import threading
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import Stemmer
from spellchecker import SpellChecker

from core.question import HINDI
from core.text.citation_marks import without_marks
from core.text.lexicon import listed, table
from core.text.numerals import CARDINALS, value_of_words
from core.text.sentences import sentences

RARE = 50
"""The count that the word list gives to words whose frequency was not measured."""
_EVERYDAY = 2000
"""Minimum count (`frequency`) of a word that people use every day; "photosynthesis" has 253."""
_FORM_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "est", "ness", "ly")
"""Endings of the forms of a word."""
_SHORT = frozenset(listed("short words"))
"""All words of one or two letters, and prefixes that writers separate: "non linear"."""


def frequency(word: str) -> int:
    """The count of `word`, in any case, in pyspellchecker's English word list (1.6 billion words); 0 if unknown."""
    return _counts().get(word.lower(), 0)


def may_stand_alone(word: str) -> bool:
    """True if `word` may be a word of its own; the list also counts many pieces of two letters, which are no words."""
    return word.lower() in _SHORT or (len(word) > 2 and frequency(word) > RARE)


def is_everyday(word: str) -> bool:
    """True if `word`, or the word that it is a form of, is frequent in everyday English: "absorbs", "shriller"."""
    word = word.lower()
    bases = [word]  # "plugging" gives plugg, plugge and plug
    for ending in _FORM_ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            base = word.removesuffix(ending)
            bases += [base, f"{base}e"]
            if base[-1] == "i":
                bases.append(f"{base[:-1]}y")
            if base[-1] == base[-2]:
                bases.append(base[:-1])
    return max(map(frequency, bases)) >= _EVERYDAY


@lru_cache(maxsize=1)
def _counts() -> dict[str, int]:
    return dict(SpellChecker(language="en").word_frequency.dictionary)


_VOWEL_SIGNS = "".join(chr(c) for c in range(0x300, 0xE80) if unicodedata.category(chr(c)) in ("Mn", "Mc"))
"""Combining signs, as in Devanagari: they continue a word."""
_LETTERS = rf"[^\W\d_]+(?:[{_VOWEL_SIGNS}]+[^\W\d_]*)*"
_WORD = re.compile(rf"{_LETTERS}(?:['’\-]{_LETTERS})*|\d+(?:[.,]\d+)*")

NEGATION = re.compile(r"\b(?:not|no|nor|never|neither|nobody|nothing|none|cannot)\b|n['’]t\b", re.IGNORECASE)
_ACCENTS = re.compile(r"(?<=[a-z])[\u0300-\u036f]+")
"""Combining signs on a Latin letter."""
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
"""Subscripts become digits, so that "H₂O" and "H2O" are one word."""
_LOCAL = threading.local()  # a stemmer may serve one thread only

STOPWORDS = frozenset(listed("stopwords"))

_SCALES = ("hundred", "thousand")
_NUMBER_WORD = "|".join(sorted((*CARDINALS, *_SCALES), key=len, reverse=True))
_NUMBER = re.compile(
    rf"\b(?:a (?=hundred\b|thousand\b))?(?:{_NUMBER_WORD})"
    rf"(?: (?:{_NUMBER_WORD})|(?:(?<=hundred)|(?<=thousand)) and (?:{_NUMBER_WORD}))*\b"
)
_ENDINGS = (
    (re.compile(r"(?<=[a-z]{2})our(?=(?:s|ed|ing|ful|less|ably|able|ite|ites|hood|al)?\b)"), "or"),
    (re.compile(r"(?<=[a-z]{3})([iy])s(?=(?:e|ed|es|er|ers|ing|ation|ations)\b)"), r"\1z"),
    (re.compile(r"\b((?:[a-z]*met|[a-z]*lit|cent|fib|theat))re(?=s?\b)"), r"\1er"),
    (re.compile(r"\bsulph"), "sulf"),
)
"""(British ending, the American ending that replaces it)."""
_FOLDED = str.maketrans({"−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "⁄": "/", "’": "'", "‘": "'"})


def without_accents(text: str) -> str:
    """`text` in lower case and with plain Latin letters, as people type it: "modi" for "Moḍī"."""
    text = text.lower()
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))


@lru_cache(maxsize=1024)  # every check reads the same few sentences and passages
def words(text: str) -> tuple[str, ...]:
    """The words and numbers of `text`, lower case and without accents, in order."""
    return tuple(w.replace("’", "'") for w in _WORD.findall(without_accents(text).translate(_SUBSCRIPTS)))


def stem(word: str) -> str:
    """The stem of `word` (Snowball's English stemmer): one for "plants" and "plant", one for "moving" and "moved"."""
    return _stemmer().stemWord(word)


def _stemmer() -> Stemmer.Stemmer:
    if not hasattr(_LOCAL, "stemmer"):
        _LOCAL.stemmer = Stemmer.Stemmer("english", 20_000)
    return _LOCAL.stemmer


@lru_cache(maxsize=1024)
def content(text: str) -> tuple[str, ...]:
    """The stems of the content words of `text` (all but stopwords), in order."""
    return tuple(_stemmer().stemWords([w for w in words(text) if w not in STOPWORDS]))


def consonants(stem: str) -> str:
    """The consonants of a stem, which are those of all forms of an irregular verb: "sank", "sunk" and "sink"."""
    return re.sub(r"(.)\1", r"\1", re.sub("[aeiou]", "", stem.removesuffix("en"))) or stem


def overlap(claim: str, source: str) -> float:
    """Share of the content words of `claim` that `source` holds, in [0, 1]; 0 for a claim without any."""
    claim_stems = set(content(claim))
    return len(claim_stems & set(content(source))) / len(claim_stems) if claim_stems else 0.0


@lru_cache(maxsize=256)
def one_spelling(text: str) -> str:
    """`text` in lower case with plain letters, American spelling and numbers in plain digits, without punctuation."""
    text = unicodedata.normalize("NFKC", re.sub(r"[~^]", "", without_marks(text))).translate(_FOLDED).casefold()
    text = re.sub(r"(?<=\d),(?=\d{2,3}\b)", "", text)
    text = re.sub(r"(?<=[a-z]) ?- ?(?=[a-z])", " ", text)
    text = re.sub(r"\.(?!\d)|[,;:!?\"“”]|(?<!\w)'|'(?!\w)", " ", text)
    text = re.sub(r"\s*([+=×÷/*()]|-(?!\d))\s*", r"\1", " ".join(text.split()))
    text = _NUMBER.sub(lambda match: str(int(value_of_words(match.group()))), text)
    text = re.sub(r"(?<=\d) ?(?:per cent\b|percent\b|%)", "%", text)
    for british, american in _ENDINGS:
        text = british.sub(american, text)
    return text


def contains_fact(text: str, fact: str) -> bool:
    """True if `text` holds `fact`, or one of its alternatives "red | crimson", as whole words in any spelling."""
    normal = one_spelling(text)
    for one in filter(None, map(one_spelling, fact.split("|"))):
        before = r"(?<![\w.])" if one[0].isdigit() else r"(?<!\w)"
        plural = "(?:e?s)?" if re.search(r"[^\W\d_]{3}$", one) else ""
        if re.search(rf"{before}{re.escape(one)}{plural}(?!\w|\.\d)", normal):
            return True
    return False


def length(text: str) -> tuple[int, int]:
    """(number of sentences, number of words) of `text` without its citation marks."""
    plain = without_marks(text)
    return len(sentences(plain)), len(plain.split())


_OVERLAYS = "\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20dd-\u20e0\u20e2-\u20e6\u20ea\u20eb"
"""Combining marks that strike out or enclose the letter before them."""
_BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
"""Letters and marks without a visible shape."""
_UNSEEN = re.compile(f"[{_OVERLAYS}{_BLANKS}]")
_JOINERS = "\u200c\u200d"
"""Joiners shape letters of Indian scripts and Arabic; in other scripts they only hide words from a search."""


def visible(text: str) -> str:
    """`text` with its line breaks, without control characters, invisible characters and strike-out marks."""
    if text.isascii() and text.isprintable():
        return text
    seen, before = [], ""
    for character in unicodedata.normalize("NFC", _UNSEEN.sub("", text)):
        # A joiner has no meaning in Latin, Greek and Cyrillic, nor after anything but a letter or its sign.
        joins = character in _JOINERS and before > "\u0590" and unicodedata.category(before)[0] in "LM"
        if joins or character == "\n" or unicodedata.category(character)[0] != "C":
            seen.append(character)
        elif character.isspace():
            seen.append(" ")
        before = character
    return "".join(seen)


UNKNOWN = "another language"
"""The name of a language that is recognised by its script alone."""
_LATIN, _DEVANAGARI = "LATIN", "DEVANAGARI"
_LEAST = 2
"""The fewest different small words that show a language in Latin script: "de Broglie" has one, and is English."""
_MAX_LENGTH = 200
"""The number of passages that decide the language of a library."""
_SMALL = {name: frozenset(map(without_accents, own)) - STOPWORDS for name, own in table("languages").items()}
"""{language: its small words that are not English stopwords}."""


def language_of(text: str) -> str:
    """The language of `text`: a name of data/languages.json, UNKNOWN, or "" for English and for undecided texts.

    The script of most content words decides, so that "What is" does not make a question in Hindi an English one; single
    letters such as λ are symbols and do not count. In Latin script the small words decide: a text is in a language that
    has more of them than English.
    """
    tokens = [w for w in words(text) if len(w) > 1 and not w[0].isdigit()]
    letters = (next(filter(str.isalpha, w), "a") for w in tokens if w not in STOPWORDS)
    scripts = [unicodedata.name(letter, "").partition(" ")[0] for letter in letters]
    foreign = [s for s in scripts if s != _LATIN]
    small = {language: len(set(tokens) & own) for language, own in _SMALL.items()}
    likeliest = max(small, key=small.get)
    if 2 * len(foreign) > len(scripts):
        return likeliest if small[likeliest] else HINDI if _DEVANAGARI in foreign else UNKNOWN
    english = len(set(tokens) & STOPWORDS)
    return likeliest if small[likeliest] >= _LEAST and small[likeliest] > english else ""


def in_english(texts: Iterable[str]) -> bool:
    """True if most of the first 200 texts are in English; False without texts."""
    read = [language_of(text) for _, text in zip(range(_MAX_LENGTH), texts, strict=False)]
    return 2 * read.count("") > len(read)
