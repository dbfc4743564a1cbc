"""The outcome of a labelled row, and its worth."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.decide import Verdict
from core.text.words import contains_fact, length

MOST_SENTENCES, MOST_WORDS = 4, 80
"""Maximum length of an answer that counts as right; a longer one buries its facts."""

QUESTIONS: Mapping[str, str] = {
    "right_answer": "answered with every fact of the row",
    "half_answer": "answered with some of the facts, or in full where the library holds only a part of the answer",
    "long_answer": f"answered with the facts in more than {MOST_SENTENCES} sentences or {MOST_WORDS} words",
    "wrong_answer": "answered without any of the facts, or where the library holds no answer",
    "right_refusal": "refused where the library holds no answer",
    "over_refusal": "refused where the library holds the answer",
    "clarified": "needs clarification",
    "escalated": "handed over to a person",
    "unreadable": "not taken as a question",
}
"""The possible outcomes of a question, in plain words; each question has exactly one."""

ANSWERS: Mapping[str, str] = {
    "delivered": "given out whole",
    "corrected": "given out corrected",
    "part": "given out in part",
    "refused": "refused",
    "clarified": "needs clarification",
    "escalated": "handed over to a person",
    "unreadable": "not taken as an answer",
}
"""The possible outcomes of a judged answer; each answer has exactly one."""

RIGHT, FAIR, OVER_REFUSED, WRONG, UNSAID = 2, 1, 0, -1, -2
"""The worth of an outcome: as it should be, acceptable, over-refused, wrong, unknown. More is better."""
_DUE = ("answered", "part", "supported")
_NON_ANSWERS = ("right_refusal", "refused", "clarified", "escalated")
_DELIVERIES = ("delivered", "corrected", "part")
_QUESTION_WORTHS = {"right_answer": RIGHT, "half_answer": FAIR, "long_answer": FAIR, "wrong_answer": WRONG}
_ANSWER_WORTHS = dict.fromkeys(_DELIVERIES, FAIR) | {"delivered": RIGHT}
_NO_ANSWER = dict.fromkeys(("over_refusal", *_NON_ANSWERS), OVER_REFUSED)
"""The worth of outcomes without an answer where one is due: asking back and escalating count like a refusal."""
_WORTHS: Mapping[str, Mapping[str, int]] = {
    "answered": _QUESTION_WORTHS | _NO_ANSWER,
    "part": _QUESTION_WORTHS | _NO_ANSWER,
    "refused": {"wrong_answer": WRONG} | dict.fromkeys(_NON_ANSWERS, RIGHT),
    "clarified": {"wrong_answer": WRONG, "clarified": RIGHT} | dict.fromkeys(("right_refusal", "escalated"), FAIR),
    "answer supported": _ANSWER_WORTHS | _NO_ANSWER,
    "answer altered": {"delivered": WRONG} | dict.fromkeys(("corrected", "part", *_NON_ANSWERS), RIGHT),
    "answer refused": {"delivered": WRONG}
    | dict.fromkeys(("corrected", "part"), FAIR)
    | dict.fromkeys(_NON_ANSWERS, RIGHT),
    "answer clarified": dict.fromkeys(_DELIVERIES, WRONG) | dict.fromkeys(_NON_ANSWERS, FAIR) | {"clarified": RIGHT},
    "answer answered": _ANSWER_WORTHS | _NO_ANSWER,
    "answer part": {"delivered": WRONG} | dict.fromkeys(("corrected", "part"), RIGHT) | _NO_ANSWER,
}
"""The worth of each outcome, by the label that the row expects, with "answer" before it if the row has an answer to
judge. An outcome that is not listed is UNSAID.
"""
_FAULTY = ("hedged", "filler", "uncited", "half_supported", "wrongly_cited")
"""Kinds of rows whose answer was written with a fault on purpose."""

_ROUTES = {
    "deliver": "delivered", "deliver_corrected": "corrected", "deliver_part": "part", "refuse": "refused",
    "clarify": "clarified", "escalate": "escalated",
}  # fmt: skip


def is_due(row: Mapping[str, Any]) -> bool:
    """True if the row should be answered, or its answer delivered. A row without a label counts as due."""
    return (row.get("expected") or "answered") in _DUE


def is_planted(row: Mapping[str, Any]) -> bool:
    """True for an answer that was written to test the checks: a supported or altered answer with a counterpart, or an
    answer with a deliberate fault.

    How many of these are delivered shows how well the checks catch falsehoods, not how often a writer is wrong.
    """
    return row.get("answer") is not None and (bool(row.get("pair")) or row.get("kind") in _FAULTY)


def is_checked(row: Mapping[str, Any]) -> bool:
    """True if the labels of the row tell a right outcome from a wrong one: it lists facts, has an answer to judge, or
    should not be answered at all.
    """
    return bool(row.get("facts") or row.get("false_facts")) or row.get("answer") is not None or not is_due(row)


def worth(row: Mapping[str, Any], outcome: str, falsehood: bool = False) -> int:
    """The worth, one of RIGHT to UNSAID, of an outcome of `row`. outcome: its name. falsehood: True if a false
    statement is delivered; the worth is then WRONG, whatever the outcome.

    The worth is UNSAID for an answer without a label, and for a row that could not be read or was not measured.
    """
    has_answer = row.get("answer") is not None
    kind = f"answer {row.get('expected')}" if has_answer else row.get("expected") or "answered"
    return WRONG if falsehood else _WORTHS.get(kind, {}).get(outcome, UNSAID)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One row of a bank with its outcome. name: the outcome, a key of QUESTIONS or ANSWERS. route, primary_reason,
    confidence: of the verdict. answer: the text that the user gets. error: why the row could not be judged, "" for a
    judged row.
    """

    row: Mapping[str, Any]
    name: str
    route: str = ""
    primary_reason: str | None = None
    confidence: float | None = None
    answer: str = ""
    error: str = ""

    @property
    def kind(self) -> str:
        return str(self.row.get("kind") or "not labelled")

    @property
    def expected(self) -> str:
        return str(self.row.get("expected") or "not labelled")

    @property
    def falsehood(self) -> bool:
        """True if an altered answer (a true answer in which something was made false) is delivered with its false
        statement, in whole or in part.
        """
        is_delivered = self.expected == "altered" and self.route.startswith("deliver")
        facts = self.row.get("facts") or ()
        return is_delivered and (
            any(contains_fact(self.answer, f) for f in facts) if facts else self.name == "delivered"
        )

    @property
    def judged(self) -> bool:
        return self.row.get("answer") is not None

    @property
    def worth(self) -> int:
        """The worth of the outcome, one of RIGHT to UNSAID."""
        return worth(self.row, self.name, self.falsehood)


