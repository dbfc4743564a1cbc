"""No two statements on the Ask page disagree, for any measured question of the sample under the presets."""

import pytest

from core.banks.measured_bank import shipped_traces
from core.banks.row import SetRows
from core.banks.saved import SAMPLE, SavedBanks, rows_of
from core.decide import verdict
from core.evaluation.prepared_case import MIXED, prepared_trace
from core.presets import presets
from tests.support.screen_agreement import require_agreement

PRESETS = ("default", "as_printed", "strict", "lenient", "exam")


@pytest.fixture(scope="module")
def traces(tmp_path_factory):
    """The trace of every sample question, by its text."""
    rows = rows_of(SavedBanks(tmp_path_factory.mktemp("home")), SAMPLE)
    return shipped_traces().traces(SetRows.of(rows).questions)


@pytest.mark.parametrize("name", PRESETS)
def test_no_two_statements_on_a_screen_disagree(traces, name):
    assert len(traces) >= 500
    preset, disagreements = presets()[name], []
    for trace in traces.values():
        try:
            require_agreement(verdict(trace, preset), preset)
        except AssertionError as error:
            disagreements.append(f"{trace.question.query}: {error}")
    assert disagreements == []


def test_a_corrected_answer_that_is_not_named_as_such_is_a_disagreement(monkeypatch):
    found, preset = verdict(prepared_trace(MIXED), presets()["default"]), presets()["default"]
    require_agreement(found, preset)
    monkeypatch.setattr("pages.components.ask.verdict_words.OF_WHAT_GOES_OUT", {})
    with pytest.raises(AssertionError):
        require_agreement(found, preset)
