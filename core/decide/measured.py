"""Measured questions as arrays: every round a row, so that a check decides all of them together.

A unit is a question as a whole, or one part of a question. Signals are padded with NaN; answers of similar length lie
in one group, so that a long answer does not pad a thousand short ones.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from core.case import Round, Signals, Trace
from core.check import Bound, Check
from core.checks import all_checks
from core.checks.entailment import said_by_passages
from core.decide.check_results import reason_of
from core.decide.evidence import claims_something, confidence_of, only_talks
from core.decide.routes import FIRST, KINDS, ROUND_KEYS, RoundKey
from core.thresholds import Preset
from core.words import REASONS

MEASURED, SILENT, BROKEN = range(3)
"""Whether a check has signals for a round, does not apply to it, or could not be measured."""
RANKS = {reason: rank for rank, reason in enumerate(REASONS)}
"""The index of each reason in REASONS. A lower one is more important."""
NO_REASON = len(REASONS)
"""Code after the last index of REASONS: nothing forbids the answer."""
_SHORT = 4
"""Answers of at most this many sentences are padded to one length."""
_VALUES_PER_BATCH = 500_000
"""Maximum number of values that a check handles at a time; it bounds the memory of a long sweep."""

COLUMNS: Mapping[str, Callable[[Round], Any]] = {
    "sentences": lambda r: len(r.case.sentences),
    "may find more": lambda r: r.case.may_find_more,
    "confidence": lambda r: confidence_of(r) or 0.0,  # a search that broke counts as 0
    "closest": lambda r: r.case.closest.cosine if r.case.closest else -np.inf,
    "claims": claims_something,
    "converses": only_talks,
    "awaited": lambda r: r.case.awaits_draft,
}
"""What the decision flow reads of a round besides results of checks: one value a round."""
FLAGS: Mapping[str, Callable[[Round], np.ndarray]] = {
    "leans": lambda r: r.flags("leans"), "abstains": lambda r: r.flags("abstains"), "said": said_by_passages,
}  # fmt: skip
"""The same with one value a sentence: arrays (rows, longest), False after the last sentence."""

Piece = tuple[np.ndarray, Signals]
"""Some rows, as ascending indices, and the signals of one check for them: (rows, items...)."""


class Rows:
    """Answers that the checks decide together: whole rounds, single sentences, or partial answers.

    count: the number of rows. tables: the last decisions on them (results.py). The others make something for a check,
    once for each. pieces: the signals, in groups of rows of similar length. states: MEASURED, SILENT or BROKEN,
    (rows,). reasons: the index in REASONS of the reason why the check fails, if it does, (rows,).
    """

    def __init__(
        self, count: int, pieces: Callable[[Check], list[Piece]], states: Callable[[Check], np.ndarray],
        reasons: Callable[[Check], np.ndarray],
    ) -> None:  # fmt: skip
        self.count, self.tables = count, {}
        self.pieces, self.states, self.reasons = cache(pieces), cache(states), cache(reasons)

    def batches(self, check: Check, cells: int) -> Iterator[tuple[np.ndarray, Bound]]:
        """Yield the measured rows in batches, each with its signals as (rows, 1, items...).

        cells: the number of settings at which the check will decide each row.
        """
        is_measured = self.states(check) == MEASURED
        for rows, signals in self.pieces(check):
            own = np.flatnonzero(is_measured[rows])
            width = 1 + sum(math.prod(a.shape[1:]) for a in signals.values())
            size = max(1, _VALUES_PER_BATCH // (width * cells))
            for first in range(0, len(own), size):
                some = own[first : first + size]
                yield rows[some], Bound(**{name: a[some, None].astype(float) for name, a in signals.items()})

    def take(self, rows: np.ndarray) -> "Rows":
        """Some of the rows, in any order and repeated at will."""

        def pieces(check: Check) -> list[Piece]:
            found = []
            for own, signals in self.pieces(check):
                position = np.minimum(np.searchsorted(own, rows), len(own) - 1)
                present = np.flatnonzero(own[position] == rows)
                if len(present):
                    found.append((present, {name: a[position[present]] for name, a in signals.items()}))
            return found

        return Rows(len(rows), pieces, lambda c: self.states(c)[rows], lambda c: self.reasons(c)[rows])

    def restricted(self, rows: np.ndarray, masks: np.ndarray) -> "Rows":
        """Partial answers: some rows, each with only the sentences of its mask, (rows, longest).

        Each sentence was measured by itself, so leaving it out is marking its signals as not measured.
        """
        selected = self.take(rows)

        def pieces(check: Check) -> list[Piece]:
            declared = check.signals()
            return [
                (own, {n: _keep(a, declared[n].items, masks[own]) for n, a in signals.items()})
                for own, signals in selected.pieces(check)
            ]

        return Rows(len(rows), pieces, selected.states, selected.reasons)

    def sentences(self, counts: np.ndarray) -> "Rows":
        """Every sentence of every row as an answer of its own, row by row. counts: the sentences of each row."""
        rows = np.repeat(np.arange(self.count), counts)
        start = np.cumsum(counts) - counts

        def pieces(check: Check) -> list[Piece]:
            return [_split(own, signals, check, counts[own], start[own]) for own, signals in self.pieces(check)]

        return Rows(len(rows), pieces, lambda c: self.states(c)[rows], lambda c: self.reasons(c)[rows])


@dataclass(frozen=True, kw_only=True)
class MeasuredSet:
    """Measured questions, each followed by its parts.

    cases: the case of each unit, ascending, (units,). parts: the number of parts of each unit, 0 for a part, (units,).
    is_whole: True for a question, False for a part, (units,). kinds: the kind of turn of each unit as an index into
    KINDS, (units,). rounds: round key -> the rounds with this key, one row each. row_of: round key -> the row of each
    unit there, (units,); -1 if the round was never measured. columns: round key -> every entry of COLUMNS, (rows,), and
    of FLAGS, (rows, longest). summaries: for each unit of the whole set its trace, or what a file keeps of it
    (core/banks/stored_set.py). origin: the index of each unit in the whole set, of which this set may be a selection,
    (units,).
    """

    cases: np.ndarray
    parts: np.ndarray
    is_whole: np.ndarray
    kinds: np.ndarray
    rounds: Mapping[RoundKey, Rows]
    row_of: Mapping[RoundKey, np.ndarray]
    columns: Mapping[RoundKey, Mapping[str, np.ndarray]]
    summaries: Sequence[Any]
    origin: np.ndarray

    @classmethod
    def of(cls, traces: Sequence[Trace]) -> "MeasuredSet":
        """The set of one trace a case."""
        units = [(case, n, t) for case, trace in enumerate(traces) for n, t in enumerate((trace, *trace.parts))]
        is_whole = np.array([n == 0 for _, n, _ in units], dtype=bool)
        rounds: dict[RoundKey, list[Round]] = {}
        row_of: dict[RoundKey, np.ndarray] = {}
        for unit, (_, _, trace) in enumerate(units):
            for measured in trace.rounds:
                key = measured.name, measured.of
                rows, own = row_of.setdefault(key, np.full(len(units), -1)), rounds.setdefault(key, [])
                if rows[unit] < 0:  # of two rounds with one key the first counts
                    rows[unit] = len(own)
                    own.append(measured)
        is_part = {key: ~is_whole[rows >= 0] for key, rows in row_of.items()}
        return cls(
            cases=np.array([case for case, _, _ in units], dtype=np.int64), is_whole=is_whole,
            parts=np.array([len(t.parts) if n == 0 else 0 for _, n, t in units], dtype=np.int64),
            kinds=np.array([KINDS.index(t.rounds[0].case.kind) if t.rounds else 0 for *_, t in units], dtype=np.uint8),
            rounds={key: _rows_of(own, is_part[key]) for key, own in rounds.items()}, row_of=row_of,
            columns={key: _columns_of(own) for key, own in rounds.items()},
            summaries=[trace for _, _, trace in units], origin=np.arange(len(units)),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.cases)

    @cached_property
    def wholes(self) -> np.ndarray:
        """The indices of the units that are whole questions, one a case: (cases,)."""
        return np.append(0, np.flatnonzero(np.diff(self.cases)) + 1) if len(self) else np.zeros(0, dtype=np.int64)

    @cached_property
    def by_round(self) -> dict[str, np.ndarray]:
        """Every entry of COLUMNS as (units, ROUND_KEYS); 0 where a round was never measured."""
        found = {}
        for name in COLUMNS:
            columns = [
                (n, self.at(key), self.columns[key][name]) for n, key in enumerate(ROUND_KEYS) if key in self.rounds
            ]
            found[name] = np.zeros((len(self), len(ROUND_KEYS)), dtype=columns[0][2].dtype if columns else float)
            for n, rows, column in columns:
                found[name][:, n] = np.where(rows >= 0, column[rows], 0)
        return found

    def at(self, key: RoundKey) -> np.ndarray:
        """The row of the round with this key for each unit, (units,); -1 if it was never measured."""
        return self.row_of.get(key, np.full(len(self), -1))

    def singles(self, key: RoundKey) -> tuple[Rows, np.ndarray]:
        """Every sentence of the rounds with this key as an answer of its own, and the row there of the first sentence
        of each round. Kept with these rounds.
        """
        tables, counts = self.rounds[key].tables, self.columns[key]["sentences"]
        if "singles" not in tables:
            tables["singles"] = self.rounds[key].sentences(counts), np.cumsum(counts) - counts
        return tables["singles"]

    def first_signals(self, check: Check) -> tuple[Signals, np.ndarray]:
        """The signals of a check in the first round of each case, (cases, items...), NaN where a case has fewer items
        or none; and a mask of the cases that have them, (cases,).
        """
        rows = self.at(FIRST)[self.wholes]
        cases = np.flatnonzero(rows >= 0)
        present = np.zeros(len(rows), dtype=bool)
        pieces: list[Piece] = []
        if len(cases):
            some = self.rounds[FIRST].take(rows[cases])
            present[cases] = some.states(check) == MEASURED
            pieces = [(cases[own], signals) for own, signals in some.pieces(check)]
        return _join(pieces, len(rows), check), present

    def sample_signals(self, max_count: int) -> list[dict[str, Signals]]:
        """The signals by check of the first rounds of at most `max_count` questions and parts, evenly from the set."""
        units = np.flatnonzero((self.at(FIRST) >= 0) & (self.parts == 0))
        units = units[np.linspace(0, len(units) - 1, min(max_count, len(units))).astype(int)]
        found: list[dict[str, Signals]] = [{} for _ in units]
        some = self.rounds[FIRST].take(self.at(FIRST)[units]) if len(units) else None
        for check in all_checks() if some else ():
            measured = some.states(check) == MEASURED
            for rows, signals in some.pieces(check):
                for n, row in enumerate(rows.tolist()):
                    if measured[row]:
                        found[row][check.name] = {name: a[n].astype(float) for name, a in signals.items()}
        return found

    def traces(self) -> Iterator[Trace]:
        """The trace of each case; where it lies in a file, without its signals and its passages' texts."""
        entries = (self.summaries[unit] for unit in self.origin[self.wholes])
        return (entry if isinstance(entry, Trace) else entry.trace for entry in entries)

    def some(self, cases: np.ndarray) -> "MeasuredSet":
        """A selection of the cases, in any order and repeated at will."""
        ends = np.append(self.wholes, len(self))
        counts = ends[cases + 1] - ends[cases]
        starts = np.cumsum(counts) - counts
        units = np.repeat(ends[cases] - starts, counts) + np.arange(counts.sum())
        old = {key: own for key, rows in self.row_of.items() if ((own := rows[units]) >= 0).any()}
        rows = {key: own[own >= 0] for key, own in old.items()}
        return MeasuredSet(
            cases=np.repeat(np.arange(len(cases)), counts), parts=self.parts[units], is_whole=self.is_whole[units],
            kinds=self.kinds[units], rounds={key: self.rounds[key].take(own) for key, own in rows.items()},
            row_of={key: np.where(own >= 0, np.cumsum(own >= 0) - 1, -1) for key, own in old.items()},
            columns={key: {n: c[own] for n, c in self.columns[key].items()} for key, own in rows.items()},
            summaries=self.summaries, origin=self.origin[units],
        )  # fmt: skip

    def with_summaries(self, summaries: Sequence[Any]) -> "MeasuredSet":
        """This set as a whole of its own, with a summary for each of its units."""
        return replace(self, summaries=summaries, origin=np.arange(len(self)))


