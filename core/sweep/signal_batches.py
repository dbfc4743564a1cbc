"""The rounds of a bank in stacks, one for each round key, so that a check decides many rounds (rows) together."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from core.case import Round, Signals
from core.chain.check_results import reason_of
from core.chain.facts import claims_something, closest_of, only_talks, search_confidence
from core.chain.routing import CLARITY
from core.check import Bound, Check
from core.checks import all_checks
from core.checks.entailment import said_by_passages
from core.thresholds import Preset
from core.words import REASONS

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
    "confidence": search_confidence,
    "closest": closest_of,
    "claims": claims_something,
    "converses": only_talks,
    "awaited": lambda r: r.case.awaits_draft,
    "talks": lambda r: r.case.kind != "question",
}
"""What the chain reads of a round besides results of checks: name -> function; one value per round."""
FLAGS: Mapping[str, Callable[[Round], np.ndarray]] = {
    "leaning": lambda r: r.flags("leans"), "said": said_by_passages, "abstains": lambda r: r.flags("abstains"),
}  # fmt: skip
"""The same with one value per sentence: arrays (rows, longest), False after the last sentence."""


class Rows(Protocol):
    """Rows that a check decides together. tables: cache of the last decisions, by check (decision_tables.py)."""

    count: int
    tables: dict[str, Any]

    def pieces(self, check: Check) -> list[Piece]:
        """The signals of `check`, grouped into rows of similar length."""

    def states(self, check: Check) -> np.ndarray:
        """MEASURED, SILENT or BROKEN for each row: (rows,)."""

    def width(self, check: Check) -> int:
        """The number of signal values in the widest row, plus one; used to limit the memory of a batch."""

    def reasons(self, check: Check) -> np.ndarray:
        """For each row, the index in REASONS of the reason that `check` gives if it fails: (rows,)."""


class Stack(ABC):
    """The rounds with one round key, in the order of the units that they belong to. Arrays are made on first use."""

    def __init__(self, units: np.ndarray) -> None:
        """units: the unit of each round, ascending, (rows,)."""
        self.units, self.count = units, len(units)
        self.tables: dict[str, Any] = {}
        self._cache: dict[Any, Any] = {}

    def column(self, name: str) -> np.ndarray:
        """One of COLUMNS or FLAGS for every round."""
        return self._cached(name, lambda: self._column(name))

    def pieces(self, check: Check) -> list[Piece]:
        return self._cached(("pieces", check.name), lambda: self._pieces(check))

    def states(self, check: Check) -> np.ndarray:
        return self._cached(("gone", check.name), lambda: self._states(check))

    def width(self, check: Check) -> int:
        return self._cached(("width", check.name), lambda: max((items_of(s) for _, s in self.pieces(check)), default=1))

    def reasons(self, check: Check) -> np.ndarray:
        return self._cached(("reasons", check.name), lambda: self._reasons(check))

    def singles(self) -> "RestrictedRows":
        """Every sentence of every round as an answer of its own, one after the other."""
        return self._cached("singles", self._singles)

    def padded(self, check: Check, count: int) -> tuple[Signals, np.ndarray]:
        """The signals of `check` in one array by unit, and a mask of the units that have them: (count, items...).

        count: number of units; NaN where a unit has fewer items or none.
        """
        present = np.zeros(count, dtype=bool)
        present[self.units] = self.states(check) == MEASURED
        pieces = [(self.units[rows], signals) for rows, signals in self.pieces(check)]
        out = {}
        for name, signal in check.signals().items():
            shapes = [signals[name].shape[1:] for _, signals in pieces] or [(0,) * len(signal.items)]
            out[name] = np.full((count, *np.max(shapes, axis=0).astype(int)), np.nan)
            for units, signals in pieces:
                out[name][(units, *(slice(0, n) for n in signals[name].shape[1:]))] = signals[name]
        return out, present

    def by_row(self) -> list[dict[str, Signals]]:
        """For each row, the signals of every check by the name of the check; a check without signals in the row is left
        out."""
        rows: list[dict[str, Signals]] = [{} for _ in range(self.count)]
        for check in all_checks():
            has_signals = self.states(check) == MEASURED
            for indices, signals in self.pieces(check):
                for n, row in enumerate(indices.tolist()):
                    if has_signals[row]:
                        rows[row][check.name] = {name: array[n].astype(float) for name, array in signals.items()}
        return rows

    def some(self, rows: np.ndarray, units: np.ndarray) -> "Stack":
        """A stack of some rows, in any order and repeated at will. units: the units to assign them to, ascending,
        (rows,)."""
        return _StackSelection(self, rows, units)

    def forget(self, check: Check) -> None:
        """Free the signals of a check; they are made again when they are used."""
        self._cache.pop(("pieces", check.name), None)

    def _cached(self, name: Any, make: Callable[[], Any]) -> Any:
        if name not in self._cache:
            self._cache[name] = make()
        return self._cache[name]

    def _singles(self) -> "RestrictedRows":
        counts = self.column("sentences")
        rows = np.repeat(np.arange(self.count), counts)
        sentence_index = np.arange(len(rows)) - (np.cumsum(counts) - counts)[rows]
        return RestrictedRows(self, rows, sentence_index[:, None] == np.arange(counts.max(initial=0)))

    @abstractmethod
    def _column(self, name: str) -> np.ndarray: ...

    @abstractmethod
    def _pieces(self, check: Check) -> list[Piece]: ...

    @abstractmethod
    def _states(self, check: Check) -> np.ndarray: ...

    @abstractmethod
    def _reasons(self, check: Check) -> np.ndarray: ...


class RoundStack(Stack):
    """A stack of rounds in memory."""

    def __init__(self, rounds: Sequence[Round], units: np.ndarray, is_part: np.ndarray) -> None:
        """is_part: True where the unit of a round is a part of a question, (rows,)."""
        super().__init__(units)
        self._rounds, self._is_part = tuple(rounds), is_part

    def _column(self, name: str) -> np.ndarray:
        if name in COLUMNS:
            return np.array([COLUMNS[name](r) for r in self._rounds])
        out = np.zeros((self.count, self.column("sentences").max(initial=0)), dtype=bool)
        for row, measured in zip(out, self._rounds, strict=True):
            row[: len(measured.case.sentences)] = FLAGS[name](measured)
        return out

    def _pieces(self, check: Check) -> list[Piece]:
        """Group rows of similar length, so that one long answer does not pad a thousand short ones."""
        sizes = size_classes(self)
        groups = [np.flatnonzero(sizes == size) for size in np.unique(sizes)]
        return [(rows, stack_signals(check, [self._rounds[row] for row in rows])) for rows in groups]

    def _states(self, check: Check) -> np.ndarray:
        absence = np.array([_absence(check, r) for r in self._rounds], dtype=np.uint8)
        return np.where(self._is_part, SILENT, absence).astype(np.uint8) if check.name == CLARITY else absence

    def _reasons(self, check: Check) -> np.ndarray:
        t = check.bind(Preset())
        return np.array([_reason(check, r, t) for r in self._rounds], dtype=np.uint8)


class _StackSelection(Stack):
    """Some rows of another stack, read from it."""

    def __init__(self, whole: Stack, rows: np.ndarray, units: np.ndarray) -> None:
        super().__init__(units)
        self._whole, self._rows = whole, rows

    def forget(self, check: Check) -> None:
        super().forget(check)
        self._whole.forget(check)

    def _column(self, name: str) -> np.ndarray:
        return self._whole.column(name)[self._rows]

    def _pieces(self, check: Check) -> list[Piece]:
        pieces = []
        for rows, signals in self._whole.pieces(check):
            present, position = _positions(rows, self._rows)
            if len(present):
                pieces.append((present, {name: array[position] for name, array in signals.items()}))
        return pieces

    def _states(self, check: Check) -> np.ndarray:
        return self._whole.states(check)[self._rows]

    def _reasons(self, check: Check) -> np.ndarray:
        return self._whole.reasons(check)[self._rows]


class JoinedStack(Stack):
    """The rows of several stacks one after the other; the arrays of one are padded to those of the longest."""

    def __init__(self, stacks: Sequence[Stack], units: np.ndarray) -> None:
        super().__init__(units)
        self._stacks = stacks
        self._offsets = np.cumsum([0, *(stack.count for stack in stacks)])

    def forget(self, check: Check) -> None:
        super().forget(check)
        for stack in self._stacks:
            stack.forget(check)

    def _column(self, name: str) -> np.ndarray:
        return _joined_arrays([stack.column(name) for stack in self._stacks], padding=False)

    def _pieces(self, check: Check) -> list[Piece]:
        pieces_by_size: dict[float, list[Piece]] = {}
        for offset, stack in zip(self._offsets, self._stacks, strict=False):
            sizes = size_classes(stack)
            for rows, signals in stack.pieces(check):
                pieces_by_size.setdefault(float(sizes[rows[0]]), []).append((rows + offset, signals))
        return [
            (
                np.concatenate([rows for rows, _ in pieces]),
                {name: _joined_arrays([signals[name] for _, signals in pieces], np.nan) for name in pieces[0][1]},
            )
            for _, pieces in sorted(pieces_by_size.items())
        ]  # fmt: skip

    def _states(self, check: Check) -> np.ndarray:
        return np.concatenate([stack.states(check) for stack in self._stacks])

    def _reasons(self, check: Check) -> np.ndarray:
        return np.concatenate([stack.reasons(check) for stack in self._stacks])


def size_classes(stack: Stack) -> np.ndarray:
    """The length class of each row's answer, (rows,): the signals of rows of one class are padded to one length."""
    return np.ceil(np.log2(np.maximum(stack.column("sentences"), _SHORT)))


