"""P(the passages bear a sentence out): the hints, and the weights that one fit gives them."""

from dataclasses import dataclass, fields

import numpy as np

_SURE = 0.01
"""A probability counts as a logit no further out than that of this one."""


@dataclass(frozen=True, kw_only=True)
class SupportWeights:
    """What each hint weighs in the logit of P(the passages bear the sentence out); fitted by
    core.workshop.training.calibrate_support."""

    near: float = 0.5
    against: float = -0.5
    claims: float = 0.5
    unheld: float = -1.0
    rivals: float = -1.0
    shared: float = 1.0
    differs: float = -0.5
    offset: float = 0.0

    def __call__(self, hints: np.ndarray) -> np.ndarray:
        """P(the passages bear each sentence out) from hints of shape (sentences, HINTS): shape (sentences,)."""
        logits = hints @ np.array([getattr(self, name) for name in HINTS]) + self.offset
        return 1 / (1 + np.exp(-logits))


HINTS = tuple(f.name for f in fields(SupportWeights) if f.name != "offset")


def logit(probability: float) -> float:
    """The logit of a probability, bounded at both ends."""
    sure = min(max(probability, _SURE), 1 - _SURE)
    return float(np.log(sure / (1 - sure)))
