"""Is the question on a topic of the library, in the class and subject of its scope?"""

from core.case import Case, Signals
from core.check import Bound, Check, Features, Signal
from core.decision import Decision, at_least
from core.thresholds import Threshold


class TopicRelevance(Check):
    """The closest passage of the class and subject in scope is close enough to the question.

    Passages of other classes and subjects do not count, however close. Catches questions off the syllabus, and
    questions put to the wrong book. Blind to a question that only sounds like the book.
    """

    short = "Topic"
    plain = "The question is on a topic of the library"
    source_document = "A"
    stage = "query"
    fails_as = "off_topic"

    asked = Signal(
        low=-1.0, unit="cosine", help="Similarity of the closest passage of the class and subject asked for."
    )

    max_topic_mismatch_score = Threshold(
        label="Topic match", default=0.3, unit="cosine", stricter="higher", source_document="A",
        help="The closest passage in the chosen class and subject must be at least this similar to the question.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        return {"asked": case.closest.asked if case.closest else 0.0}

    def decide(self, s: Bound, t: Bound) -> Decision:
        return at_least(s.asked, t.max_topic_mismatch_score, "max_topic_mismatch_score")

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        closest = case.closest
        has_contexts = case.question.contexts is not None
        if closest is None:
            return "No context was given." if has_contexts else "The library holds no passage yet."
        known = [f"class {closest.class_number}"] if closest.class_number else []
        known += [closest.subject] if closest.subject else []
        book = " ".join(known) or "a document without class and subject"
        sentence = f"The closest {'context' if has_contexts else 'passage of the library'} is from {book}"
        return f"{sentence}." if closest.asked >= closest.cosine else f"{sentence}, which is not what was asked for."
