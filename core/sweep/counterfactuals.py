"""The smallest change of the sliders that turns an answer into a refusal, or a refusal into an answer. Pure."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.case import Round
from core.chain.check_results import blocking
from core.checks import all_thresholds
from core.sweep.joint_counterfactuals import nearest_pair
from core.sweep.sensitivity import MEASURE, Move, Replay, limit
from core.thresholds import Preset

_ENDED_AT = {"query checks": "query", "clear": "query"}
"""The stage whose checks ended the way, by the step before its end; else those of the answer."""


@dataclass(frozen=True, kw_only=True)
class Flip:
    """A change that flips the verdict: from answered, by whatever route, to not answered, or back.

    moves: one slider, or two where no single one does it. ends: the route that the question takes then. still: with
    two moves, the checks that stand in the way when only the first is made, then when only the second is.
    """

    moves: tuple[Move, ...]
    ends: str
    still: tuple[tuple[str, ...], ...] = ()

    @property
    def answered(self) -> bool:
        return self.ends.startswith("deliver")


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """What it would take to flip a verdict.

    flip: the smallest change that does, None when neither one slider nor two do. unmeasured: a smaller one after which
    nobody knows, since its route needs a round that was never measured; None when there is none. blocking: the checks
    that stand in the way of an answer as things are.
    """

    ends: str
    flip: Flip | None = None
    unmeasured: Move | None = None
    blocking: tuple[str, ...] = ()


def outlook(replay: Replay, preset: Preset) -> Outlook:
    """What it would take to flip the verdict on the question of `replay`.

    Changes are compared by the share of its range that a slider moves, in whole steps of its grid; of two sliders the
    shares are added. A value whose route needs a round that was never measured is no flip.
    """
    replay.tidy()
    now = replay.ends(preset)
    if now == MEASURE:
        return Outlook(ends=now)
    moves = [(move, ends) for t in all_thresholds().values() for move, ends in moves_of(replay, t.key, preset)]
    moves.sort(key=lambda found: found[0].share)
    alone = next(((m, ends) for m, ends in moves if flips(now)(ends)), None)
    flip = Flip(moves=(alone[0],), ends=alone[1]) if alone else _of_two(replay, preset, now)
    size = sum(m.share for m in flip.moves) if flip else float("inf")
    unmeasured = next((m for m, ends in moves if ends == MEASURE and m.share < size), None)
    return Outlook(ends=now, flip=flip, unmeasured=unmeasured, blocking=in_the_way(replay, preset))


def moves_of(replay: Replay, key: str, preset: Preset) -> list[tuple[Move, str]]:
    """For each other stretch of one slider the shortest move into it, and where the question ends then."""
    threshold = all_thresholds()[key]
    now = limit(preset, threshold)
    segments = replay.along(threshold, preset)
    return [(Move.of(threshold, now, s.nearest), s.ends) for s in segments if s.nearest != now]


def flips(now: str) -> Callable[[str], bool]:
    """Whether an end is the other kind than `now`; where nobody knows it is not."""
    return lambda ends: ends != MEASURE and ends.startswith("deliver") != now.startswith("deliver")


def in_the_way(replay: Replay, preset: Preset) -> tuple[str, ...]:
    """The checks that forbid the answer at the stage where the question ends, of all its parts without an answer.

    Of an answer that goes out corrected or in part, those that forbid it as it was judged.
    """
    found = replay.verdict(preset)
    ended = [v for v in found.parts or (found,) if v.route != "deliver"]
    names = (r.name for v in ended for r in blocking(v.checks, _ENDED_AT.get(v.steps[-2], "answer")))
    return tuple(dict.fromkeys(names))


def _of_two(replay: Replay, preset: Preset, now: str) -> Flip | None:
    found = nearest_pair(replay, preset, flips(now))
    if found is None:
        return None
    moves, ends = found
    still = tuple(in_the_way(replay, preset.with_values({m.key: m.new})) for m in moves)
    return Flip(moves=moves, ends=ends, still=still)


def check_moves(replay: Replay, measured: Round, preset: Preset) -> dict[str, Move]:
    """For each limit the smallest move after which its check forbids `measured` and did not, or the other way round.

    A limit that changes nothing at any value is left out, as are those of checks that are off or were not measured.
    """
    found = {}
    for threshold in all_thresholds().values():
        now = limit(preset, threshold)
        points, failed = replay.failing(threshold, preset, measured)
        others = points[failed != failed[points == now]]
        if len(others):
            found[threshold.key] = Move.of(threshold, now, float(others[np.argmin(np.abs(others - now))]))
    return found
