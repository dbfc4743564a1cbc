"""Converts questions, verdicts and traces to and from JSON: the rows of the command line, and stored traces."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from core.case import CaseError, Question, Scope, Trace, Turn
from core.chain import CheckResult, Verdict, confidence_of
from core.chain.judged_sentences import JudgedSentence
from core.checks import all_checks
from core.features.sentence_facts import complete
from core.question import page_range
from core.retrieval.contexts import context_row, contexts_of
from core.text.given_answer import require_answer
from core.text.question_plan import plan_of

FORMAT = 1
"""Version of the format of stored traces; it is raised when older ones can no longer be read."""


class StoreError(ValueError):
    """Raised for a stored trace that is unreadable; the message says why."""


def dumps(trace: Trace) -> str:
    """`trace` as one line of JSON, with all signals."""
    rows = _traces().dump_python(trace, warnings="none")
    return json.dumps({"format": FORMAT, **rows}, ensure_ascii=False)


def loads(text: str) -> Trace:
    """Parse a text that `dumps` wrote. Raises StoreError if the text is not a trace.

    Fields that an older trace lacks get their defaults. A question from JSON may contain half of a surrogate pair; it
    is accepted, although pydantic's own JSON parser would reject it.
    """
    try:
        rows = json.loads(text)
        if rows.pop("format") != FORMAT:
            raise StoreError(f"The trace is not of format {FORMAT}; measure the question again.")
        return complete(_add_new_signals(_traces().validate_python(rows)))
    except StoreError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise StoreError(
            f"The text is no stored trace ({type(error).__name__}); measure the question again."
        ) from error


def _add_new_signals(trace: Trace) -> Trace:
    """Add, in place, the signals that checks did not have yet when `trace` was stored."""
    for measured_round in trace.rounds:
        for check in all_checks():
            if check.name in measured_round.signals:
                measured_round.signals[check.name] = check.completed(measured_round.signals[check.name])
    for part in trace.parts:
        _add_new_signals(part)
    return trace


@cache
def _traces() -> TypeAdapter[Trace]:
    return TypeAdapter(Trace)  # building it takes 50 ms


def question_of(row: Any) -> Question:
    """The question in one row of a bank, of the command line or of the service. Raises CaseError if a field is
    unreadable.

    Unknown fields are ignored, because a bank stores its labels there. A row without an answer is a question to answer;
    an empty answer raises NoAnswerError.
    """
    if not isinstance(row, dict):
        raise CaseError(f"A row must be a JSON object, got {type(row).__name__}.")
    if not isinstance(row.get("query"), str) or not row["query"].strip():
        raise CaseError("query must be a text that is not empty.")
    scope = Scope(
        class_number=_typed_field(row, "class_number", int), subject=_typed_field(row, "subject", str) or "",
        documents=_texts(row, "documents"), pages=tuple(page_range(p) for p in _typed_field(row, "pages", list) or ()),
    )  # fmt: skip
    turns = _typed_field(row, "history", list) or ()
    for turn in turns:
        if not (isinstance(turn, dict) and isinstance(turn.get("role"), str) and isinstance(turn.get("text"), str)):
            raise CaseError(f'history must hold turns {{"role", "text"}}, got {turn!r:.80}.')
    history = tuple(Turn(role=t["role"], text=t["text"]) for t in turns)
    answer = _typed_field(row, "answer", str)
    if answer is not None:
        require_answer(answer)
    return Question(
        query=row["query"].strip(), scope=scope, history=history, tool_results=_texts(row, "tool_results"),
        answer=answer, citations=_citations(row), attribute=bool(_typed_field(row, "attribute", bool)),
        contexts=None if row.get("contexts") is None else contexts_of(row["contexts"]),
    )  # fmt: skip


def question_to_judge(row: Any) -> Question:
    """Like `question_of`, for a row from another chatbot: a null answer raises NoAnswerError too.

    A null means that the chatbot gave no answer. An answer by our own writer must not be judged in its place.
    """
    question = question_of(row)
    if "answer" in row:
        require_answer(question.answer)
    return question


def question_row(question: Question) -> dict[str, Any]:
    """The row from which `question_of` makes `question` again, without empty fields.

    `understood` is left out, because it is worked out from the history whenever the question is asked.
    """
    row = {"query": question.query, **vars(question.scope), **vars(question)}
    row |= {"scope": None, "understood": None, "history": [{**vars(turn)} for turn in question.history]}
    row |= {"contexts": question.contexts and tuple(map(context_row, question.contexts))}
    fields = {k: _lists(v) for k, v in row.items()}
    return {k: v for k, v in fields.items() if v or (k in ("answer", "citations", "contexts") and v is not None)}


def verdict_row(trace: Trace, verdict: Verdict) -> dict[str, Any]:
    """The row of one verdict as every output gives it, without its id. Numbers are not rounded; missing values are
    null.

    Fields whose name does not say all:
    - "kind": the kind of turn.
    - "understood": a follow-up question, rewritten so that it can be understood by itself.
    - "question": what a full answer needs; null for a turn that asks nothing of the library.
    - "writer": of the judged text; "given" if the caller supplied that.
    - "takeovers": why another writer replaced the chosen one.
    - "rounds": the rounds with their queries.
    - "changes": the change of each sentence, if something is delivered.
    - "delivered_checks": the answer checks on the delivered text.
    - "parts": a row for each part.
    """
    draft = verdict.round.case.draft
    return {
        "kind": trace.rounds[0].case.kind,
        "understood": trace.question.understood or None,
        "question": _question_row(trace),
        **_attributes(verdict, "route steps answered"),
        "delivered": verdict.route == "deliver",
        "answer": verdict.answer,
        "judged": draft.text if draft else "",
        "writer": draft.writer if draft else None,
        "takeovers": list(trace.takeovers),
        **_attributes(verdict, "confidence band tier primary_reason abstention failed"),
        "checks": _checks_row(verdict.checks),
        "sentences": [_sentence_row(s) for s in verdict.sentences],
        "passages": [_passage_row(verdict, index) for index in range(len(verdict.round.case.evidence))],
        "suggestions": list(trace.suggestions) if not verdict.answered else [],
        "rounds": [
            {"name": r.name, "of": r.of or None, "query": r.case.query, "confidence": confidence_of(r)}
            for r in trace.rounds
        ],
        "changes": [
            _attributes(c, "done before") | {"after": c.after or None, "why": c.why or None, "confidence": c.confidence}
            for c in verdict.changes
        ],
        "delivered_checks": _checks_row(verdict.delivery.checks) if verdict.delivery else {},
        "parts": [_part_row(part) for part in verdict.parts],
        "seconds": trace.seconds,
    }


def _attributes(source: Any, names: str) -> dict[str, Any]:
    """The attributes of `source` with these names, by name; tuples become lists. names: separated by spaces."""
    return {name: _lists(getattr(source, name)) for name in names.split()}


def _lists(value: Any) -> Any:
    return [_lists(v) for v in value] if isinstance(value, tuple) else value


def _checks_row(results: Mapping[str, CheckResult]) -> dict[str, Any]:
    return {name: _attributes(result, "state cause mode value limit margin") for name, result in results.items()}


def _sentence_row(sentence: JudgedSentence) -> dict[str, Any]:
    nli = _attributes(sentence, "label entailment neutral contradiction")
    fields = _attributes(sentence, "text citations attributed")
    return {**fields, "nli": nli, **_attributes(sentence, "supported source abstains")}


def _passage_row(verdict: Verdict, index: int) -> dict[str, Any]:
    evidence, page = verdict.round.case.evidence[index], verdict.page_of(index)
    scores = _attributes(evidence, "cosine related hybrid answers")
    return {
        "document": evidence.passage.name,
        "page": page or None,
        "page_label": evidence.passage.label(page) or None,
        **scores,
        "text": evidence.passage.text,
    }


def _part_row(part: Verdict) -> dict[str, Any]:
    """The JSON row of the verdict on one part of a question."""
    names = "route steps answered answer confidence band tier primary_reason abstention failed"
    query = part.round.case.question.query
    return {"query": query, "question": _plan_row(query), **_attributes(part, names)}


def _question_row(trace: Trace) -> dict[str, Any] | None:
    """What a full answer needs, as a JSON row (see `plan_of`). For a question in parts, the row asks for an answer to
    each part. None for a turn that is no question.
    """
    if trace.rounds[0].case.kind != "question":
        return None
    if not trace.parts:
        return _plan_row(trace.question.standalone)
    parts = [part.question.query for part in trace.parts]
    return {"kind": "several", "things": parts, "count": len(parts), "unit": "", "needs": ["an answer to each part"]}


def _plan_row(query: str) -> dict[str, Any]:
    plan = plan_of(query)
    return {**_attributes(plan, "kind things count unit"), "needs": list(plan.wants)}


def _typed_field(row: dict, name: str, kind: type) -> Any:
    """The value of a field; None if it is absent or null. Raises CaseError if it is not of type `kind`."""
    value = row.get(name)
    if value is not None and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        raise CaseError(f"{name} must be {_KINDS[kind]}, got {value!r:.80}.")
    return value


_KINDS = {int: "a whole number", str: "a text", list: "a list", bool: "true or false"}


def _texts(row: dict, name: str) -> tuple[str, ...]:
    values = _typed_field(row, name, list) or ()
    if not all(isinstance(v, str) for v in values):
        raise CaseError(f"{name} must be a list of texts, got {values!r:.80}.")
    return tuple(values)


def _citations(row: dict) -> tuple[tuple[int, ...], ...] | None:
    lists = _typed_field(row, "citations", list)
    if lists is None:
        return None
    if not all(isinstance(c, list) and all(type(n) is int for n in c) for c in lists):
        raise CaseError(f"citations must be a list of passage numbers for each sentence, got {lists!r:.80}.")
    return tuple(tuple(c) for c in lists)
