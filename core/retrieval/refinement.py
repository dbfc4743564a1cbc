"""Computes the query of a refined search, which never repeats an earlier search of the same question."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from core.case import Evidence, Passage
from core.retrieval.question_parts import without_section_number
from core.retrieval.word_index import Bm25Index
from core.text.verifiable_facts import definitions
from core.text.words import content, stem, words

_POLITE = re.compile(
    r"^(?:(?:hi|hello|please|kindly|so|ok|okay)[\s,]+)*"
    r"(?:(?:can|could|would|will) you (?:please )?|i (?:want|would like|need) to know |do you know )?"
    r"(?:please )?(?:(?:tell|teach|show) me (?:about )?|explain(?: to me)?(?: about)? |describe )?",
    re.IGNORECASE,
)
_BEST = 2
"""Number of passages whose headings and rare words extend a search."""
_HEADING = 8
"""Largest number of words of a heading."""
_WORDS, _TERMS = 6, 4
"""Number of rare words, and number of terms near the question, that a wider search adds."""


class Search(NamedTuple):
    """One search. query: text by which passages are scored. fetch: further words that only help to find candidates."""

    query: str
    fetch: str = ""


def refine(
    searches: Sequence[Search], evidence: Sequence[Evidence], lexical: Bm25Index, near_terms: Callable[[], str]
) -> Search | None:
    """The search after `searches`, given the evidence of the last one; None if nothing new can be asked.

    The query loses polite phrases. The first refinement looks for the headings and rare words of the best passages,
    the second for the terms of the library near the question (`near_terms`, which is slow).
    """
    query = without_frame(searches[0].query)
    earlier = {_search_key(search) for search in searches}
    fetches: list[Callable[[], str]] = [lambda: expansion(query, evidence, lexical), near_terms]
    for fetch in (*(fetches if len(searches) == 1 else reversed(fetches)), lambda: ""):
        search = Search(query, fetch())
        if _search_key(search) not in earlier:
            return search
    return None


def _search_key(search: Search) -> tuple[tuple[str, ...], frozenset[str]]:
    """A search as the index reads it: the stems of its query, and the stems that `fetch` adds."""
    query = content(without_frame(search.query))
    return tuple(query), frozenset(content(search.fetch)) - frozenset(query)


def without_frame(query: str) -> str:
    """`query` without a polite phrase at its start: "Hello, can you please explain osmosis" becomes "osmosis"."""
    return _POLITE.sub("", query, count=1).strip() or query


def expansion(query: str, evidence: Sequence[Evidence], lexical: Bm25Index) -> str:
    """Headings of the best passages and their words that are rare in the library; "" without passages."""
    best = [e.passage for e in evidence[:_BEST]]
    headings = dict.fromkeys(h for p in best if (h := heading(p)) and set(content(h)) - set(content(query)))
    query_stems = {stem for text in (query, *headings) for stem in content(text)}
    frequency = Counter(w for p in best for w in words(p.text) if w.isalpha() and set(content(w)) - query_stems)
    by_rarity = sorted(frequency, key=lambda w: -frequency[w] * lexical.idf(stem(w)))
    distinct = {stem(w): w for w in reversed(by_rarity)}
    return " ".join([*headings, *list(reversed(distinct.values()))[:_WORDS]])


def heading(passage: Passage) -> str:
    """The heading of a passage without its number; "" for a line too long to be a heading."""
    text = without_section_number(passage.section).strip()
    return text if len(text.split()) <= _HEADING else ""


def terms_near(query: str, vector: np.ndarray, passages: Sequence[Passage], encode: Callable[..., np.ndarray]) -> str:
    """The headings and defined terms of `passages` closest to `query` in meaning that add a word to it.

    vector: embedding of `query`, (d,). encode: texts to unit vectors, (texts, d).
    """
    query_stems = set(content(query))
    candidates = dict.fromkeys(
        term for p in passages for term in (heading(p), *(t for s in p.sentences for _, t in definitions(s)))
    )
    terms = [term for term in candidates if set(content(term)) - query_stems]
    if not terms:
        return ""
    order = np.argsort(-(encode(terms) @ vector), kind="stable")[:_TERMS]
    return " ".join(terms[n] for n in order)
