"""The few thresholds that matter most for one question, which stand first beside it."""

from core.checks import all_thresholds
from core.sweep.sensitivity import Effect, Segment, Sensitivity, effects
from core.sweep.settings_grid import Move
from core.thresholds import Preset

COUNT = 5
"""Thresholds that matter most for one question: so many are shown first."""
TO_BEGIN_WITH = (
    "topic_relevance.max_topic_mismatch_score", "confidence.min_confidence", "entailment.nli_threshold",
    "fact_check.min_fact_check_score", "answer_relevance.min_answer_relevance",
)  # fmt: skip
"""One of each kind of evidence that blocks under the default: shown before a question."""


def main_limits(question: Sensitivity, preset: Preset) -> tuple[str, ...]:
    """Keys of the thresholds that matter most for one question, at most COUNT: the nearest to changing how it ends.

    Nearness is the share of its range that a slider would move. Those after which nobody knows come last, and those
    that do nothing at any value are no part of it: there may be none.
    """
    near = {}
    for key, effect in effects(question, preset).items():
        if effect.why in ("acts", "asks"):
            others = [_share(key, effect, s) for s in effect.segments if s.ends != effect.ends]
            near[key] = effect.why == "asks", min(others)
    return tuple(sorted(near, key=near.__getitem__)[:COUNT])


def _share(key: str, effect: Effect, segment: Segment) -> float:
    return Move.of(all_thresholds()[key], effect.stands, segment.nearest).share
