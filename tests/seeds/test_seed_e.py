"""Source document E's edge cases with the real models and a real search, in a chapter on its own subject."""

import pytest

from core.case import Question
from core.graph import Explorer
from core.lab.printed_examples.document_e import CHAPTER, NOWHERE, TABLE
from core.lab.printed_examples.example import COOKIES
from core.lab.printed_examples.outcomes import Run, without_marks
from core.presets import preset
from tests.support.libraries import one_chapter

SEED_E = preset("seed_e")


@pytest.fixture(scope="module")
def explorer(bundled_models, tmp_path_factory):
    with one_chapter(tmp_path_factory.mktemp("seed e") / "home", bundled_models, " ".join(CHAPTER)) as library:
        yield Explorer(library, bundled_models)


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_an_edge_case_of_the_seed_takes_its_way(explorer, row):
    trace, found = explorer.ask(Question(query=row.query, answer=row.answer, scope=row.scope), SEED_E)
    assert Run(letter="E", example=row, preset=SEED_E, trace=trace, verdict=found).outcome == row.outcome
    stopped = [c.name for c in found.checks.values() if c.blocks]
    assert (row.by in stopped) if row.by else not stopped
    assert not row.goes_out or without_marks(found.answer) == row.goes_out
    assert 0 <= found.confidence <= 100
    assert (found.confidence >= 40) is (row.query not in (COOKIES, "How does it work?") and row.scope != NOWHERE)
