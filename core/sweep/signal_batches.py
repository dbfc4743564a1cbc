"""The rounds of a bank, stacked by round key so that a check decides them together."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from core.case import Round, Signals
from core.chain.check_results import REASONS, reason_of
from core.chain.correction import abstentions
from core.chain.delivery import leaning_of
from core.chain.facts import claims_something, closest_of, only_talks, reached
from core.chain.routing import CLARITY
from core.check import Bound, Check
from core.checks.entailment import said_by_passages
from core.thresholds import Preset

MEASURED, SILENT, BROKEN = range(3)
"""Whether a check has signals for a round, does not apply to it, or could not be measured."""
NO_REASON = len(REASONS)
"""Code after the last index of REASONS: nothing forbids the answer."""
RANKS = {reason: rank for rank, reason in enumerate(REASONS)}
"""The index of each reason in REASONS."""
_SHORT = 4
"""Answers of at most this many sentences are padded to one length."""

Piece = tuple[np.ndarray, Signals]
"""Some rows, as ascending indices, and one check's signals for them: (rows, items...), NaN after the last item."""

COLUMNS: Mapping[str, Callable[[Round], Any]] = {
    "sentences": lambda r: len(r.case.sentences),
    "may find more": lambda r: r.case.may_find_more,
    "confidence": reached,
    "closest": closest_of,
    "claims": claims_something,
    "converses": only_talks,
    "awaited": lambda r: r.case.awaits_draft,
}
"""What the decision flow reads of a round without a check; one entry per round."""
FLAGS: Mapping[str, Callable[[Round], np.ndarray]] = {
    "leaning": leaning_of, "said": said_by_passages, "abstains": abstentions,
}  # fmt: skip
"""The same with one entry per sentence: (rows, longest), False after the last sentence."""


class Rows(Protocol):
    """Rows that a check decides together. tables: cache of the last decisions, by check (decision_tables.py)."""

    count: int
    tables: dict[str, Any]

    def pieces(self, check: Check) -> list[Piece]:
        """The signals of `check`, grouped into rows of similar length."""

    def gone(self, check: Check) -> np.ndarray:
        """MEASURED, SILENT or BROKEN for each row: (rows,)."""

    def width(self, check: Check) -> int:
        """The number of values in the widest row."""

    def reasons(self, check: Check) -> np.ndarray:
        """For each row, the index in REASONS of the reason that `check` gives if it fails: (rows,)."""


class Stack:
    """The rounds with one round key, in the order of the units that they belong to."""

    def __init__(self, rounds: Sequence[Round], units: np.ndarray, is_part: np.ndarray) -> None:
        """units: the unit of each round, ascending, (rows,).
        is_part: True where that unit is a part of a question, (rows,).
        """
        self.rounds, self.units, self.is_part = tuple(rounds), units, is_part
        self.count = len(rounds)
        self.tables: dict[str, Any] = {}
        self._cache: dict[Any, Any] = {}

    def column(self, name: str) -> np.ndarray:
        """One of COLUMNS or FLAGS for every round."""
        return self._cached(name, lambda: self._column(name))

    def pieces(self, check: Check) -> list[Piece]:
        return self._cached(("pieces", check.name), lambda: self._pieces(check))

    def gone(self, check: Check) -> np.ndarray:
        return self._cached(("gone", check.name), lambda: self._gone(check))

    def width(self, check: Check) -> int:
        return self._cached(("width", check.name), lambda: max((items_of(s) for _, s in self.pieces(check)), default=1))

    def reasons(self, check: Check) -> np.ndarray:
        return self._cached(("reasons", check.name), lambda: self._reasons(check))

    def singles(self) -> "Cut":
        """Every sentence of every round as an answer of its own, one after the other."""
        return self._cached("singles", self._singles)

    def subset(self, first: int, end: int) -> "Stack":
        """The rounds of the units from `first` up to, not including, `end`; their units are renumbered from 0."""
        return _StackSlice(self, *np.searchsorted(self.units, [first, end]).tolist(), first)

    def _cached(self, name: Any, make: Callable[[], Any]) -> Any:
        if name not in self._cache:
            self._cache[name] = make()
        return self._cache[name]

    def _column(self, name: str) -> np.ndarray:
        if name in COLUMNS:
            return np.array([COLUMNS[name](r) for r in self.rounds])
        out = np.zeros((self.count, self.column("sentences").max(initial=0)), dtype=bool)
        for row, measured in zip(out, self.rounds, strict=True):
            row[: len(measured.case.sentences)] = FLAGS[name](measured)
        return out

    def _pieces(self, check: Check) -> list[Piece]:
        """Group rows of similar length, so that one long answer does not pad a thousand short ones."""
        size_classes = np.ceil(np.log2(np.maximum(self.column("sentences"), _SHORT)))
        groups = [np.flatnonzero(size_classes == size) for size in np.unique(size_classes)]
        return [(rows, stacked(check, [self.rounds[row] for row in rows])) for rows in groups]

    def _gone(self, check: Check) -> np.ndarray:
        absence = np.array([_absence(check, r) for r in self.rounds], dtype=np.uint8)
        return np.where(self.is_part, SILENT, absence) if check.name == CLARITY else absence

    def _reasons(self, check: Check) -> np.ndarray:
        t = check.bind(Preset())
        return np.array([_reason(check, r, t) for r in self.rounds], dtype=np.uint8)

    def _singles(self) -> "Cut":
        counts = self.column("sentences")
        rows = np.repeat(np.arange(self.count), counts)
        sentence_index = np.arange(len(rows)) - (np.cumsum(counts) - counts)[rows]
        return Cut(self, rows, sentence_index[:, None] == np.arange(counts.max(initial=0)))


