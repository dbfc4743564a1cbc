"""How the project reads English: words, which carry content, one spelling for all, what of it is seen; and
which language a text is in, as far as that can be told without a model."""

import json
import re
import threading
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

import Stemmer

from core.text.citation_marks import without_marks
from core.text.quantities import CARDINALS, spelled
from core.text.sentences import sentences

_VOWEL_SIGNS = "".join(chr(c) for c in range(0x300, 0xE80) if unicodedata.category(chr(c)) in ("Mn", "Mc"))
"""Signs that belong to the letter before them, as in Devanagari; a word does not end at one."""
_LETTERS = rf"[^\W\d_]+(?:[{_VOWEL_SIGNS}]+[^\W\d_]*)*"
_WORD = re.compile(rf"{_LETTERS}(?:['’\-]{_LETTERS})*|\d+(?:[.,]\d+)*")

_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
"""A formula is one word, however its figures are set: "H₂O" and "H2O"."""
_REMEMBERED = 1024
"""Texts whose words are remembered: every check reads the same few sentences and passages."""
_LOCAL = threading.local()  # a stemmer may serve one thread only

STOPWORDS = frozenset(
    """a about above after again all also am an and any are as at be because been before being below between both but
    by can could did do does doing down during each either few for from further had has have having he her here hers
    him his how i if in into is it its itself just let may me might more most must my no nor not of off on once one
    only or other our out over own per same shall she should so some such than that the their them then there these
    they this those through thus to too under until up upon us very was we were what when where which while who whom
    whose why will with within would you your""".split()
)

