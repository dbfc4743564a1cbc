"""The parts of answers that were asked about so far: what is left of an answer without some of its sentences."""

import numpy as np

from core.sweep.signal_batches import Cut, Stack

_MOST = 20_000
"""Parts that are remembered; beyond them all are forgotten and begun anew."""


class Rests:
    """Parts of the answers of one stack, each numbered once and cut once."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._forget()

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
