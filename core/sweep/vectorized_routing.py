"""Runs the decision flow for all (case, point) pairs of a bank at once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from core.chain.multi_part import joint_route
from core.chain.routing import ROUTES, Path, walk
from core.sweep.bank import Bank, Pairs, concatenate
from core.sweep.outcomes import RouteOutcomes
from core.sweep.settings_grid import Columns
from core.sweep.signal_batches import NO_REASON
from core.sweep.summaries import End
from core.sweep.vectorized_facts import BatchFacts, Fact

NOWHERE = len(ROUTES)
"""Code after the last index of ROUTES: the route needs a round that was never measured."""
_NO_END, _NO_PART = 0, -1
"""Codes in place of the end of a part: not measured; the question has fewer parts."""


class _UnknownFact(Exception):  # noqa: N818 - control flow, not an error
    """Raised when the decision flow asks for a fact that is not known yet."""

    def __init__(self, fact: Fact) -> None:
        self.fact = fact


class _KnownFacts:
    """Answers the decision flow from known facts; raises _UnknownFact at the first fact that is not known."""

    def __init__(self, facts: Mapping[Fact, Any]) -> None:
        self._facts = facts

    def __getattr__(self, name: str) -> Any:
        def answer(*arguments: Any) -> Any:
            if (name, *arguments) not in self._facts:
                raise _UnknownFact((name, *arguments))
            return self._facts[(name, *arguments)]

        return answer


class RouteFork:
    """A node of the decision tree: the fact that decides the next step, or the end of a path.

    The flow asks for each fact only once, so all pairs that agree in the earlier facts share a node.
    """

    def __init__(self, known_facts: Mapping[Fact, Any]) -> None:
        self._known_facts = known_facts
        self._children: dict[Any, RouteFork] = {}

    @cached_property
    def _next(self) -> Fact | Path:
        try:
            return walk(_KnownFacts(self._known_facts))
        except _UnknownFact as error:
            return error.fact

    @property
    def fact(self) -> Fact | None:
        """The fact to ask for here; None at an end."""
        return None if isinstance(self._next, Path) else self._next

    @property
    def end(self) -> Path | None:
        """The path that ends here; None at a fork."""
        return self._next if isinstance(self._next, Path) else None

    def onward(self, answer: Any) -> "RouteFork":
        """The node that follows when the fact has this answer."""
        if answer not in self._children:
            self._children[answer] = RouteFork({**self._known_facts, self.fact: answer})
        return self._children[answer]


@lru_cache(maxsize=1)
def start() -> RouteFork:
    """The root of the decision tree."""
    return RouteFork({})


@dataclass(frozen=True, kw_only=True)
class RouteCodes:
    """Codes of every case at every point; each array is (cases, points).

    routes: indices into ROUTES; NOWHERE if the route needs a round that was never measured. reasons: indices into
    REASONS, or NO_REASON. outcome_codes: codes of RouteOutcomes. reasons and outcome_codes are left blank if no
    outcomes were requested.
    """

    routes: np.ndarray
    reasons: np.ndarray
    outcome_codes: np.ndarray


def route_codes(bank: Bank, columns: Columns, outcomes: RouteOutcomes | None = None) -> RouteCodes:
    """Run the decision flow on the cases of `bank`; with `outcomes`, also give the outcome of each row."""
    return _Walk(bank, columns, outcomes).result()


class _Walk:
    """One run of the decision flow over a bank. Pairs with the same answers so far are handled together."""

    def __init__(self, bank: Bank, columns: Columns, outcomes: RouteOutcomes | None) -> None:
        self._bank, self._outcomes, self._points = bank, outcomes, columns.count
        self._facts = BatchFacts(bank, columns)
        shape = len(bank) * columns.count
        self._routes = np.full(shape, NOWHERE, dtype=np.uint8)
        self._reasons = np.full(shape, NO_REASON, dtype=np.uint8)
        self._outcome_codes = np.zeros(shape, dtype=np.uint8)
        self._ends = np.full(shape, _NO_END, dtype=np.int32)
        self._number_by_end: dict[End | None, int] = {None: _NO_END}

    def result(self) -> RouteCodes:
        wholes = self._bank.wholes
        measured = wholes[self._bank.has_first_round[wholes]]
        all_pairs = Pairs((measured[:, None] * self._points + np.arange(self._points)).ravel(), self._points)
        for path, pairs in self._paths(all_pairs):
            if path.route == "split":
                self._walk_in_parts(pairs)
            elif path.missing is None:
                self._routes[pairs.flat] = ROUTES.index(path.route)
                self._explain(path, pairs)
                if self._outcomes:
                    self._outcome_codes[pairs.flat] = self._became_at(path, pairs)
        arrays = (a.reshape(-1, self._points)[wholes] for a in (self._routes, self._reasons, self._outcome_codes))
        return RouteCodes(**dict(zip(("routes", "reasons", "outcome_codes"), arrays, strict=True)))

    def _paths(self, pairs: Pairs) -> Iterator[tuple[Path, Pairs]]:
        """Yield each path that some pair reaches (without its steps), with all pairs that reach it."""
        pairs_by_path: dict[Path, list[Pairs]] = {}
        pending: list[tuple[RouteFork, Pairs]] = [(start(), pairs)] if len(pairs) else []
        while pending:
            fork, pairs = pending.pop()
            if fork.end is not None:
                pairs_by_path.setdefault(replace(fork.end, steps=(), stage="turn"), []).append(pairs)
                continue
            codes, answers = self._facts.ask(fork.fact, pairs)
            pending += [(fork.onward(answers[code]), pairs.some(indices)) for code, indices in _split_by_code(codes)]
        for path, several in pairs_by_path.items():
            yield path, concatenate(several)

    def _explain(self, path: Path, pairs: Pairs) -> None:
        """Store why no answer is delivered. An answer that is delivered as it is has no blocking reason."""
        if self._outcomes and path.route != "deliver":
            self._reasons[pairs.flat] = self._facts.reasons(pairs, path)

    def _became_at(self, path: Path, pairs: Pairs) -> np.ndarray:
        """The outcome code of each pair that ends at `path`: (pairs,)."""
        end, units = End.of(path), self._bank.origin[pairs.units]
        if path.route != "deliver_part":
            return self._outcomes.of_all(end, units)
        ends, index = self._partial_ends(end, self._facts.cuts(pairs, path.round_key))
        return self._outcomes.of_numbers(units, np.array([self._outcomes.number(e) for e in ends])[index])

    def _partial_ends(self, end: End, cuts: np.ndarray) -> tuple[list[End], np.ndarray]:
        """The distinct ends at which partial answers are delivered, and the index among them of each pair.

        cuts: the partial answer of each pair, (pairs,).
        """
        distinct_cuts, index = np.unique(cuts, return_inverse=True)
        return [replace(end, sentences=self._facts.partial_sentences[cut]) for cut in distinct_cuts.tolist()], index

    def _walk_in_parts(self, pairs: Pairs) -> None:
        """Route each part of these questions on its own, then join their ends."""
        parts = self._bank.parts[pairs.units]
        indices_by_part = [np.flatnonzero(parts > part_index) for part_index in range(parts.max())]
        pairs_by_part = [
            pairs.some(indices).shift(1 + part_index) for part_index, indices in enumerate(indices_by_part)
        ]
        all_parts = concatenate(pairs_by_part)
        self._end_parts(all_parts.some(self._bank.has_first_round[all_parts.units]))
        ends = np.full((len(pairs), len(pairs_by_part)), _NO_PART, dtype=np.int32)
        reasons = np.full(len(pairs), NO_REASON, dtype=np.uint8)
        for part_index, (indices, part_pairs) in enumerate(zip(indices_by_part, pairs_by_part, strict=True)):
            ends[indices, part_index] = self._ends[part_pairs.flat]
            reasons[indices] = np.minimum(reasons[indices], self._reasons[part_pairs.flat])
        complete = np.flatnonzero((ends != _NO_END).all(1))
        if len(complete):
            self._join(pairs.some(complete), ends[complete])
            self._reasons[pairs.flat[complete]] = reasons[complete]

    def _end_parts(self, pairs: Pairs) -> None:
        """Store the end that each part of a question reaches on its own."""
        for path, part_pairs in self._paths(pairs):
            if path.missing is None:
                self._explain(path, part_pairs)
                self._ends[part_pairs.flat] = self._numbers_of(path, part_pairs)

    def _numbers_of(self, path: Path, pairs: Pairs) -> np.ndarray | int:
        """The index of the end of each pair: (pairs,), or one index if all are the same."""
        end = End.of(path)
        if path.route != "deliver_part" or not self._outcomes:
            return self._number(end)
        ends, index = self._partial_ends(end, self._facts.cuts(pairs, path.round_key))
        return np.array([self._number(e) for e in ends])[index]

    def _number(self, end: End) -> int:
        return self._number_by_end.setdefault(end, len(self._number_by_end))

    def _join(self, pairs: Pairs, ends: np.ndarray) -> None:
        """Store the joint end of questions whose parts have all ended. ends: (pairs, parts)."""
        combinations, index = _distinct(*ends.T)
        end_by_number = list(self._number_by_end)
        ended = [tuple(end_by_number[n] for n in numbers if n != _NO_PART) for numbers in combinations]
        routes = [ROUTES.index(joint_route([end.route for end in part_ends])) for part_ends in ended]
        self._routes[pairs.flat] = np.array(routes, dtype=np.uint8)[index]
        if self._outcomes:
            numbers = np.array([self._outcomes.number(part_ends) for part_ends in ended])[index]
            self._outcome_codes[pairs.flat] = self._outcomes.of_numbers(self._bank.origin[pairs.units], numbers)


def _split_by_code(codes: np.ndarray | int) -> Iterator[tuple[int, np.ndarray | slice]]:
    """Yield each code that occurs, with the indices at which it does."""
    codes = np.asarray(codes)
    low, high = int(codes.min()), int(codes.max())
    if low == high:
        yield low, slice(None)
        return
    for code in range(low, high + 1):
        if len(indices := np.flatnonzero(codes == code)):
            yield code, indices


def _distinct(*columns: np.ndarray) -> tuple[list[tuple[int, ...]], np.ndarray]:
    """The distinct rows of columns of integers of at least -1, and the index among them of each row."""
    row_key = columns[0].astype(np.int64)
    for column in columns[1:]:
        row_key = np.unique(row_key, return_inverse=True)[1] * (int(column.max()) + 2) + column + 1
    first_index, row_of_pair = np.unique(row_key, return_index=True, return_inverse=True)[1:]
    return list(zip(*(column[first_index].tolist() for column in columns), strict=True)), row_of_pair