_SCALES = ("hundred", "thousand")
_ONE = "|".join(sorted((*CARDINALS, *_SCALES), key=len, reverse=True))
_NUMBER = re.compile(
    rf"\b(?:a (?=hundred\b|thousand\b))?(?:{_ONE})(?: (?:{_ONE})|(?:(?<=hundred)|(?<=thousand)) and (?:{_ONE}))*\b"
)
_ENDINGS = (
    (re.compile(r"(?<=[a-z]{2})our(?=(?:s|ed|ing|ful|less|ably|able|ite|ites|hood|al)?\b)"), "or"),
    (re.compile(r"(?<=[a-z]{3})([iy])s(?=(?:e|ed|es|er|ers|ing|ation|ations)\b)"), r"\1z"),
    (re.compile(r"\b((?:[a-z]*met|[a-z]*lit|cent|fib|theat))re(?=s?\b)"), r"\1er"),
    (re.compile(r"\bsulph"), "sulf"),
)
"""British endings, with the American ones that stand for both."""
_FOLDED = str.maketrans({"−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "⁄": "/", "’": "'", "‘": "'"})


def words(text: str) -> list[str]:
    """The words and numbers of `text`, lower case, in order."""
    return list(_words(text))


@lru_cache(maxsize=_REMEMBERED)
def _words(text: str) -> tuple[str, ...]:
    return tuple(w.replace("’", "'") for w in _WORD.findall(text.lower().translate(_SUBSCRIPTS)))


def stem(word: str) -> str:
    """`word` without its ending (Snowball's English stemmer): "plants" meets "plant", "moving" meets "moved"."""
    return _stemmer().stemWord(word)


def _stemmer() -> Stemmer.Stemmer:
    if not hasattr(_LOCAL, "stemmer"):
        _LOCAL.stemmer = Stemmer.Stemmer("english", 20_000)
    return _LOCAL.stemmer


def content(text: str) -> list[str]:
    """The stems of the words of `text` that carry content, in order."""
    return list(_content(text))


@lru_cache(maxsize=_REMEMBERED)
def _content(text: str) -> tuple[str, ...]:
    return tuple(_stemmer().stemWords([w for w in _words(text) if w not in STOPWORDS]))


def overlap(claim: str, source: str) -> float:
    """Share of the content words of `claim` that `source` holds, in [0, 1]; 0 for a claim without any."""
    wanted = set(content(claim))
    return len(wanted & set(content(source))) / len(wanted) if wanted else 0.0


@lru_cache(maxsize=256)
def one_spelling(text: str) -> str:
    """`text` in lower case with plain letters, one spelling and numbers in figures; signs of writing are left out.

    Sub- and superscripts become plain figures, also where a source marks them with ~ and ^.
    """
    text = unicodedata.normalize("NFKC", re.sub(r"[~^]", "", without_marks(text))).translate(_FOLDED).casefold()
    text = re.sub(r"(?<=\d),(?=\d{2,3}\b)", "", text)
    text = re.sub(r"(?<=[a-z]) ?- ?(?=[a-z])", " ", text)
    text = re.sub(r"\.(?!\d)|[,;:!?\"“”]|(?<!\w)'|'(?!\w)", " ", text)
    text = re.sub(r"\s*([+=×÷/*()]|-(?!\d))\s*", r"\1", " ".join(text.split()))
    text = _NUMBER.sub(lambda found: str(int(spelled(found.group()))), text)
    text = re.sub(r"(?<=\d) ?(?:per cent\b|percent\b|%)", "%", text)
    for british, american in _ENDINGS:
        text = british.sub(american, text)
    return text


def holds(text: str, fact: str) -> bool:
    """True when `text` says `fact` in whole words, in any spelling. A fact may list alternatives: "red | crimson"."""
    held = one_spelling(text)
    return any(_says(held, one_spelling(alternative)) for alternative in fact.split("|"))


def length(text: str) -> tuple[int, int]:
    """Sentences and words of `text`, without its citation marks."""
    plain = without_marks(text)
    return len(sentences(plain)), len(plain.split())


def _says(text: str, fact: str) -> bool:
    """True when a whole word, number or formula of `text` begins and another ends where `fact` does; plurals count."""
    before = r"(?<![\w.])" if fact[:1].isdigit() else r"(?<!\w)"
    plural = "(?:e?s)?" if re.search(r"[^\W\d_]{3}$", fact) else ""
    return bool(fact) and bool(re.search(rf"{before}{re.escape(fact)}{plural}(?!\w|\.\d)", text))


_OVERLAYS = "\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20dd-\u20e0\u20e2-\u20e6\u20ea\u20eb"
"""Marks that are written across the letter before them, so that it looks struck out, or around it."""
_BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
"""Letters and marks that show nothing, though they count as letters and marks."""
_UNSEEN = re.compile(f"[{_OVERLAYS}{_BLANKS}]")
_JOINERS = "\u200c\u200d"
"""They shape letters of Indian scripts and of Arabic, and hide words of others."""


def visible(text: str) -> str:
    """`text` with its line breaks, without characters that control, hide, turn or strike out what is read."""
    if text.isascii() and text.isprintable():
        return text
    composed = unicodedata.normalize("NFC", _UNSEEN.sub("", text))
    return "".join(_shown(c, composed[n - 1 : n]) for n, c in enumerate(composed))


def _shown(character: str, before: str) -> str:
    if character == "\n" or unicodedata.category(character)[0] != "C":
        return character
    if character in _JOINERS and _joins(before):
        return character
    return " " if character.isspace() else ""


def _joins(letter: str) -> bool:
    """True for a letter or a sign after which a joiner has a meaning: none of Latin, Greek or Cyrillic."""
    return letter > "\u0590" and unicodedata.category(letter)[0] in "LM"


LEXICON = Path(__file__).parents[2] / "data" / "languages.json"
HINDI = "Hindi"
"""The one language beside English in which something is said back: in Devanagari, as who asks in it reads it."""
UNKNOWN = "another language"
"""A language that is seen by its script alone."""
_LATIN, _DEVANAGARI = "LATIN", "DEVANAGARI"
_LEAST = 2
"""Different small words of a language that show it in Latin script: "de Broglie" has one, and is English."""
_READ = 200
"""Passages that are enough to tell the language of a library."""


def language_of(text: str) -> str:
    """The language of `text`: a name of data/languages.json, UNKNOWN, or "" for English and for what cannot be told.

    By the script of most of its words, a lone letter such as λ being a symbol; in Latin script by its small words: one
    language is another when more of these are its own than English.
    """
    said = [w for w in words(text) if len(w) > 1 and not w[0].isdigit()]
    scripts = [_script(w) for w in said]
    foreign = [s for s in scripts if s != _LATIN]
    small = {language: len(set(said) & own) for language, own in _small_words().items()}
    likeliest = max(small, key=small.get)
    if 2 * len(foreign) > len(said):
        return likeliest if small[likeliest] else HINDI if _DEVANAGARI in foreign else UNKNOWN
    english = len(set(said) & STOPWORDS)
    return likeliest if small[likeliest] >= _LEAST and small[likeliest] > english else ""


def in_english(texts: Iterable[str]) -> bool:
    """True when most of these texts, of the first few hundred, are in English; False without any."""
    read = [language_of(text) for _, text in zip(range(_READ), texts, strict=False)]
    return 2 * read.count("") > len(read)


def _script(word: str) -> str:
    """The script of a word's first letter, as Unicode names it."""
    letter = next((c for c in word if c.isalpha()), "a")
    return unicodedata.name(letter, "UNKNOWN").partition(" ")[0]


@lru_cache(maxsize=1)
def _small_words() -> Mapping[str, frozenset[str]]:
    """The small words of each language that are not English too."""
    stored = json.loads(LEXICON.read_text(encoding="utf-8"))
    return {language: frozenset(own) - STOPWORDS for language, own in stored.items()}
