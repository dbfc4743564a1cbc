"""The smallest change of the sliders that turns an answer into a refusal, or a refusal into an answer. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.case import Round
from core.chain import verdict
from core.check import DUST, Check, mode_of
from core.checks import all_thresholds
from core.checks.fact_grounding import FactGrounding
from core.checks.topic_relevance import TopicRelevance
from core.sweep.bank import Bank, PartialAnswers
from core.sweep.decision_tables import QUERY, scores, table
from core.sweep.sensitivity import ENDS, MEASURE, Sensitivity, check_of, in_the_way, limit, stand_points
from core.sweep.signal_batches import Rows
from core.sweep.threshold_columns import Cells, MovedColumns, reads
from core.thresholds import Preset, Threshold

_AT_FIRST = 500
"""Pairs of moves that are tried together, the smallest first; where none does, four times as many."""


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


def outlook(question: Sensitivity, preset: Preset) -> Outlook:
    """What it would take to flip the verdict on a question.

    Changes are compared by the share of its range that a slider moves, in whole steps of its grid; of two sliders the
    shares are added. A value whose route needs a round that was never measured is no flip.
    """
    now = question.ends(preset)
    if now == MEASURE:
        return Outlook(ends=now)
    moves = [(move, ends) for key in all_thresholds() for move, ends in moves_of(question, key, preset)]
    moves.sort(key=lambda found: found[0].share)
    alone = next(((m, ends) for m, ends in moves if flips(now, ends)), None)
    flip = Flip(moves=(alone[0],), ends=alone[1]) if alone else _of_two(question, preset, now)
    size = sum(m.share for m in flip.moves) if flip else float("inf")
    unmeasured = next((m for m, ends in moves if ends == MEASURE and m.share < size), None)
    return Outlook(ends=now, flip=flip, unmeasured=unmeasured, blocking=in_the_way(question.verdict(preset)))


def moves_of(question: Sensitivity, key: str, preset: Preset) -> list[tuple[Move, str]]:
    """For each other segment of one slider the shortest move into it, and where the question ends then."""
    threshold = all_thresholds()[key]
    now = limit(preset, threshold)
    segments = question.segments(threshold, preset)
    return [(Move.of(threshold, now, s.nearest), s.ends) for s in segments if s.nearest != now]


def flips(now: str, ends: str) -> bool:
    """Whether an end is the other kind than `now`; where nobody knows it is not."""
    return ends != MEASURE and ends.startswith("deliver") != now.startswith("deliver")


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


def _of_two(question: Sensitivity, preset: Preset, now: str) -> Flip | None:
    """The smallest moves of two sliders that flip the verdict, exact on the grids of both; None without any.

    Between two values at which nothing that the chain may ask about changes, a question ends the same way. What it
    asks about may grow with a walk, by the parts of an answer that could go out: then all is looked at again.
    """
    found, seen = None, -1
    while seen != _parts_asked(question):
        seen = _parts_asked(question)
        found = _Pairs(question, preset).nearest(now)
    if found is None:
        return None
    moves, ends = found
    still = tuple(in_the_way(verdict(question.trace, preset.with_values({m.key: m.new}))) for m in moves)
    return Flip(moves=moves, ends=ends, still=still)


def _parts_asked(question: Sensitivity) -> int:
    return sum(len(PartialAnswers.of(stack)) for stack in question.bank.stacks.values())


class _Pairs:
    """Pairs of moves of two sliders: for each run of values that are alike, the move to the nearest of them."""

    def __init__(self, question: Sensitivity, preset: Preset) -> None:
        self._question, self._preset, self._columns = question, preset, question.columns(preset)
        self._moves: list[Move] = []
        self._pairs = self._found([t for t in all_thresholds().values() if mode_of(check_of(t), preset) != "off"])

    def nearest(self, now: str) -> tuple[tuple[Move, Move], str] | None:
        """The least pair after which a question that ends as `now` ends as the other kind, and how; None without one.

        Of equals the one whose sliders come first.
        """
        shares, values = (np.array([getattr(m, name) for m in self._moves]) for name in ("share", "new"))
        keys, wanted = [m.key for m in self._moves], np.array([flips(now, end) for end in ENDS])
        totals = shares[self._pairs].sum(1)
        order = np.argsort(totals, kind="stable")
        pairs, totals, first, size = self._pairs[order], totals[order], 0, _AT_FIRST
        while first < len(pairs):
            end = int(np.searchsorted(totals, totals[min(first + size, len(pairs)) - 1], side="right"))
            ends = self._question.routes(MovedColumns(self._preset, keys, values, pairs[first:end]))
            if wanted[ends].any():
                at = first + int(np.argmax(wanted[ends]))
                one, other = pairs[at].tolist()
                return (self._moves[one], self._moves[other]), ENDS[ends[at - first]]
            first, size = end, 4 * size
        return None

    def _found(self, thresholds: list[Threshold]) -> np.ndarray:
        """All pairs in order of their sliders, as places among the moves: (pairs, 2)."""
        cuts = {t.key: self._cuts(t) for t in thresholds}
        alone = {t.key: self._added(t, cuts[t.key]) for t in thresholds}
        found = [np.zeros((0, 2), dtype=np.int64)]
        for one, other in combinations(thresholds, 2):
            moves = alone[one.key], alone[other.key]
            if check_of(one) is check_of(other):
                joint = self._joint_cuts(one, other)
                moves = tuple(
                    self._added(t, np.union1d(cuts[t.key], more)) for t, more in zip((one, other), joint, strict=True)
                )
            found.append(np.stack([np.repeat(moves[0], len(moves[1])), np.tile(moves[1], len(moves[0]))], 1))
        return np.concatenate(found)

    def _added(self, threshold: Threshold, cuts: np.ndarray) -> np.ndarray:
        """The moves into each run but the one in which the slider stands, as places among all: (moves,)."""
        points, now, before = stand_points(threshold, self._preset)[0], limit(self._preset, threshold), len(self._moves)
        low, high = points[np.append(0, cuts)], points[np.append(cuts, len(points)) - 1]
        nearest = np.minimum(np.maximum(now, low), high)
        self._moves += [Move.of(threshold, now, new) for new in nearest[nearest != now].tolist()]
        return np.arange(before, len(self._moves))

    def _cuts(self, threshold: Threshold) -> np.ndarray:
        """Where anything that the chain asks about is another than just before: places in the slider's values."""
        points, places = stand_points(threshold, self._preset)
        if threshold.stricter == "neither" and threshold.key not in HELD_AGAINST:
            return np.arange(1, len(points))  # a number of rounds or a switch: the chain itself reads it
        check = check_of(threshold)
        cells = self._columns.cells(check)
        found = [table(rows, check, cells)[:, cells.at(places)] for rows in asked_of(self._question.bank, check)]
        if threshold.key in HELD_AGAINST:
            numbers = np.unique(HELD_AGAINST[threshold.key](self._question.bank, self._columns))[:, None]
            found += [numbers - points < below for below in (0.0, -DUST)]
        return _changes(np.concatenate(found).T)

    def _joint_cuts(self, one: Threshold, other: Threshold) -> tuple[np.ndarray, np.ndarray]:
        """For two sliders of one check, where either changes what it says at any value of the other."""
        check, pair = check_of(one), (one, other)
        names = [t.key.partition(".")[2] for t in pair]
        if not set(names) <= set(reads(check)):
            return np.zeros(0, dtype=int), np.zeros(0, dtype=int)
        axes = {n: np.atleast_1d(self._columns.points.value(f"{check.name}.{n}")) for n in reads(check)}
        axes |= {n: stand_points(t, self._preset)[0] for n, t in zip(names, pair, strict=True)}
        cells, rows = Cells(axes=axes), asked_of(self._question.bank, check)
        mark = cells.mark, sum(some.count for some in rows)

        def found() -> tuple[np.ndarray, np.ndarray]:
            said = np.concatenate([table(some, check, cells) for some in rows])
            said = said.reshape(-1, *(len(axes[n]) for n in names))
            return _changes(said.swapaxes(0, 1)), _changes(said.swapaxes(0, 2))

        return self._question.remembered((one.key, other.key), mark, found)


