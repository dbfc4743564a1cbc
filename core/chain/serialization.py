"""Questions, verdicts and traces as JSON: the rows that the command line reads and writes, and stored traces."""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from core.case import CaseError, Question, Round, Scope, Trace, Turn
from core.chain import CheckResult, Verdict, confidence_of
from core.chain.delivery import Change
from core.chain.judged_sentences import JudgedSentence, cited_page
from core.checks import all_checks
from core.retrieval.contexts import context_row, contexts_of
from core.text.given_answer import require_answer
from core.text.question_plan import plan_of

FORMAT = 1
"""Raised when a stored trace of an older format can no longer be read."""
_RANGE = re.compile(r"\s*(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?\s*", re.ASCII)


class StoreError(ValueError):
    """A stored trace cannot be read; the message says why."""


def dumps(trace: Trace) -> str:
    """`trace` as one line of JSON, with every signal."""
    stored = _traces().dump_python(trace, warnings="none")
    return json.dumps({"format": FORMAT, **stored}, ensure_ascii=False)


def loads(text: str) -> Trace:
    """The trace that `dumps` wrote, opened without a model; StoreError when the text is something else.

    What an older trace lacks keeps its default. Half of a character, which a question from JSON may hold, is kept:
    pydantic's own reading of JSON would refuse it.
    """
    try:
        stored = json.loads(text)
        if stored.pop("format") != FORMAT:
            raise StoreError(f"The trace is not of format {FORMAT}; measure the question again.")
        return _completed(_traces().validate_python(stored))
    except StoreError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise StoreError(
            f"The text is no stored trace ({type(error).__name__}); measure the question again."
        ) from error


def _completed(trace: Trace) -> Trace:
    """`trace` with the signals that checks measure since it was stored."""
    for measured in trace.rounds:
        for check in all_checks():
            if check.name in measured.signals:
                measured.signals[check.name] = check.completed(measured.signals[check.name])
    for part in trace.parts:
        _completed(part)
    return trace


@cache
def _traces() -> TypeAdapter[Trace]:
    return TypeAdapter(Trace)  # it takes a twentieth of a second to build


def question_of(row: Any) -> Question:
    """The question of one row of the contract; CaseError in one sentence when a field cannot be read.

    Fields that the contract does not name are allowed and left alone: a bank keeps its labels there. Without an answer
    it is a question to answer; NoAnswerError for an answer that is empty.
    """
    if not isinstance(row, dict):
        raise CaseError(f"A row must be a JSON object, got {type(row).__name__}.")
    if not isinstance(row.get("query"), str) or not row["query"].strip():
        raise CaseError("query must be a text that is not empty.")
    scope = Scope(
        class_number=_typed(row, "class_number", int), subject=_typed(row, "subject", str) or "",
        documents=_texts(row, "documents"), pages=tuple(_page_range(p) for p in _typed(row, "pages", list) or ()),
    )  # fmt: skip
    return Question(
        query=row["query"].strip(), scope=scope, history=_history(row), tool_results=_texts(row, "tool_results"),
        answer=_answer(row), citations=_citations(row), attribute=bool(_typed(row, "attribute", bool)),
        contexts=None if row.get("contexts") is None else contexts_of(row["contexts"]),
    )  # fmt: skip


def question_to_judge(row: Any) -> Question:
    """`question_of` a row from another program: NoAnswerError also where the field answer is there and null.

    The program had no answer then. Ours must not be judged, and go out, in its place.
    """
    question = question_of(row)
    if "answer" in row:
        require_answer(question.answer)
    return question


def question_row(question: Question) -> dict[str, Any]:
    """The row that `question_of` reads as `question`; fields that say nothing are left out.

    So is what it was understood as, which follows from its history whenever it is asked.
    """
    row = {"query": question.query, **vars(question.scope), **vars(question)}
    row |= {"scope": None, "understood": None, "history": [{**vars(turn)} for turn in question.history]}
    row |= {"contexts": question.contexts and tuple(map(context_row, question.contexts))}
    listed = {k: _lists(v) for k, v in row.items()}
    return {k: v for k, v in listed.items() if v or (k in ("answer", "citations", "contexts") and v is not None)}


def verdict_row(trace: Trace, verdict: Verdict) -> dict[str, Any]:
    """The contract's row for one verdict, without its id. Numbers are not rounded; what is not there is null.

    Beside the contract's fields: "kind" of turn, what a follow-up was "understood" as, the plan of the answer
    ("question", null for a turn that asks nothing of the library), the "writer" of the judged text ("given" where none
    wrote) and why one writer took over from another ("takeovers"), "rounds" with the query of each,
    "changes" sentence by sentence when something goes out, the answer checks made anew over it ("delivered_checks"),
    and a row for each of the "parts".
    """
    draft = verdict.round.case.draft
    return {
        "kind": trace.rounds[0].case.kind,
        "understood": trace.question.understood or None,
        "question": _asked_row(trace),
        **_picked(verdict, "route steps answered"),
        "delivered": verdict.route == "deliver",
        "answer": verdict.answer,
        "judged": draft.text if draft else "",
        "writer": draft.writer if draft else None,
        "takeovers": list(trace.takeovers),
        **_picked(verdict, "confidence band tier primary_reason abstention failed"),
        "checks": _checks_row(verdict.checks),
        "sentences": [_sentence_row(s) for s in verdict.sentences],
        "passages": [_passage_row(verdict, place) for place in range(len(verdict.round.case.evidence))],
        "suggestions": list(trace.suggestions) if not verdict.answered else [],
        "rounds": [_round_row(r) for r in trace.rounds],
        "changes": [_change_row(c) for c in verdict.changes],
        "delivered_checks": _checks_row(verdict.delivery.checks) if verdict.delivery else {},
        "parts": [_part_row(part) for part in verdict.parts],
        "seconds": trace.seconds,
    }