def _rows_of(rounds: Sequence[Round], is_part: np.ndarray) -> Rows:
    """Rounds with one key in memory. is_part: True for a round of a part of a question, (rounds,)."""
    sizes = size_classes(np.array([len(r.case.sentences) for r in rounds]))
    groups = [np.flatnonzero(sizes == size) for size in np.unique(sizes)]

    def states(check: Check) -> np.ndarray:
        found = np.array([_state(check, r) for r in rounds], dtype=np.uint8)
        if check.name == "clarity":
            found[is_part] = SILENT
        return found

    def reasons(check: Check) -> np.ndarray:
        t, name = check.bind(Preset()), check.name
        return np.array([RANKS[reason_of(check, r, t)] if name in r.signals else NO_REASON for r in rounds], np.uint8)

    def pieces(check: Check) -> list[Piece]:
        found = []
        for rows in groups:
            signals = [(n, rounds[row].signals.get(check.name)) for n, row in enumerate(rows)]
            own = [(np.array([n]), {name: np.asarray(a)[None] for name, a in of.items()}) for n, of in signals if of]
            found.append((rows, _join(own, len(rows), check)))
        return found

    return Rows(len(rounds), pieces, states, reasons)


def size_classes(sentences: np.ndarray) -> np.ndarray:
    """The length class of answers with so many sentences: the signals of one class are padded to one length."""
    return np.ceil(np.log2(np.maximum(sentences, _SHORT)))


