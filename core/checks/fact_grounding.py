"""How well do the passages support what the answer states? Stage 2 of source document D."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Component, Features, NotApplicable, Signal, require_answer
from core.checks.entailment import Entailment, label_indices, sentence_probabilities
from core.decision import Decision, at_least, mean
from core.thresholds import DUST, Threshold

Tier = Literal["high", "medium", "low"]
TIERS: tuple[Tier, ...] = ("low", "medium", "high")
PARTS = {
    "grounding": "Passages support the answer", "retrieval": "Passages resemble question",
    "certainty": "Model is sure of answer",
}  # fmt: skip
"""The parts of the score in plain words; each has a weight."""


def _weight(label: str, default: float, low: float = 0.0) -> Threshold:
    return Threshold(
        label=label, default=default, low=low, high=1.0, step=0.05, unit="weight", stricter="neither",
        source_document="D", help="How much this part counts in the score, compared with the other two parts.",
    )  # fmt: skip


class FactGrounding(Check):
    """The passages support what the answer states: one score of three parts, in three tiers.

    Grounding is the mean probability that the passages support a sentence that needs a fact check. Retrieval is the
    mean similarity to the question of the passages that these sentences are compared with. Certainty is how sure the
    model that wrote the answer says it is; if a part is missing, the others count for more. How many passages are
    compared, and how similar to the question they must be, are settings. An answer with a high score is delivered, one
    with a medium score is checked again with more passages, and one with a low score is handed over. Catches claims
    that only distant passages support. Blind to one false sentence among many true ones.
    """

    short = "Strong support"
    plain = "The answer is strongly supported"
    source_document = "D"
    stage = "answer"
    fails_as = "low_grounding"

    entailment, neutral = Entailment.entailment, Entailment.neutral
    contradiction, considered = Entailment.contradiction, Entailment.considered
    read = Signal(items=("passage",), whole=True, unit="yes or no", help="1 where stage 2 reads the passage.")
    cosine = Signal(items=("passage",), low=-1.0, unit="cosine", help="Similarity of each passage to the question.")
    claims = Signal(items=("sentence",), whole=True, unit="yes or no", help="1 where the sentence needs a fact check.")
    certainty = Signal(unit="probability", help="How sure the model that wrote the answer says it is.")
    assessed = Signal(whole=True, unit="yes or no", help="1 when a model has said how sure it is.")

    high = Threshold(
        label="High tier", default=0.8, unit="score", stricter="neither", source_document="D",
        help="An answer with at least this score goes out at once; one with a lower score is checked again.",
    )  # fmt: skip
    medium = Threshold(
        label="Medium tier", default=0.5, unit="score", stricter="higher", source_document="D",
        help="An answer with a score below this is not delivered.",
    )  # fmt: skip
    recheck = Threshold(
        label="Recheck the medium tier", default=1, low=0, high=1, step=1, unit="off or on", stricter="neither",
        source_document="D", help="An answer in the medium tier is written and checked again, with more passages.",
    )  # fmt: skip
    weight_grounding = _weight("Weight of grounding", 0.6, low=0.05)
    weight_retrieval = _weight("Weight of retrieval", 0.3)
    weight_certainty = _weight("Weight of certainty", 0.1)
    escalation = Threshold(
        label="Hand over to a person", default=1, low=0, high=1, step=1, unit="off or on", stricter="neither",
        source_document="D",
        help="An answer that “In scope” or “Strong support” stops goes to a person; if this is off, it is refused.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        require_answer(case)
        if not any(features.claims):
            raise NotApplicable("nothing in the answer needs a fact check")
        certainty, (documents, cosine) = case.draft.certainty, features.reach
        return {
            **features.entailment_signals(),
            "read": [n < documents and e.cosine >= cosine for n, e in enumerate(case.evidence)],  # by stage 2
            "cosine": [e.cosine for e in case.evidence],
            "claims": features.claims,
            "certainty": 0.0 if certainty is None else certainty,
            "assessed": certainty is not None,
        }

    def reduced(self, s: Bound) -> Bound:
        return Bound(**self.parts(s), assessed=s.assessed, claimed=(s.claims > 0).any(-1))

    def decide_reduced(self, r: Bound, t: Bound) -> Decision:
        weights = {name: getattr(t, f"weight_{name}") for name in PARTS}
        weights["certainty"] = weights["certainty"] * np.where(r.assessed > 0, 1.0, 0.0)
        parts = (weight * np.nan_to_num(getattr(r, name)) for name, weight in weights.items())
        score = sum(parts) / sum(weights.values())
        return at_least(np.where(r.claimed > 0, score, np.nan), t.medium, "medium")

    def components(self, s: Bound) -> tuple[Component, ...]:
        """The parts of the score that were measured."""
        units = {"retrieval": "cosine"}
        return tuple(
            Component(label=PARTS[name], value=float(value), unit=units.get(name, "probability"))
            for name, value in self.parts(s).items() if not np.isnan(value)
        )  # fmt: skip

    def parts(self, s: Bound) -> dict[str, np.ndarray]:
        """The components of the score, by name: grounding, retrieval and certainty, each of shape (...). Certainty is
        NaN if the model gave none for its answer.
        """
        is_read = (s.considered > 0) & (s.read > 0)[..., None, :] & (s.claims > 0)[..., None]
        probabilities = sentence_probabilities(Bound(**vars(s) | {"considered": is_read}))
        # Support is the mean of the claims; a contradiction and an unread claim count as 0.
        support = np.where(label_indices(probabilities) == 2, 0.0, np.nan_to_num(probabilities[..., 0]))
        return {
            "grounding": mean(np.where(s.claims > 0, support, np.nan)),
            "retrieval": mean(np.where(is_read.any(-2), np.clip(s.cosine, 0.0, 1.0), np.nan)),
            "certainty": np.where(s.assessed > 0, s.certainty, np.nan),
        }

    def tier_of(self, value: float, t: Bound) -> Tier:
        """The tier of a score; a score exactly at a limit belongs to the higher tier."""
        return TIERS[int(self.tiers(value, t))]

    def tiers(self, value: np.ndarray | float, t: Bound) -> np.ndarray:
        """Indices in TIERS of many scores."""
        return np.where(value - t.medium < -DUST, 0, np.where(value - t.high < -DUST, 1, 2))

    def compared_values(self, s: Bound, t: Bound) -> Mapping[str, np.ndarray]:
        score = np.atleast_1d(self.decide(s, t).value)
        return {"high": score, "medium": score}

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        tier = self.tier_of(float(self.decide(s, t).value), t)
        missing = "" if s.assessed else " No model has said how sure it is, so the other parts count for more."
        claims = f"{int(s.claims.sum())} of {len(s.claims)} sentences need a fact check"
        return f"The score is in the {tier} tier; {claims}.{missing}"
