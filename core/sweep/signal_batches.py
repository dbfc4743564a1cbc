"""The rounds of a bank stacked by the place that they have in their traces, so that a check decides them together."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from core.case import Round, Signals
from core.chain.check_results import REASONS, reason_of
from core.chain.correction import abstentions
from core.chain.delivery import leaning_of
from core.chain.facts import claims_something, closest_of, reached
from core.chain.routing import CLARITY
from core.check import Bound, Check
from core.checks.entailment import said_by_passages
from core.thresholds import Preset

MEASURED, SILENT, BROKEN = range(3)
"""Whether a check has signals of a round, does not apply to it, or could not be measured."""
NO_REASON = len(REASONS)
"""Behind the last place in REASONS: nothing forbids the answer."""
RANKS = {reason: rank for rank, reason in enumerate(REASONS)}
"""The place of each reason in REASONS."""
_SHORT = 4
"""Answers of at most so many sentences are padded alike."""

Piece = tuple[np.ndarray, Signals]
"""Some rows, as ascending places, and one check's signals of them: (rows, items...), NaN behind the last item."""

COLUMNS: Mapping[str, Callable[[Round], Any]] = {
    "sentences": lambda r: len(r.case.sentences),
    "may find more": lambda r: r.case.may_find_more,
    "confidence": reached,
    "closest": closest_of,
    "claims": claims_something,
    "awaited": lambda r: r.case.awaits_draft,
}
"""What the way reads of a round that no check decides, one entry a round."""
FLAGS: Mapping[str, Callable[[Round], np.ndarray]] = {
    "leaning": leaning_of, "said": said_by_passages, "abstains": abstentions,
}  # fmt: skip
"""The same with one entry a sentence: (rows, longest), False behind the last sentence."""


class Rows(Protocol):
    """What a check decides together. tables: what was decided last, by check (tables.py)."""

    count: int
    tables: dict[str, Any]

    def pieces(self, check: Check) -> list[Piece]:
        """The signals of `check`, rows of like length together."""

    def gone(self, check: Check) -> np.ndarray:
        """MEASURED, SILENT or BROKEN for each row: (rows,)."""

    def width(self, check: Check) -> int:
        """How many numbers the widest row has."""

    def reasons(self, check: Check) -> np.ndarray:
        """The place in REASONS of what `check` says where it fails: (rows,)."""


class Stack:
    """The rounds of one place, in order of the units that they belong to."""

    def __init__(self, rounds: Sequence[Round], units: np.ndarray, of_a_whole: np.ndarray) -> None:
        """units, of_a_whole: (rows,), whose rounds they are, ascending, and whether that is a part of a question."""
        self.rounds, self.units, self.of_a_whole = tuple(rounds), units, of_a_whole
        self.count = len(rounds)
        self.tables: dict[str, Any] = {}
        self._kept: dict[Any, Any] = {}

    def column(self, name: str) -> np.ndarray:
        """One of COLUMNS or FLAGS."""
        return self._once(name, lambda: self._column(name))

    def pieces(self, check: Check) -> list[Piece]:
        return self._once(("pieces", check.name), lambda: self._pieces(check))

    def gone(self, check: Check) -> np.ndarray:
        return self._once(("gone", check.name), lambda: self._gone(check))

    def width(self, check: Check) -> int:
        return self._once(("width", check.name), lambda: max((items_of(s) for _, s in self.pieces(check)), default=1))

    def reasons(self, check: Check) -> np.ndarray:
        return self._once(("reasons", check.name), lambda: self._reasons(check))

    def singles(self) -> "Cut":
        """Every sentence of every round as an answer of its own, one after the other."""
        return self._once("singles", self._singles)

    def narrowed(self, first: int, end: int) -> "Stack":
        """The rounds of the units from `first` to before `end`, which are counted anew from 0."""
        return _Narrowed(self, *np.searchsorted(self.units, [first, end]).tolist(), first)

    def _once(self, name: Any, make: Callable[[], Any]) -> Any:
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    def _column(self, name: str) -> np.ndarray:
        if name in COLUMNS:
            return np.array([COLUMNS[name](r) for r in self.rounds])
        out = np.zeros((self.count, self.column("sentences").max(initial=0)), dtype=bool)
        for row, measured in zip(out, self.rounds, strict=True):
            row[: len(measured.case.sentences)] = FLAGS[name](measured)
        return out

    def _pieces(self, check: Check) -> list[Piece]:
        """Rows of like length together, so that one long answer does not pad a thousand short ones."""
        classes = np.ceil(np.log2(np.maximum(self.column("sentences"), _SHORT)))
        alike = [np.flatnonzero(classes == one) for one in np.unique(classes)]
        return [(rows, stacked(check, [self.rounds[row] for row in rows])) for rows in alike]

    def _gone(self, check: Check) -> np.ndarray:
        found = np.array([_absence(check, r) for r in self.rounds], dtype=np.uint8)
        return np.where(self.of_a_whole, SILENT, found) if check.name == CLARITY else found

    def _reasons(self, check: Check) -> np.ndarray:
        t = check.bind(Preset())
        return np.array([_reason(check, r, t) for r in self.rounds], dtype=np.uint8)

    def _singles(self) -> "Cut":
        counts = self.column("sentences")
        rows = np.repeat(np.arange(self.count), counts)
        places = np.arange(len(rows)) - (np.cumsum(counts) - counts)[rows]
        return Cut(self, rows, places[:, None] == np.arange(counts.max(initial=0)))


