"""The sentences on one screen never contradict each other, for every stored question under every preset."""

import pytest

from core.decide import offered_questions, verdict
from core.decide.flips import outlook
from core.decide.sensitivity import MEASURE, Sensitivity
from core.journal.entry import decision_row_of
from core.presets import presets
from pages.components.ask.verdict_actions import stuck_text, unmeasured_text
from pages.components.ask.verdict_box import cited_source
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

    # only one of "no move helps" and "a move is not measured" is shown
    known = outlook(question, preset)
    if known.ends != MEASURE:
        lines = [stuck_text(known)] if not known.flip and not known.unmeasured else []
        lines += [unmeasured_text(known)] if known.unmeasured else []
        assert not (
            any("No change" in line for line in lines) and any("only a new search can tell" in line for line in lines)
        )
        assert not known.unmeasured or ("A smaller change" in unmeasured_text(known)) == bool(known.flip)

    # the page suggests what every other output suggests: none beside an answer, and off the topics those of the books
    if found.answered or found.primary_reason in ("other_language", "outside_scope"):
        assert offered_questions(trace, found) == ()
    elif found.primary_reason == "off_topic":
        assert offered_questions(trace, found) == trace.suggestions
