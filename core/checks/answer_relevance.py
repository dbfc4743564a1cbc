"""Does the answer answer the question?"""

from core.case import Case, Signals
from core.check import Bound, Check, Features, NotApplicable, Signal, require_claim
from core.decision import Decision, at_least, best, highest
from core.thresholds import Threshold


class AnswerRelevance(Check):
    """At least one sentence of the answer, read without the passages, answers the question.

    A reading model gives the probability (answer relevance, as in the RAG triad). Catches a true sentence of the book
    on the same subject that answers something else, and one that only repeats the question. Blind to whether the
    answer is true: the checks that read the passages test that.
    """

    short = "Answers it"
    plain = "The answer answers the question"
    source_document = "ours"
    stage = "answer"
    fails_as = "beside_question"
    mode = "watches"
    decided_by = highest, "answers"

    answers = Signal(
        items=("sentence",), unit="probability", help="Probability that each sentence answers the question."
    )

    min_answer_relevance = Threshold(
        label="Answers the question", default=0.54, unit="probability", stricter="higher", source_document="ours",
        help="At least one sentence of the answer must answer the question with this probability or more.",
    )  # fmt: skip

    def measure(self, case: Case, features: Features) -> Signals:
        if case.kind != "question":
            raise NotApplicable("this turn asks nothing of the library")
        require_claim(case, features)
        return {"answers": features.answered}

    def decide(self, s: Bound, t: Bound) -> Decision:
        return at_least(best(s.answers), t.min_answer_relevance, "min_answer_relevance")

    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        if self.decide(s, t).failed:
            return "No sentence of the answer answers the question."
        return f"Sentence {s.answers.argmax() + 1} answers the question."
