"""What models say of each sentence of a draft: the labels of natural language inference, and the opinions of a language
model that is asked."""

from dataclasses import dataclass, replace

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


@dataclass(frozen=True, kw_only=True)
class Opinion:
    """What a language model says of a draft at stage 1. For each sentence: a violation or "none", its severity, why.

    by: the model. fact_check: some sentence states something that the passages must bear out.
    """

    by: str
    violations: tuple[str, ...]
    severities: tuple[str, ...]
    reasoning: tuple[str, ...]
    fact_check: bool

    def on(self, violation: str) -> tuple[str, str]:
        """The gravity and the reason of the first sentence with this violation; "" for one that it does not see."""
        place = self.violations.index(violation) if violation in self.violations else None
        return ("", "") if place is None else (self.severities[place], self.reasoning[place])

    def of(self, places: list[int]) -> "Opinion":
        """The same on the sentences at `places` only."""
        lists = ("violations", "severities", "reasoning")
        return replace(self, **{name: tuple(getattr(self, name)[n] for n in places) for name in lists})


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """How probably a language model says yes when it is asked whether the passages say a sentence, for each sentence.

    by: the model.
    """

    by: str
    yes: tuple[float, ...]

    def of(self, places: list[int]) -> "Judgement":
        """The same on the sentences at `places` only."""
        return replace(self, yes=tuple(self.yes[n] for n in places))
