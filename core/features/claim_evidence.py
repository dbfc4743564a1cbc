"""The evidence that is nearest in meaning to a claim: sentences of the passages, alone, with their neighbours, and two
together. Every check that reads sentences of an answer against passages reads them against this."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from core.case import Case
from core.models.stretches import Place
from core.text.answer_sentences import told

Asked = tuple[str, frozenset[int]]
"""A claim, and the places, from 0, of the passages that it cites."""
_EXACT = 5
"""Digits of a cosine that count."""


@dataclass(frozen=True, kw_only=True)
class Premise:
    """What a claim is read against. places: of its sentences. core: the place, or the two places, that are near the
    claim. nearness: the cosine of the farthest of these. text: the sentences as one text."""

    places: tuple[Place, ...]
    core: tuple[Place, ...]
    nearness: float
    text: str


@dataclass(frozen=True, kw_only=True)
class Premises:
    """What one claim is read against. first: the nearest sentence of all, and of each passage that the claim cites.
    more: what is read where these leave the claim open: the two nearest ones, and those cited, with their neighbours,
    and the two nearest ones together. around: the texts of the two nearest ones with their neighbours."""

    first: tuple[Premise, ...] = ()
    more: tuple[Premise, ...] = ()
    around: tuple[str, ...] = ()


class ClaimEvidence:
    """The sentences of the passages of one case, and how near each lies to a claim."""

    def __init__(self, case: Case, embedder: Any) -> None:
        self.case, self.embedder = case, embedder

    def premises(self, asked: Sequence[Asked]) -> dict[Asked, Premises]:
        """What each claim is read against; nothing without evidence.

        A sentence is near to the claim, or to the question and the claim together: a claim such as "It is green" says
        only with its question what it is about. On the tuning half (192 pairs) more sentences, alone or with their
        neighbours, order supported above altered answers no better: area 0.912 by these, 0.916 by twice as many.
        """
        if not self._places:
            return dict.fromkeys(asked, Premises())
        about = self.case.question.standalone
        texts = [self.case.passages[p].sentences[n] for p, n in self._places]
        claims = [text for claim, _ in asked for text in (claim, f"{about} {claim}")]
        vectors = self.embedder.encode([*texts, *claims])  # those of the passages are remembered from the search
        near = vectors[: len(texts)] @ vectors[len(texts) :].T
        near = near.reshape(len(texts), len(asked), 2).max(-1).round(_EXACT)  # so that of equal ones the first counts
        return {one: self._nearest(near[:, n], one[1]) for n, one in enumerate(asked)}

    def _nearest(self, near: np.ndarray, cited: Collection[int]) -> Premises:
        """near: the cosine of each sentence, (sentence,). cited: places, from 0, of the passages that a claim cites."""
        ranked = [(self._places[n], float(near[n])) for n in np.argsort(-near, kind="stable")]
        own = [next((one for one in ranked if one[0][0] == passage), None) for passage in sorted(set(cited))]
        first = dict.fromkeys([ranked[0], *filter(None, own)])
        both = dict.fromkeys([*ranked[:2], *filter(None, own)])
        wide = [self._premise(self._around(place), (place,), cosine) for place, cosine in both]
        return Premises(
            first=tuple(self._premise((place,), (place,), cosine) for place, cosine in first),
            more=(*wide, *self._joined(ranked[:2])), around=tuple(premise.text for premise in wide[:2]),
        )  # fmt: skip

    def _joined(self, nearest: Sequence[tuple[Place, float]]) -> list[Premise]:
        """The two nearest sentences as one premise, where no run of neighbours holds both."""
        two = tuple(sorted(place for place, _ in nearest))
        if len(two) < 2 or set(two) <= set(self._around(two[0])):
            return []
        return [self._premise(two, two, min(cosine for _, cosine in nearest))]

    def _around(self, place: Place) -> tuple[Place, ...]:
        """A sentence with those beside it in its passage."""
        passage, at = place
        return tuple((passage, n) for n in (at - 1, at, at + 1) if (passage, n) in self._known)

    def _premise(self, places: Sequence[Place], core: tuple[Place, ...], nearness: float) -> Premise:
        text = " ".join(self.case.passages[p].sentences[n] for p, n in places)
        return Premise(places=tuple(places), core=core, nearness=nearness, text=text)

    @cached_property
    def _places(self) -> list[Place]:
        """Every sentence that stands whole on its page and does not only ask, of passages that tell something."""
        return [
            (p, n) for p, passage in enumerate(self.case.passages) if passage.tells
            for n, text in enumerate(told(passage.sentences)) if text and n not in passage.broken
        ]  # fmt: skip

    @cached_property
    def _known(self) -> frozenset[Place]:
        return frozenset(self._places)
