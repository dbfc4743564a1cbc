"""Decides whether an answer rightly says that there is no answer. Pure: it reads signals and one limit."""

from collections.abc import Mapping, Sequence
from typing import Literal

from core.case import Round
from core.chain.check_results import check_named
from core.check import Bound
from core.checks.hedging import abstained
from core.thresholds import Preset

Abstention = Literal["right", "over_cautious"]
ABSTENTIONS: Mapping[Abstention, str] = {
    "right": "That is right: the passages do not answer the question.",
    "over_cautious": "That is over-cautious: the passages answer the question.",
}
"""Sentence for each kind; it follows the text of the reason `abstained`."""


def abstention_of(measured: Round, preset: Preset) -> Abstention | None:
    """Whether an abstaining answer of one round is right.

    It is right if the passages answer with less than the relevance that an answer must have. None for an answer that
    states something, and for one without the signals.
    """
    signals = measured.signals.get("hedging")
    if signals is None or not abstained(bound := Bound(**signals)):
        return None
    limit = check_named("answer_relevance").bind(preset).min_answer_relevance
    return "over_cautious" if bound.answerable >= limit else "right"


def joint_abstention(parts: Sequence[Abstention | None]) -> Abstention | None:
    """The same for a question in parts: None if some part is answered, "over_cautious" if one part is."""
    if not parts or None in parts:
        return None
    return "over_cautious" if "over_cautious" in parts else "right"
