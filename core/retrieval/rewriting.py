"""What a question may be asked as instead: a mended or wider query, better questions."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from core.case import Evidence, Passage, Scope
from core.retrieval.question_parts import points_back
from core.retrieval.scoring import Lexical
from core.text.verifiable_facts import defined
from core.text.words import STOPWORDS, content, stem, words

_SCAFFOLD = re.compile(
    r"^(?:(?:hi|hello|please|kindly|so|ok|okay)[\s,]+)*"
    r"(?:(?:can|could|would|will) you (?:please )?|i (?:want|would like|need) to know |do you know )?"
    r"(?:please )?(?:(?:tell|teach|show) me (?:about )?|explain(?: to me)?(?: about)? |describe )?",
    re.IGNORECASE,
)
SHOWN = 3
_ANSWERABLE = 0.5
"""A question is offered when a passage answers it at least this probably."""
_NEAR = 0.27
"""Least mean of two cosines of a question that is offered: with what was asked, of itself and of what answers it."""
_ON_TOPIC = 0.4
"""Least cosine of the question with a passage of its topic; with less there is no topic to offer anything of."""
_SEARCHED = 30
"""Passages whose questions are looked at."""


def mended(query: str, lexical: Lexical) -> str:
    """`query` without its polite frame, and with words that the library does not know spelt as it spells them."""
    bare = _SCAFFOLD.sub("", query, count=1).strip() or query
    for word in words(bare):
        if len(word) > 4 and word not in STOPWORDS and stem(word) not in lexical.words:
            close = get_close_matches(word, lexical.spellings(word[0], len(word)), n=1, cutoff=0.8)
            if close:
                bare = re.sub(rf"\b{re.escape(word)}\b", close[0], bare, flags=re.IGNORECASE)
    return bare


def expansion(query: str, evidence: tuple[Evidence, ...], lexical: Lexical, count: int = 6) -> str:
    """Words of the two best passages that are rare in the library, to widen a search; "" without passages."""
    asked = set(content(query))
    found = Counter(w for e in evidence[:2] for w in content(e.passage.text) if w not in asked and w.isalpha())
    ranked = sorted(found, key=lambda w: -found[w] * lexical.idf(w))
    return " ".join(ranked[:count])


def questions_of(passage: Passage) -> list[str]:
    """Questions that a passage defines the answer to: "What is photosynthesis?"."""
    return list(dict.fromkeys(question for question, _, _ in definitions_of(passage)))


def definitions_of(passage: Passage) -> Iterator[tuple[str, str, int]]:
    """The question that each definition answers, its term, and the place of its sentence in the passage."""
    for place, sentence in enumerate(passage.sentences):
        for verb, term in () if sentence.endswith("?") else defined(sentence):
            if not points_back(term):  # "its spectrum" asks nothing by itself
                yield f"What {verb} {term}?", term, place


def suggestions(query: str, retriever: Any, scope: Scope, topic: str, count: int = SHOWN) -> tuple[str, ...]:
    """Up to `count` questions near `query` that can be answered within `scope`, the nearest first; () for none near.

    topic: the document whose passage answers `query` best; what another one defines is of another topic.
    """
    embed = retriever.models.embedder.encode
    vector, where = embed([query])[0], replace(scope, documents=(topic,))
    found = retriever.library.nearest(vector, _SEARCHED, where)
    if not found or found[0][1] < _ON_TOPIC:
        return ()
    near = {
        question: cosine
        for passage, cosine in reversed(found)
        for question in questions_of(passage)
        if content(question) != content(query)
    }
    if not near:
        return ()
    vectors = embed(list(near))
    closeness = (vectors @ vector + np.array(list(near.values()))) / 2
    offered: list[str] = []
    for n in np.argsort(-closeness, kind="stable"):
        if closeness[n] < _NEAR or len(offered) == count:
            break
        question = list(near)[n]
        if retriever.answerable(question, vectors[n], scope) >= _ANSWERABLE:
            offered.append(question)
    return tuple(offered)
