"""A bank of measured cases as arrays of units. A unit is a question as a whole, or one part of a question.

Also here: pairs of a unit and a point (a point is one preset of a sweep), and the partial answers of a bank.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.case import Signals, Trace
from core.chain.routing import FIRST, RoundKey
from core.check import Check
from core.sweep.signal_batches import RestrictedRows, RoundStack, Rows, Stack
from core.sweep.summaries import Summary

_MOST = 20_000
"""Maximum number of partial answers that are cached for a stack; beyond it the cache is cleared."""


@dataclass(frozen=True, kw_only=True)
class Bank:
    """The units of a bank, in the order of their cases: each question, followed by its parts.

    cases: the case of each unit, ascending, (units,). parts: the number of parts of each unit, 0 for a part, (units,).
    is_whole: True for a question, False for a part, (units,). kinds: the distinct kinds of turn, and for each unit the
    index of its kind, (units,).
    stacks: round key -> the rounds with this key, one row each.
    summaries: for each unit of the whole bank, what is needed to name its outcome.
    origin: the index of each unit in the whole bank, from which this bank may be a selection, (units,).
    """

    cases: np.ndarray
    parts: np.ndarray
    is_whole: np.ndarray
    kinds: tuple[tuple[str, ...], np.ndarray]
    stacks: Mapping[RoundKey, Stack]
    summaries: Sequence[Summary]
    origin: np.ndarray

    @classmethod
    def of(cls, traces: Sequence[Trace]) -> "Bank":
        """Build a bank from one trace per case."""
        units = [(case, n, t) for case, trace in enumerate(traces) for n, t in enumerate((trace, *trace.parts))]
        unit_traces = [trace for _, _, trace in units]
        is_whole = np.array([n == 0 for _, n, _ in units], dtype=bool)
        round_index: dict[RoundKey, dict[int, int]] = {}
        for unit_index, trace in enumerate(unit_traces):
            for index, measured in enumerate(trace.rounds):  # of two rounds with one key the first counts
                round_index.setdefault((measured.name, measured.of), {}).setdefault(unit_index, index)
        stacks = {}
        for key, index_by_unit in round_index.items():
            unit_indices = np.fromiter(index_by_unit, dtype=np.int64)
            rounds = [unit_traces[unit_index].rounds[index] for unit_index, index in index_by_unit.items()]
            stacks[key] = RoundStack(rounds, unit_indices, ~is_whole[unit_indices])
        return cls(
            cases=np.array([case for case, _, _ in units], dtype=np.int64), is_whole=is_whole,
            parts=np.array([len(t.parts) if n == 0 else 0 for _, n, t in units], dtype=np.int64),
            kinds=coded([t.rounds[0].case.kind if t.rounds else "" for t in unit_traces]), stacks=stacks,
            summaries=[Summary(trace) for trace in unit_traces], origin=np.arange(len(units)),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.cases)

    @cached_property
    def wholes(self) -> np.ndarray:
        """The indices of the units that are whole questions, one per case: (cases,)."""
        return np.flatnonzero(self.is_whole)

    @cached_property
    def rows(self) -> Mapping[RoundKey, np.ndarray]:
        """Round key -> for each unit, the row of its round in the stack with this key, (units,); -1 if the round was
        never measured."""
        rows = {key: np.full(len(self), -1) for key in self.stacks}
        for key, stack in self.stacks.items():
            rows[key][stack.units] = np.arange(stack.count)
        return rows

    def at(self, round_key: RoundKey) -> np.ndarray:
        """For each unit, the row of its round in the stack with this round key, (units,); -1 if the unit has no such
        round."""
        return self.rows.get(round_key, np.full(len(self), -1))

    @cached_property
    def has_first_round(self) -> np.ndarray:
        """True for units with a first round; nothing is decided without one: (units,)."""
        return self.at(FIRST) >= 0

    def column(self, name: str, round_key: RoundKey) -> np.ndarray:
        """One column of the stack with this round key, for each unit: (units,). Undefined where a unit has no such
        round."""
        return self.stacks[round_key].column(name)[self.at(round_key)]

    def traces(self) -> Iterator[Trace]:
        """The trace of each case; where it is stacked in a file, without its signals and its passages' texts."""
        return (self.summaries[unit].trace for unit in self.origin[self.wholes])

    def first_signals(self, check: Check) -> tuple[Signals, np.ndarray]:
        """The signals of a check in the first round of each case, and a mask of the cases that have them: (cases,)."""
        rows = self.at(FIRST)[self.wholes]
        cases = np.flatnonzero(rows >= 0)
        return self._some_first(rows[cases], cases).padded(check, len(rows))

    def sample_signals(self, max_count: int) -> list[dict[str, Signals]]:
        """The signals by check of the first rounds of at most `max_count` questions and parts, evenly from the bank."""
        units = np.flatnonzero(self.has_first_round & (self.parts == 0))
        units = units[np.linspace(0, len(units) - 1, min(max_count, len(units))).astype(int)]
        return self._some_first(self.at(FIRST)[units], np.arange(len(units))).by_row()

    def _some_first(self, rows: np.ndarray, units: np.ndarray) -> Stack:
        """The first rounds at these rows of their stack, assigned to other units. rows, units: (n,)."""
        return self.stacks.get(FIRST, RoundStack((), np.arange(0), np.zeros(0, dtype=bool))).some(rows, units)

    def rows_for(self, check: Check) -> list[Rows]:
        """All rows on which the chain may run `check`.

        A query check runs on searches only, an answer check also on single sentences and partial answers.
        """
        if check.stage == "query":
            return [stack for (_, of), stack in self.stacks.items() if not of]
        stacks = list(self.stacks.values())
        return [*stacks, *(stack.singles() for stack in stacks), *(PartialAnswers.of(stack).cut for stack in stacks)]

    def partial_answer_count(self) -> int:
        """Number of partial answers that were requested so far."""
        return sum(len(PartialAnswers.of(stack)) for stack in self.stacks.values())

    def some(self, cases: np.ndarray) -> "Bank":
        """A selection of the cases, in any order and repeated at will."""
        ends = np.append(self.wholes, len(self))
        counts = ends[cases + 1] - ends[cases]
        starts = np.cumsum(counts) - counts
        units = np.repeat(ends[cases] - starts, counts) + np.arange(counts.sum())
        stacks = {}
        for key, rows in self.rows.items():
            own_rows = rows[units]
            own_units = np.flatnonzero(own_rows >= 0)
            if len(own_units):
                stacks[key] = self.stacks[key].some(own_rows[own_units], own_units)
        return Bank(
            cases=np.repeat(np.arange(len(cases)), counts), parts=self.parts[units], is_whole=self.is_whole[units],
            kinds=(self.kinds[0], self.kinds[1][units]), stacks=stacks, summaries=self.summaries,
            origin=self.origin[units],
        )  # fmt: skip


