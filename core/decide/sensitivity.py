"""One question under every slider: where it ends at each value, and what each slider can change."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from core.case import Round, Signals, Trace
from core.check import Bound, mode_of
from core.checks import all_checks, all_thresholds, check_of
from core.decide.check_results import blocking
from core.decide.engine import Decided
from core.decide.measured import MeasuredSet
from core.decide.points import Limits, Move, single_moves, slider_points
from core.decide.routes import NOWHERE, ROUTES
from core.decide.verdicts import Verdict, verdict
from core.thresholds import Preset, Threshold

MEASURE = "measure"
"""The end of a question whose route needs a round that was never measured."""
ENDS = (*ROUTES, MEASURE)
EffectKind = Literal["acts", "asks", "off", "watches", "does not apply", "changes nothing", "shadowed"]
"""acts: at some value the question ends differently. asks: at some value it needs a round that was never measured, and
at all others it ends as now. The other kinds say why no value changes anything."""
_QUERY_STAGES = ("clarity", "query checks")
"""The stages at which a query check ends the question (Verdict.stage); at any other stage an answer check does."""


@dataclass(frozen=True, kw_only=True)
class Segment:
    """Neighbouring values of one slider, `low` to `high`, at which a question ends the same way, on a route or at
    MEASURE. nearest: the value closest to the slider's current one.
    """

    low: float
    high: float
    nearest: float
    ends: str


@dataclass(frozen=True, kw_only=True)
class Effect:
    """What one slider can change for one question while the others stay.

    ends: the current route of the question. current: the current value of the slider.
    segments: from the low end of the slider to its high end.
    by: for a shadowed slider, the other checks that forbid the answer: its own check would decide differently at some
    value, but the question ends the same way because of these.
    """

    ends: str
    current: float
    segments: tuple[Segment, ...]
    kind: EffectKind
    by: tuple[str, ...] = ()

    @property
    def beside(self) -> tuple[Segment | None, Segment | None]:
        """The nearest segment below the current value and the nearest above it in which the question ends differently;
        None for a side without such a segment."""
        below = [s for s in self.segments if s.high < self.current]
        above = [s for s in self.segments if s.low > self.current]
        return (below[-1] if below else None), (above[0] if above else None)


class Sensitivity:
    """One stored question, decided at every value of every slider at once, without running a model.

    The last decisions are kept, so that moving a slider decides only its own check. Not thread-safe.
    """

    def __init__(self, trace: Trace) -> None:
        self.trace, self.measured = trace, MeasuredSet.of([trace])
        self._cache: dict[Hashable, tuple[Any, Any]] = {}

    def verdict(self, preset: Preset) -> Verdict:
        """The verdict under `preset`; rounds that were never measured are left out."""
        return self.cached("verdict", preset, lambda: verdict(self.trace, preset, self.measured))

    def ends(self, preset: Preset) -> str:
        """The result of the question under `preset`: a route, or MEASURE."""
        return ENDS[self._routes(preset)[0]]

    def routes(self, limits: Limits) -> np.ndarray:
        """The result of the question at each point of `limits`, as indices into ENDS: (points,)."""
        routes = Decided(self.measured, limits).joint_routes[0]
        return np.where(routes == NOWHERE, ENDS.index(MEASURE), routes)

    def limits(self, preset: Preset) -> Limits:
        """The limits of all moves of one slider away from `preset` (`single_moves`)."""
        return self.cached("limits", preset, lambda: single_moves(preset))

    def segments(self, threshold: Threshold, preset: Preset) -> tuple[Segment, ...]:
        """The segments of one slider from its low end to its high end, with the others as in `preset`."""

        def find() -> tuple[Segment, ...]:
            points, point_indices = slider_points(threshold, preset)
            current, ends = preset.value(threshold), self._routes(preset)[point_indices]
            first = np.append(0, np.flatnonzero(ends[1:] != ends[:-1]) + 1)
            lows, highs = points[first].tolist(), points[np.append(first[1:], len(ends)) - 1].tolist()
            return tuple(
                Segment(low=low, high=high, nearest=min(max(current, low), high), ends=ENDS[end])
                for low, high, end in zip(lows, highs, ends[first].tolist(), strict=True)
            )

        return self.cached(("segments", threshold.key), preset, find)

    def failing(self, threshold: Threshold, preset: Preset, measured_round: Round) -> tuple[np.ndarray, np.ndarray]:
        """The slider's values, and whether its check fails at each: two arrays (points,); False if it did not run."""
        points, _ = slider_points(threshold, preset)
        check = check_of(threshold.key)
        if mode_of(check, preset) == "off" or check.name not in measured_round.signals:
            return points, np.zeros(len(points), dtype=bool)
        name = threshold.key.partition(".")[2]
        t = Bound(**vars(check.bind(preset)) | {name: points})
        margin = check.decide(Bound(**measured_round.signals[check.name]), t).margin
        return points, np.broadcast_to(margin < 0, points.shape)

    def cached(self, key: Hashable, under: Any, find: Callable[[], Any]) -> Any:
        """Return the result of `find`, which is cached under `key` until `under` differs from that of the last call."""
        if key not in self._cache or self._cache[key][0] != under:
            self._cache[key] = under, find()
        return self._cache[key][1]

    def _routes(self, preset: Preset) -> np.ndarray:
        return self.cached("routes", preset, lambda: self.routes(self.limits(preset)))


