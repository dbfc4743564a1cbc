"""The smallest change of the sliders that turns an answer into a refusal, or a refusal into an answer. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.check import Bound, mode_of
from core.checks import all_checks, all_thresholds, check_of
from core.decide.facts import partial_answers_seen
from core.decide.measured import Rows
from core.decide.points import Cells, Limits, Move, slider_points
from core.decide.results import codes, values
from core.decide.routes import BROKE, FAILED, KINDS, PASSED, SEARCHES
from core.decide.sensitivity import ENDS, MEASURE, Sensitivity, objecting_checks
from core.decide.verdicts import verdict
from core.thresholds import DUST, Preset, Threshold

CHAIN_COMPARED_KEYS = ("topic_relevance.max_topic_mismatch_score", "fact_grounding.high")
"""Keys of limits that the chain itself compares with a measured value, outside the check that declares them."""
_FIRST_BATCH = 500
"""Number of pairs of moves in the first batch, smallest first. Each further batch is four times as large."""


@dataclass(frozen=True, kw_only=True)
class Flip:
    """A change that flips the verdict: from answered (on any route) to not answered, or from not answered to answered.

    moves: one slider, or two if no single slider suffices. ends: the route of the question after the change. still:
    empty for one move; for two moves, the checks that forbid the answer if only the first is made, then the checks that
    forbid it if only the second is made.
    """

    moves: tuple[Move, ...]
    ends: str
    still: tuple[tuple[str, ...], ...] = ()

    @property
    def answered(self) -> bool:
        return self.ends.startswith("deliver")


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """What it takes to flip a verdict.

    ends: the current route, or MEASURE.
    flip: the smallest change that flips the verdict; None if neither one slider nor two do.
    unmeasured: a smaller change whose result is unknown, because its route needs a round that was never measured; None
    if there is none.
    blocking: the checks that forbid the answer now.
    """

    ends: str
    flip: Flip | None = None
    unmeasured: Move | None = None
    blocking: tuple[str, ...] = ()


def outlook(question: Sensitivity, preset: Preset) -> Outlook:
    """Find what it takes to flip the verdict on a question.

    The size of a change is the share of its range that a slider moves, in whole steps of its grid; for two sliders the
    shares are added. A value whose route needs a round that was never measured is not a flip.
    """
    current = question.ends(preset)
    if current == MEASURE:
        return Outlook(ends=current)
    segments = [(t, s) for t in all_thresholds().values() for s in question.segments(t, preset)]
    moves = [(Move.of(t, preset.value(t), s.nearest), s.ends) for t, s in segments]
    moves = sorted((pair for pair in moves if pair[0].share), key=lambda pair: pair[0].share)
    single_move = next(((m, ends) for m, ends in moves if flips(current, ends)), None)
    if single_move:
        flip = Flip(moves=(single_move[0],), ends=single_move[1])
    else:
        flip = _two_slider_flip(question, preset, current)
    size = sum(m.share for m in flip.moves) if flip else float("inf")
    unmeasured = next((m for m, ends in moves if ends == MEASURE and m.share < size), None)
    return Outlook(ends=current, flip=flip, unmeasured=unmeasured, blocking=objecting_checks(question.verdict(preset)))


def flips(current: str, ends: str) -> bool:
    """True if the route `ends` is known and exactly one of `current` and `ends` is a route with an answer."""
    return ends != MEASURE and ends.startswith("deliver") != current.startswith("deliver")


def _two_slider_flip(question: Sensitivity, preset: Preset, current: str) -> Flip | None:
    """The smallest moves of two sliders that flip the verdict, exact on the grids of both; None if there are none.

    The question ends the same way at all values of a slider between which no result of a check changes, so only one of
    them is tried. A search may meet partial answers that no check has decided yet; it is then repeated.
    """
    nearest, known_count = None, -1
    while known_count != (count := sum(rows.count for rows in partial_answers_seen(question.measured))):
        known_count = count
        nearest = _SliderPairs(question, preset).nearest(current)
    if nearest is None:
        return None
    moves, ends = nearest
    still = tuple(objecting_checks(verdict(question.trace, preset.with_values({m.key: m.new}))) for m in moves)
    return Flip(moves=moves, ends=ends, still=still)


class _SliderPairs:
    """Pairs of moves of two sliders, of which each goes to the nearest value of a run: neighbouring values of a slider
    at which all results of checks are the same.
    """

    def __init__(self, question: Sensitivity, preset: Preset) -> None:
        self._question, self._preset, self._limits = question, preset, question.limits(preset)
        measured = question.measured
        singles = [measured.singles(key)[0] for key in measured.rounds]
        self._rows: list[Rows] = [*measured.rounds.values(), *singles, *partial_answers_seen(measured)]
        self._moves: list[Move] = []
        active = [t for t in all_thresholds().values() if mode_of(check_of(t.key), preset) != "off"]
        self._pairs = self._relevant_pairs(active, may_answer(question, preset))
        self._sliders = np.array([list(all_thresholds()).index(m.key) for m in self._moves])

    def nearest(self, current: str) -> tuple[tuple[Move, Move], str] | None:
        """The smallest pair of moves that flips a question with the current route `current`, and the route after them;
        None if no pair flips it. Among equally small pairs, the pair whose sliders come first."""
        shares, new = (np.array([getattr(m, name) for m in self._moves]) for name in ("share", "new"))
        keys, is_flip = [m.key for m in self._moves], np.array([flips(current, end) for end in ENDS])
        totals = shares[self._pairs].sum(1)
        order = np.argsort(totals, kind="stable")
        pairs, totals, start, size = self._pairs[order], totals[order], 0, _FIRST_BATCH
        while start < len(pairs):
            stop = int(np.searchsorted(totals, totals[min(start + size, len(pairs)) - 1], side="right"))
            batch = pairs[start:stop]
            moved = [(keys[move], np.flatnonzero((batch == move).any(1)), new[move]) for move in np.unique(batch)]
            ends = self._question.routes(Limits.of_moves(self._preset, moved, len(batch)))
            hits = np.flatnonzero(is_flip[ends])
            if len(hits):
                smallest = hits[totals[start + hits] == totals[start + hits[0]]]
                order_of = lambda n: (self._sliders[pairs[start + n]].tolist(), *pairs[start + n])  # noqa: B023, E731
                best = min(smallest.tolist(), key=order_of)
                return tuple(self._moves[move] for move in pairs[start + best]), ENDS[ends[best]]
            start, size = stop, 4 * size
        return None

    def _relevant_pairs(self, thresholds: list[Threshold], may_answer: np.ndarray) -> np.ndarray:
        """The pairs of moves that could let an answer through by `may_answer`, as indices into `_moves`: (pairs, 2)."""
        checks = [all_checks().index(check_of(t.key)) for t in thresholds]
        may_help = may_answer[np.ix_(checks, checks)]
        cuts = {t.key: self._boundaries(t) for t, any_ in zip(thresholds, may_help.any(0), strict=True) if any_}
        counts = [len(self._add_moves(t, cuts[t.key])) if t.key in cuts else 0 for t in thresholds]
        sliders = np.repeat(np.arange(len(thresholds)), counts)
        of_check = np.array(checks)[sliders]
        of_two_checks = np.triu(may_help[np.ix_(sliders, sliders)] & (of_check[:, None] != of_check))
        pairs = [np.argwhere(of_two_checks)]
        for first, second in combinations(np.flatnonzero(may_help.diagonal()).tolist(), 2):
            if checks[first] == checks[second]:
                two = thresholds[first], thresholds[second]
                boundaries_of_two = zip(two, self._joint_boundaries(*two), strict=True)
                moves = [self._add_moves(t, np.union1d(cuts[t.key], more)) for t, more in boundaries_of_two]
                pairs.append(np.stack(np.meshgrid(*moves, indexing="ij"), -1).reshape(-1, 2))
        return np.concatenate(pairs)

    def _add_moves(self, threshold: Threshold, boundaries: np.ndarray) -> np.ndarray:
        """Add a move into each run but the current one; return the indices. boundaries: where further runs begin."""
        points, known_count = slider_points(threshold, self._preset)[0], len(self._moves)
        current = self._preset.value(threshold)
        low, high = points[np.append(0, boundaries)], points[np.append(boundaries, len(points)) - 1]
        nearest = np.minimum(np.maximum(current, low), high)
        self._moves += [Move.of(threshold, current, new) for new in nearest[nearest != current].tolist()]
        return np.arange(known_count, len(self._moves))

    def _boundaries(self, threshold: Threshold) -> np.ndarray:
        """The indices of slider values at which some result that the chain reads differs from the value before."""
        points, point_indices = slider_points(threshold, self._preset)
        if threshold.stricter == "neither" and threshold.key not in CHAIN_COMPARED_KEYS:
            return np.arange(1, len(points))  # a number of rounds or a switch, read by the chain itself
        check = check_of(threshold.key)
        cells = self._limits.cells(check)
        of_point = np.zeros(len(points), dtype=int) if cells.of_point is None else cells.of_point[point_indices]
        columns = [codes(rows, check, cells)[:, of_point] for rows in self._rows]
        if threshold.key in CHAIN_COMPARED_KEYS:  # the flow itself compares the closest passage, or the stage 2 score
            is_topic, measured = check.name == "topic_relevance", self._question.measured
            numbers = [
                measured.columns[key]["closest"] if is_topic else values(rounds, check, cells)[:, 0]
                for key, rounds in measured.rounds.items()
            ]
            columns += [np.concatenate(numbers)[:, None] - points < below for below in (0.0, -DUST)]
        return _change_indices(np.concatenate(columns).T)

    def _joint_boundaries(self, first: Threshold, second: Threshold) -> tuple[np.ndarray, np.ndarray]:
        """For two sliders of one check: the boundaries of each, over all values of the other."""
        check, keys = check_of(first.key), (first.key, second.key)
        names = [key.partition(".")[2] for key in keys]
        grids = [slider_points(t, self._preset)[0] for t in (first, second)]
        others = {name: v for name, v in vars(check.bind(self._preset)).items() if name not in names}

        def find() -> tuple[np.ndarray, np.ndarray]:
            both = dict(zip(names, (a.ravel() for a in np.meshgrid(*grids, indexing="ij")), strict=True))
            count = len(grids[0]) * len(grids[1])
            bound = Bound(**{name: np.broadcast_to(v, count) for name, v in (others | both).items()})
            cells = Cells(thresholds=bound, count=count)
            results = np.concatenate([codes(rows, check, cells) for rows in self._rows])
            results = results.reshape(-1, len(grids[0]), len(grids[1]))
            return _change_indices(results.swapaxes(0, 1)), _change_indices(results.swapaxes(0, 2))

        rows = sum(rows.count for rows in self._rows)
        under = {name: v.tobytes() for name, v in others.items()}, rows, *map(len, grids)
        return self._question.cached(keys, under, find)


def may_answer(question: Sensitivity, preset: Preset) -> np.ndarray:
    """True where moving sliders of these two checks could let an answer through: (checks, checks). All True if an
    answer is delivered already.

    An answer can be delivered whole, corrected or in part, after each search that was made. Each of these ways is
    closed while a check forbids it. So an entry is True if at least one way is forbidden by no other check than these
    two.
    """
    count = len(all_checks())
    if question.ends(preset).startswith("deliver"):
        return np.ones((count, count), dtype=bool)
    paths = np.concatenate([path for search in SEARCHES for path in _delivery_paths(question, preset, search)])
    remaining = paths.sum(1)[:, None, None] - paths[:, :, None] - paths[:, None, :]
    remaining += paths[:, :, None] * np.eye(count, dtype=np.int64)  # a check with both sliders was subtracted twice
    return (remaining == 0).any(0)


def _delivery_paths(question: Sensitivity, preset: Preset, search: str) -> Iterator[np.ndarray]:
    """For each path to a delivery after one search: 1 where a check forbids it, (paths, checks)."""
    measured, limits = question.measured, question.limits(preset)
    key, corrected = (search, ""), measured.at(("corrected", search))
    if key not in measured.rounds:
        return
    units = np.flatnonzero(measured.at(key) >= 0)
    judged_before_answer = np.array([check.stage == "query" or check.name == "interest" for check in all_checks()])

    def forbidding(rows: Rows, stages: Sequence[str] = ("answer",)) -> np.ndarray:
        results = np.full((rows.count, len(all_checks())), PASSED)
        for n, check in enumerate(all_checks()):
            if check.stage in stages and mode_of(check, preset) == "blocks":
                results[:, n] = codes(rows, check, limits.cells(check))[:, 0]
        return ((results == FAILED) | (results == BROKE)).astype(np.int64)

    whole = forbidding(measured.rounds[key], ("query", "answer"))
    yield whole
    yield whole[measured.kinds[units] != KINDS.index("question")] * [c.name == "interest" for c in all_checks()]
    counts = measured.columns[key]["sentences"]
    yield np.repeat(whole, counts, axis=0) * judged_before_answer | forbidding(measured.singles(key)[0])
    rewritten = corrected[units] >= 0
    if rewritten.any():
        own = forbidding(measured.rounds["corrected", search])[corrected[units][rewritten]]
        yield whole[rewritten] * judged_before_answer | own


def _change_indices(codes: np.ndarray) -> np.ndarray:
    """The indices along the first axis at which any value differs from the one before."""
    differs = codes[1:] != codes[:-1]
    return np.flatnonzero(differs.any(tuple(range(1, differs.ndim)))) + 1
