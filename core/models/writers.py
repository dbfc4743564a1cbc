"""Who writes a draft from the evidence."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.case import Draft, Evidence, Sentence
from core.draft import with_marks
from core.english.standing import points_back
from core.english.text import content, words
from core.query.definitions import defined

MAX_SENTENCES = 4
"""Longest answer of the extractive writer."""
MOST_BEFORE = 2
"""Most sentences that one brings along because it points back to them."""
_CLOSE = 0.12
"""A further sentence joins when its score lies within this of the best one."""
_PASSAGE, _DEFINES, _ANSWERS = 0.2, 0.2, 0.5
"""What a passage's own score, a definition of the asked term, and a sure answer add to a cosine."""
_STARTS = re.compile(r"[\"'“‘]?[A-Z][a-z]*\b")
_BLANK = re.compile(r"_{2,}|\.{4,}|\([a-d]\)")
_ASKS = ("activity", "exercise", "figure", "fig.", "let us", "example", "try ", "suppose", "discuss", "find ")


@dataclass(frozen=True, kw_only=True)
class _Candidate:
    """A sentence that may answer: its text, and the places that go out with it, from what it points back to on."""

    passage: int
    places: range
    text: str


class ExtractiveWriter:
    """Picks the sentences of the evidence closest to the question, each cited, in reading order; never invents.

    A sentence that points back brings along what it points to, where its passage holds that. It depends on signals
    only: no threshold decides what it writes.
    """

    name = "extractive"

    def __init__(self, embedder: Any, reranker: Any = None) -> None:
        self.embedder, self.reranker = embedder, reranker

    def write(self, query: str, evidence: tuple[Evidence, ...]) -> Draft:
        """A draft of at most MAX_SENTENCES sentences; an empty one when no sentence states something."""
        found = _candidates(evidence)
        if not found:
            return Draft(text="", sentences=(), writer=self.name)
        scores = self._scores(query, found, evidence)
        chosen = [found[n] for n in np.argsort(-scores, kind="stable") if scores[n] >= scores.max() - _CLOSE]
        sentences = tuple(
            Sentence(text=evidence[p].passage.sentences[i], citations=(p + 1,)) for p, i in _picked(_distinct(chosen))
        )
        return Draft(text=with_marks(sentences), sentences=sentences, writer=self.name)

    def _scores(self, query: str, found: list[_Candidate], evidence: tuple[Evidence, ...]) -> np.ndarray:
        """How well each candidate answers: (candidates,).

        Its cosine with the question, what its passage scores, whether it defines the very term that was asked, and,
        with a reranker, P(the sentence alone answers).
        """
        texts = [c.text for c in found]
        vectors = self.embedder.encode([query, *texts])
        passage = np.array([evidence[c.passage].answers for c in found])
        defines = np.array([_defines(text, query) for text in texts])
        scores = vectors[1:] @ vectors[0] + _PASSAGE * passage + _DEFINES * defines
        if self.reranker is None:
            return scores
        return scores + _ANSWERS * self.reranker.probabilities(query, texts)


def _candidates(evidence: tuple[Evidence, ...]) -> list[_Candidate]:
    """Every kept sentence that states something, with what it points back to."""
    found: list[_Candidate] = []
    for p, e in enumerate(evidence):
        told, stating = e.passage.sentences, _stating(e)
        found += [
            _Candidate(passage=p, places=_reaching_back(last, stating, told), text=told[last])
            for last in sorted(stating)
        ]
    return found


def _stating(found: Evidence) -> frozenset[int]:
    """The places of its kept sentences that state something."""
    told = found.passage.sentences
    return frozenset(i for i in found.kept if _states(told[i]) and told[i] not in found.passage.section)


def _reaching_back(last: int, stating: frozenset[int], sentences: tuple[str, ...]) -> range:
    """From the sentence that the one at `last` points back to, be it through others, up to itself.

    Only itself when the passage does not state what it points to, or does so more than MOST_BEFORE before it.
    """
    first = last
    while first in stating and points_back(sentences[first]):
        first -= 1
    return range(first if first in stating and last - first <= MOST_BEFORE else last, last + 1)


def _states(sentence: str) -> bool:
    """True for a whole sentence of 5 to 60 words that states something.

    A fragment of a list, a gap to fill, a question, an instruction, a caption and a heading state nothing.
    """
    if not _STARTS.match(sentence) or _BLANK.search(sentence) or sentence[-1] not in ".!":
        return False
    return 5 <= len(words(sentence)) <= 60 and not sentence.lower().startswith(_ASKS)


def _defines(sentence: str, query: str) -> bool:
    """True when the sentence says the meaning of just what the question asks for."""
    return any(content(term) == content(query) for _, term in defined(sentence))


def _distinct(order: list[_Candidate]) -> list[_Candidate]:
    """`order` without sentences that say again what an earlier one said (most content words shared)."""
    kept: list[_Candidate] = []
    seen: list[set[str]] = []
    for candidate in order:
        held = set(content(candidate.text))
        if not any(len(held & other) > 0.7 * min(len(held), len(other)) for other in seen):
            kept.append(candidate)
            seen.append(held)
    return kept


def _picked(order: list[_Candidate]) -> list[tuple[int, int]]:
    """(passage, place) of the first candidates that fit into MAX_SENTENCES with all they need, in reading order."""
    picked: set[tuple[int, int]] = set()
    for candidate in order:
        more = picked | {(candidate.passage, i) for i in candidate.places}
        picked = more if len(more) <= MAX_SENTENCES else picked
    return sorted(picked)
