"""Thresholds that are moved, and the action that the chain then takes."""

from core.decide import next_step


def ends(trace, preset):
    """The action that the chain takes next with this trace under a preset."""
    return next_step(trace, preset).action


def preset_after(base, *moves):
    """The preset `base` with other thresholds; moves: (key, value) pairs."""
    return base.with_values({key: float(value) for key, value in moves})


GAP, BEST, NEUTRAL = "score_gap.min_score_gap", "retrieval_score.min_retrieval_score", "entailment.nli_threshold"
