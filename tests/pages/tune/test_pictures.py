"""The pictures of the Tune page: what their titles state, and which point a press takes."""

from dataclasses import replace

import numpy as np
import pytest

from core.banks.open_bank import OpenBank
from core.checks import check_of
from core.evaluation.counts import Rate
from core.presets import preset
from core.tuning.curves import Curve, OperatingPoint, heat, reliability, spread
from pages.components.shared.figure import wrap_title
from pages.components.tune.pictures import (
    LIMIT,
    PINNED,
    PRESET,
    curve_title,
    heat_picture,
    pressed_point,
    reliability_picture,
    risk_picture,
    scores_picture,
)
from tests.support.planted_banks import HYBRID, RELATED, two_limits

PRINTED = preset("as_printed")


@pytest.fixture
def cases():
    return two_limits(120, related=0.434, hybrid=0.4)


def curve(wrong, refused, key=RELATED, points=(0.4, 0.5, 0.6, 0.7)):
    numbers = {"values": np.array(points), "wrong": np.array(wrong), "over_refused": np.array(refused)}
    none = np.zeros(len(points), dtype=int)
    return Curve(key=key, unsaid=none, points=(), promised=(), **numbers)


@pytest.mark.parametrize(
    ("wrong", "refused", "said"),
    [
        ([3, 3, 3, 0], [5, 5, 5, 17], "raising it to 0.70 wrongly refuses 12 more questions and stops 3 wrong answers"),
        (
            [4, 3, 3, 3],
            [3, 5, 5, 5],
            "lowering it to 0.40 wrongly refuses 2 fewer questions and lets 1 wrong answer through",
        ),
        ([3, 3, 3, 3], [5, 5, 5, 6], "raising it to 0.70 wrongly refuses 1 more question; no wrong answer changes"),
        ([3, 3, 3, 3], [4, 5, 5, 5], "lowering it to 0.40 wrongly refuses 1 fewer question; no wrong answer changes"),
        ([3, 3, 3, 3], [5, 5, 5, 5], "No value of “Mean of the best three” changes the number of wrong answers"),
    ],
)
def test_the_title_of_a_curve_states_the_effect_of_the_next_move(wrong, refused, said):
    assert said in curve_title(curve(wrong, refused), 0.6)


def test_the_stricter_direction_comes_first_in_the_title():
    found = curve([5, 4, 3, 2], [9, 8, 7, 6][::-1], key="entailment.nli_threshold")
    assert curve_title(found, 0.6).split(": ")[1].startswith("lowering it to 0.50")


def test_a_step_to_values_that_were_never_measured_is_no_gain():
    found = replace(curve([3, 3, 3, 3], [5, 5, 5, 4]), unsaid=np.array([0, 0, 0, 1]))
    assert curve_title(found, 0.6).endswith("raising it to 0.70 needs a new search for 1 question")


