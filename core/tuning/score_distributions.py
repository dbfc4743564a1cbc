"""How scores lie: those of one check, where off-syllabus questions end and those of the syllabus begin, and whether a
probability keeps its word."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.banks.scored_bank import ValuedBank
from core.case import Evidence, Signals, Trace
from core.chain.facts import confidence_of
from core.check import Bound, Check
from core.evaluation.cases import Labelled
from core.evaluation.outcomes import Rate
from core.models.weights import MINILM_SHA256
from core.sweep.signal_batches import stacked
from core.text.words import holds
from core.thresholds import Preset

SCALES = {"cosine": "Similarity", "related": "About the topic", "hybrid": "Search score", "answers": "Answers it"}
"""The four absolute scales of a passage, in plain words."""
ANYWHERE = "any class and subject"
_EDGE = 5
"""Per cent of either side that may lie beyond its edge: one odd question moves none."""
_NAMES = {MINILM_SHA256[:16]: "all-MiniLM-L6-v2"}


@dataclass(frozen=True, kw_only=True)
class Spread:
    """The values that one check compared in the first round of each case, and the limit.

    good, bad: of the cases that should be answered and of those that should not. by: the threshold that is the limit,
    "" for a rule without one. left_out: cases to which the check does not apply, or that another limit of it decided.
    """

    check: str
    by: str
    limit: float
    unit: str
    good: np.ndarray
    bad: np.ndarray
    left_out: int


@dataclass(frozen=True, kw_only=True)
class Ruler:
    """The best scores of the questions of one group on one scale, ascending; inside: what the books should answer.

    group: the class and subject that were asked for; model: the embeddings that measured it.
    """

    scale: str
    group: str
    model: str
    inside: tuple[float, ...]
    outside: tuple[float, ...]

    @property
    def begins(self) -> float | None:
        """Where the syllabus begins: all but the lowest 5 % of its questions score at least this."""
        return float(np.percentile(self.inside, _EDGE)) if self.inside else None

    @property
    def ends(self) -> float | None:
        """Where off-syllabus questions end: all but their highest 5 % score at most this."""
        return float(np.percentile(self.outside, 100 - _EDGE)) if self.outside else None

    @property
    def apart(self) -> bool | None:
        """True when a limit between the two parts them; None where one side is missing."""
        return None if self.begins is None or self.ends is None else self.begins > self.ends


def spread(bank: ValuedBank, preset: Preset, check: Check, by: str = "") -> Spread | None:
    """The scores of `check` under `preset`; None where it decides no case.

    by: the threshold to take the limit from, where it decides any case; otherwise the one that decides most.
    """
    signals, measured = bank.remembered(("stacked", check.name), lambda: _stacked(bank, check))
    bound = check.bind(preset)
    decision = check.decide(Bound(**signals), bound)
    ran = measured & ~np.isnan(decision.margin)
    if not ran.any():
        return None
    deciding = np.broadcast_to(np.asarray(decision.by, dtype=object), ran.shape)
    names = [str(n) for n in deciding[ran]]
    chosen = by if by in names else max(set(names), key=lambda name: (names.count(name), name))
    mine = ran & (deciding == chosen)
    threshold = check.thresholds().get(chosen)
    unit = threshold.unit if threshold else next(iter(check.signals().values())).unit
    return Spread(
        check=check.name, by=chosen, limit=float(decision.limit[mine][0]), unit=unit, left_out=int((~mine).sum()),
        good=np.sort(decision.value[mine & bank.should]), bad=np.sort(decision.value[mine & ~bank.should]),
    )  # fmt: skip


def rulers(cases: Sequence[Labelled], scale: str) -> tuple[Ruler, ...]:
    """One ruler for all questions of each embedding model, then one for each class and subject, the largest first.

    Judged answers and vague questions are left out; a score is the best of the first search, 0 without passages.
    """
    asked = [c for c in cases if c.row.get("answer") is None and c.trace.rounds and _inside(c) is not None]
    found = []
    for model in dict.fromkeys(_model(c) for c in asked):
        mine = [c for c in asked if _model(c) == model]
        groups: dict[str, list[Labelled]] = {}
        for case in mine:
            groups.setdefault(_group(case), []).append(case)
        ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
        found += [_ruler(scale, name, model, some) for name, some in [("all questions", mine), *ordered]]
    return tuple(found)


def _stacked(bank: ValuedBank, check: Check) -> tuple[Signals, np.ndarray]:
    """The signals of `check` of the first rounds of all cases, and where there are any: (cases,)."""
    rounds = [case.trace.rounds[0] for case in bank.cases]
    return stacked(check, rounds), np.array([check.name in r.signals for r in rounds], dtype=bool)


def _ruler(scale: str, group: str, model: str, cases: Sequence[Labelled]) -> Ruler:
    sides = [sorted(_best(c, scale) for c in cases if _inside(c) is side) for side in (True, False)]
    return Ruler(scale=scale, group=group, model=model, inside=tuple(sides[0]), outside=tuple(sides[1]))


def _inside(case: Labelled) -> bool | None:
    """True for a question of the syllabus, False for one that it does not answer, None for one that is neither."""
    expected = case.row.get("expected") or "answered"
    return None if expected == "clarified" else expected in ("answered", "part")


def _best(case: Labelled, scale: str) -> float:
    evidence: tuple[Evidence, ...] = case.trace.rounds[0].case.evidence
    return max((float(getattr(e, scale)) for e in evidence), default=0.0)


def _group(case: Labelled) -> str:
    scope = case.trace.question.scope
    parts = [f"class {scope.class_number}" if scope.class_number else "", scope.subject]
    return ", ".join(part for part in parts if part) or ANYWHERE


def _model(case: Labelled) -> str:
    digest = case.trace.models.get("embedder", "not named")
    return _NAMES.get(digest, digest)


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
