"""Does the answer fit the domain? Stage 1 of source document D."""

from collections.abc import Mapping

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Features, Signal, require_answer
from core.checks.entailment import sentence_probabilities
from core.decision import Decision, at_most, none_of, per_item, pick, position_list
from core.thresholds import DUST, Threshold

VIOLATION_TEXTS = {
    "off_topic": "{} is about something that does not belong here.",
    "competitor_info": "{} speaks of a competitor without saying what is different here.",
    "fabricated_product": "{} names something that the library does not have.",
    "fabricated_policy": "{} states a rule that no passage states.",
}
"""Sentence for each violation; {} is replaced by the numbers of the sentences that commit it."""


def _switch(label: str, stricter: str, help_: str) -> Threshold:
    return Threshold(
        label=label, default=1, low=0, high=1, step=1, unit="off or on", stricter=stricter, source_document="D",
        help=help_,
    )  # fmt: skip


class Interest(Check):
    """The answer stays in the domain: it keeps to the subjects, the things and the rules of the domain.

    For a school, these are the subjects of its books and the rules of the board; for a shop, its catalogue and its
    terms. The files in data/domains define them. Rules on words decide; if a language model is chosen for this, its
    opinion decides. The check also finds the sentences that state something and so need a fact check. Catches films,
    invented figures, invented exam rules and advice on coaching. Blind to a false statement on the right topic, which
    other checks test.
    """

    short = "In scope"
    faults = {"": "out of scope", "max_drift": "off topic"}
    plain = "The answer stays within what this assistant may say"
    source_document = "D"
    stage = "answer"
    fails_as = "interest"

    competitors = Signal(
        items=("sentence",), high=999, whole=True, unit="mentions", help="Competitors that the sentence speaks of."
    )
    products = Signal(
        items=("sentence",), high=999, whole=True, unit="things",
        help="Things that the sentence names and the domain does not have.",
    )  # fmt: skip
    policy_support = Signal(
        items=("sentence",), low=-1.0, unit="difference of probabilities",
        help="How much likelier it is that a passage states the rule of the sentence than not; 1 without a rule.",
    )  # fmt: skip
    drift = Signal(
        items=("sentence",), low=-1.0, unit="cosine",
        help="How much closer the sentence is to a topic that does not belong here than to one that does.",
    )  # fmt: skip
    clarifies = Signal(
        items=("sentence",), whole=True, unit="yes or no",
        help="1 where the sentence explains the assistant's own last words.",
    )  # fmt: skip
    needs_fact_check = Signal(whole=True, unit="yes or no", help="1 when a sentence states something to be checked.")

    off_topic = _switch("Block off-topic answers", "higher", "Answers about what does not belong here are stopped.")
    competitor_info = _switch("Block competitor information", "higher", "Answers about competitors are stopped.")
    fabricated_product = _switch("Block made-up things", "higher", "Answers that name made-up things are stopped.")
    fabricated_policy = _switch(
        "Block made-up rules", "higher", "Answers with a rule that no passage states are stopped."
    )
    allow_clarifications = _switch(
        "Allow clarifications", "lower",
        "The assistant may explain its own last words, whatever they are about; if this is off, that is stopped.",
    )  # fmt: skip
    decides_first = _switch(
        "Scope decides first", "neither",
        "Whatever the search found, an answer that this check stops is handed over, and mere small talk goes out.",
    )  # fmt: skip
    max_drift = Threshold(
        label="Off topic by more than", default=0.15, unit="cosine", stricter="lower", source_document="ours",
        help="A sentence may be at most this much closer to a topic that does not belong here than to one that does.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        require_answer(case)
        if case.opinion:
            # A sentence with a violation gets the worst value of its signal. One that by the rules states something
            # needs a fact check, whatever the model says about it.
            by = {name: np.array([v == name for v in case.opinion.violations], dtype=float) for name in VIOLATION_TEXTS}
            return {
                "competitors": by["competitor_info"], "products": by["fabricated_product"],
                "policy_support": 1 - 2 * by["fabricated_policy"], "drift": 2 * by["off_topic"] - 1,
                "clarifies": features.explains,
                "needs_fact_check": case.opinion.fact_check or any(features.claims),
            }  # fmt: skip
        return {
            "competitors": [len(names) for names in features.competitors],
            "products": [len(things) for things in features.unheld_things],
            "policy_support": self._support(case, features),
            "drift": features.drift,
            "clarifies": features.explains,
            "needs_fact_check": any(features.claims),
        }

    def _support(self, case: Case, features: Features) -> list[float]:
        """For each sentence that states a rule, P(a passage entails it) minus the larger of P(neutral) and
        P(contradiction), in [-1, 1]; 1 for all other sentences.
        """
        rules = features.rules
        if not any(rules):
            return [1.0] * len(rules)
        leads = [-1.0] * len(rules)  # without a passage
        if case.evidence:
            probabilities = sentence_probabilities(Bound(**features.entailment_signals()))
            leads = (probabilities[:, 0] - probabilities[:, 1:].max(-1)).tolist()
        return [lead if rule else 1.0 for rule, lead in zip(rules, leads, strict=True)]

    def reduced(self, s: Bound) -> Bound:
        counts = {name: where.sum(-1) for name, where in _violations(s).items()}
        drift, clarified = np.max(_drift(s), axis=-1, initial=-1.0), (s.clarifies > 0).sum(-1)
        return Bound(**counts, drift=drift, clarified=clarified, measured=~np.isnan(s.drift).all(-1))

    def decide_reduced(self, r: Bound, t: Bound) -> Decision:
        violation_count = sum(getattr(r, name) * (getattr(t, name) >= 1) for name in _BY_NAME)
        violation_count = violation_count + r.clarified * (t.allow_clarifications < 1)
        by_names, drift = none_of(violation_count), at_most(r.drift, t.max_drift, "max_drift")
        decision = pick((violation_count == 0) & (t.off_topic >= 1), drift, by_names)
        margin = np.where(r.measured > 0, decision.margin, np.nan)
        return Decision(*np.broadcast_arrays(decision.value, decision.limit, margin), decision.by)

    def violations(self, s: Bound, t: Bound) -> dict[str, list[int]]:
        """The violations of one case, most serious first, each with the numbers of its sentences from 1."""
        is_off_topic = (_drift(s) - t.max_drift > DUST) & (t.off_topic >= 1) | _forbidden(s, t)
        named = {name: where & (per_item(getattr(t, name)) >= 1) for name, where in _violations(s).items()}
        by_name = {**named, "off_topic": is_off_topic}
        return {name: (np.flatnonzero(where) + 1).tolist() for name, where in by_name.items() if where.any()}

    def compared_values(self, s: Bound, t: Bound) -> Mapping[str, np.ndarray]:
        drift = _drift(s)
        return {"max_drift": drift[drift > -1.0]}

    def deciding(self, s: Bound, t: Bound) -> int | None:
        return next((numbers[0] - 1 for numbers in self.violations(s, t).values()), None)

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        for name, numbers in self.violations(s, t).items():
            if name == "off_topic" and (forbidden := position_list(_forbidden(s, t))):
                return f"Sentence {forbidden} explains the assistant's own words, and clarifications are not allowed."
            sentence_ = VIOLATION_TEXTS[name].format(f"Sentence {', '.join(map(str, numbers))}")
            return f"{sentence_} {case.opinion.by}: {case.opinion.on(name)[1]}" if case.opinion else sentence_
        if s.clarifies.any():
            return "The assistant explains its own words."
        return f"The answer states {'something' if s.needs_fact_check else 'nothing'} that needs a fact check."


_BY_NAME = ("fabricated_policy", "fabricated_product", "competitor_info")
"""The violations that a sentence commits by what it names."""


def _forbidden(s: Bound, t: Bound) -> np.ndarray:
    """True for each sentence that explains the assistant's words though that is not allowed: bool (..., sentence)."""
    return (s.clarifies > 0) & (per_item(t.allow_clarifications) < 1)


def _violations(s: Bound) -> dict[str, np.ndarray]:
    """For each violation of _BY_NAME, the sentences that commit it: bool (..., sentence)."""
    return dict(zip(_BY_NAME, (s.policy_support < 0, s.products > 0, s.competitors > 0), strict=True))


def _drift(s: Bound) -> np.ndarray:
    """The topic drift of each sentence; -1 for padding, and for a clarification, which may drift: (..., sentence)."""
    return np.where(np.isnan(s.drift) | (s.clarifies > 0), -1.0, s.drift)
