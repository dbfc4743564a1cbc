"""The value of each outcome of a bank, and its totals under one preset or many."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from core.evaluation.cases import LabelledCase, StoredCases
from core.evaluation.outcomes import Outcome, Rate
from core.presets import modes_of, values
from core.sweep.bank import Bank
from core.sweep.bank_sweep import BankSweep
from core.sweep.outcomes import OUTCOMES, SweepDecisions
from core.sweep.settings_grid import Points
from core.thresholds import Preset

RIGHT, FAIR, OVER_REFUSED, WRONG, UNSAID = 2, 1, 0, -1, -2
"""The worth of an outcome: as it should be, acceptable, over-refused, wrong, unknown."""
_DUE = ("answered", "part", "supported")
_NON_ANSWERS = ("right_refusal", "refused", "clarified", "escalated")
_DELIVERIES = ("delivered", "corrected", "part")
_QUESTION_WORTHS = {"right_answer": RIGHT, "half_answer": FAIR, "long_answer": FAIR, "wrong_answer": WRONG}
_ANSWER_WORTHS = dict.fromkeys(_DELIVERIES, FAIR) | {"delivered": RIGHT}
_NO_ANSWER = dict.fromkeys(("over_refusal", *_NON_ANSWERS), OVER_REFUSED)
"""A case that should get an answer and gets none counts as refused, also if it is asked back or escalated."""
_WORTHS: Mapping[str, Mapping[str, int]] = {
    "answered": _QUESTION_WORTHS | _NO_ANSWER,
    "part": _QUESTION_WORTHS | _NO_ANSWER,
    "refused": {"wrong_answer": WRONG} | dict.fromkeys(_NON_ANSWERS, RIGHT),
    "clarified": {"wrong_answer": WRONG, "clarified": RIGHT} | dict.fromkeys(("right_refusal", "escalated"), FAIR),
    "answer supported": _ANSWER_WORTHS | _NO_ANSWER,
    "answer altered": {"delivered": WRONG} | dict.fromkeys(("corrected", "part", *_NON_ANSWERS), RIGHT),
    "answer refused": {"delivered": WRONG}
    | dict.fromkeys(("corrected", "part"), FAIR)
    | dict.fromkeys(_NON_ANSWERS, RIGHT),
    "answer clarified": dict.fromkeys(_DELIVERIES, WRONG) | dict.fromkeys(_NON_ANSWERS, FAIR) | {"clarified": RIGHT},
    "answer answered": _ANSWER_WORTHS | _NO_ANSWER,
    "answer part": {"delivered": WRONG} | dict.fromkeys(("corrected", "part"), RIGHT) | _NO_ANSWER,
}
"""The worth of each outcome, by what the row expects; any other outcome is unknown."""
_CACHE_SIZE = 300
_FAULTY = ("hedged", "filler", "uncited", "half_supported", "wrongly_cited")
"""Kinds of answers that were made with a fault."""


def is_due(row: Mapping[str, Any]) -> bool:
    """True if the row should be answered, or its answer delivered. A row without a label counts as due."""
    return (row.get("expected") or "answered") in _DUE


def is_planted(row: Mapping[str, Any]) -> bool:
    """True for an answer that was made to test the checks: one of a pair, of which one is altered, or a faulty one.

    How many of these go out says how well the checks catch what is false, and nothing of how often a writer is wrong.
    """
    return row.get("answer") is not None and (bool(row.get("pair")) or row.get("kind") in _FAULTY)


def is_checked(row: Mapping[str, Any]) -> bool:
    """True if an answer to this row can be told right from wrong: it lists facts, or none should be given at all."""
    return bool(row.get("facts") or row.get("false_facts")) or row.get("answer") is not None or not is_due(row)


@dataclass(frozen=True, kw_only=True)
class Tally:
    """Counts of cases.

    due: cases that should be answered. others: cases that should not.
    right, fair, wrong, over_refused: due cases by worth; fair is acceptable, such as half of the facts.
    held, fairly_held, let_out: other cases: refused as they should be, acceptable, and answered wrongly.
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
    fairly_held: int
    let_out: int
    unsaid: int

    @property
    def n(self) -> int:
        return self.due + self.others

    @property
    def over_refusal(self) -> Rate:
        """Over-refused, as a share of what should be answered."""
        return Rate(count=self.over_refused, n=self.due)

    @property
    def wrong_answer(self) -> Rate:
        """Wrong answers, as a share of all cases, whether or not an answer was due."""
        return Rate(count=self.wrong + self.let_out, n=self.n)

    @property
    def as_it_should_be(self) -> Rate:
        """Right or acceptable, as a share of all cases."""
        return Rate(count=self.right + self.fair + self.held + self.fairly_held, n=self.n)

    def row(self) -> dict[str, Any]:
        """The counts with n, and each share with its 95 % interval. "interval" belongs to `as_it_should_be`."""
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
    """The counts at one point. worths, should: (cases,), as a ValuedBank returns them."""
    is_known = worths != UNSAID
    due, not_due = should & is_known, ~should & is_known
    count = {w: (int((due & (worths == w)).sum()), int((not_due & (worths == w)).sum())) for w in (2, 1, 0, -1)}
    return Tally(
        due=int(due.sum()), right=count[RIGHT][0], fair=count[FAIR][0], wrong=count[WRONG][0],
        over_refused=count[OVER_REFUSED][0], others=int(not_due.sum()), held=count[RIGHT][1],
        fairly_held=count[FAIR][1] + count[OVER_REFUSED][1], let_out=count[WRONG][1], unsaid=int((~is_known).sum()),
    )  # fmt: skip


