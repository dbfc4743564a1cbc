"""How the project reads English: sentences, words, and which words carry content."""

import re
import threading
import unicodedata

import Stemmer

_ABBREVIATIONS = frozenset(
    "fig figs eq eqs eqn nos vol ch sec dr mr mrs ms st vs etc e.g i.e viz approx cf al prof p pp min max ed".split()
)
_END = re.compile(r"[.!?।]+[\"'”’)\]]*(?=\s+|$)")
_MARKS = re.compile(r"(?:\s*\[\d+(?:\s*[,;]\s*\d+)*\])+")
_NAMED = re.compile(r"[A-Z](?:\.|[a-z]+\s+(?:[A-Z]|was|is|were|had|and|who|in|\()|[a-z]+[,.])")
"""What follows an initial: another one, or a name that goes on or is said something of."""
_VOWEL_SIGNS = "".join(chr(c) for c in range(0x300, 0xE80) if unicodedata.category(chr(c)) in ("Mn", "Mc"))
"""Signs that belong to the letter before them, as in Devanagari; a word does not end at one."""
_LETTERS = rf"[^\W\d_]+(?:[{_VOWEL_SIGNS}]+[^\W\d_]*)*"
_WORD = re.compile(rf"{_LETTERS}(?:['’\-]{_LETTERS})*|\d+(?:[.,]\d+)*")

_NEAR = 40
"""Characters about a full stop that say whether it ends a sentence."""
_LOCAL = threading.local()  # a stemmer may serve one thread only

STOPWORDS = frozenset(
    """a about above after again all also am an and any are as at be because been before being below between both but
    by can could did do does doing down during each either few for from further had has have having he her here hers
    him his how i if in into is it its itself just let may me might more most must my no nor not of off on once one
    only or other our out over own per same shall she should so some such than that the their them then there these
    they this those through thus to too under until up upon us very was we were what when where which while who whom
    whose why will with within would you your""".split()
)

_OPENING = frozenset("hence therefore however thus moreover similarly later finally many one two".split())
"""Words beside STOPWORDS that may open a sentence and are nobody's name."""


def sentences(text: str) -> list[str]:
    """`text` split into sentences, white space folded; a mark such as [2] stays with the sentence before it."""
    text = " ".join(text.split())
    found, start = [], 0
    for end in _END.finditer(text):
        if _inside(text, end):
            continue
        marks = _MARKS.match(text, end.end())
        stop = marks.end() if marks else end.end()
        if stop > start:
            found.append(text[start:stop].strip())
            start = stop
    found.append(text[start:].strip())
    return [s for s in found if s]


def _inside(text: str, end: re.Match[str]) -> bool:
    """True where a full stop ends no sentence: an abbreviation, an initial, a number, a lower-case continuation."""
    rest = text[end.end() : end.end() + _NEAR].lstrip()  # text has its white space folded, so this is enough
    before = re.split(r"[\s(\[]", text[max(0, end.start() - _NEAR) : end.start()])[-1]
    if before.lower() == "no":
        return rest[:1].isdigit()
    if end.group()[0] != ".":
        return bool(rest) and rest[0].islower()
    initial = len(before) == 1 and before.isupper() and bool(_NAMED.match(rest)) and not _begins(rest)
    abbreviated = before.lower() in _ABBREVIATIONS and before != "P"  # "point P." ends a sentence, "p. 5" does not
    return abbreviated or initial or (rest[:1].islower() and len(before) <= 3)


def _begins(rest: str) -> bool:
    """True where a word stands that opens a sentence and is no name: "vitamin C. It is ..."."""
    return rest.split()[0].rstrip(",").lower() in STOPWORDS | _OPENING


def words(text: str) -> list[str]:
    """The words and numbers of `text`, lower case, in order."""
    return [w.replace("’", "'") for w in _WORD.findall(text.lower())]


def stem(word: str) -> str:
    """`word` without its ending (Snowball's English stemmer): "plants" meets "plant", "moving" meets "moved"."""
    return _stemmer().stemWord(word)


def _stemmer() -> Stemmer.Stemmer:
    if not hasattr(_LOCAL, "stemmer"):
        _LOCAL.stemmer = Stemmer.Stemmer("english", 20_000)
    return _LOCAL.stemmer


def content(text: str) -> list[str]:
    """The stems of the words of `text` that carry content, in order."""
    return _stemmer().stemWords([w for w in words(text) if w not in STOPWORDS])


def overlap(claim: str, source: str) -> float:
    """Share of the content words of `claim` that `source` holds, in [0, 1]; 0 for a claim without any."""
    wanted = set(content(claim))
    return len(wanted & set(content(source))) / len(wanted) if wanted else 0.0
