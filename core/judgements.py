"""Model outputs for each sentence of a draft: NLI labels, and opinions of a language model."""

from dataclasses import dataclass, replace

import numpy as np

LABELS = ("entailment", "neutral", "contradiction")

PREMISE_SENTENCES = 3
"""Maximum number of neighbouring sentences of a passage that one premise holds."""
MAX_COUNT = 2
"""A hint that counts something, such as numbers without evidence, counts no further than this."""


def decisiveness(probabilities: np.ndarray) -> np.ndarray:
    """How decided NLI is in each reading of a sentence, (..., label) -> (...). A larger value is more decided; NaN for
    padding. A reading is the three probabilities by one premise; of several, the one with the largest value gives the
    label.

    Readings whose most probable label is not neutral get a larger value than all others. Among them a lower entropy
    gives a larger value; among the neutral readings a lower P(neutral) does. P(neutral) alone would not do: a passage
    about the same fact may leave the model undecided between entailment and contradiction, and so hide another passage
    that supports the sentence word for word.
    """
    takes_a_side = np.argmax(probabilities, axis=-1) != LABELS.index("neutral")
    bounded = np.clip(probabilities, np.finfo(float).tiny, 1.0)
    entropy = -np.sum(bounded * np.log(bounded), axis=-1)  # 0 to log 3
    return np.where(takes_a_side, 2.0 - entropy, -probabilities[..., 1])


@dataclass(frozen=True, kw_only=True)
class Opinion:
    """A language model's opinion of a draft at stage 1.

    by: the model. violations: for each sentence its violation, or "none". severities: how severe each violation is.
    reasoning: the model's reason for each. fact_check: True if some sentence states something that the passages must
    support.
    """

    by: str
    violations: tuple[str, ...]
    severities: tuple[str, ...]
    reasoning: tuple[str, ...]
    fact_check: bool

    def on(self, violation: str) -> tuple[str, str]:
        """Severity and reason of the first sentence with this violation; two empty texts if there is none."""
        index = self.violations.index(violation) if violation in self.violations else None
        return ("", "") if index is None else (self.severities[index], self.reasoning[index])

    def select(self, indices: list[int]) -> "Opinion":
        """The opinion on the sentences with these indices."""
        lists = ("violations", "severities", "reasoning")
        return replace(self, **{name: tuple(getattr(self, name)[n] for n in indices) for name in lists})


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A language model's judgement of a draft.

    by: the model. yes: for each sentence, P(the passages support it) by the model. unreadable: indices of the sentences
    for which the model's reply could not be read, so that `yes` is a default.
    """

    by: str
    yes: tuple[float, ...]
    unreadable: tuple[int, ...] = ()

    def select(self, indices: list[int]) -> "Judgement":
        """The judgement on the sentences with these indices."""
        unreadable = tuple(new for new, old in enumerate(indices) if old in self.unreadable)
        return replace(self, yes=tuple(self.yes[n] for n in indices), unreadable=unreadable)