def effects(question: Sensitivity, preset: Preset, keys: Collection[str] | None = None) -> dict[str, Effect]:
    """The effect of the sliders with these keys, of every slider without `keys`; empty if the route of the question is
    not known yet."""
    ends = question.ends(preset)
    if ends == MEASURE:
        return {}
    current, effect_by_key = question.verdict(preset), {}
    for key, threshold in all_thresholds().items():
        if keys is not None and key not in keys:
            continue
        segments = question.segments(threshold, preset)
        others = {s.ends for s in segments} - {ends}
        kind, by = ("asks" if others == {MEASURE} else "acts"), ()
        if not others:
            kind, by = _idle_reason(question, preset, threshold, current)
        value = preset.value(threshold)
        effect_by_key[key] = Effect(ends=ends, current=value, segments=segments, kind=kind, by=by)
    return effect_by_key


def judged_rounds(verdict: Verdict) -> tuple[Round, ...]:
    """The judged round of each part of a question; one round if the question has no parts."""
    return tuple(v.round for v in verdict.parts or (verdict,))


def objecting_checks(verdict: Verdict) -> tuple[str, ...]:
    """The checks that forbid the judged answer where the question ends, for each part not delivered whole."""
    verdicts = [v for v in verdict.parts or (verdict,) if v.route != "deliver"]
    names = (r.name for v in verdicts for r in blocking(v.checks, "query" if v.stage in _QUERY_STAGES else "answer"))
    return tuple(dict.fromkeys(names))


def check_moves(question: Sensitivity, measured_round: Round, preset: Preset) -> dict[str, Move]:
    """For each limit, the smallest move after which its check decides differently on a round, if there is one."""
    move_by_key = {}
    for threshold in all_thresholds().values():
        current = preset.value(threshold)
        points, fails = question.failing(threshold, preset, measured_round)
        others = points[fails != fails[points == current]]
        if len(others):
            move_by_key[threshold.key] = Move.of(threshold, current, float(others[np.argmin(np.abs(others - current))]))
    return move_by_key


def scores(rounds: Iterable[Mapping[str, Signals]], preset: Preset) -> Mapping[str, np.ndarray]:
    """The measured values with which each limit is compared, (values,), by its key. rounds: their signals by check."""
    values_by_key: dict[str, list[np.ndarray]] = {}
    for signals in rounds:
        for check in all_checks():
            if check.name in signals:
                values = check.compared_values(Bound(**signals[check.name]), check.bind(preset))
                for name, numbers in values.items():
                    values_by_key.setdefault(f"{check.name}.{name}", []).append(numbers[~np.isnan(numbers)])
    return {key: np.concatenate(numbers) for key, numbers in values_by_key.items()}


def _idle_reason(
    question: Sensitivity, preset: Preset, threshold: Threshold, current: Verdict
) -> tuple[EffectKind, tuple[str, ...]]:  # fmt: skip
    """The reason why a slider changes nothing, and the checks responsible. current: the verdict under `preset`."""
    check = check_of(threshold.key)
    mode, name = mode_of(check, preset), check.name
    if mode != "blocks":
        return ("off" if mode == "off" else "watches"), ()
    rounds_with_signals = [r for r in judged_rounds(current) if name in r.signals]
    if not rounds_with_signals:
        return "does not apply", ()
    failures = [question.failing(threshold, preset, r)[1] for r in rounds_with_signals]
    blockers = tuple(other for other in objecting_checks(current) if other != name)
    if blockers and any(fails.any() and not fails.all() for fails in failures):
        return "shadowed", blockers
    return "changes nothing", ()
