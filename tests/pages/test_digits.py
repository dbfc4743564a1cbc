"""Displayed numbers are rounded and never contradict the decision."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.check import Check
from core.checks import all_checks
from core.decide import CheckResult
from core.evaluation.counts import Rate
from core.presentation.set_words import share
from core.reply.display_rounding import MINUS, beside, decimals_for, decision_text, number, sign_text
from core.thresholds import DUST

all_checks()


def result(name, value, limit, margin, by):
    state = "passed" if margin >= 0 else "failed"
    return CheckResult(
        name=name, stage="query", state=state, cause=None, mode="blocks", value=value, limit=limit, margin=margin, by=by
    )


def read(text):
    return float(text.replace(MINUS, "-"))


@pytest.mark.parametrize(
    ("value", "limit", "text"),
    [(0.6996, 0.70, "0.6996"), (0.70, 0.70, "0.70"), (0.704, 0.70, "0.704"), (0.81, 0.70, "0.81"), (0.1, 0.70, "0.10")],
)
def test_a_value_has_as_many_digits_as_it_needs(value, limit, text):
    assert beside(value, limit) == text


def test_a_value_beside_two_limits_lies_between_them_as_drawn():
    assert beside(39.96, 30, 40, least=0) == "39.96"
    assert beside(29.7, 30, 40, least=0) == "29.7"
    assert beside(72.3, 30, 40, least=0) == "72"


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_drawn_value_and_limit_have_the_same_order_as_unrounded(value, limit):
    decimals = decimals_for(value, (limit,))
    drawn, beside_it = read(number(value, decimals)), read(number(limit, decimals))
    if abs(value - limit) >= 1e-8:
        assert (drawn > beside_it) == (value > limit) and (drawn < beside_it) == (value < limit)
    if abs(value - limit) < DUST / 2:
        assert abs(drawn - beside_it) < 1e-8


@given(st.floats(0, 1), st.integers(0, 100).map(lambda n: n / 100))
def test_a_margin_is_never_drawn_as_zero_or_with_the_wrong_sign(value, limit):
    margin = 0.0 if abs(value - limit) < DUST else value - limit
    drawn = decision_text(
        result("retrieval_score", value, limit, margin, "min_retrieval_score"), Check.registry["retrieval_score"]
    )
    assert drawn.margin.startswith(MINUS) == (margin < 0)
    assert (read(drawn.margin.lstrip("+")) == 0) == (margin == 0)


def test_counts_are_whole_and_carry_the_unit_of_their_signal():
    drawn = decision_text(result("numbers", 2.0, 0.0, -2.0, ""), Check.registry["numbers"])
    assert (drawn.value, drawn.limit, drawn.margin, drawn.unit, drawn.relation) == ("2", "0", "−2", "items", "at most")


def test_an_upper_limit_is_named_as_one():
    drawn = decision_text(result("entailment", 0.7004, 0.7, -0.0004, "nli_threshold"), Check.registry["entailment"])
    assert (drawn.value, drawn.limit, drawn.margin, drawn.relation) == ("0.7004", "0.7000", "−0.0004", "at most")


def test_there_is_no_negative_zero():
    assert number(-0.001) == "0.00"
    assert sign_text(0.0, 2) == "+0.00"


def test_a_share_beside_a_limit_never_looks_like_it():
    """5 of 52 is below 10 % and 5 of 48 is above; plain rounding would show both as "10 %"."""
    assert share(Rate(count=5, n=52), 0.1).startswith("9.6 %") and share(Rate(count=5, n=48), 0.1).startswith("10.4 %")
    assert share(Rate(count=5, n=50), 0.1).startswith("10 %") and share(Rate(count=5, n=48)).startswith("10 %")
