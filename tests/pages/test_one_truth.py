"""The sentences on one screen never contradict each other, for every stored question under every preset."""

import re

import pytest

from core.chain import REASONS, verdict
from core.check import Check
from core.presentation.check_tiles import failing, tile
from core.presets import presets
from core.sweep.counterfactuals import outlook
from core.sweep.sensitivity import MEASURE, Sensitivity, in_the_way
from pages.components.ask.check_lanes import stopped_by
from pages.components.ask.confidence import confidence_drawn, searched
from pages.components.ask.evidence import no_grid, title
from pages.components.ask.verdict_actions import stuck_text, unmeasured_text
from pages.components.ask.verdict_box import counts, figures, offered, reason
from tests.support.route_bank import ROWS, stored, under

CASES = [(row, name) for row in ROWS for name in ("", "default", "as_printed", "strict", "lenient")]
SUPPORTED = re.compile(
    r"\*\*(the one sentence|both sentences|all \d+ sentences)\*\* (of the draft )?(is|are) supported"
)
DENIED = ("low_grounding", "hallucination_detected")


@pytest.mark.parametrize(("row", "name"), CASES, ids=[f"{row['id']}-{name or 'its own'}" for row, name in CASES])
def test_sentences_on_a_stored_question_do_not_contradict_each_other(row, name):
    trace, preset = stored(row), presets()[name] if name else under(row)
    question, found = Sensitivity(trace), verdict(trace, preset)
    said = reason(found).replace("\\", "")

    # the count of sentences agrees with the reason
    is_supported = SUPPORTED.search(figures(found, preset))
    if not found.answered and is_supported:
        assert not any(REASONS[denied] in said for denied in DENIED)

    # so does the title of the grid
    if title(found).startswith("The book supports"):
        assert not any(REASONS[denied] in found.explanation for denied in DENIED)
        assert found.answered or is_supported or "sentence" not in figures(found, preset)
    if not found.answered and is_supported:
        assert title(found).startswith("The book supports")
        assert "withheld because" in figures(found, preset)

    # a refusal names what stopped it, an answer names nothing
    if found.route == "deliver":
        assert stopped_by(found) == ""
    elif not found.parts and in_the_way(found):
        assert stopped_by(found)

    # without a search there is no evidence figure and no band
    assert ("evidence" in figures(found, preset)) == searched(found)
    if found.round.case.kind != "question" or found.route == "clarify":
        assert not searched(found)

    # no question is off the topic where the check of the topic passes
    if found.checks["topic_relevance"].state == "passed":
        assert "not on a topic" not in said

    # where nothing was searched, no passage is shown
    assert searched(found) or "Nothing was searched" in no_grid(found)

    # every cross is named: what blocks beside the verdict, and all of them in the counts
    results = list(found.checks.values())
    blocking, monitors = failing(results)
    if found.route != "deliver" and not found.parts and found.route != "clarify":
        named_crosses = stopped_by(found).replace("\\", "")
        assert not [r.name for r in blocking if Check.registry[r.name].short not in named_crosses]
    crosses = sum(tile(r).state == "failed" for r in results)
    assert crosses == len(blocking) + len(monitors)
    assert ("failed as monitors" in counts(found)) == bool(monitors)

    # the evidence confidence has the same side of its limit in the figures, on its scale and on its tile
    confidence = found.checks["confidence"]
    if searched(found) and not found.parts and confidence.margin is not None:
        drawn = float(confidence_drawn(found, preset))
        limit = found.checks["confidence"].limit
        assert (drawn >= limit) == (confidence.state == "passed") == (tile(confidence).margin >= 0)

    # an answer that was not judged does not count as withheld
    if found.stage in ("query checks", "clarity"):
        assert "sentence" not in figures(found, preset)

    # only one of "no move helps" and "a move is not measured" is shown
    known = outlook(question, preset)
    if known.ends != MEASURE:
        lines = [stuck_text(known)] if not known.flip and not known.unmeasured else []
        lines += [unmeasured_text(known)] if known.unmeasured else []
        assert not (any("No change" in line for line in lines) and any("search again" in line for line in lines))
        assert not known.unmeasured or ("A smaller change" in unmeasured_text(known)) == bool(known.flip)

    # no unrelated question is suggested
    if found.answered or found.primary_reason in ("off_topic", "other_language", "outside_scope"):
        assert offered(trace, found) == ()
