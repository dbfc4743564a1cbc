"""Two sliders at once: the smallest joint change that ends a question otherwise, where no single one does. Pure."""

from collections.abc import Callable, Iterator
from itertools import combinations, product

import numpy as np

from core.chain.result_cache import remembering
from core.check import Bound, mode_of
from core.checks import all_thresholds
from core.sweep.blockers import blocker_sets
from core.sweep.check_batches import stacked
from core.sweep.sensitivity import Move, Replay, check_of, limit, nearest, points_of
from core.thresholds import Preset, Threshold

Pair = tuple[Move, Move]


def nearest_pair(replay: Replay, preset: Preset, wanted: Callable[[str], bool]) -> tuple[Pair, str] | None:
    """The smallest moves of two sliders after which the question ends as `wanted`, and that end; None without any.

    Exact on the grids of both: see Replay. Every pair of runs is tried at the corner that is nearest, smallest first.
    """
    found, seen = None, -1
    while seen != replay.memory.questions:
        seen = replay.memory.questions
        pairs = sorted(_pairs(replay, preset), key=lambda pair: pair[0].share + pair[1].share)
        ends = ((pair, replay.ends(preset.with_values({m.key: m.new for m in pair}))) for pair in pairs)
        found = next(((pair, end) for pair, end in ends if wanted(end)), None)
    return found


def _pairs(replay: Replay, preset: Preset) -> Iterator[Pair]:
    """Every pair of moves that could matter: nothing goes out before all that hinders it has changed its mind."""
    with remembering(replay.memory):
        answered = replay.ends(preset).startswith("deliver")
        needed = [frozenset()] if answered else blocker_sets(replay.trace, preset)
    on = [t for t in all_thresholds().values() if mode_of(check_of(t), preset) != "off"]
    moves = {t.key: _moves(t, preset, replay.runs(t, preset)) for t in on}
    for one, other in combinations(on, 2):
        names = {check_of(one).name, check_of(other).name}
        if not any(some <= names for some in needed):
            continue
        if len(names) == 2:
            yield from product(moves[one.key], moves[other.key])
        else:
            both = zip((one, other), _joint_runs(replay, preset, one, other), strict=True)
            yield from product(*(_moves(t, preset, runs) for t, runs in both))


def _moves(threshold: Threshold, preset: Preset, runs: list[np.ndarray]) -> list[Move]:
    """The shortest move into each run but the one in which the slider stands."""
    now = limit(preset, threshold)
    return [Move.of(threshold, now, at) for at in (nearest(run, now) for run in runs) if at != now]


def _joint_runs(
    replay: Replay, preset: Preset, one: Threshold, other: Threshold
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The runs of two sliders of one check, cut wherever either changes what it says at any value of the other."""
    check = check_of(one)
    rounds = [r for r in replay.memory.rounds(check.name) if check.name in r.signals]
    if not rounds:
        return replay.runs(one, preset), replay.runs(other, preset)
    batch, bound = stacked(check, rounds), check.bind(preset)
    first, second = (points_of(t, preset) for t in (one, other))
    setattr(bound, one.key.partition(".")[2], first[:, None, None])
    setattr(bound, other.key.partition(".")[2], second[:, None])
    margin = np.where(batch.measured, check.decide(Bound(**batch.signals), bound).margin, np.nan)
    states = np.broadcast_to(np.where(np.isnan(margin), -1, margin < 0), (len(first), len(second), len(rounds)))
    other_way = states.swapaxes(0, 1)
    return _cut(first, states, replay.runs(one, preset)), _cut(second, other_way, replay.runs(other, preset))


def _cut(points: np.ndarray, states: np.ndarray, alone: list[np.ndarray]) -> list[np.ndarray]:
    """`points` cut where the states along their axis, the first, change, and where they are cut `alone`."""
    changes = np.flatnonzero((states[1:] != states[:-1]).any((1, 2))) + 1
    before = np.cumsum([len(run) for run in alone])[:-1]
    return np.split(points, np.union1d(changes, before).astype(int))
