"""Words for what becomes of the questions of a set: outcomes, routes, changes, and shares with their intervals."""

from collections.abc import Mapping

from core.chain.display_rounding import beside, number
from core.evaluation.outcomes import Rate

OUTCOMES: Mapping[str, str] = {
    "right_answer": "answered, right", "half_answer": "answered in part", "long_answer": "answered at length",
    "wrong_answer": "answered, wrong", "right_refusal": "rightly refused", "over_refusal": "wrongly refused",
    "clarified": "needs clarification", "escalated": "handed over", "delivered": "given out",
    "corrected": "given out corrected", "part": "given out in part", "refused": "refused", "unreadable": "not taken",
    "not measured yet": "not measured yet",
}  # fmt: skip
"""Each outcome of a case in two or three words."""
DIRECTIONS: Mapping[int, str] = {1: "✓ better", -1: "✗ worse", 0: "○ neither"}
"""The direction of a change, with a sign so that no colour is needed."""
ROUTES: Mapping[str, str] = {
    "deliver": "✓ answered", "deliver_part": "✓ in part", "deliver_corrected": "✓ corrected",
    "clarify": "? clarification", "refuse": "✗ refused", "escalate": "→ handed over", "not asked": "○ not asked",
}  # fmt: skip
"""Label and sign of each route."""
EXPECTED: Mapping[str, str] = {
    "answered": "answer", "part": "answer in part", "refused": "refuse", "clarified": "ask for clarification",
    "supported": "accept (its answer is right)", "altered": "block (its answer is wrong)",
}  # fmt: skip
"""What is expected of a question, by its label."""


def count_of(number_: int, noun: str) -> str:
    """ "1 question", "2 questions", "1,200 questions"."""
    return f"{number_:,} {noun}{'' if number_ == 1 else 's'}"


LIKELY = (
    "A pasted answer counts as a question, too. In brackets: the share in this set, then the range in which it "
    "probably lies for similar questions (95 % confidence)."
)
"""What the brackets around `share` mean; stands once below the sentences that have them."""


def share(rate: Rate, *limits: float) -> str:
    """A share with its 95 % interval: "10 %, likely 5–18 %". limits: rounding keeps the share on its side of each."""
    if rate.share is None:
        return "none"
    low, high = (number(100 * x, 0) for x in rate.interval)
    return f"{beside(100 * rate.share, *(100 * limit for limit in limits), least=0)} %, likely {low}–{high} %"
