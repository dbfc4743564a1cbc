"""Who writes a draft from the evidence."""

import re
from typing import Any

import numpy as np

from core.case import Draft, Evidence, Sentence
from core.draft import with_marks
from core.english.text import content, words
from core.query.definitions import defined

MAX_SENTENCES = 4
"""Longest answer of the extractive writer."""
_CLOSE = 0.12
"""A further sentence joins when its score lies within this of the best one."""
_PASSAGE, _DEFINES, _ANSWERS = 0.2, 0.2, 0.5
"""What a passage's own score, a definition of the asked term, and a sure answer add to a cosine."""
_STARTS = re.compile(r"[\"'“‘]?[A-Z][a-z]*\b")
_BLANK = re.compile(r"_{2,}|\.{4,}|\([a-d]\)")
_ASKS = ("activity", "exercise", "figure", "fig.", "let us", "example", "try ", "suppose", "discuss", "find ")


class ExtractiveWriter:
    """Picks the sentences of the evidence closest to the question, each cited, in reading order; never invents.

    It depends on signals only: no threshold decides what it writes.
    """

    name = "extractive"

    def __init__(self, embedder: Any, reranker: Any = None) -> None:
        self.embedder, self.reranker = embedder, reranker

    def write(self, query: str, evidence: tuple[Evidence, ...]) -> Draft:
        """A draft of at most MAX_SENTENCES sentences; an empty one when no sentence of the evidence can stand alone."""
        found = _candidates(evidence)
        if not found:
            return Draft(text="", sentences=(), writer=self.name)
        scores = self._scores(query, found, evidence)
        chosen = [n for n in np.argsort(-scores, kind="stable") if scores[n] >= scores.max() - _CLOSE]
        picked = sorted(_distinct(chosen, found)[:MAX_SENTENCES], key=lambda n: found[n][:2])
        sentences = tuple(Sentence(text=found[n][2], citations=(found[n][0] + 1,)) for n in picked)
        return Draft(text=with_marks(sentences), sentences=sentences, writer=self.name)

    def _scores(self, query: str, found: list[tuple[int, int, str]], evidence: tuple[Evidence, ...]) -> np.ndarray:
        """How well each candidate answers: (candidates,).

        Its cosine with the question, what its passage scores, whether it defines the very term that was asked, and,
        with a reranker, P(the sentence alone answers).
        """
        vectors = self.embedder.encode([query, *(text for _, _, text in found)])
        passage = np.array([evidence[p].answers for p, _, _ in found])
        defines = np.array([_defines(text, query) for _, _, text in found])
        scores = vectors[1:] @ vectors[0] + _PASSAGE * passage + _DEFINES * defines
        if self.reranker is None:
            return scores
        return scores + _ANSWERS * self.reranker.probabilities(query, [text for _, _, text in found])


def _candidates(evidence: tuple[Evidence, ...]) -> list[tuple[int, int, str]]:
    """(passage, place, text) of every kept sentence that states something and can stand alone."""
    return [
        (p, i, e.passage.sentences[i])
        for p, e in enumerate(evidence)
        for i in e.kept
        if _states(e.passage.sentences[i]) and e.passage.sentences[i] not in e.passage.section
    ]


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


def _distinct(order: list[int], found: list[tuple[int, int, str]]) -> list[int]:
    """`order` without sentences that say again what an earlier one said (most content words shared)."""
    kept: list[int] = []
    seen: list[set[str]] = []
    for n in order:
        held = set(content(found[n][2]))
        if not any(len(held & other) > 0.7 * min(len(held), len(other)) for other in seen):
            kept.append(n)
            seen.append(held)
    return kept