def test_a_step_that_is_measured_in_part_states_what_is_sure_and_how_many_would_need_a_search():
    unsaid = np.array([0, 0, 0, 2])
    found = replace(curve([9, 9, 9, 4], [5, 5, 5, 17]), unsaid=unsaid)
    assert curve_title(found, 0.6).endswith(
        "raising it to 0.70 wrongly refuses 12 more questions and stops at least 3 wrong answers (2 more questions would "
        "need a new search)"
    )
    found = replace(curve([9, 9, 9, 10], [5, 5, 5, 5]), unsaid=unsaid[::-1] // 2)
    assert curve_title(found, 0.6).endswith("raising it to 0.70 lets 1 wrong answer through")
    found = replace(curve([10, 9, 9, 9], [5, 5, 5, 5]), unsaid=np.array([0, 1, 1, 1]))
    assert curve_title(found, 0.6).endswith(
        "lowering it to 0.40 lets 1 wrong answer through (1 fewer question would need a new search)"
    )


def test_a_press_takes_the_preset_that_was_pressed_whatever_its_name():
    point = [OperatingPoint(risk=Rate(count=n, n=20), coverage=Rate(count=40 + n, n=90)) for n in range(3)]
    line = replace(curve([3], [5], points=(0.6,)), points=(point[0],))
    presets = {
        "Pinned limits": point[1],
        PINNED: point[2],
        "Your limits now": replace(point[1], coverage=point[2].coverage),
    }
    marks = risk_picture(line, point[0], presets).traces
    pressed = [
        pressed_point({"selection": {"points": [{"customdata": data}]}})
        for mark in marks
        for data in mark["customdata"]
    ]
    assert pressed == [
        (LIMIT, 0.6),
        *((PRESET, title) for title in ("Pinned limits", PINNED, "Your limits now")),
        ("", None),
    ]


def test_each_point_names_all_presets_there_and_pinned_limits_are_a_cross():
    now, other = (OperatingPoint(risk=Rate(count=n, n=20), coverage=Rate(count=40, n=90)) for n in (1, 2))
    line = replace(curve([3], [5], points=(0.6,)), points=(now,))
    shown = risk_picture(line, now, {"Default": now, "Exam": other, "Strict": now, PINNED: other})
    _, presets, disc = shown.traces
    assert [text.split("<br>")[0] for text in disc["hovertext"]] == ["Your limits now, Default, Strict"]
    assert "40 of 90 questions get an answer<br>1 of 20 checked answers is wrong (5 %" in disc["hovertext"][0]
    assert [text.split("<br>")[0] for text in presets["hovertext"]] == ["Default, Strict", f"Exam, {PINNED}"]
    assert presets["marker"]["symbol"] == ["diamond-open", "cross-thin-open"]
    assert "the cross is your pinned limits" in shown.note
    unpinned = risk_picture(line, now, {"Exam": other})
    assert unpinned.traces[1]["marker"]["symbol"] == ["diamond-open"] and "cross" not in unpinned.note
    assert unpinned.traces[2]["hovertext"][0].startswith("Your limits now<br>")


def test_the_title_of_an_image_is_wrapped_and_escaped():
    assert wrap_title("a < b " * 50).count("<br>") == 2 and "&lt;" in wrap_title("a < b")


def test_scores_on_the_wrong_side_of_the_limit_are_counted(cases):
    found = spread(OpenBank.of(cases), PRINTED, check_of(RELATED))
    shown = scores_picture(found)
    failing, passing = (found.good < 0.6).sum(), (found.bad >= 0.6).sum()
    assert (
        f"stops {failing} of 60 questions to answer and lets through {passing} of 60 questions to refuse" in shown.title
    )
    up, down = shown.traces
    assert sum(up["y"]) == -sum(down["y"]) == 60


def test_a_heat_map_names_its_cheapest_pair(cases):
    found = heat(OpenBank.of(cases), PRINTED, RELATED, HYBRID)
    shown = heat_picture(found, 5.0, (0.6, 0.3))
    costs = np.array(shown.traces[0]["z"])
    assert "Blank" not in shown.note and not np.isnan(costs).any()
    assert costs.size == 441 and shown.title.startswith("Cheapest at")
    assert shown.title.endswith(f"a cost of {costs.min():.0f}")


def test_a_pair_of_limits_that_needs_a_new_search_is_blank_and_never_the_cheapest(cases):
    found = heat(OpenBank.of(cases), PRINTED, RELATED, HYBRID)
    costs = 5.0 * found.wrong + found.over_refused
    shown = heat_picture(replace(found, unsaid=(costs == costs.min()).astype(int)), 5.0, (0.6, 0.3))
    left = np.array(shown.traces[0]["z"])
    assert "Blank cells need a new search. The other" in shown.note
    assert np.isnan(left[costs == costs.min()]).all() and np.nanmin(left) > costs.min()
    assert shown.title.endswith(f"a cost of {np.nanmin(left):.0f}")


@pytest.mark.parametrize(
    ("said", "true", "title"),
    [([0.9] * 10, [True] * 9 + [False], "is well calibrated"), ([0.9] * 10, [False] * 10, "is too high"),
     ([0.1] * 10, [True] * 10, "is too low"), ([], [], "no question is measured yet")],
)  # fmt: skip
def test_a_reliability_curve_states_the_direction_of_its_bias(said, true, title):
    assert title in reliability_picture(reliability(said, true)).title
