"""Seed A's examples with the real models: its five triggers, its usage, its debug loop; each difference is named."""

import pytest

from core.case import Question
from core.chain import REFUSAL
from core.graph import Explorer
from core.presets import preset
from core.safety import check_safety, get_safe_answer
from tests.support.libraries import one_chapter
from tests.support.plants import PLANTS
from tests.support.seed_a import ACCEPTED, TABLE
from tests.support.seed_example import COOKIES

pytestmark = pytest.mark.usefixtures("bundled_models")


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_an_example_of_the_seed_has_its_outcome(row):
    given = (row.query, list(row.chunks), row.answer, 10, "Mathematics", row.thresholds)
    result = check_safety(*given)
    reason = result.rejection_reason.value if result.rejection_reason else ACCEPTED
    assert reason == row.outcome, result.explanation
    assert result.should_reject is (reason != ACCEPTED) and bool(result.failed_checks) is result.should_reject
    # the debug loop of the seed names what stands in the way
    assert all(data.get("details") for data in result.diagnostic_info.values())
    assert [n for n, data in result.diagnostic_info.items() if data.get("passed") is False] == result.failed_checks
    if row.answer:
        assert get_safe_answer(*given) == (row.answer if reason == ACCEPTED else REFUSAL)
    assert REFUSAL == "I don't know based on NCERT textbooks."


@pytest.mark.parametrize(("query", "route"), [("What is photosynthesis?", "deliver"), (COOKIES, "refuse")])
def test_the_whole_workflow_of_the_seed_retrieves_generates_and_decides(bundled_models, tmp_path, query, route):
    with one_chapter(tmp_path / "home", bundled_models, PLANTS) as library:
        found = Explorer(library, bundled_models).ask(Question(query=query), preset("seed_a"))[1]
    assert found.route == route and (found.answer == REFUSAL) is (route == "refuse")
