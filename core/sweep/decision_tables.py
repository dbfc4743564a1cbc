"""The results of a check for many rows at many points, computed once per distinct value of its thresholds.

A row is a round, one sentence of it or a partial answer. A point is one preset of a sweep. A cell is one combination of
the values of a check's thresholds, which many points share.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from core.chain.check_results import find_check
from core.chain.delivery import withheld_mask
from core.chain.routing import SUPPORT, RoundKey
from core.check import Bound, Check, Decision
from core.checks import all_checks
from core.sweep.bank import Bank, Pairs, PartialAnswers
from core.sweep.settings_grid import Cells, Columns
from core.sweep.signal_batches import BROKEN, NO_REASON, RANKS, SILENT, Rows, Stack, items_of

QUERY, ANSWER = "query", "answer"
PASSED, FAILED, NOT_RUN, BROKE = range(4)
"""The result of a check for a row, regardless of its mode."""
_VALUES_PER_BATCH = 500_000
"""Maximum number of values that a check handles at a time; it bounds the memory of a long sweep."""
_BITS = 31
"""Number of sentences that one integer can flag as kept."""


def check_codes(rows: Rows, check: Check, columns: Columns, some: np.ndarray) -> np.ndarray:
    """The results of `check` for the rows `some` at every point: (some, points or 1).

    A result is PASSED, FAILED, NOT_RUN or BROKE.
    """
    cells = columns.cells(check)
    if not worth_a_table(rows, check, columns):
        return _mark_absent(rows, check, some, _at_points(rows, check, columns, some))
    return _expand_to_points(table(rows, check, cells), cells, some)


def ranks(rows: Rows, check: Check, columns: Columns, some: np.ndarray) -> np.ndarray:
    """The reason of `check`, as an index into REASONS, where it fails or broke, else NO_REASON: (some, points or 1).

    A lower index is a more important reason.
    """
    cells = columns.cells(check)
    if not worth_a_table(rows, check, columns):
        return reason_indices(check_codes(rows, check, columns, some), rows.reasons(check)[some, None])
    key = check.name, cells.listed, "reasons"
    cached = rows.tables.get(key)
    if cached is None or cached[0] != cells.fingerprint:
        table_ranks = reason_indices(table(rows, check, cells), rows.reasons(check)[:, None])
        cached = rows.tables[key] = (cells.fingerprint, table_ranks)
    return _expand_to_points(cached[1], cells, some)


def table(rows: Rows, check: Check, cells: Cells) -> np.ndarray:
    """The results of `check` for every row at every cell: (rows, cells). The latest table is cached."""
    cached = rows.tables.get((check.name, cells.listed))
    if cached is None or cached[0] != cells.fingerprint:
        out = np.full((rows.count, cells.count), NOT_RUN, dtype=np.uint8)
        for some, decision in _decide_rows(rows, check, cells):
            out[some] = _result_codes(_by_row(decision.margin, cells, len(some)))
        all_rows = np.arange(rows.count)
        cached = rows.tables[check.name, cells.listed] = (cells.fingerprint, _mark_absent(rows, check, all_rows, out))
    return cached[1]


def scores(rows: Rows, check: Check, cells: Cells) -> np.ndarray:
    """The value that `check` compares, for every row at every cell: (rows, cells); -1 where it did not run."""
    key = check.name, cells.listed, "scores"
    cached = rows.tables.get(key)
    if cached is None or cached[0] != cells.fingerprint:
        out = np.full((rows.count, cells.count), -1.0)
        for some, decision in _decide_rows(rows, check, cells):
            margin, value = (_by_row(a, cells, len(some)) for a in (decision.margin, decision.value))
            out[some] = np.where(np.isnan(margin), -1.0, value)
        out[rows.states(check) > 0] = -1.0
        cached = rows.tables[key] = (cells.fingerprint, out)
    return cached[1]


def worth_a_table(rows: Rows, check: Check, columns: Columns) -> bool:
    """True if deciding every row at every cell costs no more than deciding it at every point."""
    cells = columns.cells(check)
    return cells.few and cells.count <= max(1, columns.count * rows.width(check))


def reason_indices(codes: np.ndarray, reasons: np.ndarray | int) -> np.ndarray:
    """The indices in REASONS for results of a check; NO_REASON where the check does not forbid the answer."""
    rank = np.full(codes.shape, NO_REASON, dtype=np.uint8)
    np.copyto(rank, reasons, where=codes == FAILED)
    np.copyto(rank, RANKS["model_failure"], where=codes == BROKE)
    return rank


def _decide_rows(rows: Rows, check: Check, cells: Cells) -> Iterator[tuple[np.ndarray, Decision]]:
    """Yield the measured rows, with the decision on them at every cell."""
    if check.reduces:
        measured_rows, reduced = _reduced(rows, check)
        size = max(1, _VALUES_PER_BATCH // (2 * cells.count))
        for first in range(0, len(measured_rows), size):
            batch = slice(first, first + size)
            numbers = Bound(**{name: array[batch] for name, array in reduced.items()})
            yield measured_rows[batch], check.decide_reduced(numbers, cells.bound)
        return
    for some, signals in _signal_batches(rows, check, np.arange(rows.count), 2 * cells.count):
        yield some, check.decide(Bound(**signals), cells.bound)


def _reduced(rows: Rows, check: Check) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The measured rows, and the numbers that `check` reduces their signals to, each (measured,). They are cached."""
    key = check.name, "reduced"
    if key not in rows.tables:
        batches = [
            (some, vars(check.reduced(Bound(**signals))))
            for some, signals in _signal_batches(rows, check, np.arange(rows.count), 2)
        ]
        names = batches[0][1] if batches else ()
        reduced = {name: np.concatenate([numbers[name] for _, numbers in batches]) for name in names}
        rows.tables[key] = np.concatenate([some for some, _ in batches] or [np.arange(0)]), reduced
    return rows.tables[key]


