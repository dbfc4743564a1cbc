"""The smallest change of the sliders that turns an answer into a refusal, or a refusal into an answer. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.chain import verdict
from core.chain.routing import GROUNDING, INTEREST, TOPIC, Place
from core.check import DUST, Check, mode_of
from core.checks import all_checks, all_thresholds, check_of
from core.sweep.decision_tables import ANSWER, BROKE, FAILED, PASSED, QUERY, scores, table
from core.sweep.sensitivity import ENDS, MEASURE, Sensitivity, in_the_way
from core.sweep.settings_grid import Move, limit, stand_points
from core.sweep.signal_batches import Rows, Stack
from core.sweep.threshold_columns import Cells, MovedColumns, Moves, reads
from core.thresholds import Preset, Threshold

HELD_AGAINST = (f"{TOPIC}.max_topic_mismatch_score", f"{GROUNDING}.high")
"""Limits that the chain itself, not their check, holds numbers against."""
_AT_FIRST = 500
"""Pairs of moves that are tried together, the smallest first; where none does, four times as many."""


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
    segments = [(t, s) for t in all_thresholds().values() for s in question.segments(t, preset)]
    moves = [(Move.of(t, limit(preset, t), s.nearest), s.ends) for t, s in segments]
    moves = sorted((found for found in moves if found[0].share), key=lambda found: found[0].share)
    alone = next(((m, ends) for m, ends in moves if flips(now, ends)), None)
    flip = Flip(moves=(alone[0],), ends=alone[1]) if alone else _of_two(question, preset, now)
    size = sum(m.share for m in flip.moves) if flip else float("inf")
    unmeasured = next((m for m, ends in moves if ends == MEASURE and m.share < size), None)
    return Outlook(ends=now, flip=flip, unmeasured=unmeasured, blocking=in_the_way(question.verdict(preset)))


def flips(now: str, ends: str) -> bool:
    """Whether an end is the other kind than `now`; where nobody knows it is not."""
    return ends != MEASURE and ends.startswith("deliver") != now.startswith("deliver")


def _of_two(question: Sensitivity, preset: Preset, now: str) -> Flip | None:
    """The smallest moves of two sliders that flip the verdict, exact on the grids of both; None without any.

    Between two values at which nothing that the chain may ask about changes, a question ends the same way. What it
    asks about may grow with a walk, by the parts of an answer that could go out: then all is looked at again.
    """
    found, seen = None, -1
    while seen != question.bank.partial_answer_count():
        seen = question.bank.partial_answer_count()
        found = _Pairs(question, preset).nearest(now)
    if found is None:
        return None
    moves, ends = found
    still = tuple(in_the_way(verdict(question.trace, preset.with_values({m.key: m.new}))) for m in moves)
    return Flip(moves=moves, ends=ends, still=still)


class _Pairs:
    """Pairs of moves of two sliders: for each run of values that are alike, the move to the nearest of them."""

    def __init__(self, question: Sensitivity, preset: Preset) -> None:
        self._question, self._preset, self._columns = question, preset, question.columns(preset)
        self._moves: list[Move] = []
        on = [t for t in all_thresholds().values() if mode_of(check_of(t.key), preset) != "off"]
        self._pairs = self._found(on, may_answer(question, preset))
        self._sliders = np.array([list(all_thresholds()).index(m.key) for m in self._moves])

    def nearest(self, now: str) -> tuple[tuple[Move, Move], str] | None:
        """The least pair after which a question that ended as `now` ends as the other kind, and how; None without one.

        Of equals the one whose sliders come first.
        """
        shares, values = (np.array([getattr(m, name) for m in self._moves]) for name in ("share", "new"))
        keys, wanted = [m.key for m in self._moves], np.array([flips(now, end) for end in ENDS])
        totals = shares[self._pairs].sum(1)
        order = np.argsort(totals, kind="stable")
        pairs, totals, first, size = self._pairs[order], totals[order], 0, _AT_FIRST
        while first < len(pairs):
            end = int(np.searchsorted(totals, totals[min(first + size, len(pairs)) - 1], side="right"))
            ends = self._question.routes(MovedColumns(self._preset, Moves(keys, values, pairs[first:end])))
            found = np.flatnonzero(wanted[ends])
            if len(found):
                least = found[totals[first + found] == totals[first + found[0]]]
                at = min(least.tolist(), key=lambda n: (self._sliders[pairs[first + n]].tolist(), *pairs[first + n]))
                return tuple(self._moves[move] for move in pairs[first + at]), ENDS[ends[at]]
            first, size = end, 4 * size
        return None

    def _found(self, thresholds: list[Threshold], may_answer: np.ndarray) -> np.ndarray:
        """All pairs that may matter, as places among the moves: (pairs, 2)."""
        checks = [all_checks().index(check_of(t.key)) for t in thresholds]
        fit = may_answer[np.ix_(checks, checks)]
        cuts = {t.key: self._cuts(t) for t, any_ in zip(thresholds, fit.any(0), strict=True) if any_}
        counts = [len(self._added(t, cuts[t.key])) if t.key in cuts else 0 for t in thresholds]
        sliders = np.repeat(np.arange(len(thresholds)), counts)
        of_check = np.array(checks)[sliders]
        apart = np.triu(fit[np.ix_(sliders, sliders)] & (of_check[:, None] != of_check))
        found = [np.argwhere(apart)]
        for one, other in combinations(np.flatnonzero(fit.diagonal()).tolist(), 2):
            if checks[one] == checks[other]:
                both = thresholds[one], thresholds[other]
                joint = zip(both, self._joint_cuts(*both), strict=True)
                moves = [self._added(t, np.union1d(cuts[t.key], more)) for t, more in joint]
                found.append(np.stack(np.meshgrid(*moves, indexing="ij"), -1).reshape(-1, 2))
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
        check = check_of(threshold.key)
        cells = self._columns.cells(check)
        found = [table(rows, check, cells)[:, cells.at(places)] for rows in self._question.bank.rows_for(check)]
        if threshold.key in HELD_AGAINST:
            numbers = np.concatenate([self._held(stack, check) for stack in self._question.bank.stacks.values()])
            found += [numbers[:, None] - points < below for below in (0.0, -DUST)]
        return _changes(np.concatenate(found).T)

    def _held(self, stack: Stack, check: Check) -> np.ndarray:
        """What the chain itself holds against a limit of `check`: a closest passage, or a score of stage 2: (rows,)."""
        if check.name == TOPIC:
            return stack.column("closest")
        return scores(stack, check, self._columns.cells(check))[:, 0]

    def _joint_cuts(self, one: Threshold, other: Threshold) -> tuple[np.ndarray, np.ndarray]:
        """For two sliders of one check, where either changes what it says at any value of the other."""
        check, pair = check_of(one.key), (one, other)
        names = [t.key.partition(".")[2] for t in pair]
        if not set(names) <= set(reads(check)):
            return np.zeros(0, dtype=int), np.zeros(0, dtype=int)
        axes = {n: np.atleast_1d(self._columns.points.value(f"{check.name}.{n}")) for n in reads(check)}
        axes |= {n: stand_points(t, self._preset)[0] for n, t in zip(names, pair, strict=True)}
        cells, rows = Cells(axes=axes), self._question.bank.rows_for(check)
        mark = cells.fingerprint, sum(some.count for some in rows)

        def found() -> tuple[np.ndarray, np.ndarray]:
            said = np.concatenate([table(some, check, cells) for some in rows])
            said = said.reshape(-1, *(len(axes[n]) for n in names))
            return _changes(said.swapaxes(0, 1)), _changes(said.swapaxes(0, 2))

        return self._question.remembered((one.key, other.key), mark, found)


def may_answer(question: Sensitivity, preset: Preset) -> np.ndarray:
    """Whether sliders of these two checks could let an answer through: (checks, checks); everywhere where one goes out.

    An answer goes out whole, corrected, or sentence by sentence, from any search that was made. It does not while a
    check forbids it, so that changes which leave one check of each of these ways alone change nothing.
    """
    count, bank = len(all_checks()), question.bank
    if question.ends(preset).startswith("deliver"):
        return np.ones((count, count), dtype=bool)
    ways = np.concatenate([way for place in bank.stacks if not place[1] for way in _ways(question, preset, place)])
    left = ways.sum(1)[:, None, None] - ways[:, :, None] - ways[:, None, :]
    left += ways[:, :, None] * np.eye(count, dtype=np.int64)  # two sliders of one check are one check
    return (left == 0).any(0)


def _ways(question: Sensitivity, preset: Preset, place: Place) -> Iterator[np.ndarray]:
    """For the ways out of one search, 1 where a check forbids them: (ways, checks)."""
    bank, columns = question.bank, question.columns(preset)
    stack, again = bank.stacks[place], ("corrected", place[0])
    before = np.array([check.stage == QUERY or check.name == INTEREST for check in all_checks()])

    def forbidding(rows: Rows, stages: Sequence[str] = (ANSWER,)) -> np.ndarray:
        said = np.full((rows.count, len(all_checks())), PASSED)
        for n, check in enumerate(all_checks()):
            if check.stage in stages and mode_of(check, preset) == "blocks":
                said[:, n] = table(rows, check, columns.cells(check))[:, 0]
        return ((said == FAILED) | (said == BROKE)).astype(np.int64)

    judged, singles = forbidding(stack, (QUERY, ANSWER)), stack.singles()
    yield judged
    yield judged[[r.case.kind != "question" for r in stack.rounds]] * [c.name == INTEREST for c in all_checks()]
    yield judged[singles.rows] * before | forbidding(singles)
    if again in bank.stacks:
        rows = bank.at(again)[stack.units]
        yield (judged * before)[rows >= 0] | forbidding(bank.stacks[again])[rows[rows >= 0]]


def _changes(said: np.ndarray) -> np.ndarray:
    """The places along the first axis at which anything is another than just before."""
    other = said[1:] != said[:-1]
    return np.flatnonzero(other.any(tuple(range(1, other.ndim)))) + 1