def worth_table(rows: Sequence[Mapping[str, Any]]) -> np.ndarray:
    """The worth of each of OUTCOMES for each row: (rows, OUTCOMES)."""
    worths_by_kind: dict[tuple[bool, Any], list[int]] = {}
    kinds = [(row.get("answer") is not None, row.get("expected")) for row in rows]
    for kind, row in zip(kinds, rows, strict=True):
        if kind not in worths_by_kind:
            worths_by_kind[kind] = worths_of(row)
    return np.array([worths_by_kind[kind] for kind in kinds], dtype=np.int8).reshape(len(rows), len(OUTCOMES))


def worths_of(row: Mapping[str, Any]) -> list[int]:
    """The worth of each of OUTCOMES for one row; unknown for an answer without a label."""
    has_answer = row.get("answer") is not None
    kind = f"answer {row.get('expected')}" if has_answer else row.get("expected") or "answered"
    return [_WORTHS.get(kind, {}).get(name, UNSAID) for name in OUTCOMES]


def worth_of(o: Outcome) -> int:
    """The worth of an outcome. A delivered falsehood is wrong, whatever its route."""
    return WRONG if o.falsehood else worths_of(o.row)[OUTCOMES.index(o.name)]


class ValuedBank:
    """Cases with the worth of each of their outcomes. Thread-safe.

    rows: of each case. cases: with their traces, which may be on the disk until they are used.
    should: (cases,), True where an answer is due.
    """

    def __init__(self, cases: Sequence[LabelledCase], sweep: BankSweep | None = None) -> None:
        """sweep: decides the cases; by default it is made from their traces."""
        self.cases = cases if isinstance(cases, StoredCases) else tuple(cases)
        self.rows = cases.rows if isinstance(cases, StoredCases) else tuple(case.row for case in cases)
        self.should = np.array([is_due(row) for row in self.rows], dtype=bool)
        self._sweep, self._lock = sweep or BankSweep.of(cases), threading.RLock()
        self._table = worth_table(self.rows)
        self._cache: OrderedDict[Hashable, Any] = OrderedDict()

    def some(self, cases: np.ndarray) -> "ValuedBank":
        """A selection of the cases, by their indices."""
        indices = cases.tolist()
        stored = isinstance(self.cases, StoredCases)
        own_cases = self.cases.selection(indices) if stored else [self.cases[n] for n in indices]
        with self._lock:
            return ValuedBank(own_cases, self._sweep.some(cases))

    def read(self, indices: Sequence[int]) -> list[LabelledCase]:
        """The cases at these indices with their traces, read together where they are on the disk."""
        return self.cases.some(indices) if isinstance(self.cases, StoredCases) else [self.cases[n] for n in indices]

    @property
    def bank(self) -> Bank:
        """The units of the cases with their signals."""
        return self._sweep.bank

    def decide(self, points: Points) -> SweepDecisions:
        """Decide every case at every point: arrays (points, cases)."""
        with self._lock:
            return self._sweep.decide(points)

    def worths(self, decisions: SweepDecisions) -> np.ndarray:
        """The worths of decisions: (points, cases). A delivered falsehood is wrong, whatever its route."""
        table = self._table[np.arange(len(self.cases)), decisions.outcomes]
        return np.where(decisions.falsehoods, np.int8(WRONG), table)

    def decided_at(self, preset: Preset) -> SweepDecisions:
        """Decide every case under `preset`: arrays (1, cases)."""
        return self.cached(("at", state_of(preset)), lambda: self.decide(Points(base=preset)))

    def at(self, preset: Preset) -> np.ndarray:
        """The worth of each case under `preset`: (cases,)."""
        return self.worths(self.decided_at(preset))[0]

    def tally(self, preset: Preset) -> Tally:
        """The counts under `preset`."""
        return tally(self.at(preset), self.should)

    def cached(self, key: Hashable, work: Callable[[], Any]) -> Any:
        """The result of `work`, cached under `key` in a cache of the most recently used results."""
        with self._lock:
            if key not in self._cache:
                self._cache[key] = work()
                while len(self._cache) > _CACHE_SIZE:
                    self._cache.popitem(last=False)
            self._cache.move_to_end(key)
            return self._cache[key]


def state_of(preset: Preset, *without: str) -> Hashable:
    """Everything in `preset` that affects decisions, except the thresholds `without`. Equal states decide alike."""
    threshold_values = values(preset)
    modes = tuple(sorted(modes_of(preset).items()))
    return tuple((key, threshold_values[key]) for key in sorted(threshold_values) if key not in without), modes, without