def _picked(one: Any, names: str) -> dict[str, Any]:
    """These attributes by name, tuples as lists."""
    return {name: _lists(getattr(one, name)) for name in names.split()}


def _lists(value: Any) -> Any:
    return [_lists(v) for v in value] if isinstance(value, tuple) else value


def _checks_row(results: Mapping[str, CheckResult]) -> dict[str, Any]:
    return {name: _picked(result, "state cause mode value limit margin") for name, result in results.items()}


def _sentence_row(sentence: JudgedSentence) -> dict[str, Any]:
    nli = _picked(sentence, "label entailment neutral contradiction")
    about = _picked(sentence, "text citations attributed")
    return {**about, "nli": nli, **_picked(sentence, "supported source abstains")}


def _passage_row(verdict: Verdict, place: int) -> dict[str, Any]:
    evidence, page = verdict.round.case.evidence[place], cited_page(verdict.round, place, verdict.sentences)
    scores = _picked(evidence, "cosine related hybrid answers")
    return {
        "document": evidence.passage.name,
        "page": page or None,
        "page_label": evidence.passage.label(page) or None,
        **scores,
        "text": evidence.passage.text,
    }


def _round_row(measured: Round) -> dict[str, Any]:
    """One search or rewriting on the way, with the query that it asked."""
    query = measured.case.query
    return {"name": measured.name, "of": measured.of or None, "query": query, "confidence": confidence_of(measured)}


def _change_row(change: Change) -> dict[str, Any]:
    return _picked(change, "done before") | {
        "after": change.after or None, "why": change.why or None, "confidence": change.confidence
    }  # fmt: skip


def _part_row(part: Verdict) -> dict[str, Any]:
    """What became of one part of a question."""
    names = "route steps answered answer confidence band tier primary_reason abstention failed"
    query = part.round.case.question.query
    return {"query": query, "question": _plan_row(query), **_picked(part, names)}


def _asked_row(trace: Trace) -> dict[str, Any] | None:
    """What the question asks, of what, and what a full answer needs; of one that asks several things, its parts."""
    if trace.rounds[0].case.kind != "question":
        return None
    if not trace.parts:
        return _plan_row(trace.question.standalone)
    parts = [part.question.query for part in trace.parts]
    return {"kind": "several", "things": parts, "count": len(parts), "unit": "", "needs": ["an answer to each part"]}


def _plan_row(query: str) -> dict[str, Any]:
    plan = plan_of(query)
    return {**_picked(plan, "kind things count unit"), "needs": list(plan.wants)}


def _answer(row: dict) -> str | None:
    answer = _typed(row, "answer", str)
    if answer is not None:
        require_answer(answer)
    return answer


def _typed(row: dict, name: str, kind: type) -> Any:
    """The field, None when it is absent or null; CaseError when it is of another type."""
    value = row.get(name)
    if value is not None and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        raise CaseError(f"{name} must be {_KINDS[kind]}, got {value!r:.80}.")
    return value


_KINDS = {int: "a whole number", str: "a text", list: "a list", bool: "true or false"}


def _texts(row: dict, name: str) -> tuple[str, ...]:
    values = _typed(row, name, list) or ()
    if not all(isinstance(v, str) for v in values):
        raise CaseError(f"{name} must be a list of texts, got {values!r:.80}.")
    return tuple(values)


def _page_range(value: Any) -> tuple[int, int]:
    """A page, or a range given as [first, last] or "first-last", both ends included."""
    if isinstance(value, str) and (parts := _RANGE.fullmatch(value)):
        value = [int(part) for part in parts.groups() if part]
    ends = [value, value] if isinstance(value, int) and not isinstance(value, bool) else value
    if isinstance(ends, list) and len(ends) == 1:
        ends = ends * 2
    if not (
        isinstance(ends, list) and len(ends) == 2 and all(type(e) is int for e in ends) and 1 <= ends[0] <= ends[1]
    ):
        raise CaseError(f"pages must hold page numbers from 1 or ranges [first, last], got {value!r:.80}.")
    return ends[0], ends[1]


def _history(row: dict) -> tuple[Turn, ...]:
    turns = _typed(row, "history", list) or ()
    for turn in turns:
        if not (isinstance(turn, dict) and isinstance(turn.get("role"), str) and isinstance(turn.get("text"), str)):
            raise CaseError(f'history must hold turns {{"role", "text"}}, got {turn!r:.80}.')
    return tuple(Turn(role=t["role"], text=t["text"]) for t in turns)


def _citations(row: dict) -> tuple[tuple[int, ...], ...] | None:
    lists = _typed(row, "citations", list)
    if lists is None:
        return None
    if not all(isinstance(c, list) and all(type(n) is int for n in c) for c in lists):
        raise CaseError(f"citations must be a list of passage numbers for each sentence, got {lists!r:.80}.")
    return tuple(tuple(c) for c in lists)
