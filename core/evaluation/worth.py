"""Which labelled rows should be answered, and the worth of the outcome that a row gets."""

from collections.abc import Mapping
from typing import Any

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
