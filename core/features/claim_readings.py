"""NLI of each sentence of an answer and of each of its claims against the nearest evidence."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.case import Case
from core.features.claim_evidence import CitedClaim, ClaimEvidence, Premise, Premises
from core.judgements import LABELS
from core.text.claims import claims_of
from core.text.held_quantities import spelled_like

_QUOTED = (1.0, 0.0, 0.0)
"""The probabilities of a claim that a passage holds word for word; no model is needed."""
_SURE = 0.8
"""If the nearest sentence entails or contradicts a claim with this probability, no further premise is read."""
_RATHER = 0.5
"""The least P(entailment) of a premise that supports a claim rather than not."""
_ALIKE = 0.05
"""Probabilities that differ by less count as equal."""
_FADING = 8.0
"""The decay of a premise's weight with its distance from the nearest one: a cosine lower by 0.1 gives weight 0.45."""
_ENTAILED, _CONTRADICTED = LABELS.index("entailment"), LABELS.index("contradiction")


@dataclass(frozen=True, kw_only=True)
class ClaimReading:
    """NLI of one claim against each of its premises. probabilities: (premise, label) in the order of LABELS. weights:
    (premise,), 1 for the nearest one. around: the texts of the two nearest sentences with their neighbours."""

    claim: str
    premises: tuple[Premise, ...]
    around: tuple[str, ...]
    probabilities: np.ndarray
    weights: np.ndarray

    @property
    def entailment(self) -> float:
        """The highest P(entailment), without weights."""
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
        """The premise that supports the claim most, the shortest of about equal ones; None without a premise. A premise
        from the passages `cited` comes first, unless it does not support the claim and another premise does."""
        if not self.premises:
            return None
        every = range(len(self.premises))
        own = self._surest([n for n in every if {passage for passage, _ in self.premises[n].core} <= set(cited)])
        best, sure = self._surest(every), self.probabilities[:, _ENTAILED]
        stays = own is not None and (sure[own] >= _RATHER or sure[best] < _RATHER)
        return self.premises[own if stays else best]

    def _surest(self, some: Sequence[int]) -> int | None:
        """The index, out of `some`, of the shortest premise whose P(entailment) is about the highest; None for none."""
        sure = self.probabilities[:, _ENTAILED]
        most = max((sure[n] for n in some), default=0.0)
        about = [n for n in some if sure[n] >= most - _ALIKE]
        return min(about, key=lambda n: (len(self.premises[n].indices), -sure[n]), default=None)

    @property
    def denying(self) -> Premise | None:
        """The premise with the highest weighted P(contradiction), if that exceeds every weighted P(entailment); else
        None."""
        if self.contradiction <= self.near_entailment:
            return None
        return self.premises[int((self.probabilities[:, _CONTRADICTED] * self.weights).argmax())]


@dataclass(frozen=True, kw_only=True)
class SentenceReading:
    """The readings of a sentence as a whole and of each of its claims; they are one for a sentence of one claim."""

    whole: ClaimReading
    claims: tuple[ClaimReading, ...]


def read_claims(case: Case, models: Any) -> list[SentenceReading]:
    """The readings of every sentence of the answer and of its claims against the nearest evidence. Raises ValueError if
    the NLI model returns NaN or infinity."""
    evidence = ClaimEvidence(case, models.embedder)
    each = [(s.text, claims_of(s.text), frozenset(case.cited(s))) for s in case.sentences]
    cited_claims = dict.fromkeys((text, cited) for whole, claims, cited in each for text in (whole, *claims))
    read = _read(evidence.premises(list(cited_claims)), models.entailer)
    return [
        SentenceReading(whole=read[whole, cited], claims=tuple(read[claim, cited] for claim in claims))
        for whole, claims, cited in each
    ]


def _read(premises: dict[CitedClaim, Premises], entailer: Any) -> dict[CitedClaim, ClaimReading]:
    """Reads the first premises of every claim in one batch, then the further premises of the claims still open."""
    rows: dict[tuple[str, str], np.ndarray] = {}
    _ask(rows, ((p.text, one[0]) for one, own in premises.items() for p in own.first), entailer)
    open_ = [one for one, own in premises.items() if not _is_decided(one, own, rows)]
    _ask(rows, ((p.text, one[0]) for one in open_ for p in premises[one].more), entailer)
    return {
        one: _reading(one[0], own.first + (own.more if one in open_ else ()), own.around, rows)
        for one, own in premises.items()
    }


def _is_decided(one: CitedClaim, premises: Premises, rows: dict[tuple[str, str], np.ndarray]) -> bool:
    """True if the nearest sentence (of the cited passages, if the claim cites any) surely entails or contradicts the
    claim."""
    claim, cited = one
    some = [p for p in premises.first if p.core[0][0] in cited] if cited else premises.first
    return any(max(rows[p.text, claim][_ENTAILED], rows[p.text, claim][_CONTRADICTED]) >= _SURE for p in some)


def _ask(rows: dict[tuple[str, str], np.ndarray], pairs: Iterable[tuple[str, str]], entailer: Any) -> None:
    """Adds the NLI probabilities (label,) of each new (premise, claim) to `rows`."""
    new = [pair for pair in dict.fromkeys(pairs) if pair not in rows]
    spelled = {pair: (spelled_like(*pair), pair[1]) for pair in new}
    inputs = list(dict.fromkeys(pair for pair in spelled.values() if pair[0] != pair[1]))
    outputs = dict(zip(inputs, entailer.probabilities(inputs), strict=True)) if inputs else {}
    rows.update({pair: outputs.get(as_read, np.array(_QUOTED)) for pair, as_read in spelled.items()})
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
