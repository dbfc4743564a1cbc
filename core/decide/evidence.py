"""Facts on the evidence and the draft of a round that decisions need besides the results of checks. Pure."""

from collections.abc import Mapping
from typing import Literal

from core.case import Round
from core.checks import check_of
from core.thresholds import DUST, Preset

Band = Literal["never", "named_only", "answer"]


def claims_something(measured_round: Round) -> bool:
    """False if stage 1 measured the answer and no sentence needs a fact check; else True."""
    signals = measured_round.signals.get("interest")
    return signals is None or bool((signals["needs_fact_check"] > 0).any())


def only_talks(measured_round: Round) -> bool:
    """True if the answer states and hedges nothing; an abstention must also ask back: "Is there anything else?"."""
    interest, hedging = measured_round.signals.get("interest"), measured_round.signals.get("hedging")
    if interest is None or hedging is None or (interest["needs_fact_check"] > 0).any() or (hedging["hits"] > 0).any():
        return False
    return bool(measured_round.flags("asks").any()) or not bool((hedging["abstains"] > 0).all())


def confidence_of(measured_round: Round) -> float | None:
    """The evidence confidence of one round, 0 to 100: 100 times the largest score `answers` of its passages, 0 without
    passages. None if the search broke, because its evidence is then unknown, not poor.
    """
    return None if measured_round.broken else 100 * max((e.answers for e in measured_round.case.evidence), default=0.0)


def band_of(confidence: float | None, preset: Preset) -> Band | None:
    """The band of an evidence confidence (0 to 100) under `preset`; None if there is no confidence."""
    if confidence is None:
        return None
    named_limit, free = limits(preset)
    if confidence / 100 >= free / 100 - DUST:
        return "answer"
    return "named_only" if confidence / 100 >= named_limit / 100 - DUST else "never"


def limits(preset: Preset) -> tuple[float, float]:
    """The limits of the evidence confidence, 0 to 100: (where documents or pages are named, elsewhere)."""
    t = check_of("confidence").bind(preset)
    return float(t.min_confidence_named), float(t.min_confidence)


ZONE_NAMES: Mapping[Band, str] = {"never": "Refuse", "named_only": "Only if a book is picked", "answer": "Answer"}
"""The name of each band on screen: what the guardrail does with a question in it."""


def zones(named_limit: float, free: float) -> dict[Band, tuple[float, float]]:
    """Start and end of each band on the scale from 0 to 100. named_limit, free: the two values of `limits`.

    The band `named_only` is empty if the limit for named documents is the higher of the two.
    """
    low = min(named_limit, free)
    return {"never": (0, low), "named_only": (low, free), "answer": (free, 100)}
