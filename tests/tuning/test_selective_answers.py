"""Risk, carefulness, alignment and coverage: hand-counted tables, and what holds for every table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.banks.scored_bank import ValuedBank
from core.presets import preset
from core.tuning.operating_points import operating_point
from core.tuning.selective_answers import FIGURES, SelectiveAnswers, selective_answers, selective_answers_of
from tests.support.planted_banks import RELATED, planted

PRINTED = preset("as_printed").with_values({RELATED: 0.5})
TABLES = [
    ((2, 1, 2, 3), {"risk": (1, 3), "carefulness": (3, 4), "alignment": (5, 8), "coverage": (3, 8)}),
    ((0, 0, 1, 1), {"risk": (0, 0), "carefulness": (1, 1), "alignment": (1, 2), "coverage": (0, 2)}),
    ((1, 0, 1, 0), {"risk": (0, 1), "carefulness": (0, 0), "alignment": (1, 2), "coverage": (1, 2)}),
    ((0, 4, 0, 0), {"risk": (4, 4), "carefulness": (0, 4), "alignment": (0, 4), "coverage": (4, 4)}),
    ((0, 0, 0, 0), dict.fromkeys(FIGURES, (0, 0))),
]  # fmt: skip
"""(AK, UK, AD, UD), and each figure as count and denominator; the first is the example of the proposal's own test."""


def table(cases):
    return SelectiveAnswers(**dict(zip(("ak", "uk", "ad", "ud"), cases, strict=True)))


@pytest.mark.parametrize(("cases", "figures"), TABLES)
def test_each_figure_is_its_formula(cases, figures):
    assert {name: (rate.count, rate.n) for name, rate in table(cases).rates.items()} == figures


def test_a_figure_without_a_denominator_is_missing_and_not_zero():
    row = table((0, 0, 1, 0)).row()
    assert row["risk"]["share"] is row["carefulness"]["share"] is None and row["coverage"]["share"] == 0


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), max_size=40))
def test_every_question_is_one_case_and_the_figures_agree(questions):
    columns = np.array(questions, dtype=bool).reshape(-1, 3).T
    counted = selective_answers(*columns)
    out = [q for q in questions if q[0]]
    assert counted.n == len(questions)
    assert (counted.risk.count, counted.risk.n) == (sum(wrong for _, wrong, _ in out), len(out))
    assert counted.coverage.count == len(out) and counted.alignment.count == counted.ak + counted.carefulness.count
    assert all(rate.share is None or 0 <= rate.share <= 1 for rate in counted.rates.values())
    others = selective_answers(*columns[:, ::-1])
    assert others == counted  # the order of the questions is no matter


def bank():
    """Two right answers, one wrong for want of its fact, two to questions without an answer, and each kind held back;
    a question without facts and a planted answer do not count."""
    high, low = {"retrieval_confidence": 0.9}, {"retrieval_confidence": 0.1}
    cases = [
        planted("Right?", "answered", **high), planted("Right again?", "answered", **high),
        planted("Other fact?", "answered", facts=("tiger",), **high), planted("Absent?", "refused", **high),
        planted("Absent too?", "refused", **high), planted("Missed?", "answered", **low),
        planted("Held?", "refused", **low), planted("Held too?", "refused", **low),
        planted("No facts?", "answered", facts=(), **high), planted("Planted?", "altered", **high),
    ]  # fmt: skip
    cases[-1].row.update(pair="p", answer="Lists are numbers.")
    return ValuedBank(cases)


def test_the_cases_of_a_set_are_counted_by_hand():
    assert selective_answers_of(bank(), PRINTED) == table((2, 3, 1, 2))


def test_the_risk_is_that_of_the_curve():
    assert selective_answers_of(bank(), PRINTED).risk == operating_point(bank(), PRINTED).risk
