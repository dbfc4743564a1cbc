"""What language inference says of each sentence of an answer, and of each of its claims, on the nearest evidence."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.case import Case
from core.features.claim_evidence import Asked, ClaimEvidence, Premise, Premises
from core.judgements import LABELS
from core.text.claims import claims_of
from core.text.held_quantities import spelled_like

_SAID = (1.0, 0.0, 0.0)
"""What stands in a passage word for word is said by it; no model need be asked."""
_SURE = 0.8
"""Where the nearest sentence takes a side with this probability, no more is read of the claim."""
_RATHER = 0.5
"""A premise rather says a claim than not from this P(entailment) on."""
_ALIKE = 0.05
"""Probabilities that differ by less are about equal."""
_FADING = 8.0
"""How fast a reading counts less the farther its premise lies from the claim than the nearest one: a cosine that is
0.1 lower leaves it 0.45 of its weight."""
_ENTAILED, _CONTRADICTED = LABELS.index("entailment"), LABELS.index("contradiction")


@dataclass(frozen=True, kw_only=True)
class ClaimReading:
    """One claim against each of its premises. probabilities: of LABELS, (premise, label). weights: (premise,), 1 for
    the nearest one. around: the texts of the two nearest sentences with their neighbours, read or not."""

    claim: str
    premises: tuple[Premise, ...]
    around: tuple[str, ...]
    probabilities: np.ndarray
    weights: np.ndarray

    @property
    def entailment(self) -> float:
        """The highest P(entailment), whatever the nearness."""
        return float(self.probabilities[:, _ENTAILED].max(initial=0.0))

    @property
    def near_entailment(self) -> float:
        """The highest P(entailment) times weight."""
        return float((self.probabilities[:, _ENTAILED] * self.weights).max(initial=0.0))

    @property
    def contradiction(self) -> float:
        """The highest P(contradiction) times weight."""
        return float((self.probabilities[:, _CONTRADICTED] * self.weights).max(initial=0.0))

    @property
    def likeliest(self) -> Premise | None:
        """The premise with the highest P(entailment), the first of equals; None without a premise."""
        return self.premises[int(self.probabilities[:, _ENTAILED].argmax())] if self.premises else None

    def supporting(self, cited: Collection[int]) -> Premise | None:
        """The premise that bears the claim out most, the shortest of about equals; one of the passages `cited`, unless
        it rather does not say the claim and another rather does. None without a premise."""
        if not self.premises:
            return None
        every = range(len(self.premises))
        own = self._surest([n for n in every if {place for place, _ in self.premises[n].core} <= set(cited)])
        best, sure = self._surest(every), self.probabilities[:, _ENTAILED]
        stays = own is not None and (sure[own] >= _RATHER or sure[best] < _RATHER)
        return self.premises[own if stays else best]

    def _surest(self, some: Sequence[int]) -> int | None:
        """Of the premises at these places the shortest of those that say the claim about as surely as any."""
        sure = self.probabilities[:, _ENTAILED]
        most = max((sure[n] for n in some), default=0.0)
        about = [n for n in some if sure[n] >= most - _ALIKE]
        return min(about, key=lambda n: (len(self.premises[n].places), -sure[n]), default=None)

    @property
    def denying(self) -> Premise | None:
        """The near premise that says otherwise than the claim, where one does so more surely than any says it."""
        if self.contradiction <= self.near_entailment:
            return None
        return self.premises[int((self.probabilities[:, _CONTRADICTED] * self.weights).argmax())]


@dataclass(frozen=True, kw_only=True)
class SentenceReading:
    """A sentence as a whole, and each of its claims; a sentence of one claim is read once."""

    whole: ClaimReading
    claims: tuple[ClaimReading, ...]


def read_claims(case: Case, models: Any) -> list[SentenceReading]:
    """Every sentence of the answer and its claims against the nearest evidence; ValueError when the language model
    gives no number."""
    evidence = ClaimEvidence(case, models.embedder)
    each = [(s.text, claims_of(s.text), frozenset(case.cited(s))) for s in case.sentences]
    asked = dict.fromkeys((text, cited) for whole, claims, cited in each for text in (whole, *claims))
    read = _read(evidence.premises(list(asked)), models.entailer)
    return [
        SentenceReading(whole=read[whole, cited], claims=tuple(read[claim, cited] for claim in claims))
        for whole, claims, cited in each
    ]


def _read(premises: dict[Asked, Premises], entailer: Any) -> dict[Asked, ClaimReading]:
    """The first premises of every claim at once; then, of claims on which these take no side surely, the others."""
    rows: dict[tuple[str, str], np.ndarray] = {}
    _ask(rows, ((p.text, one[0]) for one, found in premises.items() for p in found.first), entailer)
    open_ = [one for one, found in premises.items() if not _is_settled(one, found, rows)]
    _ask(rows, ((p.text, one[0]) for one in open_ for p in premises[one].more), entailer)
    return {
        one: _reading(one[0], found.first + (found.more if one in open_ else ()), found.around, rows)
        for one, found in premises.items()
    }


def _is_settled(one: Asked, premises: Premises, rows: dict[tuple[str, str], np.ndarray]) -> bool:
    """True where the nearest sentence, of the passages cited where there are any, surely takes a side."""
    claim, cited = one
    some = [p for p in premises.first if p.core[0][0] in cited] if cited else premises.first
    return any(max(rows[p.text, claim][_ENTAILED], rows[p.text, claim][_CONTRADICTED]) >= _SURE for p in some)


def _ask(rows: dict[tuple[str, str], np.ndarray], pairs: Iterable[tuple[str, str]], entailer: Any) -> None:
    """Adds to `rows` P(each label) of each (premise, claim) that is not there yet."""
    new = [pair for pair in dict.fromkeys(pairs) if pair not in rows]
    spelled = {pair: (spelled_like(*pair), pair[1]) for pair in new}
    asked = list(dict.fromkeys(pair for pair in spelled.values() if pair[0] != pair[1]))
    found = dict(zip(asked, entailer.probabilities(asked), strict=True)) if asked else {}
    rows.update({pair: found.get(as_read, np.array(_SAID)) for pair, as_read in spelled.items()})
    if not all(np.isfinite(rows[pair]).all() for pair in new):
        raise ValueError("The language model gives no number for a sentence and its passage; choose another.")


def _reading(
    claim: str, premises: tuple[Premise, ...], around: tuple[str, ...], rows: dict[tuple[str, str], np.ndarray]
) -> ClaimReading:
    near = np.array([p.nearness for p in premises])
    return ClaimReading(
        claim=claim, premises=premises, around=around, weights=np.exp(_FADING * (near - near.max(initial=-1.0))),
        probabilities=np.array([rows[p.text, claim] for p in premises], dtype=float).reshape(-1, len(LABELS)),
    )  # fmt: skip
