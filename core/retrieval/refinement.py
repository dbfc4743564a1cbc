"""What a refined search asks: never what an earlier search of the same question has asked."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from core.case import Evidence, Passage
from core.retrieval.scoring import Lexical
from core.text.verifiable_facts import defined
from core.text.words import content, stem, words

_POLITE = re.compile(
    r"^(?:(?:hi|hello|please|kindly|so|ok|okay)[\s,]+)*"
    r"(?:(?:can|could|would|will) you (?:please )?|i (?:want|would like|need) to know |do you know )?"
    r"(?:please )?(?:(?:tell|teach|show) me (?:about )?|explain(?: to me)?(?: about)? |describe )?",
    re.IGNORECASE,
)
_SECTION_NUMBER = re.compile(r"^[\d.]+\s+")
_BEST = 2
"""Passages whose headings and rare words widen a search."""
_HEADING = 8
"""Most words of a heading."""
_WORDS, _TERMS = 6, 4
"""How many rare words, and how many terms near the question, a wider search adds."""


class Search(NamedTuple):
    """What is searched: the query, by which passages are scored, and what else finds candidates."""

    query: str
    fetch: str = ""


def refined(
    asked: Sequence[Search], evidence: Sequence[Evidence], lexical: Lexical, near_terms: Callable[[], str]
) -> Search | None:
    """The search after `asked`, given the evidence of the last one; None where nothing new can be asked.

    The query loses its polite frame. The first refinement looks for the headings and rare words of the best passages,
    the second for the terms of the library near the question (`near_terms`, which takes a while to work out).
    """
    query = without_frame(asked[0].query)
    seen = {_folded(search) for search in asked}
    found = (Search(query, fetch) for fetch in _fetches(query, evidence, lexical, near_terms, len(asked)))
    return next((search for search in found if _folded(search) not in seen), None)


def _fetches(
    query: str, evidence: Sequence[Evidence], lexical: Lexical, near_terms: Callable[[], str], count: int
) -> Iterator[str]:
    """What the search after `count` others may fetch beside its query, the most promising first."""
    if count > 1:
        yield near_terms()
    yield expansion(query, evidence, lexical)
    if count == 1:
        yield near_terms()
    yield ""


def _folded(search: Search) -> tuple[tuple[str, ...], frozenset[str]]:
    """A search as the index takes it: the stems of its query, and those that its fetch adds."""
    query = content(without_frame(search.query))
    return tuple(query), frozenset(content(search.fetch)) - frozenset(query)


def without_frame(query: str) -> str:
    """`query` without what is only polite in front of it: "Hello, can you please explain osmosis" is "osmosis"."""
    return _POLITE.sub("", query, count=1).strip() or query


def expansion(query: str, evidence: Sequence[Evidence], lexical: Lexical, count: int = _WORDS) -> str:
    """Headings of the best passages, and their words that are rare in the library; "" without passages."""
    best = [e.passage for e in evidence[:_BEST]]
    headings = dict.fromkeys(h for p in best if (h := heading(p)) and set(content(h)) - set(content(query)))
    asked = {stem for text in (query, *headings) for stem in content(text)}
    found = Counter(w for p in best for w in words(p.text) if w.isalpha() and _adds(w, asked))
    ranked = sorted(found, key=lambda w: -found[w] * lexical.idf(stem(w)))
    distinct = {stem(w): w for w in reversed(ranked)}
    return " ".join([*headings, *list(reversed(distinct.values()))[:count]])


def _adds(word: str, asked: set[str]) -> bool:
    """Does `word` carry content that is not among the stems `asked`?"""
    return bool(set(content(word)) - asked)


def heading(passage: Passage) -> str:
    """The heading under which a passage stands, without its number; "" for a line too long to be a heading."""
    text = _SECTION_NUMBER.sub("", passage.section).strip()
    return text if len(text.split()) <= _HEADING else ""


def terms_near(query: str, vector: np.ndarray, passages: Sequence[Passage], encode: Callable[..., np.ndarray]) -> str:
    """The headings and defined terms of `passages` that are nearest to `query` in meaning and add a word to it.

    vector: that of `query`. encode: texts to unit vectors, (texts, dimensions).
    """
    asked = set(content(query))
    found = dict.fromkeys(term for p in passages for term in (heading(p), *_defined(p)))
    terms = [term for term in found if set(content(term)) - asked]
    if not terms:
        return ""
    order = np.argsort(-(encode(terms) @ vector), kind="stable")[:_TERMS]
    return " ".join(terms[n] for n in order)


def _defined(passage: Passage) -> list[str]:
    return [term for sentence in passage.sentences for _, term in defined(sentence)]
