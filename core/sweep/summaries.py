"""Summaries of traces: they hold only what outcomes and charts need.

The texts that can be delivered and the scores of the first search remain; signals and passages are left out. A summary
is stored as one line of JSON, a twentieth of its trace.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from core.case import Absence, Case, Draft, Evidence, Passage, Question, Round, Scope, Sentence, Trace
from core.decide.delivery import Delivery, whole, without
from core.decide.engine import End
from core.decide.flow import RoundKey

_UNREAD = Passage(id="", sentences=(), pages=())
"""The passage in a summary, where the text of the real one is left out."""
_BROKEN = {"search": Absence(cause="error", why="")}


class Summary:
    """A question or one of its parts."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    @property
    def trace(self) -> Trace:
        """The trace as measured, or without signals and passages."""
        return self._trace

    @property
    def head(self) -> Trace:
        """The trace, perhaps without its rounds."""
        return self._trace

    def round(self, key: RoundKey) -> Round | None:
        """The round with this key; None if it was never measured."""
        return self._trace.round(*key)

    def delivery(self, end: End) -> Delivery | None:
        """The delivery at `end`, without check results; None if nothing is delivered."""
        if end.delivery_key is None:
            return None
        if end.route == "deliver_corrected":  # a correction with a sentence leaves none out
            return Delivery(round=self.round(end.delivery_key), changes=(), checks={})
        judged = self.round(end.round_key)
        return without(judged, end.sentences) if end.route == "deliver_part" else whole(judged, {})


class StoredSummary(Summary):
    """A summary in a line of `summary_line`. Each of its rounds is built when it is used; `round` leaves out scores."""

    def __init__(self, line: bytes) -> None:
        query, understood, class_number, subject, embedder, messages, part_queries, self._rows = json.loads(line)
        scope = Scope(class_number=class_number, subject=subject)
        super().__init__(Trace(
            question=Question(query=query, understood=understood, scope=scope), messages=messages,
            models={"embedder": embedder} if embedder else {},
            parts=tuple(Trace(question=Question(query=part_query)) for part_query in part_queries),
        ))  # fmt: skip
        self._rounds: dict[RoundKey, Round | None] = {}

    @property
    def trace(self) -> Trace:
        return replace(self._trace, rounds=tuple(_round(self._trace.question, row) for row in self._rows))

    def round(self, key: RoundKey) -> Round | None:
        if key not in self._rounds:
            row = next((row for row in self._rows if (row[0], row[1]) == key), None)
            self._rounds[key] = row and _round(self._trace.question, _without_scores(row))
        return self._rounds[key]


def summary_line(trace: Trace) -> bytes:
    """One unit as JSON; its parts are units of their own."""
    question = trace.question
    return json.dumps([
        question.query, question.understood, question.scope.class_number, question.scope.subject,
        trace.models.get("embedder"), trace.messages, [part.question.query for part in trace.parts],
        [_round_row(measured, is_first=n == 0) for n, measured in enumerate(trace.rounds)],
    ]).encode()  # fmt: skip


class SummaryLines(Sequence[Summary]):
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

    def __getitem__(self, unit: int) -> Summary:
        return StoredSummary(self.line(unit))


def _round_row(measured: Round, *, is_first: bool) -> list[Any]:
    """A round as JSON; with the scores of its passages and the text of the best one only if it is the first round."""
    evidence, draft = measured.case.evidence, measured.case.draft
    best = max(range(len(evidence)), key=lambda n: evidence[n].answers, default=None) if is_first else None
    return [
        measured.name, measured.of, measured.broken, measured.case.kind,
        [[e.cosine, e.related, e.hybrid, e.answers] for e in evidence] if is_first else len(evidence),
        None if best is None else [best, evidence[best].passage.text],
        draft and [
            draft.text, draft.writer, draft.given, draft.awaited,
            [[s.text, s.citations, s.unreadable] for s in draft.sentences],
        ],
    ]  # fmt: skip


def _round(question: Question, row: list[Any]) -> Round:
    name, of, broken, kind, passages, best, draft = row
    evidence = list(map(_scored, passages)) if isinstance(passages, list) else [_UNSCORED] * passages
    if best is not None:
        passage = Passage(id="", sentences=(best[1],), pages=(0,))
        evidence[best[0]] = replace(evidence[best[0]], passage=passage)
    case = Case(
        question=question,
        query=question.standalone,
        kind=kind,
        evidence=tuple(evidence),
        draft=draft and _draft(*draft),
    )
    return Round(name=name, of=of, case=case, absent=_BROKEN if broken else {})


def _without_scores(row: list[Any]) -> list[Any]:
    """The row of a first round without the scores of its passages, as rows of later rounds have none."""
    *head, passages, _, draft = row
    return [*head, len(passages) if isinstance(passages, list) else passages, None, draft]


def _scored(scores: list[float]) -> Evidence:
    cosine, related, hybrid, answers = scores
    return Evidence(passage=_UNREAD, cosine=cosine, related=related, hybrid=hybrid, answers=answers, kept=())


_UNSCORED = _scored([0.0] * 4)
"""Stands for the evidence of a later search."""


def _draft(text: str, writer: str, given: bool, awaited: bool, sentences: list[Any]) -> Draft:
    return Draft(
        text=text, writer=writer, given=given, awaited=awaited,
        sentences=tuple(Sentence(text=t, citations=tuple(c), unreadable=u) for t, c, u in sentences),
    )  # fmt: skip