def _columns_of(rounds: Sequence[Round]) -> dict[str, np.ndarray]:
    columns = {name: np.array([read(r) for r in rounds]) for name, read in COLUMNS.items()}
    columns["sentences"] = columns["sentences"].astype(np.int64)
    longest = columns["sentences"].max(initial=0)
    for name, read in FLAGS.items():
        columns[name] = np.zeros((len(rounds), longest), dtype=bool)
        for row, measured in zip(columns[name], rounds, strict=True):
            row[: len(measured.case.sentences)] = read(measured)
    return columns


def _state(check: Check, measured_round: Round) -> int:
    """MEASURED, SILENT or BROKEN. A check that did not exist yet when the round was measured counts as broken."""
    absence = measured_round.absent.get(check.name)
    if absence is None:
        return MEASURED if check.name in measured_round.signals else BROKEN
    return BROKEN if absence.cause == "error" else SILENT


def _join(pieces: Sequence[Piece], count: int, check: Check) -> Signals:
    """The signals of several pieces in one array each, (count, items...), NaN where there are none."""
    joined = {}
    for name, signal in check.signals().items():
        shapes = [signals[name].shape[1:] for _, signals in pieces] or [(0,) * len(signal.items)]
        joined[name] = np.full((count, *np.max(shapes, axis=0).astype(int)), np.nan)
        for rows, signals in pieces:
            joined[name][(rows, *(slice(0, n) for n in signals[name].shape[1:]))] = signals[name]
    return joined


