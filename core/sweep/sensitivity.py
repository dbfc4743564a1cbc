"""One question under every slider: from where to where does it end which way, what can a slider do at all, and which
matter most?"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from core.case import Round, Trace
from core.chain import Verdict, verdict
from core.chain.check_results import blocking
from core.chain.routing import ROUTES
from core.check import Bound, mode_of
from core.checks import all_checks, all_thresholds, check_of
from core.sweep.bank import Bank
from core.sweep.settings_grid import Move, grids, limit, stand_points
from core.sweep.threshold_columns import MovedColumns, Moves
from core.sweep.vectorized_routing import routed
from core.thresholds import Preset, Threshold

MEASURE = "measure"
"""Where a question ends that needs a round which was never measured: nobody knows yet."""
ENDS = (*ROUTES, MEASURE)
Why = Literal["acts", "asks", "off", "watches", "does not apply", "changes nothing", "shadowed"]
"""acts: at some value the question ends otherwise. asks: at some value it needs a round that was never measured, and
that is all that is known. The others say why it does nothing at any value."""
COUNT = 5
"""Thresholds that matter most for one question: so many are shown first."""
TO_BEGIN_WITH = (
    "topic_relevance.max_topic_mismatch_score", "confidence.min_confidence", "support.min_support",
    "citations.min_citation_coverage", "answer_relevance.min_answer_relevance",
)  # fmt: skip
"""One of each kind of evidence that blocks under the default: shown before a question."""
_ENDED_AT = {"query checks": "query", "clear": "query"}
"""The stage whose checks ended the way, by the step before its end; else those of the answer."""


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


@dataclass(frozen=True, kw_only=True)
class Effect:
    """What one slider can do to one question, the others as they stand.

    stands: where the slider stands. segments: from its low end to its high one. by: the checks that stand before a
    slider which is shadowed: its own check would change its mind, and the question ends the same way because of these.
    """

    ends: str
    stands: float
    segments: tuple[Segment, ...]
    why: Why
    by: tuple[str, ...] = ()

    @property
    def beside(self) -> tuple[Segment | None, Segment | None]:
        """The nearest segments that end otherwise, below the slider and above it; None where there is none."""
        below = [s for s in self.segments if s.high < self.stands]
        above = [s for s in self.segments if s.low > self.stands]
        return (below[-1] if below else None), (above[0] if above else None)


class Sensitivity:
    """One stored question as a bank of one, decided at every value of every slider at once. No model is asked.

    What was decided last is remembered, so that a slider decides its own check alone. Not for two threads.
    """

    def __init__(self, trace: Trace) -> None:
        self.trace, self.bank = trace, Bank.of([trace])
        self._known: dict[Hashable, tuple[Any, Any]] = {}

    def verdict(self, preset: Preset) -> Verdict:
        """The verdict under `preset`; a round that it lacks is left out of it."""
        return self.remembered("verdict", preset, lambda: verdict(self.trace, preset))

    def ends(self, preset: Preset) -> str:
        """Where the question ends under `preset`: a route, or MEASURE."""
        return ENDS[self._routes(preset)[0]]

    def routes(self, columns: MovedColumns) -> np.ndarray:
        """Where the question ends at each point of `columns`, as places in ENDS: (points,)."""
        return routed(self.bank, columns).routes[0]

    def columns(self, preset: Preset) -> MovedColumns:
        """`preset`, then every slider at every step of its own: point 0, then those that `steps` says."""
        return self.remembered("columns", preset, lambda: MovedColumns(preset, _steps()))

    def segments(self, threshold: Threshold, preset: Preset) -> tuple[Segment, ...]:
        """The segments of one slider from its low end to its high one, the others as in `preset`."""
        every = all_thresholds().items()
        found = self.remembered("segments", preset, lambda: {k: self._segments(t, preset) for k, t in every})
        return found[threshold.key]

    def failing(self, threshold: Threshold, preset: Preset, measured: Round) -> tuple[np.ndarray, np.ndarray]:
        """The slider's values, and at which of them its own check fails on one round: two arrays (points,).

        None at all where the check is off, or was not measured.
        """
        points, places = stand_points(threshold, preset)
        check = check_of(threshold.key)
        if mode_of(check, preset) == "off" or check.name not in measured.signals:
            return points, np.zeros(len(points), dtype=bool)
        cells = self.columns(preset).cells(check)
        s = Bound(**measured.signals[check.name])
        about = id(measured), check.name  # every round with signals is one of the trace's own
        failed = self.remembered(about, cells.fingerprint, lambda: check.decide(s, Bound(**cells.axes)).margin < 0)
        return points, np.broadcast_to(failed, cells.shape)[cells.at(places)]

    def remembered(self, about: Hashable, under: Any, find: Callable[[], Any]) -> Any:
        """What `find` gives, worked out once as long as it is asked `about` nothing else than what it was `under`."""
        if about not in self._known or self._known[about][0] != under:
            self._known[about] = under, find()
        return self._known[about][1]

    def _segments(self, threshold: Threshold, preset: Preset) -> tuple[Segment, ...]:
        points, places = stand_points(threshold, preset)
        now, ends = limit(preset, threshold), self._routes(preset)[places]
        first = np.append(0, np.flatnonzero(ends[1:] != ends[:-1]) + 1)
        last = np.append(first[1:], len(ends)) - 1
        found = zip(points[first].tolist(), points[last].tolist(), ends[first].tolist(), strict=True)
        return tuple(
            Segment(low=low, high=high, nearest=min(max(now, low), high), ends=ENDS[end]) for low, high, end in found
        )

    def _routes(self, preset: Preset) -> np.ndarray:
        return self.remembered("routes", preset, lambda: self.routes(self.columns(preset)))


def effects(question: Sensitivity, preset: Preset) -> dict[str, Effect]:
    """The effect of every slider, by key; empty where the route of the question is not known yet."""
    ends = question.ends(preset)
    if ends == MEASURE:
        return {}
    found = question.verdict(preset)
    judged, before = judged_rounds(found), in_the_way(found)
    return {key: _effect(question, preset, t, judged, before) for key, t in all_thresholds().items()}


def main_limits(question: Sensitivity, preset: Preset) -> tuple[str, ...]:
    """Keys of the thresholds that matter most for one question, at most COUNT: the nearest to changing how it ends.

    Nearness is the share of its range that a slider would move. Those after which nobody knows come last, and those
    that do nothing at any value are no part of it: there may be none.
    """
    near = {}
    for key, effect in effects(question, preset).items():
        if effect.why in ("acts", "asks"):
            others = (s.nearest for s in effect.segments if s.ends != effect.ends)
            shares = [Move.of(all_thresholds()[key], effect.stands, value).share for value in others]
            near[key] = effect.why == "asks", min(shares)
    return tuple(sorted(near, key=near.__getitem__)[:COUNT])


def judged_rounds(verdict: Verdict) -> tuple[Round, ...]:
    """The round that was judged, of each part of a question that has several."""
    return tuple(v.round for v in verdict.parts or (verdict,))


def in_the_way(verdict: Verdict) -> tuple[str, ...]:
    """The checks that forbid the answer at the stage where the question ends, of all its parts without an answer.

    Of an answer that goes out corrected or in part, those that forbid it as it was judged.
    """
    ended = [v for v in verdict.parts or (verdict,) if v.route != "deliver"]
    names = (r.name for v in ended for r in blocking(v.checks, _ENDED_AT.get(v.steps[-2], "answer")))
    return tuple(dict.fromkeys(names))


def check_moves(question: Sensitivity, measured: Round, preset: Preset) -> dict[str, Move]:
    """For each limit the smallest move after which its check forbids `measured` and did not, or the other way round.

    A limit that changes nothing at any value is left out, as are those of checks that are off or were not measured.
    """
    found = {}
    for threshold in all_thresholds().values():
        now = limit(preset, threshold)
        points, failed = question.failing(threshold, preset, measured)
        others = points[failed != failed[points == now]]
        if len(others):
            found[threshold.key] = Move.of(threshold, now, float(others[np.argmin(np.abs(others - now))]))
    return found


def scores(judged: Iterable[Round], preset: Preset) -> Mapping[str, np.ndarray]:
    """What was measured that each limit is held against, by the key of the limit: (values,), over all these rounds."""
    found: dict[str, list[np.ndarray]] = {}
    for measured in judged:
        for check in all_checks():
            if check.name in measured.signals:
                held = check.compared(Bound(**measured.signals[check.name]), check.bind(preset))
                for name, numbers in held.items():
                    found.setdefault(f"{check.name}.{name}", []).append(numbers[~np.isnan(numbers)])
    return {key: np.concatenate(numbers) for key, numbers in found.items()}


@lru_cache(maxsize=1)
def _steps() -> Moves:
    """Every step of every slider, one move a point."""
    keys = [key for key, (grid, _) in grids().items() for _ in grid]
    return Moves(keys, np.concatenate([grid for grid, _ in grids().values()]), np.arange(-1, len(keys))[:, None])


def _effect(
    question: Sensitivity, preset: Preset, threshold: Threshold, judged: tuple[Round, ...], before: tuple[str, ...]
) -> Effect:
    segments, now = question.segments(threshold, preset), question.ends(preset)
    others = {s.ends for s in segments} - {now}
    why, by = ("asks" if others == {MEASURE} else "acts"), ()
    if not others:
        why, by = _idle(question, preset, threshold, judged, before)
    return Effect(ends=now, stands=limit(preset, threshold), segments=segments, why=why, by=by)


def _idle(
    question: Sensitivity, preset: Preset, threshold: Threshold, judged: tuple[Round, ...], before: tuple[str, ...]
) -> tuple[Why, tuple[str, ...]]:
    """Why a slider does nothing, and because of which checks."""
    check = check_of(threshold.key)
    mode, name = mode_of(check, preset), check.name
    if mode != "blocks":
        return ("off" if mode == "off" else "watches"), ()
    there = [r for r in judged if name in r.signals]
    if not there:
        return "does not apply", ()
    stands = [question.failing(threshold, preset, r)[1] for r in there]
    by = tuple(other for other in before if other != name)
    if by and any(failed.any() and not failed.all() for failed in stands):
        return "shadowed", by
    return "changes nothing", ()
