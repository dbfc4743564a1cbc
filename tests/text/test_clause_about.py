"""The clause of a sentence that a claim is about."""

import pytest

from core.text.claims import clause_about


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
