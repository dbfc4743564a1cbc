"""Seed E's edge cases with the real models and a real search, in a chapter on its own subject; each difference is named.

Its words for the way of a question: the nodes of its graph. It prints no answers, so these are made for the degrees of
its fact check.
"""

import re

import pytest

from core.case import Question
from core.graph import Explorer
from core.presets import preset
from tests.support.libraries import one_chapter
from tests.support.seed_e import FALLBACK, NOWHERE, TABLE, WORDS
from tests.support.seed_example import COOKIES

SEED_E = preset("seed_e")
CHAPTER = (
    "People use AI most of all for writing and for software development. About a third of all conversations are about "
    "computer programming. People also ask AI to explain what they want to learn. Few people use AI for company or for "
    "talk. In most jobs AI is used for some of the tasks and not for all of them. Teachers use AI to plan lessons and "
    "to mark tests. Lawyers use AI to read contracts. Nurses seldom use AI at work."
)
LEARN = "People also ask AI to explain what they want to learn."


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
