"""What in a text can be looked up word for word: numbers, units, names, quotations, superlatives, and the terms that it
says the meaning of."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from core.text.held_quantities import known_units, look_up, unstated
from core.text.quantities import unit_names, without_numbers
from core.text.words import STOPWORDS, content, stem, words

_CALLED = re.compile(
    r"\b(is|are) (?:called|known as|termed) (?:the )?((?:an? )?[a-z][a-z\- ]{3,40}?)"
    r"(?=[.,;(]| and | or | because | when |$)"
)
_IS_A = re.compile(r"^((?:An? |The )?[A-Za-z][a-z\-]+(?: [a-z\-]+){0,3}?) (is|are) (?:an? |the |those |that )")
_DEFINES_NOTHING = re.compile(
    r"^(?:it|this|that|these|those|there|here|he|she|they|we|you|one|what|such|each|all|some|most|both|another|other"
    r"|answer|example)\b"
    r"|\b(?:it|this|that|which|by|in|of|to|and|for|on)$"
)
_WORD = r"(?:[A-Z]\. ?)*[A-Z][a-zÀ-ɏ]{2,}(?:[-’][A-Za-z]+)*"
_RUN = re.compile(rf"(?P<opens>^|[.!?:]\s+)?(?P<name>{_WORD}(?: (?:of )?{_WORD})*)")
_FIRST = re.compile(r"(?:^|(?<=[.!?:] ))[A-Z][a-z]*")
_NO_NAME = frozenset(
    """january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday table fig figure activity example section chapter exercise equation formula part
    page yes no a an the it its he she they this that these those we you in on at for and or but if when what why
    how""".split()
)
_NAMED = re.compile(
    r"\b(?:called|known as|termed|named) (?:an? |the |its |their )?([a-z][a-z-]{2,}(?: [a-z][a-z-]{2,})?)"
    r"(?=[.,;:)(]| and | or |$)"
)
_NO_TERM = frozenset(
    "after also and another before both each for from other such that this together which with".split()
)


def defined(sentence: str) -> list[tuple[str, str]]:
    """(is or are, term) for every term that a sentence says the meaning of."""
    found = _CALLED.findall(sentence)
    if match := _IS_A.match(sentence):
        term = match.group(1)
        found.append((match.group(2), term[0].lower() + term[1:]))
    return [(verb, term.strip()) for verb, term in found if _is_term(term)]


def _is_term(term: str) -> bool:
    return len(term.split()) <= 4 and not _DEFINES_NOTHING.search(term.strip().lower())


def proper_names(text: str) -> set[str]:
    """Words with capital letters inside sentences, runs of them as one name; no months, days or captions.

    What `text` also writes small, such as the first word of a title, is no name; nor is a run of names, as the cells
    of a table give them.
    """
    small = set(re.findall(r"\b[a-z]+\b", text))
    text = _FIRST.sub(lambda m: m.group().lower() if m.group().lower() in small | STOPWORDS else m.group(), text)
    found = {m["name"] for m in _RUN.finditer(text) if _stands_inside(text, m)}
    found = {name for name in found if not (small | _NO_NAME) & _parts(name)}
    single = {name for name in found if " " not in name}
    return {name for name in found if name in single or not single & set(name.split()[1:])}


def _stands_inside(text: str, name: re.Match[str]) -> bool:
    """True where a capital letter is the name's own: behind a small word, or in a run that opens a sentence."""
    before = text[max(0, name.start("name") - 2) : name.start("name")]
    return bool(re.fullmatch(r"[a-z,] ", before)) or (name["opens"] is not None and " " in name["name"])


def named_terms(text: str) -> set[str]:
    """What `text` says that things are called, in lower case, of one or two words."""
    return {term for term in _NAMED.findall(text) if not _NO_TERM & set(term.split())}


def _parts(name: str) -> set[str]:
    """The words of a name, small, those joined by a hyphen apart."""
    return {word.strip(".'’").lower() for word in re.split(r"[ -]", name)} - {"of"}


