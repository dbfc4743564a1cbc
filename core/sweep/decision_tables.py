"""What a check decides of many rows at many settings: once for each distinct value of the thresholds that it reads."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from core.check import Bound, Check, Decision
from core.sweep.signal_batches import BROKEN, NO_REASON, RANKS, SILENT, Rows, items_of
from core.sweep.threshold_columns import Cells, Columns

PASSED, FAILED, NOT_RUN, BROKE = range(4)
"""What a check says of a row, whatever its mode."""
_AT_ONCE = 500_000
"""Numbers that a check handles at a time, so that a long sweep needs no more memory than a short one."""


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
    key = f"{check.name}:ranks"
    known = rows.tables.get(key)
    if known is None or known[0] != cells.mark:
        found = ranked(table(rows, check, cells), rows.reasons(check)[:, None])
        known = rows.tables[key] = (cells.mark, found)
    return _spread(known[1], cells, some)


def table(rows: Rows, check: Check, cells: Cells) -> np.ndarray:
    """What `check` says of every row at every cell: (rows, cells). The last one made is remembered."""
    known = rows.tables.get(check.name)
    if known is None or known[0] != cells.mark:
        out = np.full((rows.count, cells.count), NOT_RUN, dtype=np.uint8)
        for some, decision in _decided(rows, check, cells):
            out[some] = _coded(_by_row(decision.margin, cells, len(some)))
        every = np.arange(rows.count)
        known = rows.tables[check.name] = (cells.mark, _with_gone(rows, check, every, out))
    return known[1]


def scores(rows: Rows, check: Check, cells: Cells) -> np.ndarray:
    """The value that `check` compares, of every row at every cell: (rows, cells); -1 where it did not run."""
    key = f"{check.name}:scores"
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
