"""A measured set in one file, from which a set of any size is decided without loading its traces.

The file holds the signals of every round, what the flow reads of a round besides, a summary of every trace, and the
outcome of every answer that can be delivered whole. It is mapped into memory.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from core.banks.decisions import UNKNOWN, BankOutcomes, RowOutcome
from core.case import Absence, Case, Evidence, Passage, Question, Round, Trace
from core.check import Check
from core.checks import all_checks
from core.decide.engine import End
from core.decide.measured import COLUMNS, FLAGS, MeasuredSet, Piece, Rows, size_classes
from core.decide.routes import RoundKey
from core.evaluation.cases import LabelledCase
from core.evaluation.set_rows import label_digests
from core.platform.mapped_arrays import Arrays, map_arrays, write_arrays

_UNIT_ARRAYS = ("cases", "parts", "is_whole", "kinds")
_COLUMNS = (*COLUMNS, *FLAGS)


@dataclass(frozen=True, kw_only=True)
class StoredSet:
    """Measured cases without their traces.

    ids: what identifies the measurement of each case, (cases,) bytes. labels: the label digest of the row of each
    case, (cases,). row_outcomes, codes: the outcome of each unit at an end, as a code.
    """

    measured: MeasuredSet
    ids: np.ndarray
    labels: np.ndarray
    row_outcomes: tuple[RowOutcome, ...]
    codes: Mapping[End, np.ndarray]

    @classmethod
    def of(cls, cases: Sequence[LabelledCase], ids: Sequence[bytes]) -> "StoredSet":
        """The set of cases in memory. ids: what identifies the measurement of each case."""
        traces, rows = [case.trace for case in cases], [case.row for case in cases]
        lines = SummaryLines.of([summary_line(t) for trace in traces for t in (trace, *trace.parts)])
        measured = MeasuredSet.of(traces).with_summaries(lines)
        outcomes = BankOutcomes(rows, measured)
        codes = {end: _codes(measured, outcomes, end) for end in _ends(measured)}
        return cls(
            measured=measured, ids=np.array(ids, dtype=bytes), labels=label_digests(rows),
            row_outcomes=tuple(outcomes.row_outcomes), codes=codes,
        )  # fmt: skip

    @classmethod
    def read(cls, path: Path) -> "StoredSet":
        """Map the set in the file `path`. Raises ArraysError if it is unreadable."""
        stored = map_arrays(path)
        arrays, about = stored.arrays, stored.about
        keys: list[RoundKey] = [tuple(key) for key in about["round_keys"]]
        measured = MeasuredSet(
            **{name: arrays[name] for name in _UNIT_ARRAYS},
            rounds={key: _stored_rows(stored, n) for n, key in enumerate(keys)},
            row_of={key: arrays[f"{n}/rows"] for n, key in enumerate(keys)},
            columns={key: {name: arrays[f"{n}/{name}"] for name in _COLUMNS} for n, key in enumerate(keys)},
            summaries=SummaryLines(arrays["summaries"], arrays["summary ends"]), origin=np.arange(len(arrays["cases"])),
        )  # fmt: skip
        return cls(
            measured=measured, ids=arrays["ids"], labels=arrays["labels"],
            row_outcomes=tuple(RowOutcome(**outcome) for outcome in about["row_outcomes"]),
            codes={
                End(route, tuple(judged), tuple(delivered)): arrays[f"codes {n}"]
                for n, (route, judged, delivered) in enumerate(about["ends"])
            },
        )  # fmt: skip

    def write(self, path: Path) -> None:
        """Write the set to a file, completely or not at all. Raises OSError."""
        about = {
            "round_keys": list(self.measured.row_of), "pieces": {},
            "ends": [[end.route, end.round_key, end.delivery_key] for end in self.codes],
            "row_outcomes": [asdict(outcome) for outcome in self.row_outcomes],
        }  # fmt: skip
        write_arrays(path, self._arrays(about["pieces"]), about)

    def some(self, cases: np.ndarray) -> "StoredSet":
        """A selection of the cases, in any order and repeated at will."""
        selected, lines = self.measured.some(cases), self.measured.summaries
        units = selected.origin
        return replace(
            self, measured=selected.with_summaries(SummaryLines.of([lines.line(n) for n in units])),
            ids=self.ids[cases], labels=self.labels[cases],
            codes={end: codes[units] for end, codes in self.codes.items()},
        )  # fmt: skip

    def outcomes(self, rows: Sequence[Mapping[str, Any]]) -> BankOutcomes:
        """The outcomes of the cases under the labels of `rows`; stored ones are used where the labels are the same."""
        is_new = (label_digests(rows) != self.labels)[self.measured.cases]
        codes = {end: np.where(is_new, UNKNOWN, stored).astype(np.uint8) for end, stored in self.codes.items()}
        return BankOutcomes(rows, self.measured, self.row_outcomes, codes)

    def _arrays(self, piece_counts: dict[str, int]) -> Iterator[tuple[str, np.ndarray]]:
        """Yield every array with its name; only the signals of one check are in memory at a time.

        piece_counts: filled on the way, with the number of pieces of each round key and check.
        """
        measured = self.measured
        yield from ((name, getattr(measured, name)) for name in _UNIT_ARRAYS)
        yield from (("ids", self.ids), ("labels", self.labels))
        yield from (("summaries", measured.summaries.text), ("summary ends", measured.summaries.ends))
        yield from ((f"codes {n}", codes) for n, codes in enumerate(self.codes.values()))
        for n, (key, rows) in enumerate(measured.row_of.items()):
            yield f"{n}/rows", rows
            yield from ((f"{n}/{name}", measured.columns[key][name]) for name in _COLUMNS)
            for check in _checks_of(key):
                pieces = measured.rounds[key].pieces(check)
                piece_counts[f"{n}/{check.name}"] = len(pieces)
                yield from _check_arrays(f"{n}/{check.name}", measured.rounds[key], check, pieces)
                measured.rounds[key].forget(check)


def concatenate(sets: Sequence[StoredSet]) -> StoredSet:
    """The cases of several sets, one after the other."""
    parts = [s.measured for s in sets]
    units = np.cumsum([0, *map(len, parts)])
    cases = np.cumsum([0, *(len(s.ids) for s in sets)])
    keys = dict.fromkeys(key for m in parts for key in m.row_of)
    outcomes = tuple(dict.fromkeys(outcome for s in sets for outcome in s.row_outcomes))
    measured = MeasuredSet(
        cases=np.concatenate([m.cases + n for m, n in zip(parts, cases, strict=False)]),
        **{name: np.concatenate([getattr(m, name) for m in parts]) for name in _UNIT_ARRAYS[1:]},
        rounds={key: _joined_rows([m for m in parts if key in m.rounds], key) for key in keys},
        row_of={key: _joined_row_of(parts, key) for key in keys},
        columns={
            key: {name: _join([m.columns[key][name] for m in parts if key in m.rounds], False) for name in _COLUMNS}
            for key in keys
        },
        summaries=SummaryLines(
            np.concatenate([m.summaries.text for m in parts]),
            np.cumsum(np.concatenate([np.diff(m.summaries.ends, prepend=0) for m in parts])),
        ),
        origin=np.arange(units[-1]),
    )  # fmt: skip
    return StoredSet(
        measured=measured, ids=np.concatenate([s.ids for s in sets]), labels=np.concatenate([s.labels for s in sets]),
        row_outcomes=outcomes,
        codes={end: np.concatenate([_recoded(s, end, outcomes) for s in sets])
               for end in dict.fromkeys(end for s in sets for end in s.codes)},
    )  # fmt: skip


def _checks_of(key: RoundKey) -> list[Check]:
    """The checks that are read in rounds with this key; query checks only in searches."""
    return [check for check in all_checks() if check.stage == "answer" or not key[1]]


def _check_arrays(name: str, rounds: Rows, check: Check, pieces: Sequence[Piece]) -> Iterator[tuple[str, np.ndarray]]:
    yield f"{name}/states", rounds.states(check)
    yield f"{name}/reasons", rounds.reasons(check)
    for n, (rows, signals) in enumerate(pieces):
        yield f"{name}/{n}/rows", rows
        yield from ((f"{name}/{n}/{signal}", _narrow(array)) for signal, array in signals.items())


def _stored_rows(stored: Arrays, number: int) -> Rows:
    """The rounds of one key in a file. number: of the key."""

    def pieces(check: Check) -> list[Piece]:
        name = f"{number}/{check.name}"
        return [
            (stored.arrays[f"{name}/{n}/rows"],
             {signal: stored.arrays[f"{name}/{n}/{signal}"] for signal in check.signals()})
            for n in range(stored.about["pieces"][name])
        ]  # fmt: skip

    def column(what: str) -> Callable[[Check], np.ndarray]:
        return lambda check: stored.arrays[f"{number}/{check.name}/{what}"]

    return Rows(len(stored.arrays[f"{number}/sentences"]), pieces, column("states"), column("reasons"))


def _joined_rows(parts: Sequence[MeasuredSet], key: RoundKey) -> Rows:
    """The rounds of one key of several sets one after the other, again in groups of similar length."""
    offsets = np.cumsum([0, *(m.rounds[key].count for m in parts)])

    def pieces(check: Check) -> list[Piece]:
        by_size: dict[float, list[Piece]] = {}
        for measured, offset in zip(parts, offsets, strict=False):
            sizes = size_classes(measured.columns[key]["sentences"])
            for rows, signals in measured.rounds[key].pieces(check):
                by_size.setdefault(float(sizes[rows[0]]), []).append((rows + offset, signals))
        return [
            (np.concatenate([rows for rows, _ in own]),
             {name: _join([signals[name] for _, signals in own], np.nan) for name in own[0][1]})
            for _, own in sorted(by_size.items())
        ]  # fmt: skip

    def column(read: str) -> Callable[[Check], np.ndarray]:
        return lambda check: np.concatenate([getattr(m.rounds[key], read)(check) for m in parts])

    return Rows(int(offsets[-1]), pieces, column("states"), column("reasons"))


def _joined_row_of(parts: Sequence[MeasuredSet], key: RoundKey) -> np.ndarray:
    """The row of each unit of several sets among the rounds of one key of all of them."""
    counts = [m.rounds[key].count if key in m.rounds else 0 for m in parts]
    offsets = np.cumsum([0, *counts])
    return np.concatenate([
        np.where(m.at(key) >= 0, m.at(key) + offset, -1) for m, offset in zip(parts, offsets, strict=False)
    ])  # fmt: skip


def _join(arrays: Sequence[np.ndarray], padding: Any) -> np.ndarray:
    """Arrays one after the other along the first axis, `padding` where one is shorter along another axis."""
    shape = tuple(np.max([a.shape[1:] for a in arrays], axis=0).astype(int)) if arrays[0].ndim > 1 else ()
    out = np.full((sum(map(len, arrays)), *shape), padding, dtype=np.result_type(*arrays))
    first = 0
    for array in arrays:
        out[(slice(first, first + len(array)), *(slice(0, n) for n in array.shape[1:]))] = array
        first += len(array)
    return out


def _narrow(array: np.ndarray) -> np.ndarray:
    """The same numbers in the smallest float type that represents each of them exactly."""
    for dtype in (np.float16, np.float32):
        with np.errstate(over="ignore"):
            narrow = array.astype(dtype)
        if np.array_equal(narrow.astype(float), array, equal_nan=True):
            return narrow
    return array


def _ends(measured: MeasuredSet) -> list[End]:
    """Every end at which an answer is delivered whole."""
    keys: list[RoundKey] = list(measured.row_of)
    corrections = [End("deliver_corrected", (of, ""), (name, of)) for name, of in keys if name == "corrected"]
    return [*(End("deliver", key, key) for key in keys if key[0] != "corrected"), *corrections]


def _codes(measured: MeasuredSet, outcomes: BankOutcomes, end: End) -> np.ndarray:
    """The code of each whole question whose rounds hold an answer to deliver at `end`, UNKNOWN for others: (units,)."""
    can_end = measured.is_whole.copy()
    for key in (end.round_key, end.delivery_key):
        rows = measured.at(key)
        has_sentence = measured.columns[key]["sentences"][rows] > 0 if key in measured.columns else False
        can_end &= (rows >= 0) & has_sentence
    codes = np.full(len(measured), UNKNOWN, dtype=np.uint8)
    units = np.flatnonzero(can_end)
    codes[units] = [outcomes.of_one(int(unit), end) for unit in units]
    return codes


def _recoded(stored: StoredSet, end: End, row_outcomes: Sequence[RowOutcome]) -> np.ndarray:
    """The codes of a set at `end` as indices into `row_outcomes`."""
    code_of = np.array([*(row_outcomes.index(outcome) for outcome in stored.row_outcomes), UNKNOWN], dtype=np.uint8)
    unknown = np.full(len(stored.measured), UNKNOWN, dtype=np.uint8)
    return code_of[np.minimum(stored.codes.get(end, unknown), len(stored.row_outcomes))]


_BROKEN = {"search": Absence(cause="error", why="")}
_NO_QUESTION = Question(query="")


def summary_line(trace: Trace) -> bytes:
    """The summary of a question or of one part as a line of JSON, a tenth of its trace.

    It is a trace with what outcomes and charts still need once the signals are stacked: the texts that can be delivered
    and, of the first search, the scores and the best passage. Of its parts it holds the questions alone. Fields that
    have their default are left out.
    """
    summary = Trace(
        question=replace(trace.question, answer=None, contexts=None, history=()), messages=trace.messages,
        models={name: digest for name, digest in trace.models.items() if name == "embedder"},
        rounds=tuple(_bare_round(measured) for measured in trace.rounds),
        parts=tuple(Trace(question=part.question) for part in trace.parts),
    )  # fmt: skip
    row = _summaries().dump_python(summary, exclude_defaults=True, warnings="none")
    for n, (stored, measured) in enumerate(zip(row.get("rounds", ()), trace.rounds, strict=True)):
        evidence = measured.case.evidence
        stored["case"]["evidence"] = _scores(evidence) if n == 0 else len(evidence)
    return json.dumps(row).encode()


def _bare_round(measured: Round) -> Round:
    """A round without signals and passages."""
    case = Case(question=_NO_QUESTION, query="", kind=measured.case.kind, draft=measured.case.draft)
    return Round(name=measured.name, of=measured.of, case=case, absent=_BROKEN if measured.broken else {})


def _scores(evidence: Sequence[Evidence]) -> list[list[Any]]:
    """The four scores of each passage; after those of the best one its text."""
    rows = [[e.cosine, e.related, e.hybrid, e.answers] for e in evidence]
    if rows:
        best = max(range(len(rows)), key=lambda n: evidence[n].answers)
        rows[best].append(evidence[best].passage.text)
    return rows


def _trace_of(line: bytes) -> Trace:
    """The summary in a line of `summary_line`, with its question in every round."""
    row = json.loads(line)
    for stored in row.get("rounds", ()):
        evidence = stored["case"]["evidence"]
        stored["case"]["evidence"] = (
            [_UNREAD] * evidence if isinstance(evidence, int) else [_scored(*e) for e in evidence]
        )
    summary = _summaries().validate_python(row)
    question = summary.question
    rounds = (replace(r, case=replace(r.case, question=question, query=question.standalone)) for r in summary.rounds)
    return replace(summary, rounds=tuple(rounds))


def _scored(cosine: float, related: float, hybrid: float, answers: float, text: str = "") -> Evidence:
    passage = Passage(id="", sentences=(text,), pages=(0,)) if text else _NO_PASSAGE
    return Evidence(passage=passage, cosine=cosine, related=related, hybrid=hybrid, answers=answers, kept=())


_NO_PASSAGE = Passage(id="", sentences=(), pages=())
_UNREAD = _scored(0.0, 0.0, 0.0, 0.0)
"""Stands for the evidence of a later search."""


class SummaryLines(Sequence[Trace]):
    """Summaries as lines of JSON, each parsed when it is used.

    text: the bytes of all lines. ends: the index in `text` at which the line of each unit ends, (units,).
    """

    def __init__(self, text: np.ndarray, ends: np.ndarray) -> None:
        self.text, self.ends = text, ends

    @classmethod
    def of(cls, lines: Sequence[bytes]) -> "SummaryLines":
        return cls(np.frombuffer(b"".join(lines), dtype=np.uint8), np.cumsum([len(line) for line in lines]))

    def __len__(self) -> int:
        return len(self.ends)

    def line(self, unit: int) -> bytes:
        """The line of a unit."""
        return self.text[self.ends[unit - 1] if unit else 0 : self.ends[unit]].tobytes()

    def __getitem__(self, unit: int) -> Trace:
        return _trace_of(self.line(unit))


@cache
def _summaries() -> TypeAdapter[Any]:
    return TypeAdapter(Trace)  # building it takes 50 ms
