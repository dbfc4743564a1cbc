"""Source document A's interface: its usage, its debug loop and its workflow give the outcomes of its examples."""

import pytest

from core.case import Question
from core.decide import REFUSAL
from core.graph import Explorer
from core.lab.printed_examples import examples
from core.presets import preset
from core.retrieval.contexts import context_row
from core.safety import SafetyThresholds, check_safety, get_safe_answer
from tests.support.libraries import one_chapter
from tests.support.plants import COOKIES, PLANTS

TABLE = examples()["A"]
ACCEPTED = "accepted"
pytestmark = pytest.mark.usefixtures("bundled_models")


def thresholds(changes):
    pairs = (change.split(".", 1)[1].split("=") for change in changes)
    return SafetyThresholds(**{name: float(value) for name, value in pairs})


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_the_interface_of_the_document_gives_the_outcome_of_an_example(row):
    question = row.question
    chunks = [context_row(context) for context in question.contexts]
    given = (question.query, chunks, question.answer, 10, "Mathematics", thresholds(row.changes))
    result = check_safety(*given)
    reason = result.rejection_reason.value if result.rejection_reason else ACCEPTED
    assert reason == row.outcome, result.explanation
    assert result.should_reject is (reason != ACCEPTED) and bool(result.failed_checks) is result.should_reject
    # the debug loop of the document names what fails
    assert all(data.get("details") for data in result.diagnostic_info.values())
    assert [n for n, data in result.diagnostic_info.items() if data.get("passed") is False] == result.failed_checks
    if question.answer:
        assert get_safe_answer(*given) == (question.answer if reason == ACCEPTED else REFUSAL)
    assert REFUSAL == "I don't know based on NCERT textbooks."


@pytest.mark.parametrize(("query", "route"), [("What is photosynthesis?", "deliver"), (COOKIES, "refuse")])
def test_the_whole_workflow_of_the_document_retrieves_generates_and_decides(bundled_models, tmp_path, query, route):
    with one_chapter(tmp_path / "home", bundled_models, PLANTS) as library:
        found = Explorer(library, bundled_models).ask(Question(query=query), preset("seed_a"))[1]
    assert found.route == route and (found.answer == REFUSAL) is (route == "refuse")
