"""Do the books support what the answer says?"""

from textwrap import shorten

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Component, Features, NotApplicable, Signal, require_claim
from core.decision import Decision, at_least, lowest, worst
from core.judgements import MAX_COUNT, PREMISE_SENTENCES
from core.thresholds import Threshold

_PARTS = {
    "says": "Book agrees", "denies": "Book disagrees", "weakest": "Agreement on the weakest claim",
    "unheld": "Details without evidence", "shared": "Shared words",
    "differs": "The book gives a different answer",
}  # fmt: skip
"""The signals that the probability is computed from and that a tile shows, each with its label."""
_MAX_QUOTE_LENGTH = 240
"""Maximum number of characters that an explanation quotes from the passages."""


class Support(Check):
    """The passages support even the weakest sentence of the answer with enough probability.

    A logistic regression computes the probability of each sentence from several measurements: how surely the passage
    sentences that are closest in meaning support or contradict the sentence, as a whole and claim by claim; the
    numbers, names and terms without evidence; the shared words; and whether a reading model finds a different answer to
    the question in the evidence. A sentence that says of one thing what the evidence says of another counts as
    contradicted, whatever the models say. Catches changed facts and additions, and lets a right answer in other words
    pass. Blind to what follows only from several pages.
    """

    short = "Support"
    plain = "The books support every sentence"
    source_document = "ours"
    stage = "answer"
    mode = "watches"
    decided_by = lowest, "probability"

    probability = Signal(
        items=("sentence",), gaps=True, unit="probability",
        help="The passages support the sentence; missing for a sentence that only says that there is no answer.",
    )  # fmt: skip
    says = Signal(items=("sentence",), unit="probability", help="The closest evidence supports the sentence.")
    denies = Signal(items=("sentence",), unit="probability", help="The closest evidence contradicts the sentence.")
    weakest = Signal(items=("sentence",), unit="probability", help="The evidence supports the weakest claim.")
    unheld = Signal(
        items=("sentence",), high=999, whole=True, unit="items", help="Numbers, names and terms without evidence."
    )
    shared = Signal(items=("sentence",), unit="share of words", help="Content words that are in the evidence.")
    crossed = Signal(
        items=("sentence",), high=1, whole=True, added=0.0, unit="items",
        help="1 if the sentence says of one thing what the evidence says of another.",
    )  # fmt: skip
    differs = Signal(
        items=("sentence",), unit="probability", help="A reading model finds another answer in the evidence."
    )
    first = Signal(
        items=("sentence", "passage"), high=9999, whole=True, unit="place",
        help="The first sentence, from 1, of the run in the passage that decided; 0 for none.",
    )  # fmt: skip
    last = Signal(
        items=("sentence", "passage"), high=9999, whole=True, unit="place", help="The last sentence of that run."
    )

    min_support = Threshold(
        label="Support", default=0.78, unit="probability", stricter="higher", source_document="ours",
        help="The passages must support each sentence of the answer with at least this probability.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        require_claim(case, features)
        if not case.evidence:
            raise NotApplicable("there is no passage to compare the answer with")
        return features.support_signals

    def decide(self, s: Bound, t: Bound) -> Decision:
        return at_least(worst(s.probability), t.min_support, "min_support")

    def components(self, s: Bound) -> tuple[Component, ...]:
        """The signals named in _PARTS of the sentence with the lowest probability; () if no sentence has one."""
        weakest, signals = lowest(s.probability), self.signals()
        if weakest is None:
            return ()
        components = {name: float(getattr(s, name)[weakest]) for name in _PARTS}
        scales = {name: MAX_COUNT if signals[name].whole else 1.0 for name in _PARTS}
        return tuple(
            Component(label=_PARTS[name], value=value, unit=signals[name].unit, most=scales[name])
            for name, value in components.items() if not np.isnan(value)
        )  # fmt: skip

    def reason(self, s: Bound, t: Bound) -> str:
        weakest = lowest(s.probability) or 0
        is_contradiction = s.denies[weakest] > s.says[weakest] or s.unheld[weakest] > 0
        return "hallucination_detected" if is_contradiction else "low_grounding"

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        weakest = lowest(s.probability) or 0
        is_single = len(case.sentences) == 1
        quotation = quoted_for(case, s, weakest)
        if not quotation:
            place = "the answer" if is_single else f"sentence {weakest + 1}"
            return f"No sentence of the passages is close to {place}."
        excerpt = shorten(quotation, _MAX_QUOTE_LENGTH, placeholder=" …").rstrip(".")
        return f"{'The' if is_single else f'On sentence {weakest + 1}, the'} book says: “{excerpt}”."


def quoted_for(case: Case, s: Bound, sentence: int) -> str:
    """The passage sentences that decided on the sentence of the answer at index `sentence`; "" if none did."""
    runs = []
    for p in np.flatnonzero(s.first[sentence]):
        run = case.passages[p].sentences[int(s.first[sentence, p]) - 1 : int(s.last[sentence, p])]
        runs.append(" ".join(run) if len(run) <= PREMISE_SENTENCES else f"{run[0]} … {run[-1]}")
    return " … ".join(runs)
