"""The edge cases of source document E, and the outcome of each here: the path of the question through the nodes of the
document's graph.

The document prints no answers, so the answers here are made up about one chapter, one for each degree of support that
the document's fact check distinguishes.
"""

from dataclasses import dataclass

from core.case import Scope
from core.lab.printed_examples.example import COOKIES, Example, scored

CHAPTER = (
    "People use AI most of all for writing and for software development. About a third of all conversations are about "
    "computer programming.",
    "People also ask AI to explain what they want to learn. Few people use AI for company or for talk. In most jobs AI "
    "is used for some of the tasks and not for all of them.",
    "Teachers use AI to plan lessons and to mark tests. Lawyers use AI to read contracts. Nurses seldom use AI at "
    "work.",
)
"""A chapter on the subject of the document, passage by passage."""
ABOUT = "What do people use AI for?"
MOST = "People use AI most of all for writing and for software development."
THIRD = "About a third of all conversations are about computer programming."
LAWYERS = "Lawyers use AI to read contracts."
TEACHERS = "Teachers use AI to plan lessons and to mark tests."
ANYWHERE, NOWHERE = Scope(), Scope(class_number=9)
"""Two scopes: all classes, and a class that has no chapter."""
FALLBACK, VERIFIED, CORRECTED = "fallback_response", "generate, finalize", "generate, correct_response, finalize"
NOT_AVAILABLE = "This information is not available in the provided context."


@dataclass(frozen=True, kw_only=True)
class EdgeCase(Example):
    """An example of source document E: a question with an answer to judge, or without one.

    by: the name of the check that blocks the answer; "" if none does. goes_out: the text that the user gets, without
    citation marks; "" if the example expects no particular text.
    """

    by: str = ""
    goes_out: str = ""


def row(printed: str, **fields: object) -> EdgeCase:
    """An edge case of source document E. Its contexts are the passages of CHAPTER; it has none if its scope is NOWHERE,
    a class without a chapter."""
    contexts = () if fields.get("scope") == NOWHERE else scored(CHAPTER)
    return EdgeCase(printed=printed, **{"query": ABOUT, "contexts": contexts} | fields)


TABLE = {
    "2.1 no context": row(scope=NOWHERE, printed=FALLBACK, by="context_quality"),
    "2.1 irrelevant context": row(query=COOKIES, printed=FALLBACK, by="context_quality"),
    "2.1 relevant context": row(printed=VERIFIED, nli=True),
    "2.2 completely accurate": row(answer=f"{MOST} {THIRD}", printed=VERIFIED, nli=True, goes_out=f"{MOST} {THIRD}"),
    "2.2 mostly accurate": row(
        answer="People mostly use AI for writing and software development.", printed=VERIFIED, nli=True,
        goes_out="People mostly use AI for writing and software development.",
    ),
    "2.2 partially accurate": row(
        answer=f"{MOST} Half of all conversations are about computer programming.", printed=CORRECTED, by="fact_check",
        nli=True, goes_out=f"{MOST} {THIRD}",
    ),
    "2.2 largely inaccurate": row(
        answer="About two thirds of all conversations are about computer programming.", printed=CORRECTED,
        by="fact_check", nli=True, goes_out=THIRD,
    ),
    "2.2 turned into its opposite": row(
        answer="Few people use AI for writing and for software development.", printed=CORRECTED, by="fact_check",
        nli=True, goes_out=MOST,
    ),
    "2.2 unsupported in part": row(
        query="How do teachers use AI?", answer=f"{TEACHERS} Pilots use AI to fly to the moon.", printed=CORRECTED,
        by="fact_check", nli=True, goes_out=TEACHERS,
    ),
    "2.2 unsupported": row(
        answer="Lawyers use AI to fly to the moon.", printed=CORRECTED, by="fact_check", nli=True,
        goes_out=f"{MOST} {TEACHERS} {LAWYERS}",
    ),
    "2.2 a correction that says it is not available": row(
        answer=NOT_AVAILABLE, printed=VERIFIED, nli=True, goes_out=NOT_AVAILABLE,
    ),
    "3 an ambiguous query": row(query="How does it work?", printed="clarify_query", by="clarity"),
    "4 a query in two steps": row(
        query="How do teachers use AI and what do lawyers use it for?", printed="decompose_query, generate, finalize",
        nli=True, goes_out=f"{TEACHERS} {LAWYERS}",
    ),
    "2.1 the words of the fallback": row(
        message=True, query=COOKIES, by="context_quality",
        printed="I don't have sufficient relevant information in my knowledge base to answer your question "
        "about AI usage. Could you please rephrase your question or ask about a different aspect of how people use AI?",
        ours="I don't have sufficient relevant information in my knowledge base to answer your question about the "
        "NCERT textbooks. Could you please rephrase your question or ask about a different aspect of the NCERT "
        "textbooks?",
        difference="the document names AI usage, the subject of its library; the message names this library",
    ),
}  # fmt: skip
