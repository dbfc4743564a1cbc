"""The examples that seed E prints, and the outcome of each here."""

from dataclasses import dataclass

from core.case import Scope
from tests.support.seed_example import COOKIES, Example

ABOUT = "What do people use AI for?"
MOST = "People use AI most of all for writing and for software development."
THIRD = "About a third of all conversations are about computer programming."
LAWYERS = "Lawyers use AI to read contracts."
TEACHERS = "Teachers use AI to plan lessons and to mark tests."
ANYWHERE, NOWHERE = Scope(), Scope(class_number=9)
"""All classes, and one of which there is no chapter."""
FALLBACK, VERIFIED, CORRECTED = "fallback_response", "generate, finalize", "generate, correct_response, finalize"
NOT_AVAILABLE = "This information is not available in the provided context."


@dataclass(frozen=True, kw_only=True)
class Row(Example):
    """A question with an answer to judge, or without one. `seed` is its way, by: the check that blocks on it.

    goes_out: the answer that the user gets, without its marks, where the row says which.
    """

    query: str = ABOUT
    answer: str | None = None
    scope: Scope = ANYWHERE
    by: str = ""
    goes_out: str = ""


TABLE = {
    "2.1 no context": Row(scope=NOWHERE, seed=FALLBACK, by="context_quality"),
    "2.1 irrelevant context": Row(query=COOKIES, seed=FALLBACK, by="context_quality"),
    "2.1 relevant context": Row(seed=VERIFIED, nli=True),
    "2.2 completely accurate": Row(answer=f"{MOST} {THIRD}", seed=VERIFIED, nli=True, goes_out=f"{MOST} {THIRD}"),
    "2.2 mostly accurate": Row(
        answer="People mostly use AI for writing and software development.", seed=VERIFIED, nli=True,
        goes_out="People mostly use AI for writing and software development.",
    ),
    "2.2 partially accurate": Row(
        answer=f"{MOST} Half of all conversations are about computer programming.", seed=CORRECTED, by="fact_check",
        nli=True, goes_out=f"{MOST} {THIRD}",
    ),
    "2.2 largely inaccurate": Row(
        answer="About two thirds of all conversations are about computer programming.", seed=CORRECTED,
        by="fact_check", nli=True, goes_out=THIRD,
    ),
    "2.2 turned into its opposite": Row(
        answer="Few people use AI for writing and for software development.", seed=CORRECTED, by="fact_check", nli=True,
        goes_out=MOST,
    ),
    "2.2 unsupported in part": Row(
        query="How do teachers use AI?", answer=f"{TEACHERS} Pilots use AI to fly to the moon.", seed=CORRECTED,
        by="fact_check", nli=True, goes_out=TEACHERS,
    ),
    "2.2 unsupported": Row(
        answer="Lawyers use AI to fly to the moon.", seed=CORRECTED, by="fact_check", nli=True,
        goes_out=f"{MOST} {TEACHERS} {LAWYERS}",
    ),
    "2.2 a correction that says it is not available": Row(
        answer=NOT_AVAILABLE, seed=VERIFIED, nli=True, goes_out=NOT_AVAILABLE,
    ),
    "3 an ambiguous query": Row(query="How does it work?", seed="clarify_query", by="clarity"),
    "4 a query in two steps": Row(
        query="How do teachers use AI and what do lawyers use it for?", seed="decompose_query, generate, finalize",
        nli=True, goes_out=f"{TEACHERS} {LAWYERS}",
    ),
}  # fmt: skip
WORDS = {
    "2.1 the words of the fallback": Example(
        seed="I don't have sufficient relevant information in my knowledge base to answer your question about AI usage. "
        "Could you please rephrase your question or ask about a different aspect of how people use AI?",
        ours="I don't have enough relevant information in these books to answer your question. Could you please "
        "rephrase it, or ask about something else in the books?",
        difference="the seed names AI usage, the subject of its example; the school's message names its books",
    ),
}  # fmt: skip
