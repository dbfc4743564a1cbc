"""Is the answer something to say here? Seed D's stage 1."""

from collections.abc import Mapping

import numpy as np

from core.case import Case, Opinion, Signals
from core.check import DUST, Bound, Check, Decision, Signal, at_most, none_of, per_item, pick, require_answer
from core.checks.entailment import sentence_probabilities
from core.features.case_features import CaseFeatures
from core.features.stage_one_rules import competitors_in, rules_in, unheld_things
from core.retrieval.intent import tool_texts
from core.thresholds import Threshold

SAID = {
    "off_topic": "{} is about something that does not belong here.",
    "competitor_info": "{} speaks of a competitor without saying what sets the house apart.",
    "fabricated_product": "{} names something that the library does not hold.",
    "fabricated_policy": "{} states a rule that no passage states.",
}
"""What each violation is, in plain words, behind the sentences that commit it."""


def _switch(label: str, stricter: str, help_: str) -> Threshold:
    return Threshold(
        label=label, default=1, low=0, high=1, step=1, unit="off or on", stricter=stricter, seed="D", help=help_
    )


class Interest(Check):
    """The answer keeps to what belongs here: its subjects, the things that it has, the rules that it gave itself.

    For a school that is the book and the board, for a shop its catalogue and its terms; data/domains says which. It
    also finds the sentences that state something and so need a fact check. Catches films, invented figures, invented
    exam rules and advice on coaching. Blind to a falsehood on the right topic, which is for the other checks. Words
    show what they show of it; a language model can be asked instead, and then its opinion is what is measured.
    """

    plain = "The answer is something to say here"
    seed = "D"
    stage = "answer"
    fails_as = "interest"

    competitors = Signal(
        items=("sentence",), high=999, whole=True, unit="mentions", help="Competitors that the sentence speaks of."
    )
    products = Signal(
        items=("sentence",), high=999, whole=True, unit="things", help="Things that it names and nobody here has."
    )
    policy_support = Signal(
        items=("sentence",), low=-1.0, unit="difference of probabilities",
        help="How much likelier it is that a passage states its rule than not; the highest for one without a rule.",
    )  # fmt: skip
    drift = Signal(
        items=("sentence",), low=-1.0, unit="cosine", help="How much closer it is to what does not belong here."
    )
    clarifies = Signal(
        items=("sentence",), whole=True, unit="yes or no", help="1 where it explains the assistant's own last words."
    )
    needs_fact_check = Signal(whole=True, unit="yes or no", help="1 when a sentence states something to be checked.")

    off_topic = _switch("Block off-topic answers", "higher", "Answers about what does not belong here are stopped.")
    competitor_info = _switch("Block competitor information", "higher", "Answers about competitors are stopped.")
    fabricated_product = _switch("Block invented things", "higher", "Answers that name what nobody has are stopped.")
    fabricated_policy = _switch("Block invented rules", "higher", "Answers with a rule of no passage are stopped.")
    allow_clarifications = _switch(
        "Allow clarifications", "lower", "The assistant may explain its own last words, whatever they are about."
    )
    max_drift = Threshold(
        label="Off topic by more than", default=0.15, low=0.0, high=1.0, step=0.01, unit="cosine", stricter="lower",
        seed="ours", help="A sentence may lie closer to what does not belong here by at most this.",
    )  # fmt: skip

    def measure(self, case: Case, features: CaseFeatures) -> Signals:
        require_answer(case)
        if case.opinion:
            return _signals(case.opinion, features)
        texts = features.stated
        told = "\n".join(tool_texts(case.question))
        documented = "\n".join(p.text for p in case.passages)
        return {
            "competitors": [len(competitors_in(t, features.domain, documented)) for t in texts],
            "products": [len(unheld_things(t, features.domain, features.vocabulary, told)) for t in texts],
            "policy_support": self._support(case, features),
            "drift": features.drift,
            "clarifies": features.explains,
            "needs_fact_check": any(features.claims),
        }

    def _support(self, case: Case, features: CaseFeatures) -> list[float]:
        """For each sentence that states a rule how surely a passage states it; the highest for the others."""
        stated = zip(case.sentences, features.claims, strict=True)
        rules = [claims and rules_in(s.text, features.domain) for s, claims in stated]
        if not any(rules):
            return [1.0] * len(rules)
        return [said if rule else 1.0 for rule, said in zip(rules, self._said(case, features), strict=True)]

    def _said(self, case: Case, features: CaseFeatures) -> list[float]:
        """For each sentence P(a passage says it) less the likelier of the two others; the lowest without a passage."""
        if not case.evidence:
            return [-1.0] * len(case.sentences)
        read = sentence_probabilities(Bound(**features.entailment_signals()))
        return (read[:, 0] - read[:, 1:].max(-1)).tolist()

    def decide(self, s: Bound, t: Bound) -> Decision:
        broken = sum(where.sum(-1) for where in self._broken(s, t).values())
        counted, astray = none_of(broken), at_most(self._farthest(s, t), t.max_drift, "max_drift")
        found = pick((broken == 0) & (t.off_topic >= 1), astray, counted)
        margin = np.where(np.isnan(s.drift).all(-1), np.nan, found.margin)
        return Decision(*np.broadcast_arrays(found.value, found.limit, margin), found.by)

    def _broken(self, s: Bound, t: Bound) -> dict[str, np.ndarray]:
        """The sentences that commit each violation by what they name, where it is switched on: (..., sentence)."""
        found = {
            "fabricated_policy": s.policy_support < 0, "fabricated_product": s.products > 0,
            "competitor_info": s.competitors > 0,
        }  # fmt: skip
        return {name: where & (per_item(getattr(t, name)) >= 1) for name, where in found.items()}

    def _farthest(self, s: Bound, t: Bound) -> np.ndarray:
        """The drift of the sentence that lies farthest off, of those that may not: (...)."""
        return np.max(self._judged_drift(s, t), axis=-1, initial=-1.0)

    def _judged_drift(self, s: Bound, t: Bound) -> np.ndarray:
        allowed = (s.clarifies > 0) & (per_item(t.allow_clarifications) >= 1)
        return np.where(np.isnan(s.drift) | allowed, -1.0, s.drift)

    def violations(self, s: Bound, t: Bound) -> dict[str, list[int]]:
        """The violations of one case, the gravest first, each with its sentences, counted from 1."""
        astray = (self._judged_drift(s, t) - t.max_drift > DUST) & (t.off_topic >= 1)
        found = {**self._broken(s, t), "off_topic": astray}
        return {name: (np.flatnonzero(where) + 1).tolist() for name, where in found.items() if where.any()}

    def compared(self, s: Bound, t: Bound) -> Mapping[str, np.ndarray]:
        drift = self._judged_drift(s, t)
        return {"max_drift": drift[drift > -1.0]}

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        for name, places in self.violations(s, t).items():
            said = SAID[name].format(f"Sentence {', '.join(map(str, places))}")
            return f"{said} {case.opinion.by}: {case.opinion.on(name)[1]}" if case.opinion else said
        if s.clarifies.any():
            return "The assistant explains its own words."
        return "What it states needs a fact check." if s.needs_fact_check else "It states nothing that needs a check."


def _signals(opinion: Opinion, features: CaseFeatures) -> Signals:
    """What a language model says, on the same scales: a violation lies as far beyond its limit as it can.

    A sentence that the rules hold to state something is checked, whatever the model says of it.
    """
    said = {name: np.array([v == name for v in opinion.violations], dtype=float) for name in SAID}
    return {
        "competitors": said["competitor_info"],
        "products": said["fabricated_product"],
        "policy_support": 1 - 2 * said["fabricated_policy"],
        "drift": 2 * said["off_topic"] - 1,
        "clarifies": features.explains,
        "needs_fact_check": opinion.fact_check or any(features.claims),
    }
