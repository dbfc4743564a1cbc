"""A trace without what outcomes and pictures do not read: its texts that can be delivered and the scores of its first
search remain, its signals and passages go. It is stored as one line of JSON, a twentieth of the trace.
"""

import json
from dataclasses import dataclass, replace
from typing import Any

from core.case import Absence, Case, Draft, Evidence, Passage, Question, Round, Scope, Sentence, Trace
from core.chain.delivery import Delivery, whole, without
from core.chain.routing import Path, RoundKey, Route

_UNREAD = Passage(id="", sentences=(), pages=())
"""Stands for a passage whose text nothing reads."""
_BROKEN = {"search": Absence(cause="error", why="")}


@dataclass(frozen=True)
class End:
    """The end of a path: its route, the judged round, the delivered round, and the delivered sentences."""

    route: Route
    round_key: RoundKey
    delivery_key: RoundKey | None
    sentences: tuple[int, ...] = ()

    @classmethod
    def of(cls, path: Path) -> "End":
        return cls(path.route, path.round_key, path.delivery_key)


@dataclass(frozen=True, kw_only=True)
class Summary:
    """A question or one of its parts. trace: as measured, or without signals and passages."""

    trace: Trace

    def delivery(self, end: End) -> Delivery | None:
        """The delivery at `end`, without check results; None if nothing is delivered."""
        if end.delivery_key is None:
            return None
        if end.route == "deliver_corrected":  # a correction with a sentence leaves none out (core/chain/correction.py)
            return Delivery(round=self.trace.round(*end.delivery_key), changes=(), checks={})
        judged = self.trace.round(*end.round_key)
        return without(judged, end.sentences) if end.route == "deliver_part" else whole(judged, {})


def summary_line(trace: Trace) -> bytes:
    """One unit as JSON; its parts are units of their own."""
    question = trace.question
    return json.dumps([
        question.query, question.understood, question.scope.class_number, question.scope.subject,
        trace.models.get("embedder"), trace.messages, [part.question.query for part in trace.parts],
        [_round_row(measured, is_first=n == 0) for n, measured in enumerate(trace.rounds)],
    ]).encode()  # fmt: skip


def read_summary(line: bytes) -> Summary:
    """The summary in a line of `summary_line`."""
    query, understood, class_number, subject, embedder, messages, part_queries, round_rows = json.loads(line)
    question = Question(query=query, understood=understood, scope=Scope(class_number=class_number, subject=subject))
    trace = Trace(
        question=question, models={"embedder": embedder} if embedder else {}, messages=messages,
        rounds=tuple(_round(question, row) for row in round_rows),
        parts=tuple(Trace(question=Question(query=part_query)) for part_query in part_queries),
    )  # fmt: skip
    return Summary(trace=trace)


def _round_row(measured: Round, *, is_first: bool) -> list[Any]:
    """A round; the scores of its passages and the text of the best one only if it is the first."""
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
    scores = passages if isinstance(passages, list) else [[0.0] * 4] * passages
    evidence = [
        Evidence(passage=_UNREAD, cosine=cosine, related=related, hybrid=hybrid, answers=answers, kept=())
        for cosine, related, hybrid, answers in scores
    ]
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


def _draft(text: str, writer: str, given: bool, awaited: bool, sentences: list[Any]) -> Draft:
    return Draft(
        text=text, writer=writer, given=given, awaited=awaited,
        sentences=tuple(Sentence(text=t, citations=tuple(c), unreadable=u) for t, c, u in sentences),
    )  # fmt: skip
