"""Proposed thresholds: found where they were planted, left where they are good, reported on what was never searched."""

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from core.banks.open_bank import OpenBank
from core.case import CaseError
from core.checks import all_thresholds
from core.evaluation.outcomes import WRONG
from core.presets import preset, values
from core.tuning.proposals import (
    FEWEST,
    SEED_C_KEY,
    SEED_C_VALUES,
    Aim,
    AimError,
    best_value,
    calibration,
    halves,
    propose,
    row,
    search_keys,
    split_halves,
)
from tests.support.planted_banks import HYBRID, RELATED, planted, two_limits

PRINTED = preset("as_printed")


def by_turns(cases):
    """Every other pair of cases: half of each kind on either side."""
    return np.arange(len(cases)) // 2 % 2 == 0


def proposed(cases, aim=Aim(), base=PRINTED):
    """What is proposed for these cases; where it was searched it never costs more than today's setting."""
    found = propose(OpenBank.of(cases), base, aim, tuning=by_turns(cases))
    assert aim.max_over_refusal is not None or found.fitted.cost <= found.fitted.base_cost
    return found


@cache
def over_one_limit():
    """What is proposed for a bank of which one limit parts the sides."""
    return proposed(two_limits(240, related=0.434, hybrid=0.3))


def test_a_planted_optimum_is_found_within_one_step():
    found = proposed(two_limits(240, related=0.434, hybrid=0.524))
    moved = {move.key: move.after for move in found.moves}
    assert set(moved) == {RELATED, HYBRID}
    assert abs(moved[RELATED] - 0.434) <= 0.01 and abs(moved[HYBRID] - 0.524) <= 0.01
    assert found.held_out.cost < 0.1 * found.held_out.base_cost and found.held_out.saved[0] > 0
    assert all(move.saves > 0 for move in found.moves)


def test_a_limit_on_over_refusals_is_kept_with_room_to_spare():
    base = PRINTED.with_values({RELATED: 0.95})
    found = proposed(two_limits(240, related=0.72, hybrid=0.31), Aim(max_over_refusal=0.1), base)
    assert found.fitted.base.over_refusal.share > 0.5
    assert found.fitted.proposed.over_refusal.share <= 0.08 and found.held_out.proposed.over_refusal.share <= 0.1
    assert found.held_out.proposed.wrong_answer.share < 0.05


def test_nothing_is_proposed_where_nothing_is_wrong():
    found = proposed(two_limits(80, related=0.6, hybrid=0.3))
    assert found.moves == () and values(found.preset) == values(PRINTED)


def test_chance_moves_nothing():
    rng = np.random.default_rng(3)
    cases = [
        planted(f"Coin {n}?", rng.choice(["answered", "refused"]), retrieval_confidence=float(s))
        for n, s in enumerate(rng.uniform(0.4, 0.8, 60))
    ]
    assert proposed(cases, Aim(wrong_cost=1.0)).moves == ()


def test_a_few_more_right_answers_are_no_proof_where_a_wrong_one_costs_five():
    few = two_limits(80, related=0.434, hybrid=0.3)
    assert proposed(few).moves == () and proposed(few, Aim(wrong_cost=0.1)).moves and over_one_limit().moves


def test_the_reporting_half_is_never_searched_on():
    cases = two_limits(240, related=0.434, hybrid=0.3)
    others = [planted(c.row["query"], "refused", retrieval_confidence=0.9) for c in cases]
    mixed = [c if mine else other for c, other, mine in zip(cases, others, by_turns(cases), strict=True)]
    assert over_one_limit().moves[0].after == proposed(mixed).moves[0].after


def test_silence_is_called_silence():
    found = proposed([planted(f"Wrong {n}?", "answered", facts=["bananas"]) for n in range(40)])
    assert found.moves and found.is_silent and found.held_out.proposed.over_refused == 20


def test_a_bank_that_is_too_small_is_one_sentence():
    with pytest.raises(CaseError, match="each half needs at least"):
        proposed(two_limits(2 * FEWEST - 2, related=0.5, hybrid=0.3))


