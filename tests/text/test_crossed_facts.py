"""A sentence that takes its thing from one of two parallel facts and what it says from the other."""

import pytest

from core.text.swapped_roles import swapped_in

PARALLEL = [
    ("Acids turn blue litmus red, and alkalis turn red litmus blue.",
     "An acid turns red litmus blue.", "An acid turns blue litmus red."),
    ("Convex lenses bring light rays together, and concave lenses spread light rays apart.",
     "Concave lenses bring light rays together.", "Concave lenses spread light rays apart."),
    ("Xylem carries water up from the roots, while phloem carries sugar down from the leaves.",
     "Phloem carries water up from the roots.", "Phloem carries sugar down from the leaves."),
    ("Plants take in carbon dioxide by day; animals take in fresh oxygen by day and night.",
     "Animals take in carbon dioxide by day.", "Animals take in fresh oxygen by day and night."),
    ("The lower house has directly elected members, and the upper house has indirectly chosen members.",
     "The upper house has directly elected members.", "The upper house has indirectly chosen members."),
    ("Metals form basic metal oxides, but non-metals form acidic gas oxides.",
     "Metals form acidic gas oxides.", "Metals form basic metal oxides."),
    ("Mothers feed their young with warm milk, and birds feed their young with small insects.",
     "Birds feed their young with warm milk.", "Birds feed their young with small insects."),
    ("Arteries bring fresh red blood to organs and veins bring dark used blood to lungs.",
     "Veins bring fresh red blood to organs.", "Veins bring dark used blood to lungs."),
    ("Buyers want low market prices, whereas sellers want high market prices.",
     "Sellers want low market prices.", "Sellers want high market prices."),
    ("Kharif crops need heavy summer rain; rabi crops need cool winter days.",
     "Kharif crops need cool winter days.", "Kharif crops need heavy summer rain."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "crossed"), [pair[:2] for pair in PARALLEL])
def test_a_crossed_fact_is_found(text, crossed):
    assert swapped_in(crossed, [[text]]) is not None


@pytest.mark.parametrize(("text", "right"), [pair[::2] for pair in PARALLEL])
def test_the_right_half_is_not_crossed(text, right):
    assert swapped_in(right, [[text]]) is None


def test_what_is_denied_is_not_crossed():
    text = ["Acids turn blue litmus red, and alkalis turn red litmus blue."]
    assert swapped_in("Acids do not turn red litmus blue.", [text]) is None


def test_a_sentence_on_something_else_is_not_crossed():
    assert swapped_in("The upper house represents the states.", [[PARALLEL[4][0]]]) is None


def test_an_item_of_a_list_is_no_thing_of_its_own():
    text = ["Plants need sunlight for energy, water from the soil and carbon dioxide from the air."]
    assert swapped_in("Plants need: Carbon dioxide from the air", [text]) is None


def test_a_row_of_a_table_is_not_crossed_with_the_sentence_behind_the_table():
    rows = [
        "North Tower, height: 84 m, built: 1901.",
        "Sea Tower, height: 40 m, built: 1933.",
        "The Clock Tower is old.",
    ]
    assert (
        swapped_in("Clock Tower, height: 62 m, built: 1877.", [[*rows, "Clock Tower, height: 62 m, built: 1877."]])
        is None
    )
    assert swapped_in("Clock Tower, height: 62 m, built: 1877.", [rows]) is None
