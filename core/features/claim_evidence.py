"""Finds the sentences of the evidence that each claim is compared with, and compares them by NLI."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from core.case import Case, Passage
from core.errors import UserError
from core.judgements import LABELS, decisiveness
from core.models.stretches import SentenceIndex
from core.text.claims import claims_of, clause_about, without_questions
from core.text.held_quantities import spelled_like

CitedClaim = tuple[str, frozenset[int]]
"""(claim, indices from 0 of the passages that it cites)."""
_EXACT = 5
"""Number of decimals to which cosines are rounded before they are compared."""


@dataclass(frozen=True, kw_only=True)
class Premise:
    """Passage sentences that a claim is compared with.

    indices: of all these sentences. core: indices of the one or two of them that were found for the claim; the others
    are their neighbours. nearness: the lowest cosine of a core sentence with the claim. sentences: their texts.
    """

    indices: tuple[SentenceIndex, ...]
    core: tuple[SentenceIndex, ...]
    nearness: float
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(self.sentences)

    def about(self, claim: str) -> str:
        """The text with only that clause of each core sentence that `claim` is about. The model is unsure of one half
        of a sentence: "Bilal leads the blue team" by "Asha leads the red team and Bilal leads the blue team".
        """
        each = zip(self.indices, self.sentences, strict=True)
        return " ".join(clause_about(text, claim) if index in self.core else text for index, text in each)


@dataclass(frozen=True, kw_only=True)
class Premises:
    """The premises of one claim.

    first: the sentence nearest to the claim, and, for each passage that the claim cites, the nearest sentence of that
    passage. more: premises that are read only if `first` leaves the claim open: the same sentences and the second
    nearest one, each with its neighbours, and the two nearest sentences as one premise. around: the texts of the two
    nearest sentences, each with its neighbours.
    """

    first: tuple[Premise, ...] = ()
    more: tuple[Premise, ...] = ()
    around: tuple[str, ...] = ()


class ClaimEvidence:
    """The passage sentences of one case, and their nearness to claims."""

    def __init__(self, case: Case, embedder: Any) -> None:
        self.case, self.embedder = case, embedder

    def premises(self, cited_claims: Sequence[CitedClaim]) -> dict[CitedClaim, Premises]:
        """The premises of each claim; empty ones without evidence.

        The nearness of a sentence is its cosine with the claim, or with question and claim together if that is higher:
        a claim such as "It is green" has its topic only in the question. On the 192 supported and altered answers of
        the tuning half, comparing with twice as many sentences does not separate them better (area under the ROC curve
        0.916 against 0.912).
        """
        if not self._texts:
            return dict.fromkeys(cited_claims, Premises())
        about = self.case.question.standalone
        texts = list(self._texts.values())
        claims = [text for claim, _ in cited_claims for text in (claim, f"{about} {claim}")]
        vectors = self.embedder.encode([*texts, *claims])  # the search has cached those of the passages
        near = (vectors[: len(texts)] @ vectors[len(texts) :].T).reshape(len(texts), len(cited_claims), 2).max(-1)
        near = near.round(_EXACT)  # so that of equal ones the first counts
        return {one: self._nearest(near[:, n], one[1]) for n, one in enumerate(cited_claims)}

    def _nearest(self, near: np.ndarray, citations: Collection[int]) -> Premises:
        """The premises of one claim. near: cosine of each passage sentence with the claim, (sentence,). citations:
        indices from 0 of the passages that the claim cites.
        """
        indices = list(self._texts)
        ranked = [(indices[n], float(near[n])) for n in np.argsort(-near, kind="stable")]
        own = [next((one for one in ranked if one[0][0] == passage), None) for passage in sorted(set(citations))]
        first = dict.fromkeys([ranked[0], *filter(None, own)])
        both = dict.fromkeys([*ranked[:2], *filter(None, own)])
        wide = [self._premise(self._around(index), (index,), cosine) for index, cosine in both]
        two, joined = tuple(sorted(index for index, _ in ranked[:2])), ()
        if len(two) == 2 and not set(two) <= set(self._around(two[0])):  # neighbours are one premise already
            joined = (self._premise(two, two, ranked[1][1]),)
        return Premises(
            first=tuple(self._premise((index,), (index,), cosine) for index, cosine in first),
            more=(*wide, *joined), around=tuple(premise.text for premise in wide[:2]),
        )  # fmt: skip

    def _around(self, index: SentenceIndex) -> tuple[SentenceIndex, ...]:
        """The index of a sentence with those of its neighbours in the passage."""
        passage, at = index
        return tuple((passage, n) for n in (at - 1, at, at + 1) if (passage, n) in self._texts)

    def _premise(self, indices: Sequence[SentenceIndex], core: tuple[SentenceIndex, ...], nearness: float) -> Premise:
        sentences = tuple(self._texts[index] for index in indices)
        return Premise(indices=tuple(indices), core=core, nearness=nearness, sentences=sentences)

    @cached_property
    def _texts(self) -> dict[SentenceIndex, str]:
        """The text of every sentence that can be a premise, by its index: extracted intact, no question, and in a
        passage that counts as evidence.
        """
        return {
            (p, n): text for p, passage in enumerate(self.case.passages) if passage.tells
            for n, text in enumerate(without_questions(passage.sentences)) if text and n not in passage.broken
        }  # fmt: skip


_QUOTE_PROBABILITIES = (1.0, 0.0, 0.0)
"""NLI probabilities of a claim that is word for word in its premise, in the order of LABELS; no model is asked."""
_CLEAR_PROBABILITY = 0.8
"""If the nearest sentence entails or contradicts a claim with this probability, no further premise is read."""
_RATHER = 0.5
"""P(entailment) from which a premise counts as supporting a claim."""
_ALIKE = 0.05
"""Values of P(entailment) that differ by at most this count as equal."""
_FADING = 8.0
"""How fast the weight of a premise falls with its distance from the nearest one: at a cosine lower by 0.1 it is
0.45.
"""
_ENTAILMENT, _CONTRADICTION = LABELS.index("entailment"), LABELS.index("contradiction")


@dataclass(frozen=True, kw_only=True)
class ClaimReading:
    """NLI of one claim against each of its premises.

    probabilities: (premise, label) in the order of LABELS. weights: (premise,): 1 for the premise nearest to the claim,
    and smaller the lower the cosine of a premise is. around: the texts of the two nearest sentences, each with its
    neighbours.
    """

    premises: tuple[Premise, ...]
    around: tuple[str, ...]
    probabilities: np.ndarray
    weights: np.ndarray

    @property
    def entailment(self) -> float:
        """The highest P(entailment) of a premise, without weights."""
        return float(self.probabilities[:, _ENTAILMENT].max(initial=0.0))

    @property
    def near_entailment(self) -> float:
        """The highest product of P(entailment) and weight of a premise."""
        return float((self.probabilities[:, _ENTAILMENT] * self.weights).max(initial=0.0))

    @property
    def contradiction(self) -> float:
        """The highest product of P(contradiction) and weight of a premise."""
        return float((self.probabilities[:, _CONTRADICTION] * self.weights).max(initial=0.0))

    @property
    def likeliest(self) -> Premise | None:
        """The premise with the highest P(entailment), of equals the first; None without a premise."""
        return self.premises[int(self.probabilities[:, _ENTAILMENT].argmax())] if self.premises else None

    def supporting(self, citations: Collection[int]) -> Premise | None:
        """The premise that supports the claim most; of about equal ones the shortest. None without a premise.

        A premise whose core is in the passages `citations` (indices from 0) has priority if it supports the claim, or
        if no premise does.
        """
        if not self.premises:
            return None
        every = range(len(self.premises))
        own = self._surest([n for n in every if {passage for passage, _ in self.premises[n].core} <= set(citations)])
        best, sure = self._surest(every), self.probabilities[:, _ENTAILMENT]
        stays = own is not None and (sure[own] >= _RATHER or sure[best] < _RATHER)
        return self.premises[own if stays else best]

    def _surest(self, some: Sequence[int]) -> int | None:
        """Among the premises with the indices `some`, the index of the shortest whose P(entailment) is about the
        highest; None if `some` is empty.
        """
        sure = self.probabilities[:, _ENTAILMENT]
        highest = max((sure[n] for n in some), default=0.0)
        about = [n for n in some if sure[n] >= highest - _ALIKE]
        return min(about, key=lambda n: (len(self.premises[n].indices), -sure[n]), default=None)

    @property
    def denying(self) -> Premise | None:
        """The premise with the highest product of P(contradiction) and weight. None unless this product exceeds that of
        P(entailment) and weight for every premise.
        """
        if self.contradiction <= self.near_entailment:
            return None
        return self.premises[int((self.probabilities[:, _CONTRADICTION] * self.weights).argmax())]


@dataclass(frozen=True, kw_only=True)
class SentenceReading:
    """The readings of a sentence as a whole and of each of its claims. For a sentence of a single claim, both are the
    same.
    """

    whole: ClaimReading
    claims: tuple[ClaimReading, ...]


def read_claims(case: Case, models: Any) -> list[SentenceReading]:
    """The readings of every sentence of the answer and of its claims against the nearest evidence. Raises ValueError if
    the NLI model returns NaN or infinity."""
    evidence = ClaimEvidence(case, models.embedder)
    each = [(s.text, claims_of(s.text), frozenset(case.cited(s))) for s in case.sentences]
    cited_claims = dict.fromkeys((text, citations) for whole, claims, citations in each for text in (whole, *claims))
    premises = evidence.premises(list(cited_claims))
    rows: dict[tuple[str, str], np.ndarray] = {}
    # The first premises of every claim are read in one batch, then the further premises of the claims still open.
    _ask(rows, ((p.about(one[0]), one[0]) for one, own in premises.items() for p in own.first), models.entailer)
    open_ = [one for one, own in premises.items() if not _is_decided(one, own, rows)]
    _ask(rows, ((p.about(one[0]), one[0]) for one in open_ for p in premises[one].more), models.entailer)
    read: dict[CitedClaim, ClaimReading] = {}
    for one, own in premises.items():
        some, claim = own.first + (own.more if one in open_ else ()), one[0]
        near = np.array([p.nearness for p in some])
        read[one] = ClaimReading(
            premises=some, around=own.around, weights=np.exp(_FADING * (near - near.max(initial=-1.0))),
            probabilities=np.array([rows[p.about(claim), claim] for p in some], dtype=float).reshape(-1, len(LABELS)),
        )  # fmt: skip
    return [
        SentenceReading(whole=read[whole, citations], claims=tuple(read[claim, citations] for claim in claims))
        for whole, claims, citations in each
    ]


def _is_decided(one: CitedClaim, premises: Premises, rows: dict[tuple[str, str], np.ndarray]) -> bool:
    """True if a premise in `first` clearly entails or contradicts the claim. If the claim cites passages, only premises
    of these count.
    """
    claim, citations = one
    some = [p for p in premises.first if p.core[0][0] in citations] if citations else premises.first
    return any(
        max(row[_ENTAILMENT], row[_CONTRADICTION]) >= _CLEAR_PROBABILITY
        for row in (rows[p.about(claim), claim] for p in some)
    )


def _ask(rows: dict[tuple[str, str], np.ndarray], pairs: Iterable[tuple[str, str]], entailer: Any) -> None:
    """Add the NLI probabilities (label,) of each new (premise, claim) to `rows`. Raises ValueError for NaN or
    infinity.
    """
    new = [pair for pair in dict.fromkeys(pairs) if pair not in rows]
    spellings = {pair: (spelled_like(*pair), pair[1]) for pair in new}
    inputs = list(dict.fromkeys(pair for pair in spellings.values() if pair[0] != pair[1]))
    outputs = dict(zip(inputs, entailer.probabilities(inputs), strict=True)) if inputs else {}
    rows.update(
        {pair: outputs.get(model_pair, np.array(_QUOTE_PROBABILITIES)) for pair, model_pair in spellings.items()}
    )
    if not all(np.isfinite(rows[pair]).all() for pair in new):
        raise UserError("The language model gives no number for a sentence and its passage; choose another.")


RESEMBLING = 3
"""Number of passages that are the sources of a sentence without a citation: those that share most of its words."""
Windows = tuple[tuple[tuple[int, ...], ...], ...]


def by_passage(case: Case, readings: Sequence[SentenceReading]) -> tuple[np.ndarray, Windows]:
    """(NLI probabilities of each whole sentence by each passage: (sentence, passage, 3), indices of the passage
    sentences that gave them).

    Where no premise of a passage was read, these are NaN and (). Of several premises in a passage, the one with the
    most decided probabilities counts (`core.judgements.decisiveness`).
    """
    grid = np.full((len(case.sentences), len(case.passages), len(LABELS)), np.nan)
    indices_by_sentence: list[list[tuple[int, ...]]] = [[()] * len(case.passages) for _ in case.sentences]
    for s, reading in enumerate(readings):
        for premise, row in zip(reading.whole.premises, reading.whole.probabilities, strict=True):
            passages = {passage for passage, _ in premise.indices}
            p = min(passages)
            if len(passages) == 1 and (np.isnan(grid[s, p, 1]) or decisiveness(row) > decisiveness(grid[s, p])):
                grid[s, p], indices_by_sentence[s][p] = row, tuple(sentence for _, sentence in premise.indices)
    return grid, tuple(map(tuple, indices_by_sentence))


def judging_passages(case: Case, readings: Sequence[SentenceReading]) -> np.ndarray:
    """1 for each passage that judges a sentence, else 0: (sentence, passage). A sentence is judged by the passages that
    it cites; without citations by the passage nearest in meaning.

    A second passage on a similar topic contradicts a sentence far more often than it supports it. On the tuning half,
    supported answers rank above their altered versions with an area under the ROC curve of 0.87 by one passage, and of
    0.84 by three.
    """
    grid = np.zeros((len(case.sentences), len(case.passages)))
    for s, (sentence, reading) in enumerate(zip(case.sentences, readings, strict=True)):
        nearest = [premise.core[0][0] for premise in reading.whole.premises[:1]]
        grid[s, list(case.cited(sentence)) or nearest] = 1
    return grid


def whole_text(passage: Passage, between: str = " ") -> str:
    """The sentences of a passage that were extracted intact, joined by `between`."""
    return between.join(t for i, t in enumerate(passage.sentences) if i not in passage.broken)
