"""Natural language inference: its labels, and which of several readings of one sentence is to be believed."""

import numpy as np

LABELS = ("entailment", "neutral", "contradiction")


def decided(probabilities: np.ndarray) -> np.ndarray:
    """How decided a reading is about its sentence, (..., label) -> (...); the highest gives the label.

    A reading that takes a side, whose likeliest label is not neutral, comes before all that leave the sentence open;
    of those with a side the one least in doubt (by its entropy), of the others the one that leaves least open.
    NaN for padding. The lowest P(neutral) alone would not do: a passage about the same fact may leave a model torn
    between the two sides, and hide another that says the sentence word for word.
    """
    takes_a_side = np.argmax(probabilities, axis=-1) != LABELS.index("neutral")
    certain = np.clip(probabilities, np.finfo(float).tiny, 1.0)
    doubt = -np.sum(certain * np.log(certain), axis=-1)  # 0 to log 3
    return np.where(takes_a_side, 2.0 - doubt, -probabilities[..., 1])
