"""Seed B's critic: how good the evidence of a round is, and whether another search is worth it. Pure."""

from typing import Literal

import numpy as np

from core.case import Round
from core.chain.check_results import check_named
from core.chain.facts import CONFIDENCE
from core.thresholds import Preset

ROUNDS = ("first", "refined 1", "refined 2")
"""Names of the rounds that a search may take, in the order in which they are measured."""

Band = Literal["never", "named_only", "answer"]


def confidence_of(measured: Round) -> float:
    """Seed B's evidence confidence of one round: 100 times the best `answers`, 0 without passages."""
    return 100 * max((e.answers for e in measured.case.evidence), default=0.0)


def band_of(confidence: float, preset: Preset) -> Band:
    """The zone of the band in which a confidence lies; the zones move with the two limits."""
    named, free = limits(preset)
    if confidence / 100 >= free / 100 - 1e-9:
        return "answer"
    return "named_only" if confidence / 100 >= named / 100 - 1e-9 else "never"


def limits(preset: Preset) -> tuple[float, float]:
    """The two limits of the evidence confidence: with documents named, and for a free search."""
    t = check_named(CONFIDENCE).bind(preset)
    return float(t.min_confidence_named), float(t.min_confidence)


def zones(named: float, free: float) -> dict[Band, tuple[float, float]]:
    """Where each zone begins and ends, 0 to 100. The middle one is gone when naming documents asks for more."""
    low = min(named, free)
    return {"never": (0, low), "named_only": (low, free), "answer": (free, 100)}


def moved_by(*last: Round) -> float:
    """By how much the last of two searches moved the confidence; endlessly for the only one."""
    return abs(confidence_of(last[1]) - confidence_of(last[0])) if len(last) > 1 else np.inf


def still_moves(moved: np.ndarray | float, stable_within: np.ndarray | float) -> np.ndarray | bool:
    """True where a search moved the confidence by enough to try another."""
    return moved >= stable_within - 1e-9


def closest_of(measured: Round) -> float:
    """The cosine of the closest passage of the library; below every limit without one."""
    return measured.case.closest.cosine if measured.case.closest else -np.inf


def off_topic(closest: np.ndarray | float, limit: np.ndarray | float) -> np.ndarray | bool:
    """True where even the closest passage of the library is below the topic limit: another search is no use.

    Only where the topic check blocks: a limit of one document says nothing of the search of another.
    """
    return closest < limit
