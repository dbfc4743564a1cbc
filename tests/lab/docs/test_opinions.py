"""The table of what language models say of answers counts what was stored, with intervals, and nothing else."""

import numpy as np
import pytest

from core.lab.docs.opinions import HALVES, opinions_table, resampled
from core.lab.training.fitting import area
from tests.support.markdown_tables import table_row

COST = {"read": 700, "written": 2, "seconds": 9.0}


def pair(half, expected, yes, ours):
    return {"what": "pairs", "half": half, "expected": expected, "yes": yes, "fact_check": ours, "cost": COST}


def drafts(right, agreement, ours, abstains=False):
    about = {"what": "consensus", "half": "tuning", "right": right, "abstains": abstains}
    return about | {"agreement": agreement, "fact_check": ours, "cost": COST}


def exchange(seed, model, gravity, rules="pass"):
    return {"what": "stage 1", "seed": seed, "model": model, "rules": rules, "gravity": gravity, "cost": COST}


def table(*rows):
    return opinions_table({str(n): row for n, row in enumerate(rows)})


def test_a_judge_is_held_against_the_fact_check_in_each_half():
    rows = [pair("tuning", e, [yes], ours) for e, yes, ours in (("supported", 0.9, 0.6), ("altered", 0.1, 0.7))]
    found = table(*rows, pair(HALVES[1], "supported", [0.9], 0.9), pair("tuning", "altered", [], None))
    one, none = "1.00 (1.00 to 1.00)", "0.00 (0.00 to 0.00)"
    cost = "700 tokens read, 2 written, 9.0 core seconds"
    assert table_row(found, "the judge") == ["tuning", one, none, one, one, "1 and 1", cost] and HALVES[1] not in found


def test_a_draft_that_says_that_there_is_no_answer_is_neither_right_nor_wrong():
    found = table(drafts(True, [0.9, 0.7], 0.5), drafts(False, [0.2], 0.5), drafts(False, [0.2], 0.5, abstains=True))
    cells = table_row(found, "consensus")
    assert cells[:3] == ["tuning", "1.00 (1.00 to 1.00)", "0.50 (0.50 to 0.50)"] and "1 and 1" in cells


def test_stage_1_is_counted_against_the_seed_and_the_rules():
    found = table(exchange("block off_topic", "block off_topic", 3), exchange("pass", "pass", 0))
    assert "model as the seed: 2 of 2" in found and "rules as the seed: 1 of 2" in found
    assert "0.50 (0.50 to 0.50) by the rules, 1.00 (1.00 to 1.00) by the gravity" in found
    assert "takes 700 tokens read, 2 written, 9.0 core seconds." in found


def test_an_order_that_lets_an_answer_out_is_counted_and_so_is_a_writer_who_follows_it():
    stopped, free = {"yes": [0.4], "stops": ["numbers"]}, {"yes": [0.6], "stops": []}
    row = {"what": "order", "plain": stopped, "in the passage": stopped, "in the answer": free}
    found = table(row | {"written": {"follows": True, "stops": ["grounding"]}})
    assert "in the answer: let out by it 1 of 1" in found and "a yes 1 of 1" in found
    assert "in the passage: let out by it 0 of 1" in found and "says what it orders 1 of 1" in found
    assert "no check stops that 0 of 1" in found


def test_an_interval_holds_the_area_and_narrows_with_more_rows():
    draw = np.random.default_rng(1)
    widths = []
    for n in (10, 200):
        found = resampled(draw.normal(1, 1, n), draw.normal(0, 1, n), area)
        value, low, high = (float(x) for x in found.replace("(", "").replace(")", "").replace("to ", "").split())
        assert low <= value <= high
        widths.append(high - low)
    assert widths[1] < widths[0] / 2


@pytest.mark.parametrize("rows", [[], [pair("tuning", "supported", [0.9], 0.9)]])
def test_what_was_not_measured_has_no_line(rows):
    assert table(*rows) == ""