class _Narrowed(Stack):
    """Some rows of a stack, one after the other, read from it."""

    def __init__(self, whole: Stack, first: int, end: int, shift: int) -> None:
        super().__init__(whole.rounds[first:end], whole.units[first:end] - shift, whole.of_a_whole[first:end])
        self._whole, self._rows = whole, slice(first, end)

    def _column(self, name: str) -> np.ndarray:
        return self._whole.column(name)[self._rows]

    def _pieces(self, check: Check) -> list[Piece]:
        found = []
        for rows, signals in self._whole.pieces(check):
            some = slice(*np.searchsorted(rows, [self._rows.start, self._rows.stop]).tolist())
            if some.start < some.stop:
                found.append((rows[some] - self._rows.start, {name: array[some] for name, array in signals.items()}))
        return found

    def _gone(self, check: Check) -> np.ndarray:
        return self._whole.gone(check)[self._rows]

    def _reasons(self, check: Check) -> np.ndarray:
        return self._whole.reasons(check)[self._rows]


class Cut:
    """Rows of a stack with only some of their sentences, as core.chain.delivery.restricted leaves them."""

    def __init__(self, stack: Stack, rows: np.ndarray, kept: np.ndarray) -> None:
        """rows: places in `stack`, (cuts,). kept: which sentences stay, (cuts, longest)."""
        self._stack, self.rows, self._kept, self.count = stack, rows, kept, len(rows)
        self.tables: dict[str, Any] = {}
        self._pieces: dict[str, list[Piece]] = {}

    def pieces(self, check: Check) -> list[Piece]:
        if check.name not in self._pieces:
            self._pieces[check.name] = list(self._cut(check))
        return self._pieces[check.name]

    def gone(self, check: Check) -> np.ndarray:
        return self._stack.gone(check)[self.rows]

    def width(self, check: Check) -> int:
        return self._stack.width(check)

    def reasons(self, check: Check) -> np.ndarray:
        """Those of the whole answers: of a cut only whether something forbids it is ever asked."""
        return self._stack.reasons(check)[self.rows]

    def _cut(self, check: Check) -> Iterator[Piece]:
        for rows, signals in self._stack.pieces(check):
            at = np.minimum(np.searchsorted(rows, self.rows), len(rows) - 1)
            mine = np.flatnonzero(rows[at] == self.rows)
            if len(mine):
                items = {name: signal.items for name, signal in check.signals().items()}
                yield mine, {name: _only(a[at[mine]], items[name], self._kept[mine]) for name, a in signals.items()}


def stacked(check: Check, rounds: Sequence[Round]) -> Signals:
    """The signals of one check over many rounds: (rounds, items...), NaN where a round has fewer items or none."""
    found = [r.signals.get(check.name) for r in rounds]
    return {n: _padded([m and m[n] for m in found], len(s.items)) for n, s in check.signals().items()}


def items_of(signals: Signals) -> int:
    """How many numbers a row has, and one."""
    return 1 + sum(math.prod(array.shape[1:]) for array in signals.values())


def _only(array: np.ndarray, items: tuple[str, ...], kept: np.ndarray) -> np.ndarray:
    """`array` with the kept sentences first and NaN behind them; as it is where it knows no sentences."""
    if "sentence" not in items:
        return array
    axis = 1 + items.index("sentence")
    kept = kept[:, : array.shape[axis]]
    order = np.argsort(~kept, axis=1, kind="stable")[:, : kept.sum(1).max(initial=1)]
    there = np.arange(order.shape[1]) < kept.sum(1)[:, None]
    shape = [order.shape[1] if n == axis else 1 for n in range(array.ndim)]
    shape[0] = len(array)
    return np.where(there.reshape(shape), np.take_along_axis(array, order.reshape(shape), axis), np.nan)


def _absence(check: Check, measured: Round) -> int:
    """As core.chain.check_results.result reads it: a check that is newer than the round counts as broken."""
    absence = measured.absent.get(check.name)
    if absence is None:
        return MEASURED if check.name in measured.signals else BROKEN
    return BROKEN if absence.cause == "error" else SILENT


def _reason(check: Check, measured: Round, t: Bound) -> int:
    if _absence(check, measured) != MEASURED:
        return NO_REASON
    return RANKS[reason_of(check, measured, t)]


def _padded(arrays: list[np.ndarray | None], axes: int) -> np.ndarray:
    """Arrays of different lengths in one, NaN behind the shorter ones: (cases, longest...)."""
    shapes = [a.shape for a in arrays if a is not None]
    longest = tuple(max((s[axis] for s in shapes), default=0) for axis in range(axes))
    out = np.full((len(arrays), *longest), np.nan)
    for row, array in enumerate(arrays):
        if array is not None:
            out[(row, *(slice(0, n) for n in array.shape))] = array
    return out
