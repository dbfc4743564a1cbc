"""A bank of measured cases as units: each question, and behind it each of its parts, with their rounds by place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.case import Trace
from core.chain.facts import Place
from core.chain.routing import FIRST
from core.sweep.signal_batches import Stack


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

    def narrowed(self, first: int, end: int) -> "Bank":
        """The cases from `first` to before `end`."""
        a, b = (int(self.wholes[n]) if n < len(self.wholes) else len(self.units) for n in (first, end))
        stacks = {place: stack.narrowed(a, b) for place, stack in self.stacks.items()}
        before = {place: int(np.searchsorted(stack.units, a)) for place, stack in self.stacks.items()}
        rows = {place: np.where(r[a:b] < 0, -1, r[a:b] - before[place]) for place, r in self.rows.items()}
        return Bank(units=self.units[a:b], stacks=stacks, rows=rows, first=self.first + a)
