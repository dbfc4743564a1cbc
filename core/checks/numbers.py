"""Is every number, unit and named term of the answer in its evidence?"""

import numpy as np

from core.case import Case, Signals
from core.check import Bound, Check, Decision, Features, Signal, first_index, none_of, position_list, require_claim


class Numbers(Check):
    """Each number, unit and named term of a sentence is in its evidence or in the question.

    A number that follows from those by arithmetic counts as computed, and passes. If the question gives numbers to
    compute with that no passage states, an answer fails as computed, not checked, unless arithmetic confirms it.
    Catches a changed figure, unit or name. Blind to the right figure in the wrong place.
    """

    short = "Numbers"
    faults = {"": "unsupported"}
    plain = "Numbers and names match the passages"
    source_document = "ours"
    stage = "answer"

    missing = Signal(
        items=("sentence",), high=999, whole=True, unit="items",
        help="Numbers, units, names and pairs of things of each sentence without evidence.",
    )  # fmt: skip
    computed = Signal(
        items=("sentence",), high=999, whole=True, unit="numbers", help="Numbers that follow by arithmetic."
    )
    unchecked = Signal(
        items=("sentence",), high=999, whole=True, added=0.0, unit="numbers",
        help="Numbers computed from those of the question, in a way that nobody checked.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        require_claim(case, features)
        facts = features.unheld
        return {name: [len(getattr(fact, name)) for fact in facts] for name in ("missing", "computed", "unchecked")}

    def decide(self, s: Bound, t: Bound) -> Decision:
        missing = np.nansum(s.missing + s.unchecked, -1)
        return none_of(np.where(np.isnan(s.missing).all(-1), np.nan, missing))

    def reason(self, s: Bound, t: Bound) -> str:
        return "hallucination_detected" if np.nansum(s.missing) else "computed"

    def deciding(self, s: Bound, t: Bound) -> int | None:
        return first_index(s.missing + s.unchecked > 0)

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        if where := position_list(s.missing):
            return f"In sentence {where}, a number, unit, name, certainty or pairing has no evidence."
        if where := position_list(s.unchecked):
            return f"Sentence {where} is computed from numbers of the question, and was not checked."
        computed = s.computed.sum()
        return f"{computed:.0f} computed by arithmetic." if computed else "All numbers and names are in the evidence."
