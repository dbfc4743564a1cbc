"""A number with its unit is one value however it is spelled, and another figure, power, sign or unit is another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.formulas import formulas, holds_formula
from core.text.held_quantities import missing_quantities, spelled_like, unstated_facts
from core.text.quantities import agree, numbers, quantities, values, without_numbers


def missing(sentence, source):
    """What the check on numbers finds of `sentence` against one line of evidence and a question without numbers."""
    return missing_quantities(sentence, f"{source}\nWhat is it?")


def only(text):
    (found,) = [q for q in quantities(text) if not q.may_be]
    return found


@pytest.mark.parametrize(("written", "value"), [
    ("10⁸", 1e8), ("10^8", 1e8), ("10**8", 1e8), ("10^{8}", 1e8), ("10⁻¹⁹", 1e-19), ("10^-19", 1e-19), ("3 × 10⁸", 3e8),
    ("3x10^8", 3e8), ("3 * 10^8", 3e8), ("3 · 10⁸", 3e8), ("6.02e23", 6.02e23), ("1.6E-19", 1.6e-19),
    ("1.6 × 10⁻¹⁹", 1.6e-19), ("2.5 X 10^(-3)", 2.5e-3), ("5²", 25), ("2^5", 32),
])  # fmt: skip
def test_powers_are_values(written, value):
    assert numbers(f"It is {written} of them.") == {written.lower(): pytest.approx(value, rel=1e-12)}


@pytest.mark.parametrize("text", ["3 × 10 8 m", "the year 1947² was dry", "rows 3 10 8"])
def test_figures_that_only_stand_together_are_no_power(text):
    assert not {3e8, 1947.0**2} & values(text)


@pytest.mark.parametrize(("written", "value"), [
    ("½", 0.5), ("¼", 0.25), ("¾", 0.75), ("⅓", 1 / 3), ("⅔", 2 / 3), ("⅛", 0.125), ("2½", 2.5), ("2 ½", 2.5), ("1/2", 0.5),
    ("3/4", 0.75), ("3⁄4", 0.75), ("2 1/2", 2.5), ("half", 0.5), ("a quarter", 0.25), ("a third", 1 / 3),
    ("two-thirds", 2 / 3), ("three quarters", 0.75), ("one and a half", 1.5), ("2 and a half", 2.5),
    ("two and a half million", 2.5e6), ("half a dozen", 6), ("half a million", 5e5),
])  # fmt: skip
def test_fractions_are_values(written, value):
    assert only(f"It was {written} then.").value == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(("written", "value"), [
    ("1,500", 1500), ("1 500", 1500), ("1\u00a0500", 1500), ("1\u2009500", 1500), ("1,50,000", 150_000),
    ("12,34,567", 1_234_567), ("1,500,000", 1_500_000), ("20 000", 20_000), ("12 345 678", 12_345_678), ("1.50", 1.5),
    ("8,848.86", 8848.86), ("5 lakh", 5e5), ("5 lakhs", 5e5), ("2.5 crore", 2.5e7), ("5 lakh crore", 5e12),
    ("three million", 3e6), ("7 billion", 7e9), ("two dozen", 24), ("a dozen", 12), ("twenty-five", 25),
    ("two thousand five hundred", 2500), ("twice", 2), ("thrice", 3),
])  # fmt: skip
def test_groups_and_words_are_values(written, value):
    assert only(f"There were {written} of them.").value == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(("text", "found"), [
    ("The terms are 10,20,30.", {10, 20, 30}), ("Rows 1, 5 and 9.", {1, 5, 9}), ("the point (3,4)", {3, 4}),
    ("rows 1,5 and 2", {1, 5, 2}), ("Class 7 100 pupils", {7, 100}), ("in 1857, 1858", {1857, 1858}), ("Table 2 300 g", {2, 300}),
    ("5 300 20 400", {5, 300, 20, 400}), ("in 1952 100 pupils", {1952, 100}), ("Fig. 3 120 cm", {3, 120}),
    ("from 1857,1858 on", {1857, 1858}), ("One-third of the first row", {1 / 3}), ("2,50,000 and 12,345.6", {250_000, 12_345.6}),
])  # fmt: skip
def test_figures_of_a_list_stay_apart(text, found):
    assert values(text) == found


@pytest.mark.parametrize(("text", "value", "unit"), [
    ("The board is 1,5 cm thick.", 1.5, "centimetre"), ("It weighs 12,75 kg.", 12.75, "kilogram"), ("It is at 36,6 °C.", 36.6, "celsius"),
    ("The pH is 6,5.", 6.5, None), ("It takes 0,5 s.", 0.5, "second"), ("About 2,4 m long.", 2.4, "metre"), ("It costs ₹ 1,5 lakh", 150000, "rupee"),
    ("It fell by 3,2 per cent.", 3.2, "percent"), ("A 7,5 V lamp", 7.5, "volt"), ("Use 2,5 L.", 2.5, "litre"),
])  # fmt: skip
def test_a_decimal_comma_stands_before_a_unit_or_behind_a_verb(text, value, unit):
    found = only(text)
    assert (found.value, found.unit and found.unit.name) == (pytest.approx(value), unit)


SPEEDS = ["20 m/s", "20 m s⁻¹", "20 m s–1", "20 m s-1", "20 m.s-1", "20 metres per second", "20 metre per second", "20 mps",
          "20 meters per second", "20 m·s⁻¹", "72 km/h", "72 km h⁻¹", "72 km h–1", "72 kmph", "72 kilometres per hour",
          "72 kilometres an hour", "72 km/hr", "72 km per hour"]  # fmt: skip
RATES = ["20 m/s²", "20 m s⁻²", "20 m s–2", "20 m/s^2", "20 metres per second squared", "20 metres per second per second",
         "20 metre per second square", "20 m s-2", "20 m/s/s", "20 m·s⁻²"]  # fmt: skip


@pytest.mark.parametrize("one", SPEEDS)
def test_one_speed_is_one_in_any_spelling(one):
    assert all(agree(only(f"at {one}."), only(f"at {other} then")) for other in SPEEDS)
    assert not any(agree(only(one), only(other)) or agree(only(other), only(one)) for other in RATES)


@pytest.mark.parametrize("one", RATES)
def test_one_acceleration_is_one_in_any_spelling(one):
    assert all(agree(only(f"It is {one}."), only(f"by {other} there")) for other in RATES)


@pytest.mark.parametrize("spellings", [
    ("5 kg/m³", "5 kg m–3", "5 kg m⁻³", "5 kilograms per cubic metre", "5 kg/m^3", "5 kg per cubic metre"),
    ("4 J/(kg K)", "4 J kg–1 K–1", "4 J kg⁻¹ K⁻¹", "4 J/kg K"), ("9 N m–2", "9 N/m²", "9 Pa", "9 pascals", "9 newtons per square metre"),
    ("3 sq km", "3 km²", "3 km2", "3 square kilometres", "3 sq. km", "300 hectares"), ("7 cm³", "7 cc", "7 cm3", "7 cubic centimetres", "7 mL"),
    ("2 kWh", "2 kW h", "2 units of electricity", "2 kilowatt-hours", "7.2 MJ"), ("30 °C", "30 ºC", "30oC", "30 degrees Celsius", "30 o C", "30˚C"),
    ("1700 rupees", "Rs. 1700", "Rs.1700", "Rs 1,700", "₹1700", "₹ 1,700", "INR 1700", "Rs 1700/-"),
    ("382 persons per sq km", "382 people per square kilometre", "382 per sq km", "382 persons/km²"), ("8 D of the lens", "8 dioptres of the lens"),
    ("120 mmHg", "120 mm Hg", "120 mm of mercury"), ("5 Å", "0.5 nm", "5 angstroms"), ("3 quintals", "300 kg", "0.3 tonne"),
    ("4 eV", "4 electron volts", "4 electronvolts"), ("2 light years", "2 light-years", "2 ly"), ("60 rpm", "1 per second", "60 per minute"),
    ("12 u", "12 atomic mass units", "12 amu"), ("1 inch", "2.54 cm"), ("100 paise", "1 rupee"), ("90 dB", "90 decibels"), ("6 \u03a9", "6 \u2126", "6 ohm", "6 ohms"), ("one-sixth", "(1/6)"), ("3000 bp", "3 kbp", "3,000 base pairs"),
    ("half an hour", "30 minutes", "½ hour", "0.5 h"), ("a quarter of a litre", "250 mL", "¼ L"),
])  # fmt: skip
def test_one_quantity_is_one_in_any_spelling(spellings):
    read = [only(f"It was {text}.") for text in spellings]
    assert all(agree(a, b) for a in read for b in read)


@pytest.mark.parametrize(
    ("text", "unit"), [("₹5 is the price.", "rupee"), ("$5 is the price.", "dollar"), ("₹ 5 is paid.", "rupee")]
)
def test_a_sign_of_money_may_open_a_text(text, unit):
    (price,) = quantities(text)
    assert (price.unit.name, price.start) == (unit, 0)


@pytest.mark.parametrize(("claim", "evidence"), [
    ("9.8 m/s", "9.8 m/s²"), ("20 km", "20 km²"), ("5 mg", "5 g"), ("3.3 × 10⁶ bp", "3.3 × 10⁹ bp"), ("9.81 m/s²", "9.8 m/s²"),
    ("510 m", "500 m"), ("5 N", "5 N m"), ("50 %", "50"), ("0.5 km", "50 %"), ("2 of them", "200 % of them"), ("-5 °C", "5 °C"),
    ("60 dB", "60 Hz"), ("3 kg/m³", "3 kg/m²"), ("71 km/h", "20 m/s"), ("0.3 km", "333 m"), ("333 m", "0.33 km"), ("5 lakh", "5 crore"),
    ("¼ litre", "½ litre"), ("one-third", "1/6"), ("6 Ω", "6 V"), ("₹20", "$20"), ("30 °C", "30 °F"), ("2 A", "2 V"), ("1.6 × 10¹⁹ C", "1.6 × 10⁻¹⁹ C"),
])  # fmt: skip
def test_another_figure_power_sign_or_unit_is_another_quantity(claim, evidence):
    assert not agree(only(f"It is {claim}."), only(f"It is {evidence}."))
    assert missing(f"The value is {claim}.", f"The value is {evidence}.")


@pytest.mark.parametrize(("claim", "evidence"), [
    ("0.33 km", "333 m"), ("33 %", "a third"), ("67 %", "two-thirds"), ("2.5 cm", "1 inch"), ("0.33", "1/3"), ("300 K", "26.85 °C"),
    ("25 %", "a quarter"), ("50 %", "half"), ("0.5", "50 %"), ("12.5 %", "⅛"), ("17 %", "one-sixth"),
])  # fmt: skip
def test_a_converted_value_may_be_rounded_where_two_figures_are_written(claim, evidence):
    assert agree(only(f"It is {claim}."), only(f"It is {evidence}."))
    assert missing(f"It is {claim}.", f"It is {evidence}.") == []


@pytest.mark.parametrize(("text", "unit"), [
    ("In 1952 a school opened", None), ("In 1952 A school opened", None), ("The hen lays 5 a week", None), ("5 A current", "ampere"),
    ("5 m long", "metre"), ("3 s later", "second"), ("the 1950s", None), ("in the 20s", None), ("the 19th century", None),
    ("2 H atoms", None), ("3 N atoms", None), ("at 4 pm", "o'clock"), ("a 3 D film", None), ("5 C of charge", "coulomb"), ("10 K colder", "kelvin"),
    ("6 V battery", "volt"), ("9 a.m.", "o'clock"), ("7 in all", None), ("5 are red", None), ("2 as well", None),
])  # fmt: skip
def test_a_letter_is_a_unit_only_where_it_stands_as_one(text, unit):
    found = only(text).unit
    assert (found and found.name) == unit


@pytest.mark.parametrize(("text", "unit", "ends"), [
    ("10-15 cm", "centimetre", (10, 15)), ("10–15 cm", "centimetre", (10, 15)), ("10 to 15 cm", "centimetre", (10, 15)),
    ("between 10 and 15 kg", "kilogram", (10, 15)), ("from 20 °C to 30 °C", "celsius", (20, 30)), ("10 or 12 m", "metre", (10, 12)),
    ("Rs 20 to 30", "rupee", (20, 30)), ("5 ± 0.1 cm", "centimetre", (5, 0.1)), ("20 – 30 per cent", "percent", (20, 30)),
    ("40 to about 50 km/h", "kilometre/hour", (40, 50)),
])  # fmt: skip
def test_both_ends_of_a_range_have_its_unit(text, unit, ends):
    found = quantities(f"It is {text}.")
    assert [q.value for q in found] == list(ends) and {q.unit.name for q in found} == {unit}


DATES = ["15 August 1947", "Aug. 15, 1947", "15/08/1947", "August 15, 1947", "15th August 1947", "15 Aug 1947", "15.8.1947",
         "15-08-1947", "15th of August 1947", "15 August, 1947"]  # fmt: skip


@pytest.mark.parametrize("date", DATES)
def test_a_date_is_one_in_any_form(date):
    assert all(missing(f"It began on {date}.", f"It began on {other}, they say.") == [] for other in DATES)
    assert missing(f"It began on {date}.", "It began on 15 September 1947.")
    assert missing(f"It began on {date}.", "It began on 16 August 1947.")
    assert missing("It began in 1947.", f"It began on {date}.") == []


@pytest.mark.parametrize("spellings", [
    ("H2O", "H₂O", "H~2~O", "H_2O"), ("CO2", "CO₂"), ("Na+", "Na⁺", "Na^+"), ("Ca2+", "Ca²⁺", "Ca^2+"), ("Fe3+", "Fe³⁺"),
    ("SO4^2-", "SO₄²⁻", "SO42-", "SO4 2–"), ("NH4+", "NH₄⁺"), ("C6H12O6", "C₆H₁₂O₆"), ("Ca(OH)2", "Ca(OH)₂"), ("Cl-", "Cl⁻", "Cl–"),
    ("NaCl",), ("NO3-", "NO₃⁻"), ("H2SO4", "H₂SO₄"), ("Al2(SO4)3", "Al₂(SO₄)₃"),
])  # fmt: skip
def test_a_formula_is_one_term_in_any_spelling(spellings):
    read = [formulas(f"It is {s} here.") for s in spellings]
    assert len(set(read)) == 1 and len(read[0]) == 1
    assert all(not numbers(f"It is {s} here.") for s in spellings)


@pytest.mark.parametrize(("claim", "evidence"), [
    ("Na⁻", "Na⁺"), ("Ca⁺", "Ca²⁺"), ("H2O2", "H2O"), ("H2O", "H2O2"), ("CO", "CO2"), ("CO2", "CO"), ("Fe2+", "Fe3+"),
    ("SO₃", "SO₄²⁻"), ("Na", "Na2"), ("NO2", "NO3-"), ("Cl⁻", "Cl"), ("C6H12O6", "C12H22O11"),
])  # fmt: skip
def test_another_formula_or_charge_is_another_term(claim, evidence):
    (term,) = formulas(f"It is {claim} here.") or {claim}
    assert not holds_formula(f"It is {evidence} here.", term)


def test_a_formula_that_the_evidence_lacks_is_missing_and_holds_no_number():
    assert missing("It forms Na⁻.", "It forms Na⁺.") == ["Na^-"]
    assert unstated_facts("Water is H2O2.", "Water is H2O.") == ["H2O2"]
    assert missing("It is 2.", "It is CO2.") == ["2"]
    assert missing("It is CO2.", "It is C O 2, a gas.") == []


@pytest.mark.parametrize("word", ["He", "In", "NO", "US", "WHO", "As", "I", "Nobel", "Paris", "UNICEF", "DNA", "Co-op"])
def test_words_are_no_formulas(word):
    assert formulas(f"There {word} went.") == frozenset()


LEAF = "The leaf is 5 cm. The stem is 9 cm. It grows in shade."


@pytest.mark.parametrize(("claim", "source", "is_missing"), [
    ("The stem is 5 cm.", LEAF, True), ("The leaf is 9 cm.", LEAF, True), ("The leaf is 5 cm.", LEAF, False), ("The stem is 90 mm.", LEAF, False),
    ("The leaf is 9 cm and the stem is 5 cm.", "The leaf is 5 cm and the stem is 9 cm.", True),
    ("The leaf is 5 cm and the stem is 9 cm.", "The leaf is 5 cm and the stem is 9 cm.", False),
    ("He saved Rs. 1700.", "The man earned ₹1,700 a month. He saved ₹200.", True), ("He saved Rs. 200.", "The man earned ₹1,700 a month. He saved ₹200.", False),
    ("Ravi was born in 1858.", "Asha was born in 1858. Ravi was born in 1888.", True), ("Ravi was born in 1888.", "Asha was born in 1858. Ravi was born in 1888.", False),
    ("The clock tower is 62 m high.", "The clock tower stands in Belur. It is 62 m high. The bell tower is 40 m high.", False),
    ("The frog has 4 chambers.", "The frog has 3 chambers. The man has 4 chambers.", True), ("It is 5 cm long.", LEAF, False),
    ("The leaf is 5 cm long and 3 cm wide.", "The leaf is 5 cm long. Its width is 3 cm.", False),
    ("The list is 4, 7 and 10.", "The list is 4, 7 and 10. The list is 3.", False),
])  # fmt: skip
def test_a_number_belongs_to_the_thing_that_its_sentence_is_about(claim, source, is_missing):
    lines = source.replace(". ", ".\n") + "\nWhat is it?"
    assert bool(missing_quantities(claim, lines)) == is_missing


@pytest.mark.parametrize(("whole", "same", "parts"), [
    ("1 hour 30 minutes", ("90 minutes", "1.5 hours", "an hour and a half"), ("1 hour", "30 minutes", "2 hours")),
    ("2 minutes and 15 seconds", ("135 s", "2.25 minutes"), ("2 minutes", "15 seconds")),
    ("5 feet 4 inches", ("64 inches",), ("5 feet", "4 inches")),
    ("5 kg 200 g", ("5.2 kg", "5200 g"), ("5 kg", "200 g")), ("3 km, 500 m", ("3.5 km", "3500 metres"), ("3 km", "500 m")),
    ("2 m 30 cm", ("2.3 m", "230 cm"), ("2 m", "30 cm")), ("4 litres 250 mL", ("4.25 L",), ("4 litres", "250 mL")),
    ("5 rupees and 50 paise", ("5.50 rupees", "Rs 5.50", "550 paise"), ("5 rupees", "50 paise")),
    ("1 day and 12 hours", ("36 hours", "1.5 days"), ("1 day", "12 hours")), ("2 weeks 3 days", ("17 days",), ("2 weeks", "3 days")),
    ("half past ten", ("10:30 a.m.", "10.30 in the morning"), ("10 o'clock", "10.15 a.m.")),
    ("a quarter to six", ("5:45 p.m.",), ("6 p.m.", "quarter past six")),
])  # fmt: skip
def test_a_quantity_of_two_units_is_one_value(whole, same, parts):
    assert all(missing(f"It was {one}.", f"It was {whole}.") == [] for one in (whole, *same) if one[:2] != "an")
    assert all(missing(f"It was {part}.", f"It was {whole}.") for part in parts)


@pytest.mark.parametrize(
    "text", ["a rope of 2 m and a stick of 30 cm", "5 kg or 200 g", "1.5 m 30 cm", "2 hours 90 minutes"]
)
def test_two_quantities_stay_two(text):
    assert len(quantities(text)) == 2


@pytest.mark.parametrize(("evidence", "same", "opposed"), [
    ("at least 8 hours", ("no less than 8 hours", "8 hours or more", "8 hours"), ("at most 8 hours", "up to 8 hours", "exactly 8 hours")),
    ("up to five years", ("at most five years", "no more than five years"), ("more than five years", "at least five years")),
    ("not more than 3 grams", ("up to 3 grams", "3 grams or less"), ("at least 3 grams", "over 3 grams")),
    ("at most 12 pupils", ("not more than 12 pupils",), ("no fewer than 12 pupils", "12 pupils or more")),
    ("between 20 and 30 pupils", ("between 20 and 30 pupils", "at least 20 pupils"), ("at most 20 pupils", "exactly 20 pupils")),
    ("about 40 families", ("40 families", "nearly 40 families"), ("exactly 40 families", "precisely 40 families")),
    ("fewer than 9 birds", ("under 9 birds",), ("over 9 birds", "at least 9 birds")),
])  # fmt: skip
def test_a_bound_in_the_other_direction_is_another_claim(evidence, same, opposed):
    assert all(missing(f"There were {one}.", f"There were {evidence}.") == [] for one in same)
    assert all(missing(f"There were {one}.", f"There were {evidence}.") for one in opposed)


def test_what_is_alike_is_read_in_the_spelling_of_the_claim():
    assert (
        spelled_like("It goes 40 km h⁻¹, at −5 °C.", "It goes 40 kilometres per hour.")
        == "It goes 40 kilometres per hour, at −5 °C."
    )
    assert spelled_like("H₂O is 1 500 m deep.", "H2O is 1500 m deep.") == "H2O is 1500 m deep."
    assert spelled_like("It is 333 m.", "It is 0.33 km.") == "It is 333 m."
    assert spelled_like("It is 5 kg.", "It is 6 kg.") == "It is 5 kg."


def test_a_number_that_stands_twice_is_no_two_numbers_to_add():
    assert missing_quantities("It is 2.", "See Figure 1 and Figure 1 of it.\nWhat?") == ["2"]


def test_numbers_and_formulas_leave_gaps():
    assert without_numbers("Twelve CO2 jars, 3 × 10⁸ m").split() == ["jars,", "m"]


FIGURES = st.integers(1, 999_999)
SPELT = {
    "metre/second": ["m/s", "m s⁻¹", "m s–1", "metres per second"], "kilogram": ["kg", "kilograms", "kgs"],
    "metre/second²": ["m/s²", "m s⁻²", "metres per second squared"], "centimetre³": ["cm³", "cc", "cubic centimetres"],
    "percent": ["%", "per cent", "percent"], "celsius": ["°C", "degrees Celsius"], "ohm": ["Ω", "ohms"],
}  # fmt: skip
UNITS = st.sampled_from(sorted(SPELT))


def written(value):
    """The spellings of a whole number."""
    indian = f"{value // 1000}" if value >= 1000 else ""
    if value >= 100_000:
        indian = f"{value // 100_000},{value // 1000 % 100:02}"
    return [str(value), f"{value:,}", f"{value:,}".replace(",", "\u00a0"), f"{value}.0", f"{value}e0",
            f"{indian},{value % 1000:03}" if indian else str(value)]  # fmt: skip


@given(value=FIGURES, unit=UNITS, data=st.data())
def test_any_spelling_is_read_back_as_the_same_value(value, unit, data):
    one, other = (
        f"{data.draw(st.sampled_from(written(value)))} {data.draw(st.sampled_from(SPELT[unit]))}" for _ in range(2)
    )
    found = only(f"It was {one} there.")
    assert found.value == value and found.unit.name == unit
    assert missing(f"It was {one}.", f"It was {other} there.") == []


@given(value=FIGURES, other=FIGURES, unit=UNITS, another=UNITS)
def test_another_figure_or_unit_is_missing(value, other, unit, another):
    evidence = f"It was {value} {SPELT[unit][0]} there."
    if other != value:
        assert missing(f"It was {other} {SPELT[unit][-1]}.", evidence)
    if another != unit:
        assert missing(f"It was {value} {SPELT[another][-1]}.", evidence)


@given(digits=st.integers(1, 99), power=st.integers(-30, 30), other=st.integers(-30, 30))
def test_another_power_of_ten_is_missing(digits, power, other):
    raised = str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    evidence = f"It was {digits / 10} × 10{raised} kg there."
    assert missing(f"It was {digits / 10} x 10^{power} kg.", evidence) == []
    if other != power:
        assert missing(f"It was {digits / 10} × 10^{other} kg.", evidence)


@given(st.text(alphabet="0123456789 ,./^²⁻½×msCHaONa+-–e%₹()", max_size=80))
def test_any_text_can_be_read(text):
    assert all(0 <= q.start < q.end <= len(text) and text[q.numeral[0] : q.numeral[1]] for q in quantities(text))


@pytest.mark.parametrize(
    "piece", ["1,5", "10^", "CoNaClO2", "m s-1 ", "1 000 ", "a hundred and ", "Rs. ", "½", "1/2 ", "(H2O)"]
)
def test_long_texts_are_read_soon(piece):
    assert isinstance(quantities(piece * (20_000 // len(piece))), tuple)


@pytest.mark.parametrize(
    "sentence",
    [
        "Two atoms are exchanged in double displacement reactions.", "Half of the 50 % is left, and 0.5 of it is sold.",
        "The rod is 2 m, or 200 cm, long.", "Twice the sum of two and two is eight.", "It fell from 1/2 to 0.5 litres.",
    ],
)  # fmt: skip
def test_evidence_that_is_the_claim_itself_keeps_its_spelling(sentence):
    assert spelled_like(sentence, sentence) == sentence


def test_words_for_one_amount_do_not_stand_for_each_other():
    assert spelled_like("The yield is double.", "The two yields differ.") == "The yield is double."


@pytest.mark.parametrize(
    ("claim", "is_misplaced"),
    [
        ("A man's vocal cords measure 15 mm.", True), ("A woman's vocal cords measure 15 mm.", False),
        ("A man's vocal cords measure 20 mm.", False), ("In men the vocal cords are 15 mm long.", True),
    ],
)  # fmt: skip
def test_a_sentence_that_points_back_may_still_speak_of_another(claim, is_misplaced):
    evidence = "In men, the vocal cords are about 20 mm long.\nIn women these are about 15 mm long.\nHow long are they?"
    assert bool(missing_quantities(claim, evidence)) == is_misplaced
