"""Facts that can be looked up word for word: numbers, units, names, quotations, superlatives, defined terms."""

import re
from collections.abc import Callable
from functools import lru_cache

from core.text.certainty import surer_than
from core.text.held_quantities import known_units, missing_quantities, unstated_facts
from core.text.lexicon import first_word, last_word, listed
from core.text.quantities import without_numbers
from core.text.units import unit_names
from core.text.words import STOPWORDS, content, is_everyday, overlap, stem, without_accents, words

_NAMING = re.compile(
    r"\b(is|are) (?:called|known as|termed) (?:the )?((?:an? )?[a-z][a-z\- ]{3,40}?)"
    r"(?=[.,;(]| and | or | because | when |$)"
)
_IS_A = re.compile(r"^((?:An? |The )?[A-Za-z][a-z\-]+(?: [a-z\-]+){0,3}?) (is|are) (?:an? |the |those |that )")
_NO_TERM_BEGINS, _NO_TERM_ENDS = frozenset(listed("first words of no term")), frozenset(listed("last words of no term"))
_WORD = r"(?:[A-Z]\. ?)*[A-Z][a-zÀ-ɏ]{2,}(?:[-’][A-Za-z]+)*"
_RUN = re.compile(rf"(?P<opens>^|[.!?:]\s+)?(?P<name>{_WORD}(?: (?:of )?{_WORD})*)")
_FIRST = re.compile(r"(?:^|(?<=[.!?:] ))[A-Z][a-z]*")
_NO_NAME = frozenset(listed("no names"))
_NAMED = re.compile(
    r"\b(?:called|known as|termed|named) (?:an? |the |its |their )?([a-z][a-z-]{2,}(?: [a-z][a-z-]{2,})?)"
    r"(?=[.,;:)(]| and | or |$)"
)
_NO_TERM = frozenset(
    "after also and another before both each for from other such that this together which with".split()
)


def definitions(sentence: str) -> list[tuple[str, str]]:
    """("is" or "are", term) for every term that `sentence` defines."""
    terms = _NAMING.findall(sentence)
    if match := _IS_A.match(sentence):
        term = match.group(1)
        terms.append((match.group(2), term[0].lower() + term[1:]))
    return [
        (verb, term.strip())
        for verb, term in terms
        if len(term.split()) <= 4
        and first_word(term.strip()) not in _NO_TERM_BEGINS
        and last_word(term.strip()) not in _NO_TERM_ENDS
    ]


def proper_names(text: str) -> set[str]:
    """The proper names of `text`: runs of capitalised words inside sentences; no months, days or captions.

    A word that `text` also has in lower case is no name; nor is a run of several names, such as the cells of a table.
    """
    small = set(re.findall(r"\b[a-z]+\b", text))
    text = _FIRST.sub(lambda m: m.group().lower() if m.group().lower() in small | STOPWORDS else m.group(), text)
    candidates = set()
    for run in _RUN.finditer(text):
        name, before = run["name"], text[max(0, run.start("name") - 2) : run.start("name")]
        # The capital letter must belong to the name, not to the start of a sentence.
        is_name = re.fullmatch(r"[a-z,] ", before) or (run["opens"] is not None and " " in name)
        parts = {word.strip(".'’").lower() for word in re.split(r"[ -]", name)} - {"of"}
        if is_name and not (small | _NO_NAME) & parts:
            candidates.add(name)
    single = {name for name in candidates if " " not in name}
    return {name for name in candidates if name in single or not single & set(name.split()[1:])}


def named_terms(text: str) -> set[str]:
    """The terms of one or two words, in lower case, that follow "called", "known as" and the like in `text`."""
    return {term for term in _NAMED.findall(text) if not _NO_TERM & set(term.split())}


_NAME = re.compile(r"(?<=[a-z,;:)\d] )[A-Z][^\W\d_]+")
"""A capitalised word inside a sentence."""
_QUOTATION = re.compile(r"[“\"]([^“”\"]{5,200})[”\"]")
_SUPERLATIVE = re.compile(r"\b(?:(?:most|least) ([a-z]+)|([a-z]{3,})est)\b")
_NO_SUPERLATIVE = frozenset(listed("no superlatives"))


def superlatives(text: str) -> set[str]:
    """The superlatives of `text`, as stems without "most", "least" or "-est"."""
    matches = _SUPERLATIVE.findall(text.lower())
    return {stem(a) if a else b.rstrip("i") for a, b in matches if a or b not in _NO_SUPERLATIVE}


def invented_facts(sentence: str, source: str) -> list[str]:
    """The numbers, names, quotations and superlatives that only `sentence` has, by the rules of source document A."""
    new = unstated_facts(sentence, source)
    new += [n for n in _NAME.findall(sentence) if not holds_word(n, source)]
    source_text = " ".join(words(source))
    new += [q for q in _QUOTATION.findall(sentence) if " ".join(words(q)) not in source_text]
    return new + sorted(superlatives(sentence) - superlatives(source))


def unheld(sentence: str, source: str, is_term: Callable[[str], bool]) -> list[str]:
    """The numbers, units, names and terms of `sentence` that do not occur in `source` (its evidence, and the question
    as the last line), and the words by which it is surer than the evidence.

    is_term: a function that returns True if a word is a technical term and False if it is everyday English.
    """
    plain, units = without_numbers(sentence), known_units(source)
    candidates = dict.fromkeys(_NAME.findall(plain))
    candidates |= dict.fromkeys(
        w
        for word in words(plain)
        for w in word.split("-")
        if len(w) > 3 and w not in STOPWORDS and w[0].isalpha() and not is_everyday(w) and is_term(w)
    )
    lower = {n.lower() for n in candidates if n != n.lower()}
    missing_words = [w for w in candidates if not holds_word(w, source) and (w not in lower)]
    evidence, _, question = source.rpartition("\n")
    missing = missing_quantities(sentence, source)
    missing += [w for w in missing_words if not unit_names([w.lower()]) & units]
    nearest = max(evidence.splitlines(), key=lambda line: overlap(sentence, line), default="")
    missing += surer_than(sentence, nearest, question)
    return list(dict.fromkeys(missing))


def holds_word(word: str, source: str) -> bool:
    """True if `source` holds `word`, another form of it, or its letters with stray spaces between them.

    A word inside another does not count: "anaerobic" does not hold "aerobic".
    """
    target = stem(without_accents(word))
    stems = set(content(source)) | {stem(part) for w in words(source) if "-" in w for part in w.split("-")}
    if target in stems or _spaced_pattern(word).search(source):
        return True
    root = target[: max(6, round(0.8 * len(target)))]
    return len(target) > 5 and any(h.startswith(root) for h in stems)


@lru_cache(maxsize=4096)
def _spaced_pattern(word: str) -> re.Pattern[str]:
    """A pattern for `word` as a whole, with any signs and spaces between its letters."""
    letters = r"[\W_]*".join(re.sub(r"\W", "", word))
    return re.compile(rf"(?<![^\W\d_]){letters}(?![^\W\d_])", re.IGNORECASE)
