"""Words that stand apart inside become whole where nothing else can be meant, and stay apart everywhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.pdf.split_words import join_words
from core.text.words import frequency
from tests.support.page_lines import line, page


def read(*texts):
    return [each.text for each in join_words([page(*texts)])[0].lines]


@pytest.mark.parametrize(
    ("apart", "whole"),
    [
        ("He filled the f lask with oil.", "He filled the flask with oil."),
        ("Ref lect on this for a day.", "Reflect on this for a day."),
        ("A push or pull is a for ce.", "A push or pull is a force."),
        ("It moves in one dir ection only.", "It moves in one direction only."),
        ("Wind gives us ener gy (clean).", "Wind gives us energy (clean)."),
        ("This is a che mical change.", "This is a chemical change."),
        ("They live by ag riculture, mostly.", "They live by agriculture, mostly."),
        ("The temperatur e rises at noon.", "The temperature rises at noon."),
        ("Look into the mirr or; it shines.", "Look into the mirror; it shines."),
        ("W ater boils in the open pan.", "Water boils in the open pan."),
        ("All of them wer e green.", "All of them were green."),
        ("The “envir onment” changes.", "The “environment” changes."),
        ("A cir cumfer ence is a length.", "A circumference is a length."),
        ("The two words look alike in ter ms of length.", "The two words look alike in terms of length."),
        ("Roots take up nutri ents and pr otein.", "Roots take up nutrients and protein."),
    ],
)
def test_a_word_that_stands_apart_inside_is_whole(apart, whole):
    assert read(apart) == [whole]


@pytest.mark.parametrize(
    "text",
    [
        "It runs in to the house.", "He came up on the hill.", "The air craft is new.", "About 10 per cent of it.",
        "Let d is the distance and n in a row.", "The points B and R are far.", "Both A and B ar given.",
        "the limit lim a of this", "Find S and R is zero.", "A mass of 5 m and 3 k m ran.",
        "It is a non linear law.", "the masses m u and m v", "a n d are numbers", "the computer s name",
        "Charles Dar Win lived here.", "the side PE as shown", "mi mi sings", "(i) the first one", "He ate. n ever so",
        "a pseudo random number", "the value of t and s is known", "Ram esh and Gop al met.",
    ],
)  # fmt: skip
def test_words_that_may_stand_apart_stay(text):
    assert read(text) == [text]


def test_a_word_of_the_document_alone_is_whole_once_it_is_seen_so_often():
    text = "We met Boojho there. Boojho sang. Then Booj ho went home."
    assert read(text) == [text.replace("Booj ho", "Boojho")]
    assert read("We met Boojho there. Then Booj ho went home.") != [text.replace("Booj ho", "Boojho")]


def test_a_label_beside_a_split_word_stays_a_label():
    assert read("The objects A and B ar e given.") == ["The objects A and B are given."]


def test_a_joined_word_covers_its_pieces():
    made = line("All ener gy, then")
    words, at = [], 0
    for word in made.words:
        words.append(word.__class__(text=word.text, left=word.left, right=word.right, span=(at, at + len(word.text))))
        at += len(word.text)
    made = made.__class__(words=tuple(words), top=made.top, bottom=made.bottom, size=made.size)
    _, energy, _ = join_words([page(made)])[0].lines[0].words
    assert (energy.text, energy.left, energy.right, energy.span) == ("energy,", words[1].left, words[2].right, (3, 10))


def test_pieces_far_from_each_other_or_apart_in_the_file_stay():
    first, second = line("ener"), line("gy", left=72 + 20 + 9)
    far = first.__class__(words=first.words + second.words, top=0, bottom=10, size=10)
    assert read(far) == ["ener gy"]
    near = line("ener gy")
    torn = tuple(
        w.__class__(text=w.text, left=w.left, right=w.right, span=span)
        for w, span in zip(near.words, ((0, 4), (9, 11)), strict=True)
    )
    assert read(near.__class__(words=torn, top=0, bottom=10, size=10)) == ["ener gy"]


@given(st.lists(st.sampled_from("the ener gy for ce t a Water ar e in ter ms B x 5 , kg".split()), max_size=12))
def test_no_letter_is_lost_or_added(pieces):
    text = " ".join(pieces)
    assert "".join(read(text)).replace(" ", "") == text.replace(" ", "")


@given(st.lists(st.sampled_from("we run into houses with force and energy before the sun rises".split()), max_size=12))
def test_whole_words_are_never_joined(pieces):
    text = " ".join(pieces)
    assert not text or read(text) == [text]


def test_the_word_list_knows_how_often_words_are_written():
    assert frequency("Water") == frequency("water") > 10_000 > frequency("mical") == 0
