"""Thresholds that are moved, and the action that the chain then takes."""

from core.chain import next_step


def ends(trace, under):
    return next_step(trace, under).action


def moved(base, *moves):
    return base.with_values({key: float(value) for key, value in moves})


GAP, BEST, NEUTRAL = "score_gap.min_score_gap", "retrieval_score.min_retrieval_score", "entailment.nli_threshold"
