"""Natural language inference: its labels, and which of several readings of one sentence is to be believed."""

import numpy as np

LABELS = ("entailment", "neutral", "contradiction")


def relation(probabilities: np.ndarray) -> np.ndarray:
    """How surely a reading finds that the premise says the sentence, or that it says otherwise: (..., 3) -> (...).

    The larger of P(entailment) and P(contradiction), in the order of LABELS; NaN for padding. Among several readings of
    a sentence the largest gives the label. The lowest P(neutral) would not do: a passage about the same fact may leave
    a model torn between the two, and hide another that says the sentence word for word.
    """
    return np.maximum(probabilities[..., 0], probabilities[..., 2])
