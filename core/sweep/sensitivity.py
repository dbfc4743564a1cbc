"""Along one slider, everything else left as it is: from where to where does a question end which way?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from core.case import Round, Trace
from core.chain import Verdict, next_step, verdict
from core.chain.check_results import result
from core.chain.result_cache import Memory, remembering
from core.check import DUST, Check, mode_of
from core.checks import all_checks, all_thresholds
from core.checks.confidence import Confidence
from core.checks.fact_grounding import FactGrounding
from core.checks.topic_relevance import TopicRelevance
from core.presets import values
from core.sweep.check_batches import stacked, swept
from core.thresholds import Preset, Threshold

MEASURE = "measure"
"""Where a question ends that needs a round which was never measured: nobody knows yet."""
MOST = 50_000
"""Answers that are kept of one question; where there are more, all are forgotten and found anew."""


@dataclass(frozen=True, kw_only=True)
class Segment:
    """Neighbouring values of one slider at which a question ends the same way.

    low, high: its first and last value on the slider's grid. nearest: its value closest to where the slider stands.
    ends: the route, or MEASURE.
    """

    low: float
    high: float
    nearest: float
    ends: str

    @property
    def answered(self) -> bool:
        return self.ends.startswith("deliver")


@dataclass(frozen=True, kw_only=True)
class Move:
    """One slider moved from `old` to `new`. share: how far that is, as a share of the slider's whole range."""

    key: str
    old: float
    new: float
    share: float

    @classmethod
    def of(cls, threshold: Threshold, old: float, new: float) -> "Move":
        """The move of one slider."""
        return cls(key=threshold.key, old=old, new=new, share=abs(new - old) / (threshold.high - threshold.low))


class Replay:
    """One stored question, replayed at as many thresholds as one likes; no model is asked.

    A stretch is exact on the slider's grid and costs few walks of the chain: between two values at which nothing that
    the walk asks about changes, the walk is the same. What it asks about is what it was seen to ask: the decisions of
    the slider's check on rounds, which `memory` holds, and the few numbers that the chain holds against a limit.
    """

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._forget()

    def ends(self, preset: Preset) -> str:
        """Where the question ends under `preset`: a route, or MEASURE."""
        under = (*values(preset).values(), *(mode_of(check, preset) for check in all_checks()))
        if under not in self._ended:
            with remembering(self.memory):
                self._ended[under] = next_step(self.trace, preset).action
        return self._ended[under]

    def verdict(self, preset: Preset) -> Verdict:
        """The verdict under `preset`; a round that it lacks is left out of it."""
        with remembering(self.memory):
            return verdict(self.trace, preset)

    def along(self, threshold: Threshold, preset: Preset) -> tuple[Segment, ...]:
        """The segments of one slider from its low end to its high one, the others as in `preset`."""
        now = limit(preset, threshold)
        self.ends(preset)
        seen, runs, ends = -1, [], []
        while seen != self.memory.questions:  # a walk may ask about a round that no walk before it asked about
            seen = self.memory.questions
            runs = self.runs(threshold, preset)
            ends = [self.ends(preset.with_values({threshold.key: nearest(run, now)})) for run in runs]
        return _merged(runs, ends, now)

    def runs(self, threshold: Threshold, preset: Preset) -> list[np.ndarray]:
        """The slider's values, ascending, cut where anything that a walk was seen to ask about is another."""
        points = points_of(threshold, preset)
        return np.split(points, self._changes(threshold, preset, points))

    def failing(self, threshold: Threshold, preset: Preset, measured: Round) -> tuple[np.ndarray, np.ndarray]:
        """The slider's values, and at which of them its own check fails on one round: two arrays (points,).

        None at all where the check is off.
        """
        points = points_of(threshold, preset)
        states = self._states(threshold, preset, points, [measured])
        return points, states[0] == 1 if states else np.zeros(len(points), dtype=bool)

    def tidy(self) -> None:
        """Forget everything when it has become too much; between two searches, never within one."""
        if len(self.memory.found) + len(self._ended) + len(self._decided) > MOST:
            self._forget()

    def _forget(self) -> None:
        self.memory = Memory()
        self._ended: dict[tuple, str] = {}
        self._decided: dict[tuple, np.ndarray] = {}

    def _changes(self, threshold: Threshold, preset: Preset, points: np.ndarray) -> np.ndarray:
        """The places in `points` at which something that a walk asked about is another than just before."""
        if threshold.stricter == "neither" and threshold.key not in HELD_AGAINST:
            return np.arange(1, len(points))  # a number of rounds or a switch: the chain itself reads it
        rounds = self.memory.rounds(check_of(threshold).name)
        found = [*self._states(threshold, preset, points, rounds), *self._sides(threshold, preset, points)]
        together = np.array(found or [np.zeros(len(points))])
        return np.flatnonzero((together[:, 1:] != together[:, :-1]).any(0)) + 1

    def _states(self, t: Threshold, preset: Preset, points: np.ndarray, rounds: list[Round]) -> list[np.ndarray]:
        """What the slider's check says at each value of each round it measured: 1 failed, 0 passed, -1 not run."""
        check = check_of(t)
        if mode_of(check, preset) == "off":
            return []
        rounds = [r for r in rounds if check.name in r.signals]  # of the others it says the same at every value
        others = tuple(preset.thresholds.get(o.key, o.default) for o in check.thresholds().values() if o.key != t.key)
        keys = [(id(r), t.key, others, points.tobytes()) for r in rounds]
        new = {k: r for k, r in zip(keys, rounds, strict=True) if k not in self._decided}
        if new:
            margin = swept(stacked(check, list(new.values())), t, preset, points).margin
            states = np.where(np.isnan(margin), -1, margin < 0)
            self._decided.update(zip(new, states.T, strict=True))
        return [self._decided[k] for k in keys]

    def _sides(self, t: Threshold, preset: Preset, points: np.ndarray) -> list[np.ndarray]:
        """On which side of each number that the chain holds against this limit each value lies; each (points,)."""
        if t.key not in HELD_AGAINST:
            return []
        asked_for, number_of = HELD_AGAINST[t.key]
        with remembering(self.memory):
            numbers = {number_of(r, preset) for r in self.memory.rounds(asked_for)} - {None}
        return [number - points < below for number in numbers for below in (0.0, -DUST)]


