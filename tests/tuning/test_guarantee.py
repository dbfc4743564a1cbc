"""The guarantee: the promised share of errors is kept as often as it says, is not idle, and says what is missing."""

import numpy as np
import pytest
from scipy.stats import binom

from core.banks.open_bank import OpenBank
from core.case import CaseError
from core.evaluation.counts import Rate
from core.presets import preset
from core.tuning.guarantee import STARTS, Promise, PromiseError, _proven, guarantee, upper_bound, wrong_answers
from tests.support.planted_banks import RELATED, planted

PRINTED = preset("as_printed")
DRAWS, SIZE, LIMITS = 1000, 500, np.linspace(1.0, 0.0, 101)
"""Simulated sets, cases of each, and limits from the strictest to the most lenient."""


def drawn(shape, rng, size=SIZE):
    """(answers that go out, wrong ones among them) at each limit: a case goes out with a score of at least the limit,
    and is wrong with a probability that falls from the lowest score to the highest as `shape` says."""
    scores = rng.uniform(size=size)
    wrong = rng.uniform(size=size) < shape(scores)
    out = scores[None] >= LIMITS[:, None]
    return out.sum(1), (out & wrong).sum(1)


def risk(shape, points=20_000):
    """The true share of wrong answers among those that go out at each limit."""
    scores = (np.arange(points) + 0.5) / points
    out = scores[None] >= LIMITS[:, None]
    return (out * shape(scores)).sum(1) / np.maximum(out.sum(1), 1)


SHAPES = {
    "falls slowly": lambda score: 0.2 * (1 - score),
    "falls at once": lambda score: np.where(score > 0.4, 0.02, 0.5),
    "even, at the promise": lambda score: np.full_like(score, 0.0501),
    "worst at the top": lambda score: np.where(score > 0.9, 0.12, 0.03),
}


@pytest.mark.parametrize("name", SHAPES)
def test_the_promise_is_kept_in_at_least_95_of_100_sets(name):
    rng, shape = np.random.default_rng(41), SHAPES[name]
    true, promise, broken, slack = risk(shape), Promise(share=0.05), 0, []
    for _ in range(DRAWS):
        of, errors = drawn(shape, rng)
        valid = _proven(errors, of, promise)
        if len(valid):
            limit = max(valid)
            broken += true[limit] > promise.share
            slack.append(promise.share - true[limit])
    assert broken <= 0.05 * DRAWS
    assert np.mean(slack) < 0.03
    if name == "falls at once":
        assert len(slack) > 0.5 * DRAWS


def test_the_order_of_tests_ends_at_the_first_value_that_is_not_proven():
    totals = np.full(100, 200)
    errors = np.full(100, 0)
    errors[[5, 45]] = 100
    assert set(_proven(errors, totals, Promise())) == {*range(5), *range(20, 45), *range(60, 100)}
    assert set(_proven(errors[:3], totals[:3], Promise())) == {0, 1, 2}
    assert not len(_proven(np.zeros(100), np.zeros(100), Promise()))


@pytest.mark.parametrize(("count", "n"), [(0, 59), (3, 180), (12, 15), (5, 5), (0, 0)])
def test_the_bound_is_the_largest_share_that_the_test_does_not_rule_out(count, n):
    bound = upper_bound(Rate(count=count, n=n), 0.05)
    if count == n:
        assert bound == 1
    else:
        assert binom.cdf(count, n, bound) == pytest.approx(0.05)


def bank(good, bad, wrong_at=(0.1, 0.4)):
    """Answered questions with high scores, and questions without an answer whose scores are in `wrong_at`."""
    rng = np.random.default_rng(7)
    cases = [planted(f"Good {n}?", "answered", retrieval_confidence=float(rng.uniform(0.5, 1))) for n in range(good)]
    scores = rng.uniform(*wrong_at, size=bad)
    cases += [planted(f"Absent {n}?", "refused", retrieval_confidence=float(s)) for n, s in enumerate(scores)]
    return cases


@pytest.fixture(scope="module")
def kept():
    return guarantee(OpenBank.of(bank(200, 60)), PRINTED, RELATED, Promise())


def test_the_most_lenient_limit_that_holds_is_found(kept):
    assert 0.3 < kept.value <= 0.5 and kept.value in kept.kept
    assert kept.holds_at(kept.value) and not kept.holds_at(0.2)
    assert kept.wrong.n >= 200 and kept.wrong.share <= kept.bound <= 0.05
    assert kept.row() | {"holds": True, "promised": 0.05, "rows_needed": None} == kept.row()


def test_what_is_counted_at_the_limit_is_what_is_counted_under_the_preset(kept):
    cases = OpenBank.of(bank(200, 60))
    assert wrong_answers(cases, PRINTED.with_values({RELATED: kept.value})) == kept.wrong


def test_the_current_value_is_tested_too_where_it_is_no_step_of_the_slider():
    cases = OpenBank.of(bank(200, 5))
    for value in (0.4567, 0.4568):
        assert value in guarantee(cases, PRINTED.with_values({RELATED: value}), RELATED, Promise()).kept


def test_a_lower_share_gives_a_stricter_limit(kept):
    assert guarantee(OpenBank.of(bank(200, 60)), PRINTED, RELATED, Promise(share=0.03)).value >= kept.value


def test_a_small_set_says_how_many_rows_are_missing():
    short = guarantee(OpenBank.of(bank(30, 10)), PRINTED, RELATED, Promise())
    answers = int(30 * (1 + short.rows_needed / 40))
    assert not short.kept
    assert binom.cdf(0, answers, 0.05) <= 0.05 / STARTS < binom.cdf(0, int(0.9 * answers), 0.05)


def test_errors_at_every_limit_are_no_matter_of_rows():
    cases = [*bank(40, 0), *bank(0, 40, wrong_at=(0.5, 1))]
    short = guarantee(OpenBank.of(cases), PRINTED, RELATED, Promise())
    assert not short.kept and short.rows_needed is None and short.wrong.share > 0.05


def test_planted_answers_do_not_count(kept):
    pair = bank(0, 40, wrong_at=(0.9, 1))
    for one in pair:
        one.row.update(pair="p", answer="Lists are numbers.", expected="altered")
    assert guarantee(OpenBank.of([*bank(200, 60), *pair]), PRINTED, RELATED, Promise()) == kept


@pytest.mark.parametrize(("share", "confidence"), [(0, 0.95), (1, 0.95), (0.1, 1.0), (0.1, 0.4), (float("nan"), 0.95)])
def test_a_promise_that_means_nothing_is_refused(share, confidence):
    with pytest.raises(PromiseError, match=r"share|confidence"):
        Promise(share=share, confidence=confidence)


def test_a_set_without_an_answer_that_can_be_checked_is_refused():
    cases = bank(5, 0)
    for one in cases:
        one.row.update(facts=[])
    with pytest.raises(CaseError, match="No answer of this set can be checked"):
        guarantee(OpenBank.of(cases), PRINTED, RELATED, Promise())