def coded(names: Sequence[str]) -> tuple[tuple[str, ...], np.ndarray]:
    """The distinct names, and for each name its index among them."""
    index = {name: n for n, name in enumerate(dict.fromkeys(names))}
    return tuple(index), np.array([index[name] for name in names], dtype=np.int64)


@dataclass(frozen=True)
class Pairs:
    """Pairs of a unit and a point. flat: flat indices into a (units, points) grid. count: number of points."""

    flat: np.ndarray
    count: int

    def __len__(self) -> int:
        return len(self.flat)

    @cached_property
    def units(self) -> np.ndarray:
        """The unit of each pair, as an index into its bank: (pairs,)."""
        return self.flat // self.count

    @cached_property
    def points(self) -> np.ndarray:
        """The point of each pair: (pairs,)."""
        return self.flat - self.units * self.count

    def some(self, selection: np.ndarray | slice) -> "Pairs":
        """The pairs selected by an index array or a slice."""
        return Pairs(self.flat[selection], self.count)

    def shift(self, units: int) -> "Pairs":
        """The pairs with the same points and `units` added to each unit: from a question to one of its parts."""
        return Pairs(self.flat + units * self.count, self.count)

    def at(self, column: np.ndarray) -> np.ndarray:
        """A column of the points, expanded to the pairs: (pairs,); a 0-d column is returned as it is."""
        return column[self.points] if column.ndim else column


def concatenate(several: Sequence[Pairs]) -> Pairs:
    """The concatenation of several groups of pairs."""
    return several[0] if len(several) == 1 else Pairs(np.concatenate([p.flat for p in several]), several[0].count)


class PartialAnswers:
    """The partial answers of a stack that were requested so far. Each is a draft with some sentences left out.

    The number of a partial answer is its row in `cut`.
    """

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._clear()

    @classmethod
    def of(cls, stack: Stack) -> "PartialAnswers":
        """The partial answers of `stack`; the same object on every call."""
        if "partial answers" not in stack.tables:
            stack.tables["partial answers"] = cls(stack)
        return stack.tables["partial answers"]

    def __len__(self) -> int:
        return len(self._numbers)

    def numbers_of(self, rows: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The number of each partial answer, assigned on first request: (n,).

        rows: the row of its draft in the stack, (n,). masks: True for the sentences that stay, (n, longest draft).
        """
        if len(self._numbers) > _MOST:
            self._clear()
        known_count = len(self._numbers)
        keys = [(row, mask.tobytes()) for row, mask in zip(rows.tolist(), np.packbits(masks, axis=1), strict=True)]
        numbers = [self._numbers.setdefault(key, len(self._numbers)) for key in keys]
        if len(self._numbers) > known_count:
            first_index = {number: index for index, number in reversed([*enumerate(numbers)]) if number >= known_count}
            indices = [first_index[number] for number in range(known_count, len(self._numbers))]
            self._rows, self._kept = np.append(self._rows, rows[indices]), np.vstack([self._kept, masks[indices]])
            self.cut = RestrictedRows(self._stack, self._rows, self._kept)
        return np.array(numbers)

    def _clear(self) -> None:
        self._numbers: dict[tuple[int, bytes], int] = {}
        self._rows = np.zeros(0, dtype=np.int64)
        self._kept = np.zeros((0, self._stack.column("leaning").shape[1]), dtype=bool)
        self.cut = RestrictedRows(self._stack, self._rows, self._kept)