class _StackSlice(Stack):
    """Consecutive rows of a stack, read from the whole stack."""

    def __init__(self, whole: Stack, first: int, end: int, shift: int) -> None:
        super().__init__(whole.rounds[first:end], whole.units[first:end] - shift, whole.is_part[first:end])
        self._whole, self._rows = whole, slice(first, end)

    def _column(self, name: str) -> np.ndarray:
        return self._whole.column(name)[self._rows]

    def _pieces(self, check: Check) -> list[Piece]:
        pieces = []
        for rows, signals in self._whole.pieces(check):
            overlap = slice(*np.searchsorted(rows, [self._rows.start, self._rows.stop]).tolist())
            if overlap.start < overlap.stop:
                own_signals = {name: array[overlap] for name, array in signals.items()}
                pieces.append((rows[overlap] - self._rows.start, own_signals))
        return pieces

    def _gone(self, check: Check) -> np.ndarray:
        return self._whole.gone(check)[self._rows]

    def _reasons(self, check: Check) -> np.ndarray:
        return self._whole.reasons(check)[self._rows]


class Cut:
    """Rows of a stack restricted to some of their sentences, as core.chain.delivery.restricted does it."""

    def __init__(self, stack: Stack, rows: np.ndarray, kept: np.ndarray) -> None:
        """rows: the rows in `stack`, (cuts,). kept: the sentences that stay, (cuts, longest)."""
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
        """The reasons of the whole answers. For a cut only whether a reason exists is ever used, not which one."""
        return self._stack.reasons(check)[self.rows]

    def _cut(self, check: Check) -> Iterator[Piece]:
        for rows, signals in self._stack.pieces(check):
            position = np.minimum(np.searchsorted(rows, self.rows), len(rows) - 1)
            present = np.flatnonzero(rows[position] == self.rows)
            if len(present):
                items = {name: signal.items for name, signal in check.signals().items()}
                own_rows, kept = position[present], self._kept[present]
                yield present, {name: _select_sentences(a[own_rows], items[name], kept) for name, a in signals.items()}


def stacked(check: Check, rounds: Sequence[Round]) -> Signals:
    """The signals of one check over many rounds: (rounds, items...), NaN where a round has fewer items or none."""
    signals = [r.signals.get(check.name) for r in rounds]
    return {n: _padded([m and m[n] for m in signals], len(s.items)) for n, s in check.signals().items()}


def items_of(signals: Signals) -> int:
    """The number of values per row, plus one."""
    return 1 + sum(math.prod(array.shape[1:]) for array in signals.values())


def _select_sentences(array: np.ndarray, items: tuple[str, ...], kept: np.ndarray) -> np.ndarray:
    """`array` with the kept sentences first and NaN after them; unchanged if it has no sentence axis."""
    if "sentence" not in items:
        return array
    axis = 1 + items.index("sentence")
    kept = kept[:, : array.shape[axis]]
    order = np.argsort(~kept, axis=1, kind="stable")[:, : kept.sum(1).max(initial=1)]
    is_kept = np.arange(order.shape[1]) < kept.sum(1)[:, None]
    shape = [order.shape[1] if n == axis else 1 for n in range(array.ndim)]
    shape[0] = len(array)
    return np.where(is_kept.reshape(shape), np.take_along_axis(array, order.reshape(shape), axis), np.nan)


def _absence(check: Check, measured: Round) -> int:
    """Mirrors core.chain.check_results.result: a check that is newer than the round counts as broken."""
    absence = measured.absent.get(check.name)
    if absence is None:
        return MEASURED if check.name in measured.signals else BROKEN
    return BROKEN if absence.cause == "error" else SILENT


def _reason(check: Check, measured: Round, t: Bound) -> int:
    if _absence(check, measured) != MEASURED:
        return NO_REASON
    return RANKS[reason_of(check, measured, t)]


def _padded(arrays: list[np.ndarray | None], axes: int) -> np.ndarray:
    """Arrays of different lengths in one array, NaN after the shorter ones: (cases, longest...)."""
    shapes = [a.shape for a in arrays if a is not None]
    longest = tuple(max((s[axis] for s in shapes), default=0) for axis in range(axes))
    out = np.full((len(arrays), *longest), np.nan)
    for row, array in enumerate(arrays):
        if array is not None:
            out[(row, *(slice(0, n) for n in array.shape))] = array
    return out
