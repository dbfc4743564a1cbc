"""Which sentences are items of a list, and which sentence opens it."""

import pytest

from core.text.lists import begins_enumeration, list_openers, without_list_marker

LISTS = [
    (["The heart has two functions:", "(i) It pumps blood.", "(ii) It sets the pulse."], (None, 0, 0)),
    (["The steps are:-", "1. Heat it.", "2. Cool it.", "3. Weigh it."], (None, 0, 0, 0)),
    (["The following help:", "a. Rest.", "b. Water.", "c. Sleep."], (None, 0, 0, 0)),
    (["Uses of alum", "• It clears water.", "• It stops bleeding."], (None, 0, 0)),
    (["There are three reasons.", "First, it rains.", "Second, it is cold.", "Third, we are tired."], (None, 0, 0, 0)),
    (["Some examples are –", "(i) Rust on iron", "Air", "(ii) Milk that turns sour"], (None, 0, None, 0)),
    (
        ["The heart rests:", "(i) It fills.", "It is slow.", "(ii) It empties.", "Blood flows."],
        (None, 0, None, 0, None),
    ),
    (["These are:", "(h) Eight.", "(i) Nine."], (None, None, None)),
    (["Several plants climb.", "(a) Peas do.", "(b) Vines do."], (None, 0, 0)),
    (["Sound needs air.", "(a) Light does not."], (None, None)),
    (["What do plants need?", "1. Light.", "2. Water."], (None, None, None)),
    (["The uses are:", "(i) It heats.", "Two limits are:", "(i) It costs.", "(ii) It wears."], (None, 0, None, 2, 2)),
    (["The uses are:", "(i) It heats.", "(iii) It lights."], (None, 0, None)),
    (["In 1947 it rained.", "1. What is rain?"], (None, None)),
    (["It has two uses: (i) It heats.", "(ii) It lights.", "(iii) It cooks."], (None, 0, 0)),
    (["Uses of alum: • It clears water.", "It is cheap.", "• It stops bleeding."], (None, None, 0)),
    (["It has one use: (i) It heats.", "(iii) It lights."], (None, None)),
    ([], ()),
]


@pytest.mark.parametrize(("sentences", "openers"), LISTS)
def test_each_item_knows_the_sentence_that_opens_its_list(sentences, openers):
    assert list_openers(sentences) == openers


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("(i) It pumps blood.", "It pumps blood."), ("12. Heat it.", "Heat it."), ("• It rests.", "It rests."),
        ("a) Peas climb.", "Peas climb."), ("First, it rains.", "First, it rains."), ("It rains.", "It rains."),
        ("3.5 g is left.", "3.5 g is left."),
    ],
)  # fmt: skip
def test_the_marker_of_an_item_is_no_part_of_what_it_says(item, text):
    assert without_list_marker(item) == text


COUNTED = [
    ("Salt has two uses.", "It keeps food fresh.", "It also melts ice on roads."),
    ("We can tell by any of these –", "change in taste", "change in smell", "a loud noise."),
    ("A flower has these parts:", "petals that lure insects", "a stalk."),
    ("There are three kinds of levers.", "One has its support in the middle.", "Another has its load there.", "The third has the effort there."),
    ("The plant has two ways to spread.", "Its seeds fly with the wind.", "Another way is by its roots."),
    ("A heart has four chambers in it.", "Two take in blood.", "They are thin.", "The other two push it out.", "They also have thick walls."),
]  # fmt: skip


@pytest.mark.parametrize("sentences", COUNTED)
def test_what_is_counted_and_told_without_marks_is_a_list(sentences):
    assert list_openers(sentences) == (None, *[0] * (len(sentences) - 1))


@pytest.mark.parametrize("sentences", [
    ("Salt has two uses.", "It keeps food fresh.", "The sea is full of it."),
    ("Salt has two uses.", "It keeps food fresh."), ("The answer is this:", "salt."), ("Think of it:", "What is it?", "salt"),
    ("Two boys ate salt in the hall.", "It was a hot day.", "It also rained."),
    ("Salt has two uses.", "Do you know them?", "It also melts ice."),
    ("Salt is used a lot.", "It keeps food fresh.", "It also melts ice."),
])  # fmt: skip
def test_what_only_follows_a_number_is_no_list(sentences):
    assert set(list_openers(sentences)) == {None}


@pytest.mark.parametrize(("sentence", "begins"), [
    ("First, the ore is crushed.", True), ("Secondly, it is washed.", False), ("There are two reasons for it.", True),
    ("Firstly, water is added.", True), ("The first man on the moon spoke.", False), ("Two men went up.", False),
])  # fmt: skip
def test_the_beginning_of_an_enumeration_is_known(sentence, begins):
    assert begins_enumeration(sentence) == begins
