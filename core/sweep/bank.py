"""A bank of measured cases as units: each question, followed by its parts, with their rounds by round key.

Also here: pairs of a unit and a point, and the partial answers that could be delivered.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.case import Trace
from core.chain.routing import FIRST, RoundKey
from core.check import Check
from core.sweep.signal_batches import Cut, Rows, Stack

_MOST = 20_000
"""Number of partial answers that are cached; beyond it the cache is cleared."""


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A question, or one of its parts. case: index of the case. part: index of the part, -1 for the whole question."""

    case: int
    part: int
    trace: Trace


@dataclass(frozen=True, kw_only=True)
class Bank:
    """Units in the order of their cases, with their rounds grouped by round key.

    stacks: round key -> the rounds with this key.
    rows: round key -> the row of each unit in its stack, (units,); -1 if the round was never measured.
    first: index of the first unit in the bank that this bank is a slice of.
    """

    units: tuple[Unit, ...]
    stacks: Mapping[RoundKey, Stack]
    rows: Mapping[RoundKey, np.ndarray]
    first: int = 0

    @classmethod
    def of(cls, traces: Sequence[Trace]) -> "Bank":
        """Build a bank from one trace per case."""
        units = tuple(
            Unit(case=case, part=part, trace=part_trace)
            for case, trace in enumerate(traces) for part, part_trace in enumerate((trace, *trace.parts), -1)
        )  # fmt: skip
        round_index: dict[RoundKey, dict[int, int]] = {}
        for unit_index, unit in enumerate(units):
            for index, measured in enumerate(unit.trace.rounds):  # of two rounds with one key the first counts
                round_index.setdefault((measured.name, measured.of), {}).setdefault(unit_index, index)
        is_part = np.array([unit.part >= 0 for unit in units], dtype=bool)
        stacks, rows = {}, {}
        for key, index_by_unit in round_index.items():
            unit_indices = np.fromiter(index_by_unit, dtype=np.int64)
            rounds = [units[unit_index].trace.rounds[index] for unit_index, index in index_by_unit.items()]
            stacks[key] = Stack(rounds, unit_indices, is_part[unit_indices])
            rows[key] = np.full(len(units), -1)
            rows[key][unit_indices] = np.arange(len(unit_indices))
        return cls(units=units, stacks=stacks, rows=rows)

    @cached_property
    def wholes(self) -> np.ndarray:
        """The indices of the units that are whole questions, one per case: (cases,)."""
        return np.array([n for n, unit in enumerate(self.units) if unit.part < 0], dtype=np.int64)

    @cached_property
    def kinds(self) -> tuple[tuple[str, ...], np.ndarray]:
        """The kinds of turn, and for each unit the index of its kind: (units,)."""
        kinds = [unit.trace.rounds[0].case.kind if unit.trace.rounds else "" for unit in self.units]
        names = tuple(dict.fromkeys(kinds))
        return names, np.array([names.index(kind) for kind in kinds], dtype=np.int64)

    @cached_property
    def parts(self) -> np.ndarray:
        """The number of parts of each unit; 0 for a part: (units,)."""
        return np.array([len(u.trace.parts) if u.part < 0 else 0 for u in self.units], dtype=np.int64)

    def at(self, round_key: RoundKey) -> np.ndarray:
        """The row of each unit in the stack of this round key; -1 if it has none: (units,)."""
        return self.rows.get(round_key, np.full(len(self.units), -1))

    @cached_property
    def has_first_round(self) -> np.ndarray:
        """True for units with a first round; nothing is decided without one: (units,)."""
        return self.at(FIRST) >= 0

    def column(self, name: str, round_key: RoundKey) -> np.ndarray:
        """One column of the stack for each unit; undefined where the round was never measured: (units,)."""
        return self.stacks[round_key].column(name)[self.at(round_key)]

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

    def subset(self, first: int, end: int) -> "Bank":
        """The slice of the bank with the cases from `first` up to, not including, `end`."""
        start, stop = (int(self.wholes[n]) if n < len(self.wholes) else len(self.units) for n in (first, end))
        stacks = {key: stack.subset(start, stop) for key, stack in self.stacks.items()}
        row_offset = {key: int(np.searchsorted(stack.units, start)) for key, stack in self.stacks.items()}
        rows = {}
        for key, unit_rows in self.rows.items():
            own_rows = unit_rows[start:stop]
            rows[key] = np.where(own_rows < 0, -1, own_rows - row_offset[key])
        return Bank(units=self.units[start:stop], stacks=stacks, rows=rows, first=self.first + start)


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

    def some(self, which: np.ndarray | slice) -> "Pairs":
        """The pairs selected by an index array or a slice."""
        return Pairs(self.flat[which], self.count)

    def shift(self, units: int) -> "Pairs":
        """The same points for the units that lie `units` further on."""
        return Pairs(self.flat + units * self.count, self.count)

    def at(self, column: np.ndarray) -> np.ndarray:
        """A column of the points, expanded to the pairs: (pairs,); a 0-d column is returned as it is."""
        return column[self.points] if column.ndim else column


def joined(several: Sequence[Pairs]) -> Pairs:
    """The concatenation of several groups of pairs."""
    return several[0] if len(several) == 1 else Pairs(np.concatenate([p.flat for p in several]), several[0].count)


class PartialAnswers:
    """The partial answers of one stack that were requested so far. Each has a number, which is its row in `cut`."""

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

    def numbered(self, rows: np.ndarray, kept: np.ndarray) -> np.ndarray:
        """The number of each partial answer, assigned on first request: (parts,).

        rows: the rows of the stack, (parts,). kept: the sentences that stay, (parts, longest).
        """
        if len(self._numbers) > _MOST:
            self._clear()
        known_count = len(self._numbers)
        keys = [
            (row, row_kept.tobytes()) for row, row_kept in zip(rows.tolist(), np.packbits(kept, axis=1), strict=True)
        ]
        numbers = [self._numbers.setdefault(key, len(self._numbers)) for key in keys]
        if len(self._numbers) > known_count:
            first_index = {number: index for index, number in reversed([*enumerate(numbers)]) if number >= known_count}
            indices = [first_index[number] for number in range(known_count, len(self._numbers))]
            self._rows, self._kept = np.append(self._rows, rows[indices]), np.vstack([self._kept, kept[indices]])
            self.cut = Cut(self._stack, self._rows, self._kept)
        return np.array(numbers)

    def _clear(self) -> None:
        self._numbers: dict[tuple[int, bytes], int] = {}
        self._rows = np.zeros(0, dtype=np.int64)
        self._kept = np.zeros((0, self._stack.column("leaning").shape[1]), dtype=bool)
        self.cut = Cut(self._stack, self._rows, self._kept)
