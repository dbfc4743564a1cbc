"""Why an answer does not go out: the reasons in the order in which they explain, and which one fits a failed check."""

from collections.abc import Collection, Mapping

from core.case import Case, Round
from core.check import Bound, Check

REASONS: Mapping[str, str] = {
    "model_failure": "Something broke while the answer was being checked, so nothing is delivered.",
    "interest": "This is not something to say here.",
    "other_language": "The question is in another language than these books.",
    "unclear": "The question can be read in more than one way.",
    "off_topic": "This question is not on a topic of these books.",
    "outside_scope": "The books have this topic, but not in the class or subject that was asked for.",
    "insufficient_context": "The books hold too little about this to answer from.",
    "low_confidence": "The passages that were found are not close enough to the question.",
    "hallucination_detected": "The answer says something that the passages contradict or do not hold.",
    "invalid_citations": "The answer cites a passage that is not there.",
    "missing_citations": "Parts of the answer do not say where they come from.",
    "low_grounding": "Parts of the answer are not said by the passages.",
    "beside_question": "The answer does not answer what was asked.",
    "hedging": "The answer hedges instead of saying what the books say.",
}
"""Why an answer does not go out as it is, in plain words. The first that applies is the primary reason.

After what broke and what is nothing to say here: a question that these books cannot be asked; off their topic; on it,
but nothing answers; found, but weak; written, but not borne out; borne out, but beside the question.
"""

ON_TOPIC = 0.35
"""A question whose closest passage has at least this cosine is said to be on a topic of the books.

It decides nothing but the words of a refusal, so it is no threshold that moves. Of those of 0.30 to 0.50 in steps of
0.05 it tells best the off-topic questions of the sample banks from the others, in the mean of both shares: on the
tuning half 30 of 38 are told to be off topic, and 8 of 83 others (7 of 42 that these books leave unanswered). No other
signal told them apart better, neither P(a passage answers) nor how close the question lies to what does not belong.
On the reporting half it is 15 of 22 and 5 of 85.
"""
SURELY_ON_TOPIC = 0.45
"""From this cosine of another book on it is said that the books have the topic: P(related) is one half there, and 1 of
38 off-topic questions of the tuning half lies above it.
"""
_OF_THE_SEARCH = ("off_topic", "insufficient_context", "low_confidence")
"""What query checks say of a search that is not good enough; which of them explains it best, the case says."""


def reason_of(check: Check, measured: Round, t: Bound) -> str:
    """The reason of one check that fails on one round: its own, or what explains it better.

    Like the check's own it depends on what was measured, never on a limit: a topic limit that a question passes by a
    hair does not hide that the question is off the topic. Where there is no passage at all, nothing is off topic.
    """
    own = check.reason(Bound(**measured.signals[check.name]), t)
    return own if check.stage == "answer" else _explained(own, measured.case)


def ordered(reasons: Collection[str]) -> tuple[str, ...]:
    """Reasons in the order in which they count, the primary one first."""
    return tuple(sorted(reasons, key=list(REASONS).index))


def _explained(own: str, case: Case) -> str:
    if case.language:
        return "other_language"
    if own not in _OF_THE_SEARCH:
        return own
    if case.closest is None:
        return "insufficient_context" if own == "off_topic" else own
    if case.closest.cosine < ON_TOPIC:
        return "off_topic"
    return "outside_scope" if case.closest.asked < ON_TOPIC and case.closest.cosine >= SURELY_ON_TOPIC else own
