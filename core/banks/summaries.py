"""Summaries of traces: what outcomes and charts still need of a trace once its signals are stacked as arrays.

A summary is a trace with the texts that can be delivered and, of the first search, the scores and the best passage.
Stored as one line of JSON without the fields that have their default, it takes a tenth of its trace.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from core.case import Absence, Case, Evidence, Passage, Question, Round, Trace
from core.decide.delivery import Delivery, whole, without
from core.decide.engine import End

_BROKEN = {"search": Absence(cause="error", why="")}
_NO_QUESTION = Question(query="")


def delivery_at(trace: Trace, end: End) -> Delivery | None:
    """The delivery at `end`, without check results; None if nothing is delivered. trace: a trace, or its summary."""
    if end.delivery_key is None:
        return None
    if end.route == "deliver_corrected":  # a correction with a sentence leaves none out
        return Delivery(round=trace.round(*end.delivery_key), changes=(), checks={})
    judged = trace.round(*end.round_key)
    return without(judged, end.sentences) if end.route == "deliver_part" else whole(judged, {})


def summary_line(trace: Trace) -> bytes:
    """The summary of a question or of one part as a line of JSON; of its parts it holds the questions alone."""
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
