"""Source document E's edge cases with the real models and a real search, in a chapter on its own subject."""

from dataclasses import replace

import pytest

from core.graph import Explorer
from core.lab.printed_examples import Run, examples, without_marks
from core.presets import preset
from tests.support.libraries import one_chapter
from tests.support.plants import COOKIES

SEED_E, TABLE = preset("seed_e"), examples()["E"]
CHAPTER = TABLE["2.1 relevant context"].passages


@pytest.fixture(scope="module")
def explorer(bundled_models, tmp_path_factory):
    with one_chapter(tmp_path_factory.mktemp("seed e") / "home", bundled_models, " ".join(CHAPTER)) as library:
        yield Explorer(library, bundled_models)


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_an_edge_case_of_the_seed_takes_its_way(explorer, row):
    asked = replace(row.question, contexts=None)
    trace, found = explorer.ask(asked, SEED_E)
    assert Run(example=row, preset=SEED_E, trace=trace, verdict=found).outcome == row.outcome
    stopped = [c.name for c in found.checks.values() if c.blocks]
    assert (row.by in stopped) if row.by else not stopped
    assert not row.goes_out or without_marks(found.answer) == row.goes_out
    assert 0 <= found.confidence <= 100
    assert (found.confidence >= 40) is (
        asked.query not in (COOKIES, "How does it work?") and not asked.scope.class_number
    )
