"""A passage about arithmetic progressions, evidence with chosen scores, answers and cases about them."""

from core.case import Case, Closest, Evidence, Passage, Question, Scope
from core.text.answer_sentences import read_answer


def passage(text, n=0, **about):
    """A passage of one sentence a full stop, on page n + 1 unless said otherwise."""
    sentences_ = tuple(s.strip() + "." for s in text.rstrip(".").split(". "))
    about = {
        "document": "jemh105.pdf",
        "class_number": 10,
        "subject": "Mathematics",
        "pages": (n + 1,) * len(sentences_),
    } | about
    return Passage(id=f"doc:{n:04d}", sentences=sentences_, **about)


def evidence(text, score, n=0, **scores):
    """Evidence with one score on all four scales, unless others are given."""
    p = passage(text, n)
    on = {"cosine": score, "related": score, "hybrid": score, "answers": score} | scores
    return Evidence(passage=p, kept=tuple(range(len(p.sentences))), **on)


BOOK = (
    "An arithmetic progression is a list of numbers. Each term is obtained by adding a fixed number to the term before. "
    "The fixed number is called the common difference of the progression"
)

SUPPORTED = "An arithmetic progression is a list of numbers."
REWORDED = "An arithmetic progression is a certain list of numbers."
ALTERED = f"{SUPPORTED} Each term is obtained by adding 7 to the term before."
MIXED = f"{SUPPORTED} Bananas rarely wander through purple corridors."
ELSEWHERE = "Bankers everywhere love such clever schemes."
DISTANT = tuple(evidence(BOOK, 0.9, n, cosine=0.5) for n in range(2))
"""Passages that answer the question in other words than it asks: the medium tier of stage 2 if its high limit is 0.9."""


def case_about(answer=SUPPORTED, scores=(0.9, 0.7), scope=Scope(), **changes):
    """A case about arithmetic progressions; what a test is about is given by name."""
    evidence_ = tuple(evidence(BOOK, s, n) for n, s in enumerate(scores))
    top = max(scores, default=0.0)
    asked_cosine = top if scope.class_number in (None, 10) else 0.0
    closest = Closest(cosine=top, asked=asked_cosine, class_number=10, subject="Mathematics") if scores else None
    question = Question(query="What is an arithmetic progression?", scope=scope, answer=answer)
    draft = read_answer(answer, writer="given", given=True) if answer is not None else None
    about = {"question": question, "query": question.query, "evidence": evidence_, "closest": closest, "draft": draft}
    return Case(**about | changes)
