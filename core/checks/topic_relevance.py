"""Is the question on a topic of the library, in the class and subject that were asked for?"""

from core.case import Case, Signals
from core.check import Bound, Check, Decision, Signal, at_least
from core.reading import Reading
from core.thresholds import Threshold


class TopicRelevance(Check):
    """The closest passage of the whole library is close, and of the class and subject that were asked for.

    A closest passage of another class or subject counts as no similarity. Catches questions off the syllabus.
    Blind to a question that merely sounds like the book.
    """

    plain = "The question is on a topic of these books"
    seed = "A"
    stage = "query"

    closest = Signal(low=-1.0, unit="cosine", help="Similarity of the closest passage, whatever the scope.")
    matches = Signal(whole=True, unit="yes or no", help="1 when that passage is of the class and subject asked for.")

    max_topic_mismatch_score = Threshold(
        label="Closest passage", default=0.3, low=0.0, high=1.0, step=0.01, unit="cosine", stricter="higher", seed="A",
        help="The closest passage of the library must be at least this similar to the question.",
    )  # fmt: skip

    def measure(self, case: Case, reading: Reading) -> Signals:
        return {"closest": case.closest.cosine if case.closest else 0.0, "matches": float(_matches(case))}

    def decide(self, s: Bound, t: Bound) -> Decision:
        return at_least(s.closest * s.matches, t.max_topic_mismatch_score, "max_topic_mismatch_score")

    def reason(self, s: Bound, t: Bound) -> str:
        return "off_topic"

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        if case.closest is None:
            return "The library holds no passage yet."
        if not s.matches:
            where = f"class {case.closest.class_number or '?'} {case.closest.subject}".strip()
            return f"The closest passage is of {where}, not of what was asked for, so it counts as 0."
        return f"The closest passage of the library has a similarity of {s.closest:.2f}."


def _matches(case: Case) -> bool:
    scope, closest = case.question.scope, case.closest
    if closest is None:
        return False
    right_class = scope.class_number is None or closest.class_number == scope.class_number
    return right_class and (not scope.subject or closest.subject.casefold() == scope.subject.casefold())