def limit(preset: Preset, threshold: Threshold) -> float:
    """Where the slider stands under `preset`."""
    return float(preset.thresholds.get(threshold.key, threshold.default))


def points_of(threshold: Threshold, preset: Preset) -> np.ndarray:
    """The slider's grid, and where it stands should that lie between: (points,), ascending."""
    return np.unique(np.append(threshold.grid(), limit(preset, threshold)))


def nearest(run: np.ndarray, now: float) -> float:
    """The value of an ascending run that lies closest to where the slider stands."""
    return float(min(max(now, run[0]), run[-1]))


def check_of(threshold: Threshold) -> Check:
    """The check that declares `threshold`."""
    all_thresholds()
    return Check.registry[threshold.key.partition(".")[0]]


def _closest(measured: Round, _: Preset) -> float | None:
    """The closest passage of the whole library, below which the critic tries no other search."""
    return measured.case.closest.cosine if measured.case.closest else None


def _score(measured: Round, preset: Preset) -> float | None:
    """The score of stage 2, which is sorted into tiers."""
    return result(Check.registry[FactGrounding.name], measured, preset).value


HELD_AGAINST: Mapping[str, tuple[str, Callable[[Round, Preset], float | None]]] = {
    TopicRelevance.max_topic_mismatch_score.key: (Confidence.name, _closest),
    FactGrounding.high.key: (FactGrounding.name, _score),
}
"""What the chain itself, not the check, compares with a limit, by the key of that limit; and the check that it has
asked of a round before it does."""


def _merged(runs: list[np.ndarray], ends: list[str], now: float) -> tuple[Segment, ...]:
    """One stretch for neighbouring runs that end alike."""
    merged: list[Segment] = []
    for run, end in zip(runs, ends, strict=True):
        low = merged.pop().low if merged and merged[-1].ends == end else float(run[0])
        both = np.array([low, run[-1]])
        merged.append(Segment(low=low, high=float(run[-1]), nearest=nearest(both, now), ends=end))
    return tuple(merged)
