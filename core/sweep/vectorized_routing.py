"""Where every case of a bank ends at every one of some points: the way walked by all of them together."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from core.chain.multi_part import joint_route
from core.chain.routing import ROUTES, Path, Route, walk
from core.sweep.bank import Bank, Pairs, joined
from core.sweep.outcomes import End, RouteOutcomes
from core.sweep.signal_batches import NO_REASON
from core.sweep.threshold_columns import Columns
from core.sweep.vectorized_facts import BatchFacts, Fact

NOWHERE = len(ROUTES)
"""Behind the last place in ROUTES: a round is missing that was never measured."""
_UNENDED, _NO_PART = 0, -1
"""In the place of a part's end: it was never measured so far; the question has fewer parts."""


class _Open(Exception):  # noqa: N818 - the way stands at a fork, which is no fault
    """Raised where the way asks a fact that is not settled yet."""

    def __init__(self, fact: Fact) -> None:
        self.fact = fact


class _Settled:
    """Answers the way with facts that are settled, and stops it at the first that is not."""

    def __init__(self, facts: Mapping[Fact, Any]) -> None:
        self._facts = facts

    def __getattr__(self, name: str) -> Any:
        def answered(*about: Any) -> Any:
            if (name, *about) not in self._facts:
                raise _Open((name, *about))
            return self._facts[(name, *about)]

        return answered


class RouteFork:
    """A place on the way: the fact that decides how it goes on, or the end.

    A fact is settled once on a way, so the way is the same for all that agree in the facts before it.
    """

    def __init__(self, settled: Mapping[Fact, Any]) -> None:
        self._settled = settled
        self._onward: dict[Any, RouteFork] = {}

    @cached_property
    def _ahead(self) -> Fact | Path:
        try:
            return walk(_Settled(self._settled))
        except _Open as fork:
            return fork.fact

    @property
    def fact(self) -> Fact | None:
        """What is asked here; None at an end."""
        return None if isinstance(self._ahead, Path) else self._ahead

    @property
    def end(self) -> Path | None:
        """The path that ends here; None at a fork."""
        return self._ahead if isinstance(self._ahead, Path) else None

    def onward(self, answer: Any) -> "RouteFork":
        """Where the way leads when the fact is `answer`."""
        if answer not in self._onward:
            self._onward[answer] = RouteFork({**self._settled, self.fact: answer})
        return self._onward[answer]


@lru_cache(maxsize=1)
def start() -> RouteFork:
    """The first fork of every way."""
    return RouteFork({})


@dataclass(frozen=True, kw_only=True)
class Routed:
    """Codes of every case at every point, each (cases, points): routes, primary reasons, and what became of the row.

    routes: places in ROUTES, else NOWHERE. reasons: places in REASONS, else NO_REASON. became: codes of RouteOutcomes.
    The last two are left blank where nobody asks for outcomes.
    """

    routes: np.ndarray
    reasons: np.ndarray
    became: np.ndarray


def routed(bank: Bank, columns: Columns, outcomes: RouteOutcomes | None = None) -> Routed:
    """Where the cases of `bank` end, with what becomes of their rows where `outcomes` are asked for."""
    return _Walk(bank, columns, outcomes).routed()