def _keep(array: np.ndarray, items: tuple[str, ...], masks: np.ndarray) -> np.ndarray:
    """`array` with NaN for the sentences outside the masks; unchanged if it has no sentence axis."""
    if "sentence" not in items:
        return array
    axis = 1 + items.index("sentence")
    length = min(array.shape[axis], masks.shape[1])  # no mask keeps a sentence after its last
    kept = np.moveaxis(array, axis, 1)[:, :length].astype(float)
    kept[~masks[:, :length]] = np.nan
    return np.moveaxis(kept, 1, axis)


def _split(rows: np.ndarray, signals: Signals, check: Check, counts: np.ndarray, start: np.ndarray) -> Piece:
    """Each sentence of some rows as a row of its own. counts, start: the sentences of each of these rows, and the row
    of the first one among all sentences.
    """
    owner = np.repeat(np.arange(len(rows)), counts)
    sentence = np.arange(len(owner)) - (np.cumsum(counts) - counts)[owner]
    split = {}
    for name, signal in check.signals().items():
        array = signals[name]
        if "sentence" not in signal.items:
            split[name] = array[owner]
        else:
            axis = signal.items.index("sentence")
            lead = np.moveaxis(array, 1 + axis, 1)
            if not lead.shape[1]:  # none of these rows was measured
                lead = np.full((len(lead), 1, *lead.shape[2:]), np.nan)
            split[name] = np.expand_dims(lead[owner, np.minimum(sentence, lead.shape[1] - 1)], 1 + axis)
    return start[owner] + sentence, split