def test_questions_of_one_text_stay_on_one_side_and_both_sides_are_large():
    cases = [planted(f"Question {n // 2}?", "answered") for n in range(200)]
    on = halves([case.row for case in cases])
    assert (on[::2] == on[1::2]).all() and 0.2 < on.mean() < 0.8
    one_side = [c for c, mine in zip(cases, on, strict=True) if mine]
    again = halves([case.row for case in one_side])  # a bank that is itself a half, as the sample's tuning rows are
    assert 0.2 < again.mean() < 0.8 and (again[::2] == again[1::2]).all()


def test_the_row_of_the_contract_is_json_with_n_and_interval():
    found = json.loads(json.dumps(row(over_one_limit()), allow_nan=False))
    assert set(found) == {"preset", "fitted_on", "held_out", "default_held_out"} and set(found["preset"]) == {RELATED}
    for half in (found["held_out"], found["default_held_out"]):
        assert half["n"] == 120 and half["interval"][0] <= half["as_it_should_be"]["share"] <= half["interval"][1]
    assert found["held_out"]["mean_cost"] < found["default_held_out"]["mean_cost"]


def test_told_hears_of_progress_and_may_end_the_search():
    heard = []

    def told(done):
        heard.append(done)
        if len(heard) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        propose(OpenBank.of(two_limits(60, related=0.434, hybrid=0.3)), PRINTED, Aim(), told)
    assert heard == sorted(heard) and 0 < heard[0] < 1


def test_only_limits_of_checks_that_block_are_searched():
    keys = search_keys(PRINTED)
    assert RELATED in keys and not any(all_thresholds()[key].switch for key in keys)
    assert not any(key.startswith("entailment.") for key in search_keys(preset("seed_b")))
    assert search_keys(preset("seed_b"))


@pytest.mark.parametrize("made", [{"wrong_cost": 0}, {"wrong_cost": float("nan")}, {"max_over_refusal": 1.5}])
def test_an_aim_that_nobody_can_have_is_refused(made):
    with pytest.raises(AimError):
        Aim(**made)


@pytest.mark.parametrize(
    ("totals", "home", "at"),
    [
        ([3, 1, 1, 1, 3], 0.2, 0.2),  # home is as good as any
        ([3, 1, 1, 1, 3], 0.0, 0.2),  # the middle of a run between worse values
        ([3, 3, 1, 1, 1], 0.0, 0.2),  # of a run up to the end the value nearest to home
        ([1, 3, 3, 1, 3], 0.2, 0.3),  # the run nearest to home
    ],
)  # fmt: skip
def test_of_equally_good_values_the_one_nearest_to_home(totals, home, at):
    assert best_value(np.array([0.0, 0.1, 0.2, 0.3, 0.4]), np.array(totals, dtype=float), home) == pytest.approx(at)


def test_what_is_not_measured_is_no_way_out():
    assert Aim().costs(np.array([-2, 0, 2]), np.array([True, True, True])).tolist() == [5.0, 1.0, 0.0]
    assert Aim().costs(np.array([WRONG]), np.array([False])).tolist() == [5.0]


def test_seed_c_s_own_sweep_picks_its_most_accurate_value():
    cases = [
        planted(f"C {n}?", "answered" if s > 0.37 else "refused", retrieval_score=float(s))
        for n, s in enumerate(np.random.default_rng(1).uniform(0.15, 0.6, 200))
    ]
    found = calibration(OpenBank.of(cases))
    swept, held_out = split_halves(OpenBank.of(cases))
    at = {v: preset("seed_c").with_values({SEED_C_KEY: v}) for v in SEED_C_VALUES}
    rates = {f"{v:g}": swept.counts(setting).as_it_should_be for v, setting in at.items()}
    assert found["accuracy"] == {v: rate.row() for v, rate in rates.items()}
    assert rates[f"{found['chosen']:g}"].count == max(rate.count for rate in rates.values())
    assert found["held_out"]["chosen"] == held_out.counts(at[found["chosen"]]).as_it_should_be.row()


def test_a_valued_bank_remembers_and_is_asked_by_preset_alone():
    bank = OpenBank.of(two_limits(20, related=0.5, hybrid=0.3))
    first = bank.decided_at(PRINTED)
    assert bank.decided_at(replace(PRINTED, name="another name")) is first
    assert bank.decided_at(PRINTED.with_values({RELATED: 0.61})) is not first