def asked_of(bank: Bank, check: Check) -> list[Rows]:
    """All that the chain may ask `check` about: rounds, and the sentences and parts of their answers by themselves."""
    stacks = list(bank.stacks.values())
    if check.stage == QUERY:
        return [stack for place, stack in bank.stacks.items() if not place[1]]
    return [*stacks, *(stack.singles() for stack in stacks), *(PartialAnswers.of(stack).cut for stack in stacks)]


def _closest(bank: Bank, _: MovedColumns) -> np.ndarray:
    """The closest passages of the whole library, below which the critic tries no other search."""
    return np.concatenate([stack.column("closest") for stack in bank.stacks.values()])


def _scores(bank: Bank, columns: MovedColumns) -> np.ndarray:
    """The scores of stage 2, which are sorted into tiers."""
    check = Check.registry[FactGrounding.name]
    return np.concatenate([scores(stack, check, columns.cells(check))[:, 0] for stack in bank.stacks.values()])


HELD_AGAINST: Mapping[str, Callable[[Bank, MovedColumns], np.ndarray]] = {
    TopicRelevance.max_topic_mismatch_score.key: _closest,
    FactGrounding.high.key: _scores,
}
"""What the chain itself, not the check, compares with a limit, by the key of that limit."""


def _changes(said: np.ndarray) -> np.ndarray:
    """The places along the first axis at which anything is another than just before."""
    other = said[1:] != said[:-1]
    return np.flatnonzero(other.any(tuple(range(1, other.ndim)))) + 1