_NAME = re.compile(r"(?<=[a-z,;:)\d] )[A-Z][A-Za-z]+")
_QUOTATION = re.compile(r"[“\"]([^“”\"]{5,200})[”\"]")
_SUPERLATIVE = re.compile(r"\b(?:(?:most|least) ([a-z]+)|([a-z]{3,})est)\b")
NO_SUPERLATIVE = frozenset(
    "for inter harv dig hon earn sugg requ mod cont prot inv manif arr conqu temp att ever".split()
)


@dataclass(frozen=True, kw_only=True)
class Unheld:
    """Of one sentence: `missing` stands in no evidence, `computed` are numbers that follow by arithmetic, `unchecked`
    numbers that are computed from those of the question in a way that nobody checked."""

    missing: tuple[str, ...]
    computed: tuple[str, ...]
    unchecked: tuple[str, ...] = ()


def names(text: str) -> list[str]:
    """Words with a capital letter inside a sentence."""
    return _NAME.findall(text)


def superlatives(text: str) -> set[str]:
    """What `text` calls the most, the least or the -est, without the ending."""
    found = _SUPERLATIVE.findall(text.lower())
    return {stem(a) if a else b.rstrip("i") for a, b in found if a or b not in NO_SUPERLATIVE}


def invented(sentence: str, source: str) -> list[str]:
    """Numbers, names, quotations and superlatives of `sentence` that `source` does not hold (seed A's patterns)."""
    new = unstated(sentence, source)
    new += [n for n in names(sentence) if not stands(n, source)]
    folded = " ".join(words(source))
    new += [q for q in _QUOTATION.findall(sentence) if " ".join(words(q)) not in folded]
    return new + sorted(superlatives(sentence) - superlatives(source))


def unheld(sentence: str, source: str, is_term: Callable[[str], bool]) -> Unheld:
    """Numbers, units, names and terms of `sentence` that `source` (its evidence and the question) does not hold.

    is_term: says whether a word is a technical term rather than everyday English.
    """
    missing, computed = look_up(sentence, source)
    known = known_units(source)
    missing += [w for w in _missing_words(sentence, source, is_term) if not unit_names([w.lower()]) & known]
    return Unheld(missing=tuple(dict.fromkeys(missing)), computed=tuple(computed))


def _missing_words(sentence: str, source: str, is_term: Callable[[str], bool]) -> list[str]:
    """Names and terms of `sentence` that neither stand in `source` nor share their beginning with a word of it."""
    plain = without_numbers(sentence)
    asked = dict.fromkeys(names(plain))
    asked |= dict.fromkeys(w for word in words(plain) for w in word.split("-") if _may_be_term(w) and is_term(w))
    lower = {n.lower() for n in asked if n != n.lower()}
    return [w for w in asked if not stands(w, source) and (w not in lower)]


def _may_be_term(word: str) -> bool:
    return len(word) > 3 and word not in STOPWORDS and word[0].isalpha()


def stands(word: str, source: str) -> bool:
    """True when `source` holds `word`, another form of it, or its letters broken up by stray spaces.

    A word inside another does not count: "anaerobic" holds no "aerobic".
    """
    wanted = stem(word.lower())
    held = set(content(source)) | {stem(part) for w in words(source) if "-" in w for part in w.split("-")}
    if wanted in held or _broken(word).search(source):
        return True
    root = wanted[: max(6, round(0.8 * len(wanted)))]
    return len(wanted) > 5 and any(h.startswith(root) for h in held)


@lru_cache(maxsize=4096)
def _broken(word: str) -> re.Pattern[str]:
    """Finds `word` as a whole, whatever signs and spaces stand between its letters."""
    letters = r"[\W_]*".join(re.sub(r"\W", "", word))
    return re.compile(rf"(?<![^\W\d_]){letters}(?![^\W\d_])", re.IGNORECASE)
