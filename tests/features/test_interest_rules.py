"""What a sentence may do against the interest of a house, and how far it drifts from its topics."""

import pytest

from core.checks.interest import Interest
from core.features.stage_one_rules import NOWHERE, competitors_in, drift, rules_in, unheld_things
from core.models.embedder import bundled_embedder
from core.retrieval.library_words import LibraryVocabulary
from core.settings.domains import domain
from tests.support.cases import passage

LIMIT = Interest.max_drift.default
SCHOOL, SHOP = domain("school"), domain("shop")
LIBRARY = LibraryVocabulary([
    passage("Figure 2.3 shows a stoma. Table 2.1 lists indicators. See Activity 2.2", section="2.4 Salts", chapter="2"),
    passage("Our red umbrella is called Rainy Day", 1, section="", chapter="3"),
])  # fmt: skip


@pytest.fixture(scope="module")
def embedder():
    return bundled_embedder()


@pytest.mark.parametrize(("house", "text"), [
    ("shop", "Let me check the weather for your city."), ("shop", "India won the match by six wickets."),
    ("school", "Take two tablets of paracetamol after dinner."), ("school", "India won the match against Australia by six wickets."),
])  # fmt: skip
def test_what_does_not_belong_here_drifts(embedder, house, text):
    assert drift([text], domain(house), embedder)[0] > LIMIT


@pytest.mark.parametrize(("house", "text"), [
    ("shop", "We operate 9am-5pm Monday-Friday."), ("shop", "Our return policy allows returns within 30 days."),
    ("school", "A cheque is an order to a bank to pay a sum of money."), ("school", "Sound needs a medium to travel."),
])  # fmt: skip
def test_what_belongs_here_does_not(embedder, house, text):
    assert drift([text], domain(house), embedder)[0] <= LIMIT


def test_a_greeting_and_a_refusal_to_help_lie_nowhere(embedder):
    texts = ["Hello! How can I help you today?", "I can't help with weather information.", ""]
    assert drift(texts, domain("shop"), embedder) == [NOWHERE] * 3


@pytest.mark.parametrize(("sentence", "unheld"), [
    ("As Figure 2.3 shows, a leaf has stomata.", []), ("See Fig. 2.3 and Table 2.1.", []), ("Look at figure 9.4.", ["figure 9.4"]),
    ("A leaf has stomata (Figure 2.3a, b).", []), ("Look at Figure 9.4d.", ["Figure 9.4"]), ("Table 2.11 lists them.", ["Table 2.11"]), ("Chapter 2 says so, and so does section 2.4.", []), ("It is in Chapter 14.", ["Chapter 14"]),
    ("Do Exercise 7.5 and Activity 2.2.", ["Exercise 7.5"]), ("It is taught in class 10.", []), ("It is taught in Class 12.", ["Class 12"]),
    ("The textbook called Concepts of Nature says so.", ["Concepts of Nature"]), ("The NCERT textbook says so.", []), ("A leaf has 12 stomata.", []),
])  # fmt: skip
def test_a_school_names_only_what_its_books_hold(sentence, unheld):
    assert unheld_things(sentence, SCHOOL, LIBRARY, "") == unheld


@pytest.mark.parametrize(("sentence", "unheld"), [
    ("Yes, we have iPhone 15 Pro available in all colors!", ["iPhone 15 Pro"]), ("We sell the Rainy Day umbrella.", []),
    ("You can find the iPhone 15 Pro elsewhere.", []), ("iPhone 15 is in stock.", ["iPhone 15"]),
])  # fmt: skip
def test_a_shop_offers_only_what_it_has(sentence, unheld):
    assert unheld_things(sentence, SHOP, LIBRARY, "") == unheld
    assert unheld_things(sentence, SHOP, LIBRARY, "inventory: iPhone 15 Pro, 3 pieces") == []


@pytest.mark.parametrize(("sentence", "house", "names"), [
    ("Our main competitors include Company A.", SHOP, ["competitors"]), ("Amazon offers great pricing.", SHOP, ["Amazon"]),
    ("Unlike competitors, we repair for free.", SHOP, []), ("The Amazons were warriors.", SHOP, ["Amazons"]),
    ("You should join the coaching of FIITJEE.", SCHOOL, ["coaching", "FIITJEE"]), ("An acid is sour.", SCHOOL, []),
])  # fmt: skip
def test_a_competitor_is_spoken_of_unless_one_says_what_sets_oneself_apart(sentence, house, names):
    assert competitors_in(sentence, house, "") == names


def test_a_competitor_that_the_passages_name_is_documented():
    assert competitors_in("The Amazon is a river.", SHOP, "The Amazon flows through Brazil.") == []


def test_rules_are_known_by_the_words_of_the_house():
    assert rules_in("Refunds are paid at once.", SHOP) and rules_in("You may return it.", SHOP)
    assert not rules_in("The shirt is red.", SHOP)
    assert rules_in("The board exam has 80 marks.", SCHOOL) and not rules_in("She got 80 marks.", SCHOOL)
