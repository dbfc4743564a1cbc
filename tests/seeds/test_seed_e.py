"""Seed E's edge cases with the real models and a real search, in a chapter on its own subject; each difference is named.

Its words for the way of a question: the nodes of its graph. It prints no answers, so these are made for the degrees of
its fact check.
"""

import re
from dataclasses import dataclass

import pytest

from core.case import Question, Scope
from core.graph import Explorer
from core.presets import preset
from tests.conftest import one_chapter
from tests.support.seed_example import COOKIES, Example

SEED_E = preset("seed_e")
CHAPTER = (
    "People use AI most of all for writing and for software development. About a third of all conversations are about "
    "computer programming. People also ask AI to explain what they want to learn. Few people use AI for company or for "
    "talk. In most jobs AI is used for some of the tasks and not for all of them. Teachers use AI to plan lessons and "
    "to mark tests. Lawyers use AI to read contracts. Nurses seldom use AI at work."
)
ABOUT = "What do people use AI for?"
MOST = "People use AI most of all for writing and for software development."
LEARN = "People also ask AI to explain what they want to learn."
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


@pytest.fixture(scope="module")
def explorer(bundled_models, tmp_path_factory):
    with one_chapter(tmp_path_factory.mktemp("seed e") / "home", bundled_models, CHAPTER) as library:
        yield Explorer(library, bundled_models)


def without_marks(answer):
    return re.sub(r" \[\d+\]", "", answer)


def asked(explorer, row):
    return explorer.ask(Question(query=row.query, answer=row.answer, scope=row.scope), SEED_E)[1]


def way(found):
    """The nodes of the seed's graph that a question went through."""
    if found.route == "clarify":
        return "clarify_query"
    nodes = ["decompose_query"] if found.parts else []
    nodes += ["generate"] if "write" in found.steps or found.parts else []
    nodes += ["correct_response"] if "correct" in found.steps else []
    ends = {"deliver": "finalize", "deliver_corrected": "finalize", "deliver_part": "a part", "refuse": FALLBACK}
    return ", ".join([*nodes, ends[found.route]])


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_an_edge_case_of_the_seed_takes_its_way(explorer, row):
    found = asked(explorer, row)
    assert way(found) == row.outcome
    stopped = [c.name for c in found.checks.values() if c.blocks]
    assert (row.by in stopped) if row.by else not stopped
    assert not row.goes_out or without_marks(found.answer) == row.goes_out
    assert 0 <= found.confidence <= 100
    assert (found.confidence >= 40) is (row.query not in (COOKIES, "How does it work?") and row.scope != NOWHERE)


def test_the_fallback_asks_to_rephrase(explorer):
    said = asked(explorer, TABLE["2.1 irrelevant context"]).answer
    assert said == WORDS["2.1 the words of the fallback"].outcome
