"""Which sentence of the evidence answers the question: what several models say of it, weighed together by one fit."""

from collections import Counter
from dataclasses import dataclass, fields
from itertools import accumulate, takewhile
from math import log1p
from typing import Any

import numpy as np

from core.case import Evidence, Passage
from core.text.answer_sentences import told
from core.text.small_talk import in_lexicon
from core.text.terms import defined
from core.text.words import content

SHORTLIST = 10
"""Sentences that are read alone: what a sentence says without its neighbours is the slowest to learn."""


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A sentence that may answer: its passage, its place there, and its text."""

    passage: int
    place: int
    text: str


@dataclass(frozen=True, kw_only=True)
class SentenceWeights:
    """What each hint weighs in the logit of P(the sentence answers); fitted by core.workshop.training.calibrate_reader.

    cosine: with the question. passage: P(its passage answers), from the reranker. defines: it says the meaning of the
    very term asked for, or opens what stands under it as a heading. located: P(the passage answers, and the answer
    starts in this sentence), from the reader. alone, reranked: P(the sentence alone answers), from the reader and from
    the reranker. named: how much of what is asked about it names, with its heading and the sentence before it; rare
    words count for more.
    """

    cosine: float = 1.0
    passage: float = 1.0
    defines: float = 1.0
    located: float = 2.0
    alone: float = 2.0
    reranked: float = 1.0
    named: float = 1.0
    offset: float = -4.0

    def __call__(self, hints: np.ndarray) -> np.ndarray:
        """P(each sentence answers) from hints of shape (sentences, HINTS): shape (sentences,)."""
        logits = hints @ np.array([getattr(self, name) for name in HINTS]) + self.offset
        return 1 / (1 + np.exp(-logits))


HINTS = tuple(f.name for f in fields(SentenceWeights) if f.name != "offset")


def shortlisted(
    query: str, candidates: list[Candidate], evidence: tuple[Evidence, ...], models: Any
) -> list[Candidate]:
    """The SHORTLIST candidates that are likeliest to answer by what is quickly known of all of them, best first."""
    likely = _cosine(query, candidates, models.embedder) + _located(query, candidates, evidence, models.reader)
    return [candidates[n] for n in np.argsort(-likely, kind="stable")[:SHORTLIST]]


def hints_of(query: str, candidates: list[Candidate], evidence: tuple[Evidence, ...], models: Any) -> np.ndarray:
    """What several models say of each candidate as an answer to `query`: shape (candidates, HINTS)."""
    texts = [c.text for c in candidates]
    alone = np.array([found.probability for found in models.reader.read(query, texts)])
    said = {
        "cosine": _cosine(query, candidates, models.embedder),
        "passage": np.array([evidence[c.passage].answers for c in candidates]),
        "defines": np.array([float(_defines(c, evidence[c.passage].passage, query)) for c in candidates]),
        "located": _located(query, candidates, evidence, models.reader),
        "alone": alone,
        "reranked": alone if models.reranker is None else models.reranker.probabilities(query, texts),
        "named": _named(query, candidates, evidence),
    }
    return np.stack([said[name] for name in HINTS], -1)


def _cosine(query: str, candidates: list[Candidate], embedder: Any) -> np.ndarray:
    vectors = embedder.encode([query, *(c.text for c in candidates)])
    return vectors[1:] @ vectors[0]


def _located(query: str, candidates: list[Candidate], evidence: tuple[Evidence, ...], reader: Any) -> np.ndarray:
    """P(the passage of each candidate answers, and the answer starts in it): shape (candidates,)."""
    said = {p: told(evidence[p].passage.sentences) for p in sorted({c.passage for c in candidates})}
    said = {p: texts for p, texts in said.items() if any(texts)}  # one that only asks answers nothing
    found = dict(zip(said, reader.read(query, [" ".join(texts) for texts in said.values()]), strict=True))
    starts = {p: [0, *accumulate(len(s) + 1 for s in texts)] for p, texts in said.items()}
    return np.array(
        [
            found[c.passage].probability * found[c.passage].share(*starts[c.passage][c.place : c.place + 2])
            if c.passage in said else 0.0
            for c in candidates
        ]
    )  # fmt: skip


def _defines(candidate: Candidate, passage: Passage, query: str) -> bool:
    """True when the sentence says the meaning of just what is asked for, or opens what stands under that heading.

    Its heading may say the rest of it: under "Power of accommodation" a sentence tells what accommodation is.
    """
    asked = content(query)
    if not asked:
        return False  # nor do a bare number or letter as a heading say what "What is it?" asks for
    terms = [set(content(term)) for _, term in defined(candidate.text)]
    if any(term and term <= set(asked) <= term | set(content(passage.section)) for term in terms):
        return True
    lines = takewhile(lambda line: line[-1] not in ".!", reversed(passage.sentences[: candidate.place]))
    headings = [*lines] if candidate.place else [passage.section]
    return any([w for w in content(h) if len(w) > 1 and not w[0].isdigit()] == asked for h in headings)


def _named(query: str, candidates: list[Candidate], evidence: tuple[Evidence, ...]) -> np.ndarray:
    """How much of what the question asks about each candidate names, in [0, 1]; a word weighs as it is rare here."""
    wanted = set(content(query)) - in_lexicon("request") - in_lexicon("pointing")
    size, held = len(evidence), Counter(word for e in evidence for word in set(content(e.passage.text)))
    rarity = {word: log1p((size - held[word] + 0.5) / (held[word] + 0.5)) for word in wanted}
    everything = sum(rarity.values()) or 1.0
    shares = []
    for c in candidates:
        passage = evidence[c.passage].passage
        told = set(content(" ".join([passage.section, *passage.sentences[max(0, c.place - 1) : c.place], c.text])))
        shares.append(sum(rarity[word] for word in wanted & told) / everything)
    return np.array(shares)
