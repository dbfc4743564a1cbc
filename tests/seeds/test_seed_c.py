"""Source document C's reader with the real models: it says that it abstains, and keeps the answer."""

import pytest

from core.decide.messages import MESSAGES
from core.lab.printed_examples.document_c import PROCEED, TABLE
from core.lab.printed_examples.outcomes import run
from core.reply.document_records import abstention


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_the_reader_of_the_document_says_that_it_abstains_and_keeps_the_answer(bundled_models, row):
    found = run("C", row, "own", bundled_models).verdict
    result = abstention(found)
    assert result.should_abstain is (result.reason is not None)
    assert (found.checks["hedging"].state == "failed") is row.hedges
    if row.label:
        assert {s.label for s in found.sentences} == {row.label}
    assert found.round.case.draft.text == row.answer
    if row.outcome == PROCEED:
        assert (found.route, found.answer) == ("deliver", row.answer)
    else:
        assert (found.route, found.answer) == ("refuse", MESSAGES["abstain"])
