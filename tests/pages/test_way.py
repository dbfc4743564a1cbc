"""The path of a question in words and on the map, for every route and for random traces and presets."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.decide import verdict
from core.decide.flow import ROUTES
from core.presets import preset, with_settings
from core.words import ROUTES as ROUTE_WORDS
from pages.components.ask.route import lit, picture_title, step_list
from pages.components.ask.route_steps import path_steps
from pages.components.shared.chain_map import BOX, BOXES, HEIGHT, LINES, SPINE, WIDTH, shapes
from pages.components.shared.safe_display import plain
from tests.support.cases import BOOK, evidence
from tests.support.plans import OFTEN, PARTS, PLANS, presets, world
from tests.support.progression_answers import ALTERED, DISTANT, MIXED, TRUE
from tests.support.traces import deep

STRAIGHT = {(line.start, line.end) for line in LINES}


@pytest.fixture
def way(make_case, models):
    """Return a function: (legs, highlighted map, verdict) of a case under the default preset with some moves."""

    def way(case, *moves, **about):
        trace = deep(models, case, **about)
        current = with_settings(preset("as_printed"), list(moves))
        found = verdict(trace, current)
        steps = path_steps(trace, found, current)
        return steps, lit(steps, found), found

    return way


def drawn(steps, on_the_map):
    """The look of every box by its text, and the labels of the taken lines."""
    made = shapes(on_the_map, steps)
    boxes = {s["text"]: s["look"] for s in made if s["shape"] == "box" and s["look"] != "pale"}
    return boxes, [s["text"] for s in made if s["shape"] == "text" and s["look"] == "taken"]


def test_every_box_is_on_the_map_and_every_line_joins_two():
    assert len({(p.x, p.y) for p in BOXES.values()}) == len(BOXES)
    for place in BOXES.values():
        assert place.x >= 0 and place.x + BOX[0] <= WIDTH and place.y + BOX[1] <= HEIGHT and place.about
    for line in LINES:
        assert {line.start, line.end} <= set(BOXES)
        assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in line.points)
    assert set(BOXES) - {line.end for line in LINES} == {"kind"}


def test_an_answer_takes_the_spine_with_every_number_beside_its_limit(way, make_case):
    steps, found, _ = way(make_case(TRUE))
    assert found.visited == [p.name for p in SPINE[:-1]] and found.end == "deliver"
    boxes, words = drawn(steps, found)
    assert boxes["Answered"] == "good" and set(boxes.values()) == {"taken", "good"}
    assert {"a question", "one thing asked", "2 passages", "90 ≥ 40", "1 sentence"} <= set(words)
    assert any(w.endswith("≥ 0.80, high") for w in words)


def test_a_refusal_stops_at_the_check_that_failed_with_its_number(way, make_case):
    steps, found, _ = way(make_case(TRUE, (0.1, 0.1)))
    boxes, words = drawn(steps, found)
    assert (found.end, boxes["Refused"]) == ("refuse query", "bad")
    assert "10 < 40" in words and "Write the answer" not in boxes
    assert "Stopped by" in step_list(steps) and "needs" in step_list(steps)


def test_a_refined_search_shows_every_confidence(make_case, models):
    weak = [make_case(TRUE, (s,)) for s in (0.31, 0.36, 0.39)]
    weak = [replace(case, query=f"{case.query} {n}") for n, case in enumerate(weak)]
    trace, current = deep(models, *weak), preset("as_printed")
    found = verdict(trace, current)
    steps = path_steps(trace, found, current)
    on_the_map = lit(steps, found)
    assert {"critic", "refine", "retrieve"} <= set(on_the_map.visited)
    assert {("critic", "refine"), ("refine", "retrieve")} <= set(on_the_map.lines)
    assert [leg.label for leg in steps if leg.box == "critic"] == ["31 < 40", "36 < 40", "39 < 40"]
    assert "1?" not in step_list(steps) and plain(weak[1].query) in step_list(steps)


def test_a_correction_and_its_second_judgement_are_on_the_map(way, make_case):
    steps, found, _ = way(make_case(ALTERED))
    boxes, words = drawn(steps, found)
    assert (found.end, boxes["Corrected"]) == ("corrected", "good")
    assert "all pass" in words and boxes["Correct it"] == "taken"
    assert "Again, " in step_list(steps)


def test_a_partial_answer_states_how_many_sentences_hold(way, make_case):
    steps, found, _ = way(make_case(MIXED))
    assert (found.end, found.lines["answer", "part"]) == ("part", "1 of 2 kept")
    assert "has no sentences from which the answer could be rewritten" in step_list(steps)


def test_a_recheck_states_whether_it_was_better(way, make_case):
    high = "fact_grounding.high=0.9"
    _, found, _ = way(make_case(TRUE, evidence=DISTANT), high)
    assert found.lines["recheck", "stage 2"] == "no better" and found.end == "deliver"
    more = tuple(evidence(BOOK, s, n) for n, s in enumerate((0.9, 0.9)))
    steps, found, _ = way(make_case(TRUE, evidence=DISTANT), high, wider=lambda case: replace(case, evidence=more))
    assert found.lines["recheck", "stage 2"] == "better"
    assert [leg.label.partition(", ")[2] for leg in steps if leg.box == "stage 2"] == ["medium", "high"]


@pytest.mark.parametrize(("escalation", "word"), [(1, "Handed over"), (0, "Refused")])
def test_a_low_tier_ends_as_its_switch_is_set(way, make_case, escalation, word):
    moves = ("fact_grounding.medium=0.95", f"fact_grounding.escalation={escalation}")
    steps, found, _ = way(make_case(TRUE, evidence=DISTANT), *moves)
    boxes, _ = drawn(steps, found)
    assert found.end == "stop 2" and boxes[word] == ("back" if escalation else "bad")


def test_a_greeting_goes_past_the_search(way, make_case):
    steps, found, _ = way(make_case("Hello! How can I help you today?", scores=(0.1,), kind="small_talk"))
    assert found.visited == ["kind", "write", "stage 1"] and found.lines["kind", "write"] == "small talk"
    assert found.end == "deliver 1" and "asks nothing of the library" in step_list(steps)


def test_a_watching_stage_is_passed(way, make_case):
    _, found, _ = way(make_case(TRUE), "fact_grounding.mode=watches", "clarity.mode=off")
    assert found.passed == ["clear", "stage 2"]
    assert found.lines["stage 2", "deliver"] == found.lines["clear", "parts"] == "not asked"


def test_the_map_has_a_text_alternative(way, make_case):
    steps, _, found = way(make_case(TRUE, (0.1, 0.1)))
    title = picture_title(steps, found)
    assert title.endswith("It ends: refused.") and "Question checks" in title and "Stage 1" not in title


def test_every_route_has_a_word():
    assert set(ROUTE_WORDS) == set(ROUTES)


@OFTEN
@given(plan=PLANS, parts=PARTS, current=presets(), gone=st.sets(st.integers(1, 8)))
def test_the_map_of_any_trace_is_one_path_from_the_first_box_to_its_end(plan, parts, current, gone):
    trace = world(plan, parts)
    trace = replace(trace, rounds=tuple(r for n, r in enumerate(trace.rounds) if n not in gone))
    found = verdict(trace, current)
    steps = path_steps(trace, found, current)
    on_the_map = lit(steps, found)
    assert len(steps) == len(found.steps) == len(step_list(steps).splitlines())
    assert set(on_the_map.lines) <= STRAIGHT
    assert _reached(on_the_map.lines) >= {*on_the_map.visited, *on_the_map.passed, on_the_map.end}
    assert ROUTE_WORDS[found.route].title in drawn(steps, on_the_map)[0]


def _reached(lines):
    """The boxes reached from the first one by taken lines."""
    reached, new = {"kind"}, True
    while new:
        new = {end for start, end in lines if start in reached} - reached
        reached |= new
    return reached
