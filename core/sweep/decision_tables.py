"""What a check decides of many rows at many settings: once for each distinct value of the thresholds that it reads."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from core.chain.check_results import check_named
from core.chain.delivery import held_back
from core.chain.routing import SUPPORT, Place
from core.check import Bound, Check, Decision
from core.checks import all_checks
from core.sweep.bank import Bank, Pairs, PartialAnswers
from core.sweep.signal_batches import BROKEN, NO_REASON, RANKS, SILENT, Rows, Stack, items_of
from core.sweep.threshold_columns import Cells, Columns

QUERY, ANSWER = "query", "answer"
PASSED, FAILED, NOT_RUN, BROKE = range(4)
"""What a check says of a row, whatever its mode."""
_AT_ONCE = 500_000
"""Numbers that a check handles at a time, so that a long sweep needs no more memory than a short one."""
_BITS = 31
"""Sentences that one number can mark as kept."""


def said(rows: Rows, check: Check, columns: Columns, some: np.ndarray) -> np.ndarray:
    """What `check` says of the rows `some` at every point: PASSED, FAILED, NOT_RUN or BROKE, (some, points or 1)."""
    cells = columns.cells(check)
    if not worth_a_table(rows, check, columns):
        return _with_gone(rows, check, some, _at_points(rows, check, columns, some))
    return _spread(table(rows, check, cells), cells, some)


def ranks(rows: Rows, check: Check, columns: Columns, some: np.ndarray) -> np.ndarray:
    """The reason of `check` as a place in REASONS where it fails or broke, else NO_REASON: (some, points or 1)."""
    cells = columns.cells(check)
    if not worth_a_table(rows, check, columns):
        return ranked(said(rows, check, columns, some), rows.reasons(check)[some, None])
    key = check.name, cells.listed, "reasons"
    known = rows.tables.get(key)
    if known is None or known[0] != cells.mark:
        found = ranked(table(rows, check, cells), rows.reasons(check)[:, None])
        known = rows.tables[key] = (cells.mark, found)
    return _spread(known[1], cells, some)


def table(rows: Rows, check: Check, cells: Cells) -> np.ndarray:
    """What `check` says of every row at every cell: (rows, cells). The last one made is remembered."""
    known = rows.tables.get((check.name, cells.listed))
    if known is None or known[0] != cells.mark:
        out = np.full((rows.count, cells.count), NOT_RUN, dtype=np.uint8)
        for some, decision in _decided(rows, check, cells):
            out[some] = _coded(_by_row(decision.margin, cells, len(some)))
        every = np.arange(rows.count)
        known = rows.tables[check.name, cells.listed] = (cells.mark, _with_gone(rows, check, every, out))
    return known[1]


def scores(rows: Rows, check: Check, cells: Cells) -> np.ndarray:
    """The value that `check` compares, of every row at every cell: (rows, cells); -1 where it did not run."""
    key = check.name, cells.listed, "scores"
    known = rows.tables.get(key)
    if known is None or known[0] != cells.mark:
        out = np.full((rows.count, cells.count), -1.0)
        for some, decision in _decided(rows, check, cells):
            margin, value = (_by_row(a, cells, len(some)) for a in (decision.margin, decision.value))
            out[some] = np.where(np.isnan(margin), -1.0, value)
        out[rows.gone(check) > 0] = -1.0
        known = rows.tables[key] = (cells.mark, out)
    return known[1]


def worth_a_table(rows: Rows, check: Check, columns: Columns) -> bool:
    """True where deciding every row at every cell is no more work than at every point."""
    cells = columns.cells(check)
    return cells.few and cells.count <= max(1, columns.count * rows.width(check))


def ranked(codes: np.ndarray, reasons: np.ndarray | int) -> np.ndarray:
    """The places in REASONS of what checks say, NO_REASON where they have nothing against it."""
    found = np.full(codes.shape, NO_REASON, dtype=np.uint8)
    np.copyto(found, reasons, where=codes == FAILED)
    np.copyto(found, RANKS["model_failure"], where=codes == BROKE)
    return found


def _decided(rows: Rows, check: Check, cells: Cells) -> Iterator[tuple[np.ndarray, Decision]]:
    """Rows that were measured, with what is decided of them at every cell."""
    for some, signals in _measured(rows, check, np.arange(rows.count), 2 * cells.count):
        yield some, check.decide(Bound(**signals), cells.bound)


def _at_points(rows: Rows, check: Check, columns: Columns, some: np.ndarray) -> np.ndarray:
    """Some rows decided at every point: (some, points)."""
    out = np.full((len(some), columns.count), NOT_RUN, dtype=np.uint8)
    bound = columns.bound(check)
    place = np.full(rows.count, -1)
    place[some] = np.arange(len(some))
    for mine, signals in _measured(rows, check, some, columns.count * rows.width(check)):
        margin = check.decide(Bound(**{name: a[:, None] for name, a in signals.items()}), bound).margin
        out[place[mine]] = _coded(np.broadcast_to(margin, (len(mine), columns.count)))
    return out


def _measured(rows: Rows, check: Check, some: np.ndarray, cost: int) -> Iterator[tuple[np.ndarray, dict[str, Any]]]:
    """Those of the rows `some` that have signals, and these, a few at a time. cost: numbers that a row makes."""
    wanted = np.zeros(rows.count, dtype=bool)
    wanted[some] = True
    wanted &= rows.gone(check) == 0
    for piece, signals in rows.pieces(check):
        mine = np.flatnonzero(wanted[piece])
        size = max(1, _AT_ONCE // (cost + items_of(signals)))
        for first in range(0, len(mine), size):
            part = mine[first : first + size]
            yield piece[part], {name: a[part] for name, a in signals.items()}


def _by_row(array: np.ndarray, cells: Cells, rows: int) -> np.ndarray:
    """What was decided at each cell, (..., rows), as (rows, cells)."""
    return np.broadcast_to(array, (*cells.shape, rows)).reshape(cells.count, rows).T


def _spread(found: np.ndarray, cells: Cells, some: np.ndarray) -> np.ndarray:
    """Rows of a table at every point; (some, 1) where it has one cell."""
    return found[some] if cells.place is None else found[some].take(cells.place, axis=1)


def _coded(margin: np.ndarray) -> np.ndarray:
    return np.where(margin >= 0, PASSED, np.where(margin < 0, FAILED, NOT_RUN)).astype(np.uint8)


def _with_gone(rows: Rows, check: Check, some: np.ndarray, out: np.ndarray) -> np.ndarray:
    gone = rows.gone(check)[some]
    out[gone == SILENT], out[gone == BROKEN] = NOT_RUN, BROKE
    return out


class Sheet:
    """One code for each of some rows at every point, found a row at a time when it is first asked for."""

    def __init__(self, rows: int, points: int, find: Callable[[np.ndarray], np.ndarray]) -> None:
        """find: what stands in some rows, (some, points or 1)."""
        self._found = np.empty((rows, points), dtype=np.uint8)
        self._known, self._find = np.zeros(rows, dtype=bool), find

    def take(self, rows: np.ndarray, places: np.ndarray) -> np.ndarray:
        """The codes at `places` of the sheet, read row by row, which lie in `rows`: (pairs,)."""
        if not self._known.all():
            wanted = np.zeros(len(self._known), dtype=bool)
            wanted[rows] = True
            new = np.flatnonzero(wanted & ~self._known)
            if len(new):
                self._found[new], self._known[new] = self._find(new), True
        return self._found.ravel().take(places)


class Sheets:
    """The sheets of a bank at some points."""

    def __init__(self, bank: Bank, columns: Columns) -> None:
        self._bank, self._columns = bank, columns
        self._sheets: dict[tuple, Sheet] = {}

    def said(self, check: Check, place: Place, pairs: Pairs) -> np.ndarray:
        """What a check says, whatever its mode: PASSED, FAILED, NOT_RUN or BROKE, (pairs,)."""
        stack, at = self._bank.stacks[place], self._bank.at(place)
        return self._sheet((check, place), lambda units: said(stack, check, self._columns, at[units]), pairs)

    def reason(self, checks: tuple[Check, ...], place: Place, pairs: Pairs) -> np.ndarray:
        """The first reason, as a place in REASONS, for which one of these checks forbids an answer: (pairs,).

        NO_REASON where none of them does.
        """
        stack, at = self._bank.stacks[place], self._bank.at(place)
        return self._sheet((checks, place), lambda units: self._reasons(checks, stack, at[units]), pairs)

    def score(self, check: Check, place: Place, pairs: Pairs) -> np.ndarray:
        """The value that a check compares, -1 where it did not run: (pairs,)."""
        cells, at = self._columns.cells(check), self._bank.at(place)[pairs.units]
        found = scores(self._bank.stacks[place], check, cells)
        return found[at, 0 if cells.place is None else cells.place[pairs.points]]

    def parts(self, place: Place, pairs: Pairs) -> tuple[np.ndarray, list[tuple[int, ...]]]:
        """As core.chain.delivery.part: for each pair which sentences go out, -1 for none; and the lists of them."""
        stack, at = self._bank.stacks[place], self._bank.at(place)[pairs.units]
        kept = self._kept(stack, at, pairs.points)
        count = kept.sum(1)
        found = np.full(len(pairs), -1, dtype=np.int32)
        some = np.flatnonzero((count > 0) & (count < stack.column("sentences")[at]))
        if not len(some):
            return found, []
        first, alike = np.unique(_numbered(at[some], kept[some]), return_index=True, return_inverse=True)[1:]
        parts, left = PartialAnswers.of(stack), kept[some][first]
        before, numbers = parts.cut, parts.numbered(at[some][first], left)
        if parts.cut is not before:
            self._sheets.pop(before, None)
        found[some] = np.where(self._forbidden(parts.cut, numbers[alike], pairs.points[some]), -1, alike)
        return found, [tuple(np.flatnonzero(row).tolist()) for row in left]

    def _kept(self, stack: Stack, at: np.ndarray, points: np.ndarray) -> np.ndarray:
        """The sentences that nothing objects to: (pairs, longest of the stack)."""
        counts, singles, leaning = stack.column("sentences"), stack.singles(), stack.column("leaning")
        first = np.cumsum(counts) - counts
        objected = np.ones((len(at), leaning.shape[1]), dtype=bool)
        for n in range(counts[at].max(initial=0)):
            mine = np.flatnonzero(counts[at] > n)
            forbidden = self._forbidden(singles, first[at[mine]] + n, points[mine])
            unsaid = ~stack.column("said")[at[mine], n] & ~self._judged_by_support(points[mine])
            objected[mine, n] = (forbidden | unsaid) & ~stack.column("abstains")[at[mine], n]
        return ~held_back(objected, leaning[at])

    def _judged_by_support(self, points: np.ndarray) -> np.ndarray:
        """Where the check `support` judges sentences in the place of their label: (points,)."""
        check = check_named(SUPPORT)
        found = np.asarray(False) if check is None else self._columns.blocks(check)
        return found[points] if found.ndim else np.full(len(points), bool(found))

    def _forbidden(self, rows: Rows, at: np.ndarray, points: np.ndarray) -> np.ndarray:
        """Where an answer check forbids one of these rows, each at its point: (pairs,)."""
        if rows not in self._sheets:
            checks = checks_of(ANSWER)
            find = lambda some: self._reasons(checks, rows, some)  # noqa: E731
            self._sheets[rows] = Sheet(rows.count, self._columns.count, find)
        return self._sheets[rows].take(at, at * self._columns.count + points) < NO_REASON

    def _sheet(self, key: tuple, find: Callable[[np.ndarray], np.ndarray], pairs: Pairs) -> np.ndarray:
        """What a sheet of the bank's units says; it is begun when it is first asked for."""
        if key not in self._sheets:
            self._sheets[key] = Sheet(len(self._bank.units), self._columns.count, find)
        return self._sheets[key].take(pairs.units, pairs.place)

    def _reasons(self, checks: Sequence[Check], rows: Rows, some: np.ndarray) -> np.ndarray:
        """The first reason of these checks for some rows: (some, points or 1)."""
        found = np.full((len(some), 1), NO_REASON, dtype=np.uint8)
        for check in sorted(checks, key=lambda c: self._columns.cells(c).place is not None):
            blocks = self._columns.blocks(check)
            if blocks.any():
                mine = ranks(rows, check, self._columns, some)
                found = np.minimum(found, np.where(blocks, mine, NO_REASON) if blocks.ndim else mine)
        return found


def checks_of(stage: str, but: str = "") -> tuple[Check, ...]:
    """The checks of a stage, all but one of them."""
    return tuple(c for c in all_checks() if c.stage == stage and c.name != but)


def _numbered(at: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """One number for each row with the sentences that it keeps, the same for the same: (pairs,)."""
    found = at.astype(np.int64)
    for first in range(0, kept.shape[1], _BITS):
        some = kept[:, first : first + _BITS]
        known = np.unique(found, return_inverse=True)[1] if first else found
        found = known << _BITS | some @ (1 << np.arange(some.shape[1], dtype=np.int64))
    return found