def _at_points(rows: Rows, check: Check, columns: Columns, some: np.ndarray) -> np.ndarray:
    """Decide some rows at every point: (some, points)."""
    out = np.full((len(some), columns.count), NOT_RUN, dtype=np.uint8)
    bound = columns.bound(check)
    position = np.full(rows.count, -1)
    position[some] = np.arange(len(some))
    for measured_rows, signals in _signal_batches(rows, check, some, columns.count * rows.width(check)):
        margin = check.decide(Bound(**{name: a[:, None] for name, a in signals.items()}), bound).margin
        out[position[measured_rows]] = _result_codes(np.broadcast_to(margin, (len(measured_rows), columns.count)))
    return out


def _signal_batches(
    rows: Rows, check: Check, some: np.ndarray, cost: int
) -> Iterator[tuple[np.ndarray, dict[str, Any]]]:
    """Yield those of the rows `some` that have signals, in batches, with their signals. cost: values needed per row."""
    is_wanted = np.zeros(rows.count, dtype=bool)
    is_wanted[some] = True
    is_wanted &= rows.states(check) == 0
    for piece, signals in rows.pieces(check):
        selected = np.flatnonzero(is_wanted[piece])
        size = max(1, _VALUES_PER_BATCH // (cost + items_of(signals)))
        for first in range(0, len(selected), size):
            batch = selected[first : first + size]
            yield piece[batch], {name: a[batch].astype(float) for name, a in signals.items()}


def _by_row(array: np.ndarray, cells: Cells, rows: int) -> np.ndarray:
    """Reshape decisions at each cell, (..., rows), to (rows, cells)."""
    return np.broadcast_to(array, (*cells.shape, rows)).reshape(cells.count, rows).T


def _expand_to_points(cell_table: np.ndarray, cells: Cells, some: np.ndarray) -> np.ndarray:
    """Rows of a table at every point: (some, points), or (some, 1) if it has one cell."""
    return cell_table[some] if cells.cell_of_point is None else cell_table[some].take(cells.cell_of_point, axis=1)


def _result_codes(margin: np.ndarray) -> np.ndarray:
    return np.where(margin >= 0, PASSED, np.where(margin < 0, FAILED, NOT_RUN)).astype(np.uint8)


def _mark_absent(rows: Rows, check: Check, some: np.ndarray, out: np.ndarray) -> np.ndarray:
    absence = rows.states(check)[some]
    out[absence == SILENT], out[absence == BROKEN] = NOT_RUN, BROKE
    return out


class LazyCodes:
    """One code for each row at every point; a row is computed when it is first requested."""

    def __init__(self, rows: int, points: int, find: Callable[[np.ndarray], np.ndarray]) -> None:
        """find: computes the codes of some rows, (some, points or 1)."""
        self._codes = np.empty((rows, points), dtype=np.uint8)
        self._is_computed, self._compute = np.zeros(rows, dtype=bool), find

    def take(self, rows: np.ndarray, flat_indices: np.ndarray) -> np.ndarray:
        """The codes at the flat indices `flat_indices`, which lie in the rows `rows`: (pairs,)."""
        if not self._is_computed.all():
            is_wanted = np.zeros(len(self._is_computed), dtype=bool)
            is_wanted[rows] = True
            new = np.flatnonzero(is_wanted & ~self._is_computed)
            if len(new):
                self._codes[new], self._is_computed[new] = self._compute(new), True
        return self._codes.ravel().take(flat_indices)


class CheckCodes:
    """The results of checks for the units of a bank at a set of points: a LazyCodes for each check and round
    key."""

    def __init__(self, bank: Bank, columns: Columns) -> None:
        self._bank, self._columns = bank, columns
        self._sheets: dict[tuple, LazyCodes] = {}

    def codes(self, check: Check, round_key: RoundKey, pairs: Pairs) -> np.ndarray:
        """The result of a check, regardless of its mode: PASSED, FAILED, NOT_RUN or BROKE, (pairs,)."""
        stack, row_of_unit = self._bank.stacks[round_key], self._bank.at(round_key)
        compute = lambda units: check_codes(stack, check, self._columns, row_of_unit[units])  # noqa: E731
        return self._sheet((check, round_key), compute, pairs)

    def reason(self, checks: tuple[Check, ...], round_key: RoundKey, pairs: Pairs) -> np.ndarray:
        """The most important reason for which a check of `checks` forbids the answer, as an index into REASONS:
        (pairs,). NO_REASON where no check forbids it."""
        stack, row_of_unit = self._bank.stacks[round_key], self._bank.at(round_key)
        return self._sheet((checks, round_key), lambda units: self._reasons(checks, stack, row_of_unit[units]), pairs)

    def score(self, check: Check, round_key: RoundKey, pairs: Pairs) -> np.ndarray:
        """The value that a check compares; -1 where it did not run: (pairs,)."""
        cells, rows = self._columns.cells(check), self._bank.at(round_key)[pairs.units]
        table_scores = scores(self._bank.stacks[round_key], check, cells)
        return table_scores[rows, 0 if cells.cell_of_point is None else cells.cell_of_point[pairs.points]]

    def partial_answers(self, round_key: RoundKey, pairs: Pairs) -> tuple[np.ndarray, list[tuple[int, ...]]]:
        """Mirrors core.chain.delivery.part: the sentences that are delivered as a partial answer.

        Returns an index into the second result for each pair, (pairs,), -1 for none; and the distinct lists of
        sentences.
        """
        stack, rows = self._bank.stacks[round_key], self._bank.at(round_key)[pairs.units]
        masks = self._kept_sentences(stack, rows, pairs.points)
        count = masks.sum(1)
        part_of_pair = np.full(len(pairs), -1, dtype=np.int32)
        candidates = np.flatnonzero((count > 0) & (count < stack.column("sentences")[rows]))
        if not len(candidates):
            return part_of_pair, []
        keys = _row_keys(rows[candidates], masks[candidates])
        first, distinct = np.unique(keys, return_index=True, return_inverse=True)[1:]
        answers, distinct_masks = PartialAnswers.of(stack), masks[candidates][first]
        previous_rows = answers.cut
        numbers = answers.numbers_of(rows[candidates][first], distinct_masks)
        if answers.cut is not previous_rows:
            self._sheets.pop(previous_rows, None)
        is_forbidden = self._forbidden(answers.cut, numbers[distinct], pairs.points[candidates])
        same_sentences = _row_keys(np.zeros(len(first), dtype=np.int64), distinct_masks)
        one, number = np.unique(same_sentences, return_index=True, return_inverse=True)[1:]
        part_of_pair[candidates] = np.where(is_forbidden, -1, number[distinct])
        return part_of_pair, [tuple(np.flatnonzero(row).tolist()) for row in distinct_masks[one]]

    def _kept_sentences(self, stack: Stack, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
        """The sentences that no check objects to: (pairs, longest of the stack)."""
        counts, singles, leaning = stack.column("sentences"), stack.singles(), stack.column("leaning")
        first_single = np.cumsum(counts) - counts
        has_objection = np.ones((len(rows), leaning.shape[1]), dtype=bool)
        for n in range(counts[rows].max(initial=0)):
            present = np.flatnonzero(counts[rows] > n)
            own_rows, own_points = rows[present], points[present]
            is_forbidden = self._forbidden(singles, first_single[own_rows] + n, own_points)
            is_unsupported = ~stack.column("said")[own_rows, n] & ~self._judged_by_support(own_points)
            abstains = stack.column("abstains")[own_rows, n]
            has_objection[present, n] = (is_forbidden | is_unsupported) & ~abstains
        return ~withheld_mask(has_objection, leaning[rows])

    def _judged_by_support(self, points: np.ndarray) -> np.ndarray:
        """True where the check `support` judges sentences instead of their label: (points,)."""
        check = find_check(SUPPORT)
        blocks = np.asarray(False) if check is None else self._columns.blocks(check)
        return blocks[points] if blocks.ndim else np.full(len(points), bool(blocks))

    def _forbidden(self, rows: Rows, at: np.ndarray, points: np.ndarray) -> np.ndarray:
        """True where an answer check forbids one of these rows at its point: (pairs,)."""
        if rows not in self._sheets:
            checks = checks_of(ANSWER)
            compute = lambda some: self._reasons(checks, rows, some)  # noqa: E731
            self._sheets[rows] = LazyCodes(rows.count, self._columns.count, compute)
        return self._sheets[rows].take(at, at * self._columns.count + points) < NO_REASON

    def _sheet(self, key: tuple, compute: Callable[[np.ndarray], np.ndarray], pairs: Pairs) -> np.ndarray:
        """The codes of one LazyCodes object for the units and points of `pairs`; the object is created on first use."""
        if key not in self._sheets:
            self._sheets[key] = LazyCodes(len(self._bank), self._columns.count, compute)
        return self._sheets[key].take(pairs.units, pairs.flat)

    def _reasons(self, checks: Sequence[Check], rows: Rows, some: np.ndarray) -> np.ndarray:
        """The most important reason of these checks for some rows, as an index into REASONS: (some, points or 1)."""
        first_reason = np.full((len(some), 1), NO_REASON, dtype=np.uint8)
        for check in sorted(checks, key=lambda c: self._columns.cells(c).cell_of_point is not None):
            blocks = self._columns.blocks(check)
            if blocks.any():
                check_ranks = ranks(rows, check, self._columns, some)
                if blocks.ndim:
                    check_ranks = np.where(blocks, check_ranks, NO_REASON)
                first_reason = np.minimum(first_reason, check_ranks)
        return first_reason


def checks_of(stage: str, but: str = "") -> tuple[Check, ...]:
    """The checks of a stage, except the one named `but`."""
    return tuple(c for c in all_checks() if c.stage == stage and c.name != but)


def _row_keys(rows: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """One number per row that is equal exactly where the row and its kept sentences are equal: (pairs,)."""
    keys = rows.astype(np.int64)
    for first in range(0, masks.shape[1], _BITS):
        columns = masks[:, first : first + _BITS]
        dense = np.unique(keys, return_inverse=True)[1] if first else keys
        keys = dense << _BITS | columns @ (1 << np.arange(columns.shape[1], dtype=np.int64))
    return keys
