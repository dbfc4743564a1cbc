"""Drift: few false alarms over all looks together, real changes noticed, and a cause where nothing can be compared."""

from dataclasses import dataclass

import numpy as np
import pytest

from core.presentation.drift_words import DIFFERENT, drift_sentences, drift_title, shares
from core.tuning.drift import (
    BINS,
    ERROR,
    FEWEST,
    RECENT,
    drift,
    look_at,
    row,
    scores_p,
    shares_p,
    summary_in,
    summary_of,
)

DRAWS = 500
SET = 200
"""Simulated certificates, and questions of the set of each."""
REFUSALS = ("off_topic", "low_confidence", "insufficient_context")
SUBJECTS = ("Science", "Mathematics", "History", "")


@dataclass(frozen=True)
class Asked:
    """A question as the journal lists it, as far as drift reads it."""

    question: str | None
    route: str
    reason: str | None = None
    subject: str = ""
    confidence: float | None = None
    topic: float | None = None
    understood: str | None = None
    given: bool = False


def drawn(rng, count, off_topic=0.25, best=(6, 2)):
    """Questions of which a share is off the topic; best: the shape of the scores of the others."""
    off = rng.random(count) < off_topic
    scores = np.where(off, rng.beta(2, 6, count), rng.beta(*best, count))
    reasons = rng.choice(REFUSALS, count).tolist()
    subjects = rng.choice(SUBJECTS, count, p=(0.4, 0.3, 0.1, 0.2)).tolist()
    columns = zip(
        rng.integers(10**12, size=count).tolist(), off.tolist(), scores.tolist(), reasons, subjects, strict=True
    )
    return [
        Asked(f"Question {number}?", *(("refuse", reason) if off or score < 0.4 else ("deliver", None)), subject,
              100 * score, 0.2 + 0.6 * score)
        for number, off, score, reason, subject in columns
    ]  # fmt: skip


def certificate(questions):
    return {"questions": summary_of(questions).row()}


def test_all_looks_together_raise_at_most_5_false_alarms_in_100():
    rng, alarms = np.random.default_rng(46), 0
    for _ in range(DRAWS):
        base, later = certificate(drawn(rng, SET)), drawn(rng, 4 * FEWEST)
        alarms += any(drift(base, later[:n]).state == "different" for n in (FEWEST, 2 * FEWEST, 4 * FEWEST))
    assert alarms <= ERROR * DRAWS


@pytest.mark.parametrize("change", [{"off_topic": 0.6}, {"best": (3, 4)}], ids=["off topic", "lower scores"])
def test_a_real_change_is_noticed_in_at_least_80_of_100(change):
    rng, noticed = np.random.default_rng(46), 0
    for _ in range(100):
        noticed += drift(certificate(drawn(rng, SET)), drawn(rng, FEWEST, **change)).state == "different"
    assert noticed >= 80


@pytest.mark.parametrize(("n", "look"), [
    (0, None), (49, None), (50, (1, 1, 50)), (99, (1, 1, 50)), (100, (2, 51, 100)), (399, (3, 101, 200)),
    (51_200, (11, 25_601, 51_200)),
])  # fmt: skip
def test_a_look_is_at_each_doubling_and_compares_what_is_new(n, look):
    assert look_at(n) == look


def test_between_two_looks_nothing_changes():
    rng = np.random.default_rng(1)
    base, later = certificate(drawn(rng, SET)), drawn(rng, 2 * FEWEST - 1)
    first, before_second = drift(base, later[:FEWEST]), drift(base, later)
    assert first.comparisons == before_second.comparisons and before_second.following == 2 * FEWEST


def test_what_differs_is_named_with_its_picture_and_what_to_do():
    rng = np.random.default_rng(2)
    found = drift(certificate(drawn(rng, SET, off_topic=0)), drawn(rng, FEWEST, off_topic=1))
    sentences = drift_sentences(found)
    assert sentences[0].startswith(f"{DIFFERENT}: they differ in ") and "topic match" in sentences[0]
    assert "Questions 1 to 50 since the guarantee are compared with the 200 of the set" in sentences[1]
    assert "add recent questions" in sentences[-1]
    assert found.largest.differs and "differ" in drift_title(found, found.largest)
    for comparison in found.comparisons:
        drawn_shares = shares(comparison)
        assert sum(s for _, s, _ in drawn_shares) == pytest.approx(100)
        assert sum(s for _, _, s in drawn_shares) == pytest.approx(100)
    assert row(found)["state"] == "different" and row(found)["compared"] == [1, 50]


def test_the_same_questions_are_alike_and_that_is_said_with_care():
    rng = np.random.default_rng(3)
    questions = drawn(rng, SET)
    found = drift(certificate(questions), questions[:FEWEST])
    assert found.state == "alike" and drift_sentences(found)[0].startswith("There is no significant difference")


@pytest.mark.parametrize(("base", "later", "why"), [
    ({}, FEWEST, "saved without a summary of its set"), ({"questions": {"n": 7}}, FEWEST, "saved without a summary"),
    (49, FEWEST, "the set has 49 questions"), (SET, 49, "49 of 50 different questions have come"),
])  # fmt: skip
def test_what_cannot_be_compared_says_why(base, later, why):
    rng = np.random.default_rng(4)
    found = drift(certificate(drawn(rng, base)) if isinstance(base, int) else base, drawn(rng, later))
    assert found.state == "not checked" and found.comparisons == ()
    (sentence,) = drift_sentences(found)
    assert why in sentence and row(found)["compared"] is None


def test_what_few_questions_have_is_not_compared_and_no_zero():
    rng = np.random.default_rng(5)
    questions = [Asked(**vars(q) | {"topic": None}) for q in drawn(rng, SET)]  # journals of an older version
    found = {c.name: c for c in drift(certificate(drawn(rng, SET)), questions).comparisons}
    assert found["topic"].p is None and not found["topic"].differs and "0 of the journal" in found["topic"].missing
    assert found["evidence"].p is not None


def test_pasted_answers_greetings_and_repetitions_do_not_count():
    question = Asked("What is light?", "deliver", confidence=80.0)
    others = [Asked(f"Other {n}?", "deliver", confidence=80.0) for n in range(RECENT)]
    pasted = Asked("Is it so?", "deliver", confidence=80.0, given=True)
    greeting = Asked("Hello", "deliver")
    assert summary_of([question, question, pasted, greeting]).n == 1
    assert summary_of([question, *others, question]).n == RECENT + 2  # much later it is another person
    withheld = Asked(None, "refuse", "off_topic")
    assert summary_of([withheld, withheld]).n == 2  # whether they are the same is not stored


def test_a_summary_is_stored_and_read_again():
    summary = summary_of(drawn(np.random.default_rng(6), 70))
    assert summary_in({"questions": summary.row()}) == summary
    for broken in (None, [], {"n": 3}, summary.row() | {"scores": {"evidence": [1], "topic": [1]}}):
        assert summary_in({"questions": broken}) is None


def test_rare_categories_are_put_together_and_one_category_is_no_difference():
    rare = {f"rare {n}": 1 for n in range(60)}
    assert shares_p({"a": 60}, {"a": 90}) == 1.0
    assert shares_p({"a": 140, **rare}, {"a": 70, **{f"other {n}": 1 for n in range(30)}}) > 0.05
    assert shares_p({"a": 100}, {}) is None and shares_p({}, {}) is None
    assert scores_p([0] * BINS, [1] * BINS) is None
