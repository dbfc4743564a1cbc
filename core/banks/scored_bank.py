"""What each outcome of a bank is worth, and what the bank comes to under one preset or under many."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from core.evaluation.cases import Labelled
from core.evaluation.outcomes import Outcome, Rate
from core.presets import modes_of, values
from core.sweep.bank_sweep import BankSweep
from core.sweep.outcomes import OUTCOMES, Decided
from core.sweep.settings_grid import Points
from core.thresholds import Preset

RIGHT, FAIR, REFUSED, WRONG, UNSAID = 2, 1, 0, -1, -2
"""The worth of an outcome: as it should be, acceptable, over-refused, wrong, and what cannot be said."""
_DUE = ("answered", "part", "supported")
_HELD = ("right_refusal", "refused", "clarified", "escalated")
_OUT = ("delivered", "corrected", "part")
_ANSWERED = {"right_answer": RIGHT, "half_answer": FAIR, "long_answer": FAIR, "wrong_answer": WRONG}
_GIVEN = dict.fromkeys(_OUT, FAIR) | {"delivered": RIGHT}
_NO_ANSWER = dict.fromkeys(("over_refusal", *_HELD), REFUSED)
"""Whoever should get an answer and gets none is refused, also by a question back or by a person who is called."""
_WORTHS: Mapping[str, Mapping[str, int]] = {
    "answered": _ANSWERED | _NO_ANSWER,
    "part": _ANSWERED | _NO_ANSWER,
    "refused": {"wrong_answer": WRONG} | dict.fromkeys(_HELD, RIGHT),
    "clarified": {"wrong_answer": WRONG, "clarified": RIGHT} | dict.fromkeys(("right_refusal", "escalated"), FAIR),
    "answer supported": _GIVEN | _NO_ANSWER,
    "answer altered": {"delivered": WRONG} | dict.fromkeys(("corrected", "part", *_HELD), RIGHT),
    "answer refused": {"delivered": WRONG} | dict.fromkeys(("corrected", "part"), FAIR) | dict.fromkeys(_HELD, RIGHT),
    "answer clarified": dict.fromkeys(_OUT, WRONG) | dict.fromkeys(_HELD, FAIR) | {"clarified": RIGHT},
    "answer answered": _GIVEN | _NO_ANSWER,
    "answer part": {"delivered": WRONG} | dict.fromkeys(("corrected", "part"), RIGHT) | _NO_ANSWER,
}
"""What each outcome is worth by what the row expects; anything else cannot be said."""
_REMEMBERED = 300


def is_due(row: Mapping[str, Any]) -> bool:
    """True when the row should be answered, or its answer given out; a row without a label should."""
    return (row.get("expected") or "answered") in _DUE


@dataclass(frozen=True, kw_only=True)
class Tally:
    """Counts of cases. due: those that should be answered; others: those that should not.

    fair: an acceptable outcome, such as an answer with half of its facts. held: refused or asked back as it should be.
    unsaid: cases that this preset takes to a round that was never measured, or that could not be read; in no other
    count.
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
        """Over-refused, of what should be answered."""
        return Rate(count=self.over_refused, n=self.due)

    @property
    def wrong_answer(self) -> Rate:
        """Wrong answers of all cases, whether an answer was due or not."""
        return Rate(count=self.wrong + self.let_out, n=self.n)

    @property
    def as_it_should_be(self) -> Rate:
        """Right or acceptable, of all cases."""
        return Rate(count=self.right + self.fair + self.held + self.fairly_held, n=self.n)

    def row(self) -> dict[str, Any]:
        """The counts with n, each share with its 95 % interval; "interval" is that of what is as it should be."""
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
    """The counts of one point. worths, should: (cases,), as a ValuedBank gives them."""
    said = worths != UNSAID
    inside, outside = should & said, ~should & said
    count = {w: (int((inside & (worths == w)).sum()), int((outside & (worths == w)).sum())) for w in (2, 1, 0, -1)}
    return Tally(
        due=int(inside.sum()), right=count[RIGHT][0], fair=count[FAIR][0], wrong=count[WRONG][0],
        over_refused=count[REFUSED][0], others=int(outside.sum()), held=count[RIGHT][1],
        fairly_held=count[FAIR][1] + count[REFUSED][1], let_out=count[WRONG][1], unsaid=int((~said).sum()),
    )  # fmt: skip


def worths_of(row: Mapping[str, Any]) -> list[int]:
    """The worth of each of OUTCOMES for one row. An answer without a label says nothing."""
    judged = row.get("answer") is not None
    kind = f"answer {row.get('expected')}" if judged else row.get("expected") or "answered"
    return [_WORTHS.get(kind, {}).get(name, UNSAID) for name in OUTCOMES]


def worth_of(o: Outcome) -> int:
    """The worth of what became of one row; a falsehood that goes out is wrong, whatever way it took."""
    return WRONG if o.falsehood else worths_of(o.row)[OUTCOMES.index(o.name)]


class ValuedBank:
    """Cases with what every outcome of each is worth (core/banks/scored_bank.py). Several threads may ask at a time.

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
