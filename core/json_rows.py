"""A verdict as data: the row that `judge` writes and `ask --json` prints, and the rows that they read."""

import re
from collections.abc import Mapping
from typing import Any

from core.case import CaseError, Question, Round, Scope, Trace, Turn, evidence_row
from core.chain import CheckResult, Verdict, confidence_of
from core.chain.delivery import Change
from core.chain.judged_sentences import JudgedSentence

_RANGE = re.compile(r"\s*(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?\s*", re.ASCII)


def question_of(row: Any) -> Question:
    """The question of one row of the contract; CaseError in one sentence when a field cannot be read.

    Fields that the contract does not name are allowed and left alone: a bank keeps its labels there.
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
        answer=_typed(row, "answer", str), citations=_citations(row), attribute=bool(_typed(row, "attribute", bool)),
    )  # fmt: skip


def verdict_row(trace: Trace, verdict: Verdict) -> dict[str, Any]:
    """The contract's row for one verdict, without its id. Numbers are not rounded; what is not there is null.

    Beside the contract's fields: "kind" of turn, "rounds" with the query of each, "changes" sentence by sentence when
    something goes out, the answer checks made anew over it ("delivered_checks"), and a row for each of the "parts".
    """
    draft = verdict.round.case.draft
    return {
        "kind": trace.rounds[0].case.kind,
        "route": verdict.route,
        "steps": list(verdict.steps),
        "answered": verdict.answered,
        "delivered": verdict.route == "deliver",
        "answer": verdict.answer,
        "judged": draft.text if draft else "",
        "confidence": verdict.confidence,
        "band": verdict.band,
        "tier": verdict.tier,
        "primary_reason": verdict.primary_reason,
        "failed": list(verdict.failed),
        "checks": _checks_row(verdict.checks),
        "sentences": [_sentence_row(s) for s in verdict.sentences],
        "passages": [evidence_row(e) for e in verdict.round.case.evidence],
        "suggestions": list(trace.suggestions) if not verdict.answered else [],
        "rounds": [_round_row(r) for r in trace.rounds],
        "changes": [_change_row(c) for c in verdict.changes],
        "delivered_checks": _checks_row(verdict.delivery.checks) if verdict.delivery else {},
        "parts": [_part_row(part) for part in verdict.parts],
        "seconds": trace.seconds,
    }


def _checks_row(results: Mapping[str, CheckResult]) -> dict[str, Any]:
    return {name: _check_row(result) for name, result in results.items()}


def _round_row(measured: Round) -> dict[str, Any]:
    """One search or rewriting on the way, with the query that it asked."""
    query = measured.case.query
    return {"name": measured.name, "of": measured.of or None, "query": query, "confidence": confidence_of(measured)}


def _change_row(change: Change) -> dict[str, Any]:
    return {
        "done": change.done, "before": change.before, "after": change.after or None, "why": change.why or None,
        "confidence": change.confidence,
    }  # fmt: skip


def _part_row(part: Verdict) -> dict[str, Any]:
    """What became of one part of a question."""
    return {
        "query": part.round.case.question.query, "route": part.route, "steps": list(part.steps),
        "answered": part.answered, "answer": part.answer, "confidence": part.confidence, "band": part.band,
        "tier": part.tier, "primary_reason": part.primary_reason, "failed": list(part.failed),
    }  # fmt: skip


def _check_row(result: CheckResult) -> dict[str, Any]:
    return {
        "state": result.state, "cause": result.cause, "mode": result.mode,
        "value": result.value, "limit": result.limit, "margin": result.margin,
    }  # fmt: skip


def _sentence_row(sentence: JudgedSentence) -> dict[str, Any]:
    nli = {
        "label": sentence.label, "entailment": sentence.entailment,
        "neutral": sentence.neutral, "contradiction": sentence.contradiction,
    }  # fmt: skip
    return {
        "text": sentence.text, "citations": list(sentence.citations), "attributed": sentence.attributed,
        "nli": nli, "supported": sentence.supported,
    }  # fmt: skip


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
