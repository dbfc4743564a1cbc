"""The worth of each case of a labelled bank under a preset (core/evaluation/worth.py), and the counts of all cases by
worth.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from core.decide.measured import MeasuredSet
from core.decide.points import Points
from core.evaluation.cases import LabelledCase, StoredCases
from core.evaluation.outcomes import Rate
from core.evaluation.set_rows import labels_in
from core.evaluation.worth import FAIR, OVER_REFUSED, RIGHT, UNSAID, WRONG, is_due
from core.presets import modes_of, values
from core.sweep.bank_sweep import BankSweep
from core.sweep.outcomes import SweepDecisions
from core.thresholds import Preset

_CACHE_SIZE = 300
_KNOWN = (RIGHT, FAIR, OVER_REFUSED, WRONG)


@dataclass(frozen=True, kw_only=True)
class Tally:
    """Counts of cases under one preset.

    due: cases that should be answered. others: cases that should not be.
    right, fair, wrong, over_refused: due cases by the worth of their outcome; fair is acceptable, such as an answer
    with half of the facts.
    held, not_due_fair, not_due_wrong: the other cases by the worth of their outcome: as it should be; acceptable,
    such as refused instead of asked back; wrong, since an answer goes out.
    unsaid: cases in no other count, because this preset needs a round that was never measured, or the row is
    unreadable.
    """

    due: int
    right: int
    fair: int
    wrong: int
    over_refused: int
    others: int
    held: int
    not_due_fair: int
    not_due_wrong: int
    unsaid: int

    @property
    def n(self) -> int:
        return self.due + self.others

    @property
    def over_refusal(self) -> Rate:
        """Over-refused cases as a share of the cases that should be answered."""
        return Rate(count=self.over_refused, n=self.due)

    @property
    def wrong_answer(self) -> Rate:
        """Wrong answers as a share of all cases, whether or not the case should be answered."""
        return Rate(count=self.wrong + self.not_due_wrong, n=self.n)

    @property
    def as_it_should_be(self) -> Rate:
        """Right or acceptable outcomes as a share of all cases."""
        return Rate(count=self.right + self.fair + self.held + self.not_due_fair, n=self.n)

    def row(self) -> dict[str, Any]:
        """A JSON row: n, the counts, and each share with its 95 % interval. The top-level "interval" is that of the
        share `as_it_should_be`.
        """
        rates = {
            "as_it_should_be": self.as_it_should_be, "wrong_answers": self.wrong_answer,
            "over_refusals": self.over_refusal,
        }  # fmt: skip
        counts = {f.name: getattr(self, f.name) for f in fields(self)}
        return {
            "n": self.n, "interval": self.as_it_should_be.row()["interval"], "counts": counts,
            **{name: rate.row() for name, rate in rates.items()},
        }  # fmt: skip


def tally(worths: np.ndarray, should: np.ndarray) -> Tally:
    """Count the cases under one preset or set of threshold values.

    worths: the worth of each case, (cases,). should: True for each case that should be answered, (cases,).
    """
    is_known = worths != UNSAID
    due, not_due = should & is_known, ~should & is_known
    count = {w: (int((due & (worths == w)).sum()), int((not_due & (worths == w)).sum())) for w in _KNOWN}
    return Tally(
        due=int(due.sum()), right=count[RIGHT][0], fair=count[FAIR][0], wrong=count[WRONG][0],
        over_refused=count[OVER_REFUSED][0], others=int(not_due.sum()), held=count[RIGHT][1],
        not_due_fair=count[FAIR][1] + count[OVER_REFUSED][1], not_due_wrong=count[WRONG][1],
        unsaid=int((~is_known).sum()),
    )  # fmt: skip


class ValuedBank:
    """Cases with the worth of each of their outcomes. Thread-safe.

    rows: of each case. cases: with their traces, which may be on the disk until they are used.
    labels: of each row. should: (cases,), True where an answer is due.
    """

    def __init__(self, cases: Sequence[LabelledCase], sweep: BankSweep | None = None) -> None:
        """sweep: an object that decides the cases; None to make one from their traces."""
        self.cases = cases if isinstance(cases, StoredCases) else tuple(cases)
        self.rows = cases.rows if isinstance(cases, StoredCases) else tuple(case.row for case in cases)
        self.labels = labels_in(self.rows)
        self.should = self.labels.of_each(is_due, bool)
        self._sweep, self._lock = sweep or BankSweep.of(cases), threading.RLock()
        self._cache: OrderedDict[Hashable, Any] = OrderedDict()

    def some(self, cases: np.ndarray) -> "ValuedBank":
        """Return a bank of only the cases at these indices."""
        indices = cases.tolist()
        stored = isinstance(self.cases, StoredCases)
        own_cases = self.cases.selection(indices) if stored else [self.cases[n] for n in indices]
        with self._lock:
            return ValuedBank(own_cases, self._sweep.some(cases))

    def read(self, indices: Sequence[int]) -> list[LabelledCase]:
        """The cases at these indices with their traces, read together where they are on the disk."""
        return self.cases.some(indices) if isinstance(self.cases, StoredCases) else [self.cases[n] for n in indices]

    @property
    def bank(self) -> MeasuredSet:
        """The questions of the cases and their parts, with their signals."""
        return self._sweep.measured

    def decide(self, points: Points) -> SweepDecisions:
        """Decide every case under every preset of `points`: arrays (points, cases)."""
        with self._lock:
            return self._sweep.decide(points)

    def decided_at(self, preset: Preset) -> SweepDecisions:
        """Decide every case under `preset`: arrays (1, cases)."""
        return self.cached(("at", state_of(preset)), lambda: self.decide(Points(base=preset)))

    def at(self, preset: Preset) -> np.ndarray:
        """The worth of each case under `preset`: (cases,)."""
        return self.decided_at(preset).worths[0]

    def tally(self, preset: Preset) -> Tally:
        """The counts of all cases under `preset`."""
        return tally(self.at(preset), self.should)

    def cached(self, key: Hashable, work: Callable[[], Any]) -> Any:
        """The result of `work`, cached under `key`; the cache keeps the _CACHE_SIZE most recently used results."""
        with self._lock:
            if key not in self._cache:
                self._cache[key] = work()
                while len(self._cache) > _CACHE_SIZE:
                    self._cache.popitem(last=False)
            self._cache.move_to_end(key)
            return self._cache[key]


def state_of(preset: Preset, *without: str) -> Hashable:
    """Everything in `preset` that affects decisions, except the thresholds with the keys `without`. Presets with equal
    states give equal decisions.
    """
    threshold_values = values(preset)
    modes = tuple(sorted(modes_of(preset).items()))
    return tuple((key, threshold_values[key]) for key in sorted(threshold_values) if key not in without), modes, without
