"""Does a probability keep its word? What was said, beside how often it came true."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.case import Trace
from core.chain.facts import confidence_of
from core.evaluation.cases import Labelled
from core.evaluation.outcomes import Rate
from core.text.words import holds

BINS = 10


@dataclass(frozen=True, kw_only=True)
class Bin:
    """The cases of one tenth of the probabilities: the mean of what was said of them, and how many came true."""

    said: float
    true: Rate


@dataclass(frozen=True, kw_only=True)
class Reliability:
    """A reliability curve. error: mean distance of what was said from what came true, over the cases of all bins."""

    bins: tuple[Bin, ...]

    @property
    def n(self) -> int:
        return sum(b.true.n for b in self.bins)

    @property
    def error(self) -> float | None:
        return sum(b.true.n * abs(b.said - b.true.share) for b in self.bins) / self.n if self.n else None

    @property
    def lean(self) -> float | None:
        """What was said minus what came true, in the mean: above 0 promises too much, below 0 too little."""
        return sum(b.true.n * (b.said - b.true.share) for b in self.bins) / self.n if self.n else None


def reliability(said: Sequence[float], true: Sequence[bool]) -> Reliability:
    """The curve of probabilities in [0, 1] against what came true; bins without a case are left out."""
    p, y = np.asarray(said, dtype=float), np.asarray(true, dtype=bool)
    places = np.minimum((p * BINS).astype(int), BINS - 1)
    found = [
        Bin(said=float(p[places == b].mean()), true=Rate(count=int(y[places == b].sum()), n=int((places == b).sum())))
        for b in np.unique(places)
    ]
    return Reliability(bins=tuple(found))


def of_confidence(cases: Sequence[Labelled]) -> Reliability:
    """Seed B's evidence confidence / 100, against whether its passage does answer the question.

    It does when the passage holds every fact of the row; of a row without facts its label is believed. Vague questions,
    judged answers and searches that broke say nothing about it and are left out.
    """
    asked = [c for c in cases if c.row.get("answer") is None and c.trace.rounds and _expected(c) != "clarified"]
    said = [(s, c) for c in asked if (s := confidence_of(c.trace.rounds[0])) is not None]
    return reliability([s / 100 for s, _ in said], [_answers(c) for _, c in said])


def stored(told: dict[str, Any]) -> Reliability:
    """A curve as a calibration stores it: {"curve": [{"said", "true", "n"}]}."""
    rows = [(row["said"], row["true"], row["n"]) for row in told.get("curve", [])]
    return Reliability(bins=tuple(Bin(said=s, true=Rate(count=round(t * n), n=n)) for s, t, n in rows if n))


def _answers(case: Labelled) -> bool:
    """True when the best passage of the first search holds what the row asks for."""
    if _expected(case) not in ("answered", "part"):
        return False
    best = _best_text(case.trace)
    return bool(best) and all(holds(best, fact) for fact in case.row.get("facts") or ())


def _best_text(trace: Trace) -> str:
    evidence = trace.rounds[0].case.evidence
    return max(evidence, key=lambda e: e.answers).passage.text if evidence else ""


def _expected(case: Labelled) -> str:
    return case.row.get("expected") or "answered"
