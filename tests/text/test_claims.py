"""The claims of a sentence: its clauses as sentences of their own, and the clause that a claim is about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.claims import claims_of, clause_about, stating
from tests.support.cases import passage


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("Iron rusts in damp air.", ["Iron rusts in damp air."]),
        ("Salt, sugar and flour are sold here.", ["Salt, sugar and flour are sold here."]),
        (
            "The larger lens bends light more, whereas the smaller lens bends it less.",
            ["The larger lens bends light more.", "The smaller lens bends it less."],
        ),
        (
            "A drum has a skin that vibrates; a flute has a column of air.",
            ["A drum has a skin that vibrates.", "A flute has a column of air."],
        ),
        (
            "The terms are the rate of interest, the period and the way of repayment.",
            ["The terms are the rate of interest, the period and the way of repayment."],
        ),
        ("The mill was built in 1850 and burnt down.", ["The mill was built in 1850 and burnt down."]),
        ("In May, and later in June, it rained.", ["In May, and later in June, it rained."]),
        ("He left, but she stayed.", ["He left, but she stayed."]),  # too short to stand alone
        (
            "Rice needs standing water, while wheat needs only a few showers.",
            ["Rice needs standing water.", "Wheat needs only a few showers."],
        ),
    ],
)
def test_a_sentence_falls_into_the_clauses_that_state_something(sentence, claims):
    assert list(claims_of(sentence)) == claims


@given(st.text(max_size=300))
def test_every_claim_is_a_text_and_a_sentence_of_one_claim_is_itself(text):
    claims = claims_of(text)
    assert claims and (claims == (text,) or all(claim.strip() and claim[-1] in ".!?" for claim in claims))


@pytest.mark.parametrize("piece", [" and ", ", and a b c d", "; ", " while "])
def test_a_long_text_is_read_at_once(piece):
    assert claims_of(piece * (20_000 // len(piece)))


def test_a_statement_in_the_form_of_a_question_states_something():
    told = passage("Do you know that makers of crisps fill the bags with nitrogen? Why do they do it?")
    assert stating(told) == {0}


@pytest.mark.parametrize(("sentence", "claim", "clause"), [
    ("Asha leads the red team and Bilal leads the blue team.", "Bilal leads the blue team.", "Bilal leads the blue team."),
    ("Gold melts at 1064 °C and silver melts at 962 °C.", "Gold melts at 1064 °C.", "Gold melts at 1064 °C."),
    ("The roots take in water, and the leaves make food.", "The leaves make food.", "The leaves make food."),
    ("Kharif crops are sown in June, while rabi crops are sown in October.", "Rabi crops are sown in October.",
     "Rabi crops are sown in October."),
    ("Acids turn blue litmus red, and alkalis turn red litmus blue.", "Alkalis turn red litmus blue.",
     "Alkalis turn red litmus blue."),
    ("Asha leads the red team and Bilal leads the blue team.", "Who leads the blue team?", "Bilal leads the blue team."),
    ("Lead melts at 327 °C and tin melts at 232 °C.", "At what temperature does tin melt?", "Tin melts at 232 °C."),
])  # fmt: skip
def test_a_claim_is_compared_with_the_clause_that_has_its_words(sentence, claim, clause):
    assert clause_about(sentence, claim) == clause


@pytest.mark.parametrize(("sentence", "claim"), [
    ("Asha leads the red team and Bilal leads the blue team.", "Asha leads the blue team."),
    ("Asha leads the red team and Bilal leads the blue team.", "Asha and Bilal lead teams."),
    ("The library fee is nil if the books come back, and the fee is 6 rupees if they do not.", "The library fee is nil."),
    ("Iron rusts only where air and water are present.", "Iron rusts where water is present."),
    ("The boys of class 7 and the girls of class 8 play.", "The boys of class 7 play."),
    ("Sound needs a medium.", "Sound needs a medium."),
])  # fmt: skip
def test_a_condition_and_a_claim_on_both_clauses_need_the_whole_sentence(sentence, claim):
    assert clause_about(sentence, claim) == sentence
