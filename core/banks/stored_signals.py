"""The signals of a measured question as bytes, which lie beside its trace in the store.

A set of any size is decided from these bytes alone; reading 100,000 traces takes minutes.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from pydantic import TypeAdapter

from core.banks.decisions import UNKNOWN, code_at
from core.case import Absence, Case, Evidence, Passage, Round, Trace
from core.check import Check
from core.checks import all_checks
from core.decide.engine import End
from core.decide.measured import COLUMNS, FLAGS, MEASURED, MeasuredSet, Piece, Rows, size_classes
from core.decide.routes import ROUND_KEYS, RoundKey

NO_ROUNDS = 255
"""Stands for the round of a question or a part that has none."""


class StoredSignals(NamedTuple):
    """What is stored of one measured question beside its trace.

    rounds: a record of `_record` for each round of the question and of its parts. numbers: every column and signal of
    these rounds, one after the other, as float64; equal arrays lie there once. texts: see `texts_of`.
    """

    rounds: bytes
    numbers: bytes
    texts: bytes


@cache
def _fields() -> dict[str, int]:
    """The number of axes of everything that is stored of a round, by the name of a column, or of a check and signal."""
    signals = {f"{c.name}/{name}": len(s.items) for c in all_checks() for name, s in c.signals().items()}
    return dict.fromkeys(COLUMNS, 0) | dict.fromkeys(FLAGS, 1) | signals


@cache
def _record() -> np.dtype:
    """The record of a round. unit: 0 for the question, n for its part n. round: an index into ROUND_KEYS. parts, kind,
    states, reasons: see MeasuredSet and Rows. outcome: the code of the question if this round is delivered whole.
    start, shape: the place of each field in `numbers`, and its length along each axis.
    """
    checks, fields = len(all_checks()), len(_fields())
    return np.dtype([
        ("unit", "u1"), ("round", "u1"), ("parts", "u1"), ("kind", "u1"), ("outcome", "u1"), ("states", "u1", checks),
        ("reasons", "u1", checks), ("start", "u4", fields), ("shape", "u2", (fields, 2)),
    ])  # fmt: skip


def whole_end(key: RoundKey) -> End:
    """The end at which the answer of the round `key` is delivered whole."""
    name, of = key
    return End("deliver_corrected", (of, ""), key) if name == "corrected" else End("deliver", key, key)


def encode(row: Mapping[str, Any], trace: Trace) -> StoredSignals:
    """The signals of a measured row. row: with its labels, on which the outcomes depend."""
    measured, records, numbers = MeasuredSet.of([trace]), [], _Numbers()
    for unit, own in enumerate((trace, *trace.parts)):
        keys = [(n, key) for n, key in enumerate(ROUND_KEYS) if measured.at(key)[unit] >= 0]
        for number, key in keys or [(NO_ROUNDS, None)]:
            record = np.zeros((), dtype=_record())
            record["unit"], record["round"], record["parts"] = unit, number, measured.parts[unit]
            record["kind"], record["outcome"] = measured.kinds[unit], UNKNOWN
            if key:
                _fill(record, measured, unit, key, own.round(*key), numbers)
                record["outcome"] = _outcome_code(row, trace, key) if unit == 0 else UNKNOWN
            records.append(record)
    return StoredSignals(np.stack(records).tobytes(), numbers.data, texts_of(trace))


def decode(stored: Sequence[tuple[bytes, bytes]]) -> tuple[MeasuredSet, dict[End, np.ndarray]]:
    """The measured set of these questions, and the outcome code of each unit at each end of `whole_end`: (units,).

    stored: `rounds` and `numbers` of each question.
    """
    counts = [len(rounds) // _record().itemsize for rounds, _ in stored]
    records = np.frombuffer(bytearray().join([rounds for rounds, _ in stored]), dtype=_record())
    numbers = np.frombuffer(bytearray().join([numbers for _, numbers in stored]))
    lengths = np.array([len(numbers) // 8 for _, numbers in stored], dtype=np.int64)
    case = np.repeat(np.arange(len(stored)), counts)
    records["start"] += np.repeat(np.cumsum(lengths) - lengths, counts)[:, None].astype(np.uint32)
    is_first = np.append(True, (np.diff(case) != 0) | (np.diff(records["unit"].astype(int)) != 0))[: len(case)]
    unit, first = np.cumsum(is_first) - 1, np.flatnonzero(is_first)
    rounds, row_of, columns, codes = {}, {}, {}, {}
    for number, key in enumerate(ROUND_KEYS):
        own = np.flatnonzero(records["round"] == number)
        if len(own):
            row_of[key], codes[whole_end(key)] = np.full(len(first), -1), np.full(len(first), UNKNOWN, dtype=np.uint8)
            row_of[key][unit[own]], codes[whole_end(key)][unit[own]] = np.arange(len(own)), records["outcome"][own]
            stacked = _Stacked(records[own], numbers)
            rounds[key], columns[key] = stacked.rows(), stacked.columns()
    measured = MeasuredSet(
        cases=case[first], parts=records["parts"][first].astype(np.int64), is_whole=records["unit"][first] == 0,
        kinds=records["kind"][first], rounds=rounds, row_of=row_of, columns=columns, origin=np.arange(len(first)),
    )  # fmt: skip
    return measured, codes


class _Numbers:
    """Arrays one after the other; an array that is there already is found again."""

    def __init__(self) -> None:
        self.data = b""
        self._place: dict[bytes, int] = {}

    def add(self, array: np.ndarray) -> int:
        """The place of the first number of `array`."""
        content = np.ascontiguousarray(array, dtype=float).tobytes()
        if content not in self._place:
            self._place[content] = len(self.data) // 8
            self.data += content
        return self._place[content]


def _fill(
    record: np.ndarray, measured: MeasuredSet, unit: int, key: RoundKey, measured_round: Round, numbers: _Numbers
) -> None:
    """Write what was measured in one round into its record."""
    rows, row, checks = measured.rounds[key], measured.at(key)[unit], all_checks()
    record["states"] = [rows.states(check)[row] for check in checks]
    record["reasons"] = [rows.reasons(check)[row] for check in checks]
    values = {name: read(measured_round) for name, read in (COLUMNS | FLAGS).items()}
    for check in checks:
        signals = measured_round.signals.get(check.name, {})
        values |= {f"{check.name}/{name}": signals[name] for name in check.signals() if name in signals}
    for field, name in enumerate(_fields()):
        if name in values:
            array = np.asarray(values[name], dtype=float)
            record["start"][field] = numbers.add(array)
            record["shape"][field][: array.ndim] = array.shape


def _outcome_code(row: Mapping[str, Any], trace: Trace, key: RoundKey) -> int:
    """The outcome code if the answer of the round `key` is delivered whole; UNKNOWN if there is no such answer."""
    end = whole_end(key)
    judged = [trace.round(*end.round_key), trace.round(*key)]
    return code_at(row, trace, end) if all(r and r.case.sentences for r in judged) else UNKNOWN


@dataclass(frozen=True)
class _Stacked:
    """The rounds with one key of many questions, which share `numbers`."""

    records: np.ndarray
    numbers: np.ndarray

    def columns(self) -> dict[str, np.ndarray]:
        """Every entry of COLUMNS, (rows,), and of FLAGS, (rows, longest)."""
        everything, numbers = np.arange(len(self.records)), {"confidence": float, "closest": float}
        types = {"sentences": np.int64} | numbers
        columns = {name: self.array(name, everything).astype(types.get(name, bool)) for name in COLUMNS}
        return columns | {name: self.array(name, everything) == 1 for name in FLAGS}  # NaN is padding

    def rows(self) -> Rows:
        """The rounds, whose signals become arrays when a check reads them."""
        number = {check.name: n for n, check in enumerate(all_checks())}
        sizes = size_classes(self.array("sentences", np.arange(len(self.records))))
        groups = [np.flatnonzero(sizes == size) for size in np.unique(sizes)]
        shared: dict[tuple[int, bytes], np.ndarray] = {}

        def pieces(check: Check) -> list[Piece]:
            return [(rows, {name: array(f"{check.name}/{name}", check, rows) for name in check.signals()})
                    for rows in groups]  # fmt: skip

        def array(name: str, check: Check, rows: np.ndarray) -> np.ndarray:
            """The array of a signal; checks that read the same numbers share it."""
            field, is_there = list(_fields()).index(name), self.records["states"][rows, number[check.name]] == MEASURED
            parts = self.records["start"][rows, field], self.records["shape"][rows, field], is_there
            place = _fields()[name], hashlib.blake2b(b"".join(part.tobytes() for part in parts)).digest()
            if place not in shared:
                shared[place] = self.array(name, rows, is_there)
            return shared[place]

        return Rows(
            len(self.records), pieces, lambda check: self.records["states"][:, number[check.name]],
            lambda check: self.records["reasons"][:, number[check.name]],
        )  # fmt: skip

    def array(self, name: str, rows: np.ndarray, is_there: np.ndarray | None = None) -> np.ndarray:
        """A field of some rounds: (rows, items...), NaN in rounds with fewer items, or where it is not there."""
        field, axes = list(_fields()).index(name), _fields()[name]
        start, shape = self.records["start"][rows, field].astype(np.int64), self.records["shape"][rows, field, :axes]
        is_inside = np.ones(len(rows), dtype=bool) if is_there is None else is_there
        counts = shape.prod(1, dtype=np.int64) * is_inside
        before = np.cumsum(counts) - counts
        is_inside = is_inside.reshape(-1, *[1] * axes)
        for axis in range(axes):
            item = np.arange(shape[:, axis].max(initial=0)).reshape(-1, *[1] * (axes - 1 - axis))
            is_inside = is_inside & (item < shape[:, axis].reshape(-1, *[1] * axes))
        out = np.full(is_inside.shape, np.nan)
        out[is_inside] = self.numbers[np.repeat(start - before, counts) + np.arange(counts.sum())]
        return out


_MESSAGES = ("partly", "part")
"""The messages that stand beside a delivered text."""
_BROKEN = {"search": Absence(cause="error", why="")}
_NO_PASSAGE = Passage(id="", sentences=(), pages=())
_UNREAD = Evidence(passage=_NO_PASSAGE, cosine=0.0, related=0.0, hybrid=0.0, answers=0.0, kept=())


def texts_of(trace: Trace) -> bytes:
    """What outcomes and charts need of a trace besides its signals, as JSON: the texts that can be delivered, and the
    best passage of the first search. Of the passages of a part only their number is needed, to count citations.
    """
    row = _traces().dump_python(_bare(trace), exclude_defaults=True, warnings="none")
    for part, stored in zip(trace.parts, row.get("parts", ()), strict=True):
        for measured, stored_round in zip(part.rounds, stored.get("rounds", ()), strict=True):
            stored_round["case"]["evidence"] = len(measured.case.evidence)
    return json.dumps(row).encode()


def trace_of(texts: bytes) -> Trace:
    """The trace in `texts_of`, without its signals."""
    row = json.loads(texts)
    for part in row.get("parts", ()):
        for stored_round in part.get("rounds", ()):
            stored_round["case"]["evidence"] = [_UNREAD] * stored_round["case"]["evidence"]
    return _traces().validate_python(row)


def _bare(trace: Trace) -> Trace:
    question = replace(trace.question, answer=None, contexts=None, history=())
    rounds = [
        Round(
            name=measured.name, of=measured.of, absent=_BROKEN if measured.broken else {},
            case=Case(
                question=question, query=question.standalone, kind=measured.case.kind, draft=measured.case.draft,
                evidence=_best(measured.case.evidence) if number == 0 else (),
            ),
        )
        for number, measured in enumerate(trace.rounds)
    ]  # fmt: skip
    messages = {name: trace.messages[name] for name in _MESSAGES if name in trace.messages}
    return Trace(question=question, messages=messages, parts=tuple(map(_bare, trace.parts)), rounds=tuple(rounds))


def _best(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The passage that answers best, with only its text; () without passages."""
    best = max(evidence, key=lambda e: e.answers, default=None)
    return (replace(best, passage=Passage(id="", sentences=(best.passage.text,), pages=(0,)), kept=()),) if best else ()


@cache
def _traces() -> TypeAdapter[Any]:
    return TypeAdapter(Trace)  # building it takes 50 ms
