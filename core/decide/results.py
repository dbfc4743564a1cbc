"""The results of the checks on many answers at many points. The last ones are kept: a slider moves only one check."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from core.check import Bound, Check
from core.checks import all_checks
from core.decide.measured import BROKEN, NO_REASON, RANKS, SILENT, Rows
from core.decide.points import Cells, Limits
from core.decide.routes import BROKE, FAILED, NOT_RUN, PASSED


@lru_cache(maxsize=8)
def checks_of(stage: str, without: str = "") -> tuple[Check, ...]:
    """The checks of a stage, except the one named `without`."""
    return tuple(c for c in all_checks() if c.stage == stage and c.name != without)


def codes(rows: Rows, check: Check, cells: Cells) -> np.ndarray:
    """The result of `check` on every row at every cell, PASSED, FAILED, NOT_RUN or BROKE: (rows, cells)."""

    def decide() -> np.ndarray:
        out = np.full((rows.count, cells.count), NOT_RUN, dtype=np.uint8)
        for some, margin, _ in _decisions(rows, check, cells):
            out[some] = np.where(margin >= 0, PASSED, np.where(margin < 0, FAILED, NOT_RUN))
        states = rows.states(check)
        out[states == SILENT], out[states == BROKEN] = NOT_RUN, BROKE
        return out

    return _kept(rows, ("codes", check.name, cells.count == 1), cells.key, decide)


def values(rows: Rows, check: Check, cells: Cells) -> np.ndarray:
    """The value that `check` compares, on every row at every cell: (rows, cells); -1 where it did not run."""

    def decide() -> np.ndarray:
        out = np.full((rows.count, cells.count), -1.0)
        for some, margin, value in _decisions(rows, check, cells):
            out[some] = np.where(np.isnan(margin), -1.0, value)
        return out

    return _kept(rows, ("values", check.name, cells.count == 1), cells.key, decide)


def ranks(rows: Rows, check: Check, cells: Cells) -> np.ndarray:
    """The reason for which `check` forbids a row if it blocks, as an index into REASONS: (rows, cells). NO_REASON where
    it does not fail and is not broken.
    """

    def find() -> np.ndarray:
        result = codes(rows, check, cells)
        rank = np.full(result.shape, NO_REASON, dtype=np.uint8)
        np.copyto(rank, rows.reasons(check)[:, None], where=result == FAILED)
        rank[result == BROKE] = RANKS["model_failure"]
        return rank

    return _kept(rows, ("ranks", check.name, cells.count == 1), cells.key, find)


def first_reason(rows: Rows, checks: Sequence[Check], limits: Limits) -> np.ndarray:
    """The most important reason for which a blocking check of `checks` forbids a row, as an index into REASONS: (rows,
    points or 1). NO_REASON where none forbids it.
    """
    first = np.full((rows.count, 1), NO_REASON, dtype=np.uint8)
    for check in checks:
        blocks = limits.blocks(check)
        if blocks.any():
            cells = limits.cells(check)
            rank = cells.spread(ranks(rows, check, cells))
            first = np.minimum(first, np.where(blocks, rank, NO_REASON) if blocks.ndim else rank)
    return first


def _decisions(rows: Rows, check: Check, cells: Cells) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield some measured rows, with margins and values of the decision on them: two arrays (rows, cells)."""
    if check.reduces:
        own, reduced = _kept(rows, ("reduced", check.name, True), b"", lambda: _reduce(rows, check))
        numbers = Bound(**{name: a[:, None] for name, a in reduced.items()})
        decided = [(own, check.decide_reduced(numbers, cells.thresholds))] if len(own) else []
    else:
        batches = rows.batches(check, cells.count)
        decided = ((some, check.decide(signals, cells.thresholds)) for some, signals in batches)
    for some, decision in decided:
        shape = len(some), cells.count
        yield some, np.broadcast_to(decision.margin, shape), np.broadcast_to(decision.value, shape)


def _reduce(rows: Rows, check: Check) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The measured rows, and the numbers that `check` reduces their signals to, each (measured,)."""
    batches = [(some, vars(check.reduced(signals))) for some, signals in rows.batches(check, 1)]
    names = batches[0][1] if batches else ()
    return (
        np.concatenate([some for some, _ in batches] or [np.zeros(0, dtype=np.int64)]),
        {name: np.concatenate([np.asarray(numbers[name])[:, 0] for _, numbers in batches]) for name in names},
    )


def _kept(rows: Rows, what: tuple[str, str, bool], under: bytes, find: Callable[[], Any]) -> Any:
    """The result of `find`, kept with the rows until `under` differs from that of the last call."""
    if what not in rows.tables or rows.tables[what][0] != under:
        rows.tables[what] = under, find()
    return rows.tables[what][1]
