"""A bank of measured cases as units: each question, and behind it each of its parts, with their rounds by place.

Beside it what is asked of it: pairs of a unit and a point, and the parts of answers that could go out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.case import Trace
from core.chain.routing import FIRST, Place
from core.check import Check
from core.sweep.signal_batches import Cut, Rows, Stack

_MOST = 20_000
"""Parts of answers that are remembered; beyond them all are forgotten and begun anew."""


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A question of a case, or one of its parts; part is its place among them, -1 for the whole."""

    case: int
    part: int
    trace: Trace


@dataclass(frozen=True, kw_only=True)
class Bank:
    """Units in order of their cases, and the rounds that stand at each place of their traces.

    stacks: by place. rows: by place the row of each unit in its stack, -1 where the round was never measured: (units,).
    first: the number that the first unit has in the bank that this one was taken from.
    """

    units: tuple[Unit, ...]
    stacks: Mapping[Place, Stack]
    rows: Mapping[Place, np.ndarray]
    first: int = 0

    @classmethod
    def of(cls, traces: Sequence[Trace]) -> "Bank":
        units = tuple(
            Unit(case=case, part=part, trace=one)
            for case, trace in enumerate(traces) for part, one in enumerate((trace, *trace.parts), -1)
        )  # fmt: skip
        found: dict[Place, dict[int, int]] = {}
        for n, unit in enumerate(units):
            for place, one in enumerate(unit.trace.rounds):
                found.setdefault((one.name, one.of), {}).setdefault(n, place)  # of two alike the first counts
        of_a_whole = np.array([unit.part >= 0 for unit in units], dtype=bool)
        stacks, rows = {}, {}
        for place, held in found.items():
            mine = np.fromiter(held, dtype=np.int64)
            stacks[place] = Stack([units[n].trace.rounds[r] for n, r in held.items()], mine, of_a_whole[mine])
            rows[place] = np.full(len(units), -1)
            rows[place][mine] = np.arange(len(mine))
        return cls(units=units, stacks=stacks, rows=rows)

    @cached_property
    def wholes(self) -> np.ndarray:
        """The units that are whole questions, one a case: (cases,)."""
        return np.array([n for n, unit in enumerate(self.units) if unit.part < 0], dtype=np.int64)

    @cached_property
    def kinds(self) -> tuple[tuple[str, ...], np.ndarray]:
        """The kinds of turn, and the place among them of each unit's: (units,)."""
        kinds = [unit.trace.rounds[0].case.kind if unit.trace.rounds else "" for unit in self.units]
        names = tuple(dict.fromkeys(kinds))
        return names, np.array([names.index(kind) for kind in kinds], dtype=np.int64)

    @cached_property
    def parts(self) -> np.ndarray:
        """How many parts each unit has, a part none: (units,)."""
        return np.array([len(u.trace.parts) if u.part < 0 else 0 for u in self.units], dtype=np.int64)

    def at(self, place: Place) -> np.ndarray:
        """The row of each unit at `place`, -1 where it has none: (units,)."""
        return self.rows.get(place, np.full(len(self.units), -1))

    @cached_property
    def begun(self) -> np.ndarray:
        """Where a unit has its first round, without which nothing is decided: (units,)."""
        return self.at(FIRST) >= 0

    def column(self, name: str, place: Place) -> np.ndarray:
        """One of the stacks' columns for each unit, anything where the round was never measured: (units,)."""
        return self.stacks[place].column(name)[self.at(place)]

    def asked(self, check: Check) -> list[Rows]:
        """All that the chain may ask `check` about: searches, or all rounds with the sentences and parts of answers."""
        if check.stage == "query":
            return [stack for (_, of), stack in self.stacks.items() if not of]
        stacks = list(self.stacks.values())
        return [*stacks, *(stack.singles() for stack in stacks), *(PartialAnswers.of(stack).cut for stack in stacks)]

    def parts_asked(self) -> int:
        """How many parts of answers were asked about so far."""
        return sum(len(PartialAnswers.of(stack)) for stack in self.stacks.values())

    def narrowed(self, first: int, end: int) -> "Bank":
        """The cases from `first` to before `end`."""
        a, b = (int(self.wholes[n]) if n < len(self.wholes) else len(self.units) for n in (first, end))
        stacks = {place: stack.narrowed(a, b) for place, stack in self.stacks.items()}
        before = {place: int(np.searchsorted(stack.units, a)) for place, stack in self.stacks.items()}
        rows = {place: np.where(r[a:b] < 0, -1, r[a:b] - before[place]) for place, r in self.rows.items()}
        return Bank(units=self.units[a:b], stacks=stacks, rows=rows, first=self.first + a)


@dataclass(frozen=True)
class Pairs:
    """place: that of each pair in an array of (units, points), read row by row. count: how many points there are."""

    place: np.ndarray
    count: int

    def __len__(self) -> int:
        return len(self.place)

    @cached_property
    def units(self) -> np.ndarray:
        """The unit of each pair, as a place in its bank: (pairs,)."""
        return self.place // self.count

    @cached_property
    def points(self) -> np.ndarray:
        """The point of each pair: (pairs,)."""
        return self.place - self.units * self.count

    def some(self, which: np.ndarray | slice) -> "Pairs":
        return Pairs(self.place[which], self.count)

    def moved(self, units: int) -> "Pairs":
        """The same points of the units so many places further on."""
        return Pairs(self.place + units * self.count, self.count)

    def at(self, column: np.ndarray) -> np.ndarray:
        """A column of the points for each pair; as it is where it is the same at all."""
        return column[self.points] if column.ndim else column


def joined(several: Sequence[Pairs]) -> Pairs:
    """All of these, one after the other."""
    return several[0] if len(several) == 1 else Pairs(np.concatenate([p.place for p in several]), several[0].count)


class PartialAnswers:
    """The parts of the answers of one stack that were asked about so far, each numbered once and cut once."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._forget()

    @classmethod
    def of(cls, stack: Stack) -> "PartialAnswers":
        """Those of `stack`, the same at every call."""
        if "partial answers" not in stack.tables:
            stack.tables["partial answers"] = cls(stack)
        return stack.tables["partial answers"]

    def __len__(self) -> int:
        return len(self._numbers)

    def numbered(self, rows: np.ndarray, kept: np.ndarray) -> np.ndarray:
        """The number of each of these parts, which is its row in `cut`: (parts,). kept: (parts, longest)."""
        if len(self._numbers) > _MOST:
            self._forget()
        before = len(self._numbers)
        keys = [(row, some.tobytes()) for row, some in zip(rows.tolist(), np.packbits(kept, axis=1), strict=True)]
        numbers = [self._numbers.setdefault(key, len(self._numbers)) for key in keys]
        if len(self._numbers) > before:
            new = {number: place for place, number in reversed([*enumerate(numbers)]) if number >= before}
            places = [new[number] for number in range(before, len(self._numbers))]
            self._rows, self._kept = np.append(self._rows, rows[places]), np.vstack([self._kept, kept[places]])
            self.cut = Cut(self._stack, self._rows, self._kept)
        return np.array(numbers)

    def _forget(self) -> None:
        self._numbers: dict[tuple[int, bytes], int] = {}
        self._rows = np.zeros(0, dtype=np.int64)
        self._kept = np.zeros((0, self._stack.column("leaning").shape[1]), dtype=bool)
        self.cut = Cut(self._stack, self._rows, self._kept)