class _Walk:
    """One walk of a bank. Pairs go the way together until a fact parts them."""

    def __init__(self, bank: Bank, columns: Columns, outcomes: RouteOutcomes | None) -> None:
        self._bank, self._outcomes, self._points = bank, outcomes, columns.count
        self._facts = BatchFacts(bank, columns)
        shape = len(bank.units) * columns.count
        self._routes = np.full(shape, NOWHERE, dtype=np.uint8)
        self._reasons = np.full(shape, NO_REASON, dtype=np.uint8)
        self._became = np.zeros(shape, dtype=np.uint8)
        self._ends = np.full(shape, _UNENDED, dtype=np.int32)
        self._numbered: dict[End | None, int] = {None: _UNENDED}

    def routed(self) -> Routed:
        wholes = self._bank.wholes
        begun = wholes[self._bank.begun[wholes]]
        every = Pairs((begun[:, None] * self._points + np.arange(self._points)).ravel(), self._points)
        for path, pairs in self._ways(every):
            if path.route == "split":
                self._walk_in_parts(pairs)
            elif path.missing is None:
                self._routes[pairs.place] = ROUTES.index(path.route)
                self._explain(path, pairs)
                if self._outcomes:
                    self._became[pairs.place] = self._became_at(path, pairs)
        found = (a.reshape(-1, self._points)[wholes] for a in (self._routes, self._reasons, self._became))
        return Routed(**dict(zip(("routes", "reasons", "became"), found, strict=True)))

    def _ways(self, pairs: Pairs) -> Iterator[tuple[Path, Pairs]]:
        """Every end that is reached, with the pairs that reach it, by whatever steps they do; the path has none."""
        ended: dict[Path, list[Pairs]] = {}
        ahead: list[tuple[RouteFork, Pairs]] = [(start(), pairs)] if len(pairs) else []
        while ahead:
            fork, pairs = ahead.pop()
            if fork.end is not None:
                ended.setdefault(replace(fork.end, steps=()), []).append(pairs)
                continue
            codes, answers = self._facts.ask(fork.fact, pairs)
            ahead += [(fork.onward(answers[code]), pairs.some(mine)) for code, mine in _parted(codes)]
        for path, some in ended.items():
            yield path, joined(some)

    def _explain(self, path: Path, pairs: Pairs) -> None:
        """Why no answer goes out; nothing that blocks can be on the way of one that goes out as it is."""
        if self._outcomes and path.route != "deliver":
            self._reasons[pairs.place] = self._facts.reasons(pairs, path)

    def _became_at(self, path: Path, pairs: Pairs) -> np.ndarray:
        end, units = End.of(path), pairs.units + self._bank.first
        if path.route != "deliver_part":
            return self._outcomes.of_all(end, units)
        (found, alike), kept = _distinct(units, self._facts.cuts(pairs, path.place)), self._facts.kept
        codes = [self._outcomes.of_one(unit, replace(end, kept=kept[cut])) for unit, cut in found]
        return np.array(codes, dtype=np.uint8)[alike]

    def _walk_in_parts(self, pairs: Pairs) -> None:
        """The parts of these questions go the way on their own, and end together."""
        parts = self._bank.parts[pairs.units]
        which = [np.flatnonzero(parts > place) for place in range(parts.max())]
        each = [pairs.some(mine).moved(1 + place) for place, mine in enumerate(which)]
        every = joined(each)
        self._end_parts(every.some(self._bank.begun[every.units]))
        ends = np.full((len(pairs), len(each)), _NO_PART, dtype=np.int32)
        reasons = np.full(len(pairs), NO_REASON, dtype=np.uint8)
        for place, (mine, part) in enumerate(zip(which, each, strict=True)):
            ends[mine, place] = self._ends[part.place]
            reasons[mine] = np.minimum(reasons[mine], self._reasons[part.place])
        ended = np.flatnonzero((ends != _UNENDED).all(1))
        if len(ended):
            self._join(pairs.some(ended), ends[ended])
            self._reasons[pairs.place[ended]] = reasons[ended]

    def _end_parts(self, pairs: Pairs) -> None:
        """Where parts of questions end, each alone."""
        for path, some in self._ways(pairs):
            if path.missing is None:
                self._explain(path, some)
                self._ends[some.place] = self._numbers_of(path, some)

    def _numbers_of(self, path: Path, pairs: Pairs) -> np.ndarray | int:
        """The ends of parts by number."""
        end = End.of(path)
        if path.route != "deliver_part" or not self._outcomes:
            return self._number(end)
        (found, alike), kept = _distinct(self._facts.cuts(pairs, path.place)), self._facts.kept
        return np.array([self._number(replace(end, kept=kept[cut])) for (cut,) in found])[alike]

    def _number(self, end: End) -> int:
        return self._numbered.setdefault(end, len(self._numbered))

    def _join(self, pairs: Pairs, ends: np.ndarray) -> None:
        """The ends of questions all of whose parts have ended: (pairs, parts)."""
        found, alike = _distinct(pairs.units, *ends.T)
        known = list(self._numbered)
        joint = [self._joint(unit, tuple(known[n] for n in some if n != _NO_PART)) for unit, *some in found]
        self._routes[pairs.place] = np.array([ROUTES.index(route) for route, _ in joint])[alike]
        self._became[pairs.place] = np.array([code for _, code in joint])[alike]

    def _joint(self, unit: int, ends: tuple[End, ...]) -> tuple[Route, int]:
        """The route of a question whose parts came to these ends, and the code of what became of its row."""
        if self._outcomes:
            return self._outcomes.of_parts(unit + self._bank.first, ends)
        return joint_route([end.route for end in ends]), 0


def _parted(codes: np.ndarray | int) -> Iterator[tuple[int, np.ndarray | slice]]:
    """Each code with the places where it stands."""
    codes = np.asarray(codes)
    low, high = int(codes.min()), int(codes.max())
    if low == high:
        yield low, slice(None)
        return
    for code in range(low, high + 1):
        if len(mine := np.flatnonzero(codes == code)):
            yield code, mine


def _distinct(*columns: np.ndarray) -> tuple[list[tuple[int, ...]], np.ndarray]:
    """The distinct rows of some columns of whole numbers from -1 on, and which of them each row is."""
    key = columns[0].astype(np.int64)
    for column in columns[1:]:
        key = np.unique(key, return_inverse=True)[1] * (int(column.max()) + 2) + column + 1
    first, alike = np.unique(key, return_index=True, return_inverse=True)[1:]
    return list(zip(*(column[first].tolist() for column in columns), strict=True)), alike