def _joined_arrays(arrays: Sequence[np.ndarray], padding: Any) -> np.ndarray:
    """Arrays one after the other along the first axis, `padding` where one is shorter along another axis."""
    shape = np.max([a.shape[1:] for a in arrays], axis=0).astype(int) if arrays[0].ndim > 1 else ()
    if all(a.shape[1:] == tuple(shape) for a in arrays):
        return np.concatenate(arrays)
    out = np.full((sum(map(len, arrays)), *shape), padding, dtype=np.result_type(*arrays))
    first = 0
    for array in arrays:
        out[(slice(first, first + len(array)), *(slice(0, n) for n in array.shape[1:]))] = array
        first += len(array)
    return out


def _positions(rows: np.ndarray, wanted_rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The indices in `wanted_rows` of the rows that `rows` (ascending) also holds, and the index of each in `rows`."""
    position = np.minimum(np.searchsorted(rows, wanted_rows), len(rows) - 1)
    present = np.flatnonzero(rows[position] == wanted_rows)
    return present, position[present]


class RestrictedRows:
    """Cuts: rows of a stack restricted to some of their sentences, as core.chain.delivery.restrict does it."""

    def __init__(self, stack: Stack, rows: np.ndarray, masks: np.ndarray) -> None:
        """rows: the rows in `stack`, (cuts,). masks: the sentences that stay, (cuts, longest)."""
        self._stack, self.rows, self._kept, self.count = stack, rows, masks, len(rows)
        self.tables: dict[str, Any] = {}
        self._pieces: dict[str, list[Piece]] = {}

    def pieces(self, check: Check) -> list[Piece]:
        if check.name not in self._pieces:
            self._pieces[check.name] = list(self._restricted_pieces(check))
        return self._pieces[check.name]

    def states(self, check: Check) -> np.ndarray:
        return self._stack.states(check)[self.rows]

    def width(self, check: Check) -> int:
        return self._stack.width(check)

    def reasons(self, check: Check) -> np.ndarray:
        """For each row, the reason of the answer that it is cut from: (rows,). Callers use only whether
        there is one."""
        return self._stack.reasons(check)[self.rows]

    def _restricted_pieces(self, check: Check) -> Iterator[Piece]:
        for rows, signals in self._stack.pieces(check):
            present, own_rows = _positions(rows, self.rows)
            if len(present):
                items = {name: signal.items for name, signal in check.signals().items()}
                masks = self._kept[present]
                yield present, {name: _select_sentences(a[own_rows], items[name], masks) for name, a in signals.items()}


def stack_signals(check: Check, rounds: Sequence[Round]) -> Signals:
    """The signals of one check over many rounds: (rounds, items...). NaN fills rounds with fewer items than the
    longest, and rounds without signals."""
    signals = [r.signals.get(check.name) for r in rounds]
    return {n: _pad([m and m[n] for m in signals], len(s.items)) for n, s in check.signals().items()}


def items_of(signals: Signals) -> int:
    """The number of values per row, plus one."""
    return 1 + sum(math.prod(array.shape[1:]) for array in signals.values())


def _select_sentences(array: np.ndarray, items: tuple[str, ...], masks: np.ndarray) -> np.ndarray:
    """`array` with the kept sentences first and NaN after them; unchanged if it has no sentence axis."""
    if "sentence" not in items:
        return array
    axis = 1 + items.index("sentence")
    masks = masks[:, : array.shape[axis]]
    order = np.argsort(~masks, axis=1, kind="stable")[:, : masks.sum(1).max(initial=1)]
    is_kept = np.arange(order.shape[1]) < masks.sum(1)[:, None]
    shape = [order.shape[1] if n == axis else 1 for n in range(array.ndim)]
    shape[0] = len(array)
    return np.where(is_kept.reshape(shape), np.take_along_axis(array, order.reshape(shape), axis), np.nan)


def _absence(check: Check, measured_round: Round) -> int:
    """MEASURED, SILENT or BROKEN for one round, as core.chain.check_results.result decides it.

    A check that did not exist yet when the round was measured counts as broken.
    """
    absence = measured_round.absent.get(check.name)
    if absence is None:
        return MEASURED if check.name in measured_round.signals else BROKEN
    return BROKEN if absence.cause == "error" else SILENT


def _reason(check: Check, measured_round: Round, t: Bound) -> int:
    if _absence(check, measured_round) != MEASURED:
        return NO_REASON
    return RANKS[reason_of(check, measured_round, t)]


def _pad(arrays: list[np.ndarray | None], axes: int) -> np.ndarray:
    """Arrays of different lengths in one array, NaN after the shorter ones: (cases, longest...)."""
    shapes = [a.shape for a in arrays if a is not None]
    longest = tuple(max((s[axis] for s in shapes), default=0) for axis in range(axes))
    out = np.full((len(arrays), *longest), np.nan)
    for row, array in enumerate(arrays):
        if array is not None:
            out[(row, *(slice(0, n) for n in array.shape))] = array
    return out
