"""Words for what becomes of the questions of a set: outcomes, routes, changes, and shares with their intervals."""

from collections.abc import Mapping

from core.evaluation.outcomes import Rate
from core.reply.display_rounding import beside, number

DIRECTION_WORDS: Mapping[int, str] = {-1: "✗ worse", 1: "✓ better", 0: "○ the same in the end"}
"""The direction of a change, with a sign so that no colour is needed."""


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
