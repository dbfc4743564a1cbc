"""What a bank comes to, its curves, scores and reliability: each counted again by hand, or by the chain itself."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.banks.open_bank import OUTCOMES, OpenBank
from core.checks import all_checks, all_thresholds, check_of
from core.evaluation.cases import LabelledCase
from core.evaluation.counts import count_worths
from core.evaluation.outcomes import ANSWERS, QUESTIONS, UNSAID, WRONG, is_due, worth
from core.presets import preset, values
from core.tuning.curves import (
    best_scores,
    curve,
    decided_alone,
    heat,
    of_confidence,
    reliability,
    spread,
    step,
)
from core.tuning.proposals import SEED_C_KEY
from tests.support.decisions import decision
from tests.support.planted_banks import HYBRID, RELATED, planted, two_limits

PRINTED = preset("as_printed")


def worths_of(row):
    """The worth of every outcome that `row` may get."""
    return {name: worth(row, name) for name in OUTCOMES}


@pytest.fixture
def bank():
    return OpenBank.of(two_limits(40, related=0.5, hybrid=0.35))


@given(st.lists(st.tuples(st.sampled_from([2, 1, 0, -1, -2]), st.booleans()), max_size=30))
def test_every_case_is_counted_once(cells):
    worths, should = np.array([w for w, _ in cells], dtype=int), np.array([s for _, s in cells], dtype=bool)
    t = count_worths(worths, should)
    assert (
        t.right + t.fair + t.wrong + t.over_refused == t.due and t.held + t.not_due_fair + t.not_due_wrong == t.others
    )
    assert t.due + t.others + t.unsaid == len(cells) and t.wrong_answer.count == (worths == WRONG).sum()


@pytest.mark.parametrize("expected", ["answered", "part", "refused", "clarified", None])
def test_every_outcome_of_a_question_has_a_worth(expected):
    row = {"expected": expected}
    worths = worths_of(row)
    possible = {"answered", "part"} & {expected or "answered"}
    unsaid = {"unreadable", "over_refusal", "right_answer", "half_answer", "long_answer"}
    for name in QUESTIONS:
        if possible:
            assert (worths[name] == UNSAID) == (name in ("unreadable",)) and is_due(row)
        else:
            assert (worths[name] == UNSAID) == (name in unsaid) and not is_due(row)


@pytest.mark.parametrize("expected", ["supported", "altered", "refused", "clarified", "part", "answered"])
def test_every_outcome_of_a_judged_answer_has_a_worth(expected):
    worths = worths_of({"expected": expected, "answer": "It is so."})
    assert {name for name in ANSWERS if worths[name] == UNSAID} == {"unreadable"}
    assert worths["delivered"] == (2 if expected in ("supported", "answered") else WRONG)
    assert set(worths_of({"answer": "It is so."}).values()) == {UNSAID}


def test_a_question_back_is_no_answer():
    worths = worths_of({"expected": "answered"})
    assert worths["clarified"] == worths["escalated"] == worths["over_refusal"] == 0


def test_each_point_of_a_curve_is_the_tally_of_its_preset(bank):
    found = curve(bank, PRINTED, RELATED)
    for place in (0, 45, 60, 100):
        t = bank.counts(PRINTED.with_values({RELATED: float(found.values[place])}))
        assert (found.wrong[place], found.over_refused[place]) == (t.wrong + t.not_due_wrong, t.over_refused)
    assert curve(bank, PRINTED.with_values({RELATED: 0.9}), RELATED) is found  # a move along it needs no other curve


def test_a_value_off_the_grid_has_its_own_point(bank):
    now = PRINTED.with_values({RELATED: 0.5555})
    assert 0.5555 in curve(bank, now, RELATED).values and 0.5555 not in curve(bank, PRINTED, RELATED).values


def test_a_step_is_the_nearest_change(bank):
    found = curve(bank, PRINTED, RELATED)
    nearest = step(found, 0.6, -1)
    at, there = (bank.counts(PRINTED.with_values({RELATED: v})) for v in (0.6, nearest.value))
    assert (nearest.over_refused, nearest.wrong) == (
        there.over_refused - at.over_refused, there.wrong + there.not_due_wrong - at.wrong - at.not_due_wrong,
    )  # fmt: skip
    between = found.values[(found.values > nearest.value) & (found.values < 0.6)]
    assert all(bank.counts(PRINTED.with_values({RELATED: float(v)})) == at for v in between)
    assert step(found, 0.0, -1) is None


def test_a_heat_map_is_the_tally_of_each_pair(bank):
    found = heat(bank, PRINTED, RELATED, HYBRID)
    assert found.wrong.shape == (21, 21)
    for i, j in ((0, 0), (10, 7), (20, 20)):
        t = bank.counts(PRINTED.with_values({RELATED: float(found.values[i]), HYBRID: float(found.others[j])}))
        assert (found.wrong[i, j], found.over_refused[i, j]) == (t.wrong + t.not_due_wrong, t.over_refused)


def test_a_check_that_alone_decides_is_told_from_one_that_never_does(bank):
    alone = decided_alone(bank, PRINTED)
    assert alone["retrieval_confidence"] > 0 and alone["hedging"] == 0
    watching = bank.counts(PRINTED.with_values({}, {"hedging": "watches"}))
    assert watching == bank.counts(PRINTED)
    assert decided_alone(bank, PRINTED.with_values({}, {c.name: "watches" for c in all_checks()})) == {}


@pytest.mark.parametrize("key", [RELATED, HYBRID, "confidence.min_confidence", "fact_check.min_fact_check_score"])
def test_scores_lie_on_the_side_that_the_check_says(bank, key):
    found = spread(bank, PRINTED, check_of(key), key.partition(".")[2])
    check = check_of(key)
    rounds = [case.trace.rounds[0] for case in bank.cases()]
    margins = np.array([float(decision(check, r.signals[check.name], PRINTED).margin) for r in rounds])
    assert (found.good < found.limit).sum() == (margins[bank.should] < 0).sum()
    assert (found.bad >= found.limit).sum() == (margins[~bank.should] >= 0).sum() and found.left_out == 0
    assert found.limit == values(PRINTED)[key]


def test_every_check_has_a_spread_or_none(bank):
    for check in all_checks():
        found = spread(bank, PRINTED, check)
        assert found is None or len(found.good) + len(found.bad) + found.left_out == len(bank.rows)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=40))
def test_a_reliability_curve_counts_every_case_once(cells):
    found = reliability([p for p, _ in cells], [t for _, t in cells])
    assert found.n == len(cells) and sum(b.true.count for b in found.bins) == sum(t for _, t in cells)
    assert found.error is None if not cells else abs(found.lean) <= found.error + 1e-9


def test_a_kept_promise_has_no_error():
    found = reliability([0.25] * 4 + [0.75] * 4, [True, False, False, False, True, True, True, False])
    assert found.error == pytest.approx(0) and found.lean == pytest.approx(0)


def test_the_confidence_is_right_where_its_passage_holds_the_facts():
    made = [planted("Held?", "answered"), planted("Not held?", "answered", facts=["bananas"]),
            planted("Not meant to be?", "refused"), planted("Vague?", "clarified")]  # fmt: skip
    judged = LabelledCase(row={**made[0].row, "answer": "It is."}, trace=made[0].trace)
    found = of_confidence(OpenBank.of([*made, judged]))
    assert found.n == 3 and sum(b.true.count for b in found.bins) == 1
    assert all(b.predicted == pytest.approx(0.95) for b in found.bins)


def test_the_best_score_of_every_question_that_has_a_side_is_listed():
    made = [_asked(f"In {n}?", "answered", 0.5 + n / 100, 10) for n in range(20)]
    made += [_asked(f"Out {n}?", "refused", 0.2 + n / 100, 9 if n % 2 else 10) for n in range(20)]
    inside, outside = best_scores(OpenBank.of([*made, _asked("Vague?", "clarified", 0.9, 10)]), "cosine")
    assert inside == pytest.approx(np.arange(50, 70) / 100) and outside == pytest.approx(np.arange(20, 40) / 100)
    none, outside = best_scores(OpenBank.of(made[20:]), "cosine")
    assert not none and len(outside) == 20


def _asked(query, expected, score, number):
    """A question with one score on every scale."""
    case = planted(query, expected)
    first = case.trace.rounds[0]
    evidence = tuple(replace(e, cosine=score, answers=score) for e in first.case.evidence)
    scope = replace(case.trace.question.scope, class_number=number)
    rounds = (replace(first, case=replace(first.case, evidence=evidence)),)
    question = replace(case.trace.question, scope=scope)
    return LabelledCase(row=case.row, trace=replace(case.trace, rounds=rounds, question=question))


def test_the_seed_s_key_is_a_threshold():
    assert SEED_C_KEY in all_thresholds()
