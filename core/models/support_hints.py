"""P(the passages support a sentence), computed as a weighted sum of hints through a sigmoid."""

from dataclasses import dataclass, fields

import numpy as np

_PROBABILITY_FLOOR = 0.01
"""Probabilities are clipped to [_PROBABILITY_FLOOR, 1 - _PROBABILITY_FLOOR] before their logit is computed."""


@dataclass(frozen=True, kw_only=True)
class SupportWeights:
    """The weight of each hint in the logit of P(the passages support the sentence); fitted by
    core.lab.training.calibrate_support. The hints are:

    - near, against: logits of P(entailment) and of P(contradiction) of the sentence by the evidence, each premise
      weighted by its nearness.
    - claims: logit of the lowest P(the evidence entails the claim) among the claims of the sentence.
    - unheld: number of its numbers, names and terms that no evidence contains.
    - shared: share of its content words that the evidence contains.
    - differs: P(the reader finds another answer to the question in the evidence than in the sentence).
    - offset: no hint; added to the logit.
    """

    near: float = 0.2
    against: float = -0.7
    claims: float = 0.6
    unheld: float = -3.0
    shared: float = 0.1
    differs: float = -2.8
    offset: float = 1.4

    def __call__(self, hints: np.ndarray) -> np.ndarray:
        """P(the passages support each sentence), shape (sentences,), from hints of shape (sentences, HINTS)."""
        logits = hints @ np.array([getattr(self, name) for name in HINTS]) + self.offset
        return 1 / (1 + np.exp(-logits))


HINTS = tuple(f.name for f in fields(SupportWeights) if f.name != "offset")


def logit(probability: float) -> float:
    """The logit of a probability, which is first clipped so that the result is finite."""
    bounded = min(max(probability, _PROBABILITY_FLOOR), 1 - _PROBABILITY_FLOOR)
    return float(np.log(bounded / (1 - bounded)))