def outcome(row: Mapping[str, Any], verdict: Verdict) -> Outcome:
    result = outcome_of(row, verdict.route, verdict.answer)
    return replace(result, primary_reason=verdict.primary_reason, confidence=verdict.confidence)


def outcome_of(row: Mapping[str, Any], route: str, answer: str) -> Outcome:
    """The outcome of `row` for this route and answer, without a reason."""
    name = _ROUTES[route] if row.get("answer") is not None else question_outcome(row, route, answer)
    return Outcome(row=row, name=name, route=route, answer=answer)


def unreadable(row: Mapping[str, Any], error: Exception) -> Outcome:
    """The outcome of a row that cannot be asked, such as one with a query that is too long."""
    return Outcome(row=row, name="unreadable", error=str(error))


def question_outcome(row: Mapping[str, Any], route: str, answer: str) -> str:
    """The outcome, a key of QUESTIONS, of a question with this route and answer. A row without labels counts as a
    question that should be answered.
    """
    expected = row.get("expected") or "answered"
    if route in ("clarify", "escalate"):
        return _ROUTES[route]
    is_refused = route == "refuse"
    if expected not in ("answered", "part"):
        return "right_refusal" if is_refused else "wrong_answer"
    if is_refused:
        return "over_refusal"
    if any(contains_fact(answer, false) for false in row.get("false_facts") or ()):
        return "wrong_answer"
    facts = row.get("facts") or ()
    has_fact = [contains_fact(answer, fact) for fact in facts]
    if facts and not any(has_fact):
        return "wrong_answer"
    sentences, words = length(answer)
    if sentences > MOST_SENTENCES or words > MOST_WORDS:
        return "long_answer"
    is_complete = all(has_fact) and not (row.get("expected") == "part" and route == "deliver")
    return "right_answer" if is_complete else "half_answer"
