"""Views of a verdict: its headline and figures, what test mode says, and the sentences that go out."""

from dataclasses import replace

import numpy as np

from core.checks.fact_grounding import PARTS
from core.decide import verdict
from core.decide.routes import ROUTES
from core.presentation.check_tiles import tile
from core.presets import preset, with_settings
from core.words import VIOLATIONS
from pages.components.ask import lights
from pages.components.ask.lights import TEST_MODE, bars_html
from pages.components.ask.sentences import differences
from pages.components.ask.verdict_words import HEADLINES, figures
from tests.support.cases import DISTANT, MIXED, SUPPORTED
from tests.support.traces import deep

PRINTED = preset("as_printed")
HARM = "<b>Two</b> $x$ [a](javascript:b) numbers."


def decided(trace, *moves):
    current = with_settings(PRINTED, list(moves))
    return verdict(trace, current), current


def test_every_route_has_a_word_an_icon_and_a_colour():
    assert set(HEADLINES) == set(ROUTES)
    assert len({h.partition(":material/")[2] for h in HEADLINES.values()}) == len(ROUTES)
    assert all(h.startswith((":green[", ":red[", ":blue[")) for h in HEADLINES.values())


def test_the_differences_of_two_sentences_are_marked_and_escaped():
    assert differences("It is 5 m long.", "It is 4 m long.") == "It is :blue-background[**4**] m long\\."
    drawn = differences(HARM, HARM.replace("Two", "Three"))
    assert [harm for harm in ("<b>", "$x$", "](javascript") if harm in drawn] == []


def test_the_score_of_stage_2_shows_its_components(make_case, models):
    trace = deep(models, make_case(SUPPORTED, evidence=DISTANT))
    first = trace.rounds[0]
    sure = first.signals["fact_grounding"] | {"certainty": np.array(0.7), "assessed": np.array(1.0)}
    assessed = replace(trace, rounds=(replace(first, signals=first.signals | {"fact_grounding": sure}),))
    for asked, parts in ((trace, [*PARTS.values()][:2]), (assessed, [*PARTS.values()])):
        one = tile(decided(asked)[0].checks["fact_grounding"])
        assert [bar.label for bar in one.bars] == parts
        assert bars_html(one.bars).count('class="part"') == len(parts)
        assert ("No model has said how sure it is" in one.reason) == (len(parts) < 3)
    assert one.bars[2].text == "0.70"


def test_stage_1_states_the_violation_and_its_severity(make_case, models):
    trace = deep(models, make_case(SUPPORTED))
    found, current = decided(trace)
    assert lights.violation(found, current) == ""
    first = trace.rounds[0]
    interest = first.signals["interest"] | {"drift": np.array([0.9])}
    strange = replace(trace, rounds=(replace(first, signals=first.signals | {"interest": interest}),))
    for mode in ("blocks", "watches"):
        found, current = decided(strange, f"interest.mode={mode}")
        assert lights.violation(found, current) == f"{VIOLATIONS['off_topic']} (off_topic), severity low"


def test_test_mode_states_what_would_have_been_stopped(make_case, models):
    trace = deep(models, make_case(SUPPORTED, evidence=DISTANT))
    found, _ = decided(trace, "interest.mode=watches", "fact_grounding.mode=watches", "fact_grounding.medium=0.95")
    assert found.route == "deliver" and "would have been stopped" in lights.test_mode(found)
    sound, _ = decided(trace, "interest.mode=watches", "fact_grounding.mode=watches")
    assert lights.test_mode(sound) == TEST_MODE


def test_the_figures_count_the_sentences_that_go_out(make_case, models):
    found, current = decided(deep(models, make_case(MIXED)))
    assert (found.supported, len(found.sentences)) == (1, 2)
    assert "**the one sentence** of the shortened answer is supported" in figures(found, current)
