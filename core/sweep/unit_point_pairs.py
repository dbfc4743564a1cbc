"""Pairs of a unit and a point, which go the way together until a fact parts them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np


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
