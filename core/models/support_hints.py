"""P(the passages bear a sentence out): the hints, and the weights that one fit gives them."""

from dataclasses import dataclass, fields

import numpy as np

_SURE = 0.01
"""A probability counts as a logit no further out than that of this one."""


@dataclass(frozen=True, kw_only=True)
class SupportWeights:
    """What each hint weighs in the logit of P(the passages bear the sentence out); fitted by
    core.lab.training.calibrate_support.

    near, against: the logit of P(the nearest evidence says it, or says otherwise). claims: the logit of P(the evidence
    says the least sure of its claims). unheld: numbers, names and terms that no evidence holds. rivals: words whose
    rival stands in the evidence. shared: share of its content words that the evidence holds. differs: P(a reader finds
    another answer to the question in the evidence than in the sentence).
    """

    near: float = 0.2
    against: float = -0.7
    claims: float = 0.6
    unheld: float = -3.0
    rivals: float = -1.0
    shared: float = 0.1
    differs: float = -2.8
    offset: float = 1.4

    def __call__(self, hints: np.ndarray) -> np.ndarray:
        """P(the passages bear each sentence out) from hints of shape (sentences, HINTS): shape (sentences,)."""
        logits = hints @ np.array([getattr(self, name) for name in HINTS]) + self.offset
        return 1 / (1 + np.exp(-logits))


HINTS = tuple(f.name for f in fields(SupportWeights) if f.name != "offset")


def logit(probability: float) -> float:
    """The logit of a probability, bounded at both ends."""
    sure = min(max(probability, _SURE), 1 - _SURE)
    return float(np.log(sure / (1 - sure)))
