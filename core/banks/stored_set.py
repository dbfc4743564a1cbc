"""A measured set in one file, from which a set of any size is decided without loading its traces.

The file holds the signals of every round, what the flow reads of a round besides, a summary of every trace, and the
outcome of every answer that can be delivered whole. It is mapped into memory.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from core.banks.open_bank import UNKNOWN, BankOutcomes
from core.case import Absence, Case, Evidence, Passage, Question, Round, Trace
from core.check import Check
from core.checks import all_checks
from core.decide.measured import COLUMNS, FLAGS, MeasuredSet, Piece, Rows, size_classes
from core.decide.routes import RoundKey
from core.evaluation.cases import LabelledCase
from core.platform.mapped_arrays import map_arrays, write_arrays
from core.reply.serialization import traces_adapter

_UNIT_ARRAYS = ("cases", "parts", "is_whole", "kinds")
_COLUMNS = (*COLUMNS, *FLAGS)


@dataclass(frozen=True, kw_only=True)
class StoredSet:
    """Measured cases without their traces.

    ids: what identifies the measurement of each case, (cases,) bytes. labels: the label digest of the row of each
    case, (cases,). codes: the outcome of each unit if the answer of a round goes out whole, as a code, (units,).
    """

    measured: MeasuredSet
    ids: np.ndarray
    labels: np.ndarray
    codes: Mapping[RoundKey, np.ndarray]

    @classmethod
    def of(cls, cases: Sequence[LabelledCase], ids: Sequence[bytes]) -> "StoredSet":
        """The set of cases in memory. ids: what identifies the measurement of each case."""
        traces, rows = [case.trace for case in cases], [case.row for case in cases]
        lines = SummaryLines.of([summary_line(t) for trace in traces for t in (trace, *trace.parts)])
        measured = MeasuredSet.of(traces).with_summaries(lines)
        outcomes = BankOutcomes(rows, measured)
        for key, row_of in measured.row_of.items():
            has_answer = measured.is_whole & (row_of >= 0) & (measured.columns[key]["sentences"][row_of] > 0)
            outcomes.of_round(key, np.flatnonzero(has_answer))
        ids, labels = np.array(ids, dtype=bytes), label_digests(rows)
        return cls(measured=measured, ids=ids, labels=labels, codes=outcomes.by_round)

    @classmethod
    def read(cls, path: Path) -> "StoredSet":
        """Map the set in the file `path`. Raises ArraysError if it is unreadable."""
        arrays, about = map_arrays(path)
        keys: list[RoundKey] = [tuple(key) for key in about["round_keys"]]
        measured = MeasuredSet(
            **{name: arrays[name] for name in _UNIT_ARRAYS},
            rounds={key: _stored_rows(arrays, about, n) for n, key in enumerate(keys)},
            row_of={key: arrays[f"{n}/rows"] for n, key in enumerate(keys)},
            columns={key: {name: arrays[f"{n}/{name}"] for name in _COLUMNS} for n, key in enumerate(keys)},
            summaries=SummaryLines(arrays["summaries"], arrays["summary ends"]), origin=np.arange(len(arrays["cases"])),
        )  # fmt: skip
        codes = {key: arrays[f"{n}/codes"] for n, key in enumerate(keys)}
        return cls(measured=measured, ids=arrays["ids"], labels=arrays["labels"], codes=codes)

    def write(self, path: Path) -> None:
        """Write the set to a file, completely or not at all. Raises OSError."""
        about = {"round_keys": list(self.measured.row_of), "pieces": {}}
        write_arrays(path, self._arrays(about["pieces"]), about)

    def some(self, cases: np.ndarray) -> "StoredSet":
        """A selection of the cases, in any order and repeated at will."""
        selected, lines = self.measured.some(cases), self.measured.summaries
        units = selected.origin
        return replace(
            self, measured=selected.with_summaries(SummaryLines.of([lines.line(n) for n in units])),
            ids=self.ids[cases], labels=self.labels[cases],
            codes={key: codes[units] for key, codes in self.codes.items()},
        )  # fmt: skip

    def outcomes(self, rows: Sequence[Mapping[str, Any]]) -> BankOutcomes:
        """The outcomes of the cases under the labels of `rows`; stored ones are used where the labels are the same."""
        is_new = (label_digests(rows) != self.labels)[self.measured.cases]
        codes = {key: np.where(is_new, UNKNOWN, stored).astype(np.uint8) for key, stored in self.codes.items()}
        return BankOutcomes(rows, self.measured, codes)

    def _arrays(self, piece_counts: dict[str, int]) -> Iterator[tuple[str, np.ndarray]]:
        """Yield every array with its name; only the signals of one check are in memory at a time.

        piece_counts: filled on the way, with the number of pieces of each round key and check.
        """
        measured = self.measured
        yield from ((name, getattr(measured, name)) for name in _UNIT_ARRAYS)
        yield from (("ids", self.ids), ("labels", self.labels))
        yield from (("summaries", measured.summaries.text), ("summary ends", measured.summaries.ends))
        for n, (key, row_of) in enumerate(measured.row_of.items()):
            yield from ((f"{n}/rows", row_of), (f"{n}/codes", self.codes[key]))
            yield from ((f"{n}/{name}", measured.columns[key][name]) for name in _COLUMNS)
            for check in all_checks():
                if check.stage == "query" and key[1]:  # query checks are read in searches only
                    continue
                name, own = f"{n}/{check.name}", measured.rounds[key]
                yield from ((f"{name}/states", own.states(check)), (f"{name}/reasons", own.reasons(check)))
                pieces = own.pieces(check)
                piece_counts[name] = len(pieces)
                for m, (piece_rows, signals) in enumerate(pieces):
                    yield f"{name}/{m}/rows", piece_rows
                    yield from ((f"{name}/{m}/{signal}", _narrow(array)) for signal, array in signals.items())
                own.pieces.cache_clear()


def concatenate(sets: Sequence[StoredSet]) -> StoredSet:
    """The cases of several sets, one after the other."""
    parts = [s.measured for s in sets]
    units = np.cumsum([0, *map(len, parts)])
    cases = np.cumsum([0, *(len(s.ids) for s in sets)])
    keys = dict.fromkeys(key for m in parts for key in m.row_of)
    has_round = {key: np.concatenate([m.at(key) >= 0 for m in parts]) for key in keys}
    measured = MeasuredSet(
        cases=np.concatenate([m.cases + n for m, n in zip(parts, cases, strict=False)]),
        **{name: np.concatenate([getattr(m, name) for m in parts]) for name in _UNIT_ARRAYS[1:]},
        rounds={key: _joined_rows([m for m in parts if key in m.rounds], key) for key in has_round},
        row_of={key: np.where(own, np.cumsum(own) - 1, -1) for key, own in has_round.items()},
        columns={
            key: {name: _join([m.columns[key][name] for m in parts if key in m.rounds], False) for name in _COLUMNS}
            for key in has_round
        },
        summaries=SummaryLines(
            np.concatenate([m.summaries.text for m in parts]),
            np.cumsum(np.concatenate([np.diff(m.summaries.ends, prepend=0) for m in parts])),
        ),
        origin=np.arange(units[-1]),
    )  # fmt: skip
    unknown = [np.full(len(m), UNKNOWN, dtype=np.uint8) for m in parts]
    return StoredSet(
        measured=measured, ids=np.concatenate([s.ids for s in sets]), labels=np.concatenate([s.labels for s in sets]),
        codes={key: np.concatenate([s.codes.get(key, u) for s, u in zip(sets, unknown, strict=True)]) for key in keys},
    )  # fmt: skip


def label_digests(rows: Iterable[Mapping[str, Any]]) -> np.ndarray:
    """For each row a number that changes with its labels, its facts included: (rows,)."""
    texts = (
        repr((row.get("expected"), row.get("answer") is None, row.get("facts"), row.get("false_facts"))) for row in rows
    )
    digests = [hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in texts]
    return np.frombuffer(b"".join(digests), dtype="<u8")


def _stored_rows(arrays: Mapping[str, np.ndarray], about: Mapping[str, Any], number: int) -> Rows:
    """The rounds of one key in a file. number: of the key."""

    def pieces(check: Check) -> list[Piece]:
        name = f"{number}/{check.name}"
        return [
            (arrays[f"{name}/{n}/rows"], {signal: arrays[f"{name}/{n}/{signal}"] for signal in check.signals()})
            for n in range(about["pieces"][name])
        ]

    return Rows(
        len(arrays[f"{number}/sentences"]), pieces,
        lambda check: arrays[f"{number}/{check.name}/states"], lambda check: arrays[f"{number}/{check.name}/reasons"],
    )  # fmt: skip


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

    return Rows(
        int(offsets[-1]), pieces,
        lambda check: np.concatenate([m.rounds[key].states(check) for m in parts]),
        lambda check: np.concatenate([m.rounds[key].reasons(check) for m in parts]),
    )  # fmt: skip


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


def summary_line(trace: Trace) -> bytes:
    """The summary of a question or of one part as a line of JSON, a tenth of its trace.

    It is a trace with what outcomes and charts still need once the signals are stacked: the texts that can be delivered
    and, of the first search, the four scores of each passage and the text of the best one; of a later search the number
    of its passages. Of its parts it holds the questions alone. Fields that have their default are left out.
    """
    rounds = []
    for measured in trace.rounds:
        case = Case(question=_NO_QUESTION, query="", kind=measured.case.kind, draft=measured.case.draft)
        absent = {"search": Absence(cause="error", why="")} if measured.broken else {}
        rounds.append(Round(name=measured.name, of=measured.of, case=case, absent=absent))
    summary = Trace(
        question=replace(trace.question, answer=None, contexts=None, history=()), messages=trace.messages,
        rounds=tuple(rounds), parts=tuple(Trace(question=part.question) for part in trace.parts),
    )  # fmt: skip
    row = traces_adapter().dump_python(summary, exclude_defaults=True, warnings="none")
    for n, (stored, measured) in enumerate(zip(row.get("rounds", ()), trace.rounds, strict=True)):
        evidence = measured.case.evidence
        best = max(evidence, key=lambda e: e.answers, default=None)
        scores = [[e.cosine, e.related, e.hybrid, e.answers, e.passage.text if e is best else ""] for e in evidence]
        stored["case"]["evidence"] = scores if n == 0 else len(evidence)
    return json.dumps(row).encode()


_NO_QUESTION, _NO_PASSAGE = Question(query=""), Passage(id="", sentences=(), pages=())


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
        """The summary of a unit, with its question in every round."""
        row = json.loads(self.line(unit))
        for stored in row.get("rounds", ()):
            evidence = stored["case"]["evidence"]
            passages = [(0.0, 0.0, 0.0, 0.0, "")] * evidence if isinstance(evidence, int) else evidence
            stored["case"]["evidence"] = [
                Evidence(
                    passage=replace(_NO_PASSAGE, sentences=(text,), pages=(0,)) if text else _NO_PASSAGE,
                    cosine=cosine, related=related, hybrid=hybrid, answers=answers, kept=(),
                )
                for cosine, related, hybrid, answers, text in passages
            ]  # fmt: skip
        summary = traces_adapter().validate_python(row)
        query, question = summary.question.standalone, summary.question
        rounds = (replace(r, case=replace(r.case, question=question, query=query)) for r in summary.rounds)
        return replace(summary, rounds=tuple(rounds))
