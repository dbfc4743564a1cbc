"""The guarantee: the promised share of errors is kept as often as it says, is not idle, and says what is missing."""

import numpy as np
import pytest
from scipy.stats import binom

from core.banks.scored_bank import ValuedBank
from core.case import CaseError
from core.presets import preset
from core.tuning.guarantee import (
    RISKS,
    STARTS,
    Certificate,
    Counts,
    Promise,
    PromiseError,
    Shortfall,
    count_errors,
    guarantee,
    guarantees,
    p_values,
    rejected_indices,
)
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
    true, promised, broken, slack = risk(shape), 0.05, 0, []
    for _ in range(DRAWS):
        of, errors = drawn(shape, rng)
        valid = rejected_indices(binom.cdf(errors, of, promised), 0.05)
        if len(valid):
            limit = max(valid)
            broken += true[limit] > promised
            slack.append(promised - true[limit])
    assert broken <= 0.05 * DRAWS
    assert np.mean(slack) < 0.03
    if name == "falls at once":
        assert len(slack) > 0.5 * DRAWS


def test_two_promises_at_once_are_kept_in_at_least_95_of_100_sets():
    rng, shape = np.random.default_rng(42), SHAPES["falls at once"]
    promise, true_wrong, broken, certified = Promise(shares={"wrong": 0.05, "over_refused": 0.6}), risk(shape), 0, 0
    for _ in range(DRAWS):
        scores, due = rng.uniform(size=SIZE), rng.uniform(size=SIZE) < 0.7
        out = scores[None] >= LIMITS[:, None]
        wrong = rng.uniform(size=SIZE) < shape(scores)
        counts = Counts(
            key=RELATED, values=LIMITS, out=out.sum(1), refused=(~out & due).sum(1), due=int(due.sum()), n=SIZE,
            errors={"wrong": (out & wrong).sum(1), "over_refused": (~out & due).sum(1)},
            totals={"wrong": out.sum(1), "over_refused": np.full(len(LIMITS), due.sum())},
        )  # fmt: skip
        valid = rejected_indices(p_values(counts, promise), 0.05)
        if len(valid):
            certified += 1
            limit = max(valid)
            broken += true_wrong[limit] > 0.05 or LIMITS[limit] > 0.6  # a question due is refused below the limit
    assert broken <= 0.05 * DRAWS
    assert certified > 0.2 * DRAWS


def bank(good, bad, wrong_at=(0.1, 0.4), planted_pairs=0):
    """Answered questions with high scores, and questions without an answer whose scores are in `wrong_at`."""
    rng = np.random.default_rng(7)
    cases = [planted(f"Good {n}?", "answered", retrieval_confidence=float(rng.uniform(0.5, 1))) for n in range(good)]
    scores = rng.uniform(*wrong_at, size=bad)
    cases += [planted(f"Absent {n}?", "refused", retrieval_confidence=float(s)) for n, s in enumerate(scores)]
    return cases


@pytest.fixture(scope="module")
def certificate():
    return guarantee(ValuedBank(bank(200, 60)), PRINTED, RELATED, Promise(shares={"wrong": 0.05}))


def test_the_most_lenient_limit_that_holds_is_found(certificate):
    assert isinstance(certificate, Certificate)
    assert 0.3 < certificate.value <= 0.5
    assert certificate.out.count >= 200
    assert certificate.over_refused.count == 0
    evidence = certificate.risks["wrong"]
    assert evidence.bound <= evidence.promised
    assert evidence.observed.share <= evidence.bound


def test_the_current_value_is_tested_too_where_it_is_no_step_of_the_slider():
    cases = ValuedBank(bank(20, 5))
    for value in (0.4567, 0.4568):
        assert value in count_errors(cases, PRINTED.with_values({RELATED: value}), RELATED, ("wrong",)).values


def test_a_lower_share_gives_a_stricter_limit(certificate):
    strict = guarantee(ValuedBank(bank(200, 60)), PRINTED, RELATED, Promise(shares={"wrong": 0.03}))
    assert strict.value >= certificate.value


def test_a_small_set_says_how_many_rows_are_missing():
    short = guarantee(ValuedBank(bank(30, 10)), PRINTED, RELATED, Promise(shares={"wrong": 0.05}))
    assert isinstance(short, Shortfall)
    answers = int(30 * (1 + short.rows / 40))
    assert binom.cdf(0, answers, 0.05) <= 0.05 / STARTS < binom.cdf(0, int(0.9 * answers), 0.05)


def test_errors_at_every_limit_are_no_matter_of_rows():
    cases = [*bank(40, 0), *bank(0, 40, wrong_at=(0.5, 1))]
    short = guarantee(ValuedBank(cases), PRINTED, RELATED, Promise(shares={"wrong": 0.05}))
    assert isinstance(short, Shortfall)
    assert short.rows is None
    assert short.risks["wrong"].observed.share > 0.05


def test_several_risks_are_kept_at_once(certificate):
    both = Promise(shares={"wrong": 0.05, "over_refused": 0.05})
    kept = guarantee(ValuedBank(bank(200, 60)), PRINTED, RELATED, both)
    assert isinstance(kept, Certificate)
    assert set(kept.risks) == set(both.shares)
    assert all(one.bound <= one.promised for one in kept.risks.values())


def test_planted_answers_do_not_count():
    cases = bank(200, 60)
    pair = bank(0, 40, wrong_at=(0.9, 1))
    for one in pair:
        one.row.update(pair="p", answer="Lists are numbers.", expected="altered")
    with_pairs = guarantee(ValuedBank([*cases, *pair]), PRINTED, RELATED, Promise(shares={"wrong": 0.05}))
    without = guarantee(ValuedBank(cases), PRINTED, RELATED, Promise(shares={"wrong": 0.05}))
    assert with_pairs == without


def test_each_group_has_a_limit_of_its_own():
    cases = bank(300, 90)
    for n, one in enumerate(cases):
        one.row["subject"] = ("Science", "History")[n % 2]
    by = guarantees(ValuedBank(cases), PRINTED, RELATED, Promise(shares={"wrong": 0.1}), "subject")
    assert list(by) == ["History", "Science"]
    together = guarantee(ValuedBank(cases[::2]), PRINTED, RELATED, Promise(shares={"wrong": 0.1}))
    assert by["Science"].risks["wrong"].bound > together.risks["wrong"].bound  # the error is shared out


@pytest.mark.parametrize(("shares", "confidence"), [
    ({}, 0.95), ({"wrong": 0}, 0.95), ({"wrong": 1}, 0.95), ({"late": 0.1}, 0.95), ({"wrong": 0.1}, 1.0),
    ({"wrong": 0.1}, 0.4), ({"wrong": float("nan")}, 0.95),
])  # fmt: skip
def test_a_promise_that_means_nothing_is_refused(shares, confidence):
    with pytest.raises(PromiseError, match=r"guarantee|share|confidence"):
        Promise(shares=shares, confidence=confidence)


def test_a_set_without_rows_that_count_is_refused():
    with pytest.raises(CaseError, match=RISKS["off_topic"]):
        guarantee(ValuedBank(bank(20, 5)), PRINTED, RELATED, Promise(shares={"off_topic": 0.05}))
