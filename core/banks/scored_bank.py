"""A measured bank that says what becomes of it under any preset, and remembers what it was asked last."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from core.banks.outcome_counts import WRONG, Tally, is_due, tally, worths_of
from core.evaluation.cases import Labelled
from core.presets import modes_of, values
from core.sweep.bank_sweep import BankSweep
from core.sweep.outcomes import OUTCOMES, Decided
from core.sweep.settings_grid import Points
from core.thresholds import Preset

_REMEMBERED = 300


class ValuedBank:
    """Cases with what every outcome of each is worth (core/banks/outcome_counts.py). Several threads may ask at a time.

    should: (cases,), True where an answer is due.
    """

    def __init__(self, cases: Sequence[Labelled]) -> None:
        self.cases = tuple(cases)
        self.should = np.array([is_due(case.row) for case in cases], dtype=bool)
        self._sweep, self._alone = BankSweep(cases), threading.RLock()
        worths = [worths_of(case.row) for case in cases]
        self._table = np.array(worths, dtype=np.int8).reshape(len(self.cases), len(OUTCOMES))
        self._known: OrderedDict[Hashable, Any] = OrderedDict()

    def decided(self, points: Points) -> Decided:
        """Every case at every point: arrays of shape (points, cases)."""
        with self._alone:
            return self._sweep.decided(points)

    def worths(self, decided: Decided) -> np.ndarray:
        """What is decided, in worths: (points, cases); a falsehood that goes out is wrong, whatever way it took."""
        table = self._table[np.arange(len(self.cases)), decided.outcomes]
        return np.where(decided.falsehoods, np.int8(WRONG), table)

    def decided_at(self, preset: Preset) -> Decided:
        """Every case under `preset`: arrays of shape (1, cases)."""
        return self.remembered(("at", state_of(preset)), lambda: self.decided(Points(base=preset)))

    def at(self, preset: Preset) -> np.ndarray:
        """What each case is worth under `preset`: (cases,)."""
        return self.worths(self.decided_at(preset))[0]

    def tally(self, preset: Preset) -> Tally:
        """The counts under `preset`."""
        return tally(self.at(preset), self.should)

    def remembered(self, key: Hashable, work: Callable[[], Any]) -> Any:
        """What `work` gives for `key`, worked out once as long as it is among the last that were asked for."""
        with self._alone:
            if key not in self._known:
                self._known[key] = work()
                while len(self._known) > _REMEMBERED:
                    self._known.popitem(last=False)
            self._known.move_to_end(key)
            return self._known[key]


def state_of(preset: Preset, *without: str) -> Hashable:
    """All that decides under `preset`, but for some thresholds; two presets of one state decide alike."""
    known = values(preset)
    modes = tuple(sorted(modes_of(preset).items()))
    return tuple((key, known[key]) for key in sorted(known) if key not in without), modes, without
