"""Values in another role than the evidence gives them: exchanged counts, years that run backward, pairs, other forms."""

import pytest

from core.text.held_quantities import missing_quantities, spelled_like, unstated_facts


def missing(sentence, *lines):
    return missing_quantities(sentence, "\n".join([*lines, "What does the book say?"]))


@pytest.mark.parametrize(("sentence", "line"), [
    ("Twenty mangoes cost 3 rupees.", "Three mangoes cost 20 rupees."),
    ("Five boats carried 12 sailors.", "Twelve boats carried 5 sailors."),
    ("Forty students share 8 computers.", "Eight students share 40 computers."),
    ("The farmer sold 9 goats for 2 cows.", "The farmer sold 2 goats for 9 cows."),
    ("There are 15 girls and 20 boys in the class.", "There are 20 girls and 15 boys in the class."),
    ("A spider has 2 legs and 8 eyes more.", "A spider has 8 legs and 2 eyes more."),
    ("Thirty pages hold 6 pictures.", "Six pages hold 30 pictures."),
    ("Ten books cost 250 grams of silver and 4 coins.", "Four books cost 250 grams of silver and 10 coins."),
])  # fmt: skip
def test_a_count_of_something_else_is_not_held(sentence, line):
    assert missing(sentence, line) and not missing(line, line)


@pytest.mark.parametrize(("sentence", "lines"), [
    ("Sita has 5 apples.", ["Ravi has 3 apples.", "Sita has 5."]),
    ("The class has 20 boys.", ["The class has 20 boys and 15 girls."]),
    ("The train has 12 coaches.", ["The train with 12 long coaches has 2 engines."]),
    ("A week has 7 days.", ["There are 7 days in a week."]),
    ("It has 4 legs.", ["It has four legs, and 2 wings."]),
    ("There are 29 states.", ["India has 29 states and 7 union territories."]),
    ("It parts the disc into two halves that differ.", ["It divides the disc into two unequal halves."]),
])  # fmt: skip
def test_a_count_of_the_same_thing_is_held(sentence, lines):
    assert not missing(sentence, *lines)


@pytest.mark.parametrize("sentence", [
    "The king ruled from 1530 to 1526.", "The war lasted from 1734 to 1731.", "The famine went on from 1770 to 1769.",
    "He was governor from 1905 until 1899.", "The school was open 1962–1947.",
])  # fmt: skip
def test_years_that_run_backward_are_not_held(sentence):
    line = "It began in 1526, 1731, 1769, 1899 and 1947, and ended in 1530, 1734, 1770, 1905 and 1962."
    assert missing(sentence, line)


@pytest.mark.parametrize("sentence", [
    "The king ruled from 1526 to 1530.", "The dynasty ruled from 1530 to 1526 BCE.", "It fell from 1530 m to 1526 m.",
])  # fmt: skip
def test_other_ranges_are_held(sentence):
    assert not missing(
        sentence, "It was 1526 then and 1530 later; the dynasty is of before Christ, BCE; 1530 m, 1526 m."
    )


@pytest.mark.parametrize(("pairs", "right"), [
    ("Gold and silver melt at {} and {} respectively.", ("1064 °C", "962 °C")),
    ("Iron and copper melt at {} and {} respectively.", ("1538 °C", "1085 °C")),
    ("The Ganga and the Yamuna are {} and {} long respectively.", ("2525 km", "1376 km")),
    ("Mercury and Venus go round the sun in {} and {} respectively.", ("88 days", "225 days")),
])  # fmt: skip
def test_respectively_pairs_in_order(pairs, right):
    things = pairs.split(" {}")[0].split(" and ")
    verb = {"Gold": "melts at", "Iron": "melts at", "The Ganga": "is", "Mercury": "goes round the sun in"}[things[0]]
    second = " ".join(things[1].split()[: 2 if things[1].startswith("the") else 1])
    lines = [f"{things[0]} {verb} {right[0]}.", f"{second.capitalize()} {verb} {right[1]}."]
    assert not missing(pairs.format(*right), *lines) and missing(pairs.format(*reversed(right)), *lines)


@pytest.mark.parametrize(("sentence", "line"), [
    ("The fair was held on 1967-01-15.", "The fair took place on January 15, 1967."),
    ("It opened on 1911-11-02.", "It was opened on 2 November 1911."),
    ("She was born on 1879-02-13.", "She was born on 13 February 1879."),
    ("Water boils at 100 deg C.", "Water boils at 100 °C."),
    ("The room is at 25 degrees C.", "The room is at 25 °C."),
    ("The oven is at 350 deg F.", "The oven is at 350 °F."),
    ("It was minus 4 deg C.", "It was –4 °C."),
])  # fmt: skip
def test_dates_and_degrees_in_another_form_are_held(sentence, line):
    assert not missing(sentence, line)


@pytest.mark.parametrize(("sentence", "line"), [
    ("The fair was held on 1967-01-16.", "The fair took place on January 15, 1967."),
    ("It opened on 1911-02-11.", "It was opened on 2 November 1911."),
    ("Water boils at 100 deg F.", "Water boils at 100 °C."),
])  # fmt: skip
def test_another_date_or_degree_is_not(sentence, line):
    assert missing(sentence, line)


CHOIR = "There are 6 men and 9 women in the village choir."


@pytest.mark.parametrize(("sentence", "line", "read"), [
    ("15 people sing in the choir.", CHOIR, "There are 15 men and women in the village choir."),
    ("There are 17 trees.", "There are 10 mango trees and 7 neem trees.", "There are 17 mango trees and neem trees."),
    ("The mill has 50 workers.", "The mill has 20 spinners, 25 weavers and 5 guards.", "The mill has 50 spinners, weavers and guards."),
    ("There are 6 men and 9 women, 15 people in all.", CHOIR, CHOIR),
])  # fmt: skip
def test_the_sum_of_counts_beside_each_other_is_held(sentence, line, read):
    assert not missing(sentence, line) and spelled_like(line, sentence) == read


@pytest.mark.parametrize(("sentence", "lines"), [
    ("There are 16 people in the choir.", [CHOIR]),
    ("There are 54 people in the choir.", [CHOIR]),
    ("There are 15 men in the choir.", [CHOIR]),
    ("There are 15 women in the choir.", [CHOIR]),
    ("The bell weighs 15 kg.", [CHOIR, "The bell weighs 40 kg."]),
    ("It holds 13 lamps.", ["The frame is 6 squares wide and 7 squares high, and holds lamps."]),
    ("The town has 18 gates.", ["The town was founded in 7 BC. It has 11 gates."]),
    ("The fort has 8 gates.", ["An insect has 2 wings and 6 legs."]),
    ("An insect has 8 legs.", ["An insect has 2 wings and 6 legs."]),
    ("There are 7 continents.", ["He ate 3 apples and 4 pears."]),
])  # fmt: skip
def test_another_sum_is_not(sentence, lines):
    assert missing(sentence, *lines) and unstated_facts(sentence, "\n".join(lines))
