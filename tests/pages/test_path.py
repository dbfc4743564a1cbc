"""The decision path of a question in words and as a drawing, for every route and for random traces and presets."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.decide import verdict
from core.decide.routes import ROUTES
from core.presets import preset, with_settings
from core.question import HINDI
from core.text.words import UNKNOWN
from core.words import ROUTES as ROUTE_WORDS
from pages.components.shared.path import BOXES, LINES, map_dot, path_dot, path_steps, path_title, step_list
from pages.components.shared.safe_display import plain
from tests.support.app_pages import boxes_of
from tests.support.cases import ALTERED, BOOK, DISTANT, MIXED, SUPPORTED, evidence
from tests.support.plans import OFTEN, PARTS, PLANS, presets, world
from tests.support.traces import deep


@pytest.fixture
def steps_of(make_case, models):
    """Return a function: the steps of a case under the preset of the documents with some moves."""

    def steps_of(case, *moves, **about):
        trace = deep(models, case, **about)
        current = with_settings(preset("as_printed"), list(moves))
        return path_steps(trace, verdict(trace, current), current)

    return steps_of


def sentence(steps, box):
    """What became of the first step with this box."""
    return next(step.sentence for step in steps if step.box == box)


def words(steps):
    return [step.text for step in steps]


def test_every_line_of_the_map_joins_two_boxes_and_every_box_is_reached():
    assert all({start, end} <= set(BOXES) for start, end in LINES)
    assert set(BOXES) - {end for _, end in LINES} == {"kind"}
    assert boxes_of(map_dot()) == [box["text"] for box in BOXES.values()]
    assert map_dot().count("->") == len(LINES) and all(box["about"] for box in BOXES.values())


def test_an_answer_passes_every_box_with_every_number_beside_its_limit(steps_of, make_case):
    steps = steps_of(make_case(SUPPORTED))
    assert words(steps)[:2] == ["Message type", "Clear?"] and words(steps)[-1] == "Answered"
    assert sentence(steps, "kind").startswith("This message is a question") and "2 passages" in sentence(
        steps, "retrieve"
    )
    assert sentence(steps, "critic") == "Evidence confidence 90 of 100, needs at least 40."
    assert "1 sentence" in sentence(steps, "write")
    assert re.fullmatch(
        r"Score 0\.\d\d, the high tier: medium begins at 0\.\d\d, high at 0\.80\.", sentence(steps, "stage 2")
    )


def test_a_refusal_stops_at_the_check_that_failed_with_its_number(steps_of, make_case):
    steps = steps_of(make_case(SUPPORTED, (0.1, 0.1)))
    assert words(steps)[-1] == "Refused" and "Write the answer" not in words(steps)
    assert "10 of 100, needs at least 40" in sentence(steps, "critic") and "class=bad" in path_dot(steps)
    assert "Stopped by" in step_list(steps) and "needs" in step_list(steps)


def test_a_refined_search_shows_every_confidence(make_case, models):
    weak = [make_case(SUPPORTED, (s,)) for s in (0.31, 0.36, 0.39)]
    weak = [replace(case, query=f"{case.query} {n}") for n, case in enumerate(weak)]
    trace, current = deep(models, *weak), preset("as_printed")
    steps = path_steps(trace, verdict(trace, current), current)
    found = [step.sentence.split(".")[0] for step in steps if step.box == "critic"]
    assert found == [f"Evidence confidence {n} of 100, needs at least 40" for n in (31, 36, 39)]
    assert words(steps).count("Ask again") == 2 and plain(weak[1].query) in step_list(steps)


def test_a_correction_is_judged_as_an_answer_of_its_own(steps_of, make_case):
    steps = steps_of(make_case(ALTERED))
    assert words(steps)[-3:] == ["Correct it", "Answer checks", "Corrected"]
    first, second = [step.sentence for step in steps if step.box == "answer"]
    assert "Stopped by" in first and re.fullmatch(r"The rewritten answer: all \d+ checks passed\.", second)


def test_a_partial_answer_ends_as_one(steps_of, make_case):
    steps = steps_of(make_case(MIXED))
    assert words(steps)[-1] == "Answered in part"
    assert "has no sentences from which the answer could be rewritten" in step_list(steps)


def test_a_recheck_states_whether_it_was_better(steps_of, make_case):
    high = "fact_grounding.high=0.9"
    assert sentence(steps_of(make_case(SUPPORTED, evidence=DISTANT), high), "recheck").endswith(": no better.")
    more = tuple(evidence(BOOK, s, n) for n, s in enumerate((0.9, 0.9)))
    steps = steps_of(make_case(SUPPORTED, evidence=DISTANT), high, wider=lambda case: replace(case, evidence=more))
    assert sentence(steps, "recheck").endswith("passages: better.")
    found = [step.sentence.partition(" tier")[0].split()[-1] for step in steps if step.box == "stage 2"]
    assert found == ["medium", "high"]
    assert [step.sentence for step in steps if step.box == "answer"][1].startswith("Again, all")  # the same answer


@pytest.mark.parametrize(("escalation", "word"), [(1, "Handed over"), (0, "Refused")])
def test_a_low_tier_ends_as_its_switch_is_set(steps_of, make_case, escalation, word):
    moves = ("fact_grounding.medium=0.95", f"fact_grounding.escalation={escalation}")
    steps = steps_of(make_case(SUPPORTED, evidence=DISTANT), *moves)
    assert words(steps)[-1] == word and f"class={'back' if escalation else 'bad'}" in path_dot(steps)


def test_a_greeting_goes_past_the_search(steps_of, make_case):
    steps = steps_of(make_case("Hello! How can I help you today?", scores=(0.1,), kind="small_talk"))
    assert words(steps) == ["Message type", "Write the answer", "Stage 1: in scope?", "Answered"]
    assert "small talk" in sentence(steps, "kind") and "nothing is looked up" in step_list(steps)


@pytest.mark.parametrize(("language", "says"), [
    ("", "Asked for: a definition."), *((name, f"The question is in {name}, but the books are in English.") for name in (HINDI, UNKNOWN)),
])  # fmt: skip
def test_a_question_in_another_language_is_not_read_by_rules_of_english(steps_of, make_case, language, says):
    steps = steps_of(make_case(SUPPORTED, (0.1, 0.1), language=language))
    assert says in sentence(steps, "kind") and ("The question is in" in step_list(steps)) == bool(language)


def test_a_check_that_is_not_asked_is_not_on_the_path(steps_of, make_case):
    steps = steps_of(make_case(SUPPORTED), "fact_grounding.mode=watches", "clarity.mode=off")
    assert "Stage 2: how sure?" not in words(steps)


def test_the_drawing_has_a_text_alternative(steps_of, make_case):
    title = path_title(steps_of(make_case(SUPPORTED, (0.1, 0.1))))
    assert title.endswith("It ends: refused.") and "Question checks" in title and "Stage 1" not in title


def test_every_route_has_a_word():
    assert set(ROUTE_WORDS) == set(ROUTES)


def test_the_drawing_has_no_text_of_a_question(make_case, models):
    harm = 'a"] evil [label="b'
    case = make_case(SUPPORTED)
    trace = deep(models, replace(case, question=replace(case.question, query=harm), query=harm))
    current = preset("as_printed")
    assert "evil" not in path_dot(path_steps(trace, verdict(trace, current), current))


@OFTEN
@given(plan=PLANS, parts=PARTS, current=presets(), gone=st.sets(st.integers(1, 8)))
def test_the_path_of_any_trace_has_a_box_for_each_step_and_ends_with_its_route(plan, parts, current, gone):
    trace = world(plan, parts)
    trace = replace(trace, rounds=tuple(r for n, r in enumerate(trace.rounds) if n not in gone))
    found = verdict(trace, current)
    steps = path_steps(trace, found, current)
    assert len(steps) == len(found.steps) == len(step_list(steps).splitlines()) == len(boxes_of(path_dot(steps)))
    assert words(steps)[-1] == ROUTE_WORDS[found.route].title and path_dot(steps).count("->") == len(steps) - 1
