"""What checks say of pairs, looked up in sheets: a row for each unit that is asked about, a column for each point."""

from collections.abc import Callable, Sequence

import numpy as np

from core.chain.delivery import held_back
from core.chain.facts import Place
from core.check import Check
from core.checks import all_checks
from core.sweep.bank import Bank
from core.sweep.decision_tables import ranks, said, scores
from core.sweep.partial_answers import Rests
from core.sweep.signal_batches import NO_REASON, Rows, Stack
from core.sweep.threshold_columns import Columns
from core.sweep.unit_point_pairs import Pairs

QUERY, ANSWER = "query", "answer"
_BITS = 31
"""Sentences that one number can mark as kept."""


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
        rests, left = self._rests(stack), kept[some][first]
        before, numbers = rests.cut, rests.numbered(at[some][first], left)
        if rests.cut is not before:
            self._sheets.pop(before, None)
        found[some] = np.where(self._forbidden(rests.cut, numbers[alike], pairs.points[some]), -1, alike)
        return found, [tuple(np.flatnonzero(row).tolist()) for row in left]

    def _rests(self, stack: Stack) -> Rests:
        if "rests" not in stack.tables:
            stack.tables["rests"] = Rests(stack)
        return stack.tables["rests"]

    def _kept(self, stack: Stack, at: np.ndarray, points: np.ndarray) -> np.ndarray:
        """The sentences that nothing objects to: (pairs, longest of the stack)."""
        counts, singles, leaning = stack.column("sentences"), stack.singles(), stack.column("leaning")
        first = np.cumsum(counts) - counts
        objected = np.ones((len(at), leaning.shape[1]), dtype=bool)
        for n in range(counts[at].max(initial=0)):
            mine = np.flatnonzero(counts[at] > n)
            forbidden = self._forbidden(singles, first[at[mine]] + n, points[mine])
            objected[mine, n] = forbidden | ~stack.column("said")[at[mine], n]
        return ~held_back(objected, leaning[at])

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
