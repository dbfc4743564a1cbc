"""What a slider can do to one question: where it changes the way, where nothing, and what stands before it. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.case import Round
from core.chain import Verdict
from core.check import Bound, mode_of
from core.checks import all_checks, all_thresholds
from core.sweep.counterfactuals import in_the_way
from core.sweep.sensitivity import MEASURE, Replay, Segment, check_of, limit
from core.thresholds import Preset, Threshold

Why = Literal["acts", "asks", "off", "watches", "does not apply", "changes nothing", "shadowed"]
"""acts: at some value the question ends otherwise. asks: at some value it needs a round that was never measured, and
that is all that is known. The others say why it does nothing at any value."""


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


def effects(replay: Replay, preset: Preset) -> dict[str, Effect]:
    """The effect of every slider, by key; empty where the route of the question is not known yet."""
    ends = replay.ends(preset)
    if ends == MEASURE:
        return {}
    judged, before = judged_rounds(replay.verdict(preset)), in_the_way(replay, preset)
    return {key: _effect(replay, preset, t, judged, before) for key, t in all_thresholds().items()}


def judged_rounds(verdict: Verdict) -> tuple[Round, ...]:
    """The round that was judged, of each part of a question that has several."""
    return tuple(v.round for v in verdict.parts or (verdict,))


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


def _effect(
    replay: Replay, preset: Preset, threshold: Threshold, judged: tuple[Round, ...], before: tuple[str, ...]
) -> Effect:
    segments, now = replay.along(threshold, preset), replay.ends(preset)
    others = {s.ends for s in segments} - {now}
    why, by = ("asks" if others == {MEASURE} else "acts"), ()
    if not others:
        why, by = _idle(replay, preset, threshold, judged, before)
    return Effect(ends=now, stands=limit(preset, threshold), segments=segments, why=why, by=by)


def _idle(
    replay: Replay, preset: Preset, threshold: Threshold, judged: tuple[Round, ...], before: tuple[str, ...]
) -> tuple[Why, tuple[str, ...]]:
    """Why a slider does nothing, and because of which checks."""
    check = check_of(threshold)
    mode, name = mode_of(check, preset), check.name
    if mode != "blocks":
        return ("off" if mode == "off" else "watches"), ()
    there = [r for r in judged if name in r.signals]
    if not there:
        return "does not apply", ()
    stands = [replay.failing(threshold, preset, r)[1] for r in there]
    by = tuple(other for other in before if other != name)
    if by and any(failed.any() and not failed.all() for failed in stands):
        return "shadowed", by
    return "changes nothing", ()
