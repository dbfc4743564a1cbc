"""No two statements on one screen contradict each other: every stored question, and every measured question of the
sample, under the presets."""

import pytest

from core.banks.measured_bank import shipped_traces
from core.banks.row import SetRows
from core.banks.saved import SAMPLE, SavedBanks, rows_of
from core.decide import offered_questions, verdict
from core.decide.flips import outlook
from core.decide.sensitivity import Sensitivity
from core.evaluation.prepared_case import MIXED, prepared_trace
from core.journal.entry import decision_row_of
from core.presets import presets
from pages.components.ask.verdict_actions import unmeasured_text
from pages.components.ask.view import cited_source
from pages.components.shared.path import path_steps
from tests.support.route_bank import ROWS, preset_for, stored_trace
from tests.support.screen_agreement import require_agreement

CASES = [(row, name) for row in ROWS for name in ("", "default", "as_printed", "strict", "lenient")]


@pytest.mark.parametrize(("row", "name"), CASES, ids=[f"{row['id']}-{name or 'its own'}" for row, name in CASES])
def test_sentences_on_a_stored_question_do_not_contradict_each_other(row, name):
    trace, preset = stored_trace(row), presets()[name] if name else preset_for(row)
    question, found = Sensitivity(trace), verdict(trace, preset)

    require_agreement(found, preset)

    # the history names a source that Ask shows a button of, and its page
    decision = decision_row_of(trace, found, preset.name, "app", 0.0)
    if found.answered and (source := found.source):
        index = found.round.case.evidence.index(source)
        cited = {number for sentence in found.delivered_sentences for number in sentence.citations}
        assert not cited or index + 1 in cited
        assert (decision.document, decision.page or 0) == (source.passage.name, found.page_of(index))

    # a number in the answer to a question in parts means a passage of one part
    if found.parts and found.delivery:
        for number in {n for s in (*found.delivery.sentences, *found.delivered_sentences) for n in s.citations}:
            part, own, index = cited_source(found, number)
            assert own is found.parts[part - 1]
            assert own.round.case.evidence[index].passage == found.delivery.round.case.evidence[number - 1].passage

    # what is said of a move that is not measured depends on whether another move helps
    known = outlook(question, preset)
    assert not known.unmeasured or ("A smaller change" in unmeasured_text(known)) == bool(known.flip)

    # the path says "again" only of an answer that was judged before
    path = " ".join(step.sentence for step in path_steps(trace, found, preset))
    assert "Again, " not in path or found.round.name == "rechecked"

    # the page suggests what every other output suggests: none beside an answer, and off the topics those of the books
    if found.answered or found.primary_reason in ("other_language", "outside_scope"):
        assert offered_questions(trace, found) == ()
    elif found.primary_reason == "off_topic":
        assert offered_questions(trace, found) == trace.suggestions


@pytest.fixture(scope="module")
def traces(tmp_path_factory):
    """The trace of every sample question, by its text."""
    rows = rows_of(SavedBanks(tmp_path_factory.mktemp("home")), SAMPLE)
    return shipped_traces().traces(SetRows.of(rows).questions)


@pytest.mark.parametrize("name", ["default", "as_printed", "strict", "lenient", "exam"])
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
