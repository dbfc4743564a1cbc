"""Every word of the running text knows where it stands on its page."""

import pytest

from core.library.line_types import placed
from core.library.parts import Part
from core.library.passages import sentences_of
from core.library.reflow import block
from core.library.text_repair import whole_words
from tests.library.laid import EM, HEIGHT, LEADING, SIZE, WIDTH, laid, page


def read(*lines):
    found = placed([page(*lines)])
    return block(Part(kind="prose", lines=tuple(found)), whole_words(line.text for line in found))


def test_a_word_that_a_line_end_breaks_is_one_and_has_two_places():
    text = read("a chemi-", "cal change")
    assert text.text == "a chemical change"
    start = text.text.index("chemical")
    places = text.places_of(start, start + len("chemical"))
    assert len(places) == 2 and places[0][2] < places[1][2]


def test_the_places_of_a_sentence_are_its_lines():
    text = read("Light is fast. Sound", "is slow.")
    start = text.text.index("Sound")
    first, second = text.places_of(start, len(text.text))
    left = 72 + EM * len("Light is fast. ")
    assert first[0] == 1
    assert first[1:] == pytest.approx((left / WIDTH, 72 / HEIGHT, (left + 25) / WIDTH, (72 + SIZE) / HEIGHT), abs=1e-3)
    assert second[2] == pytest.approx((72 + LEADING) / HEIGHT, abs=1e-3)


def test_a_sentence_over_a_page_break_stands_on_both_pages():
    (spoken,) = sentences_of(laid("The speed of light is much", "greater than that of sound."))
    assert [place[0] for place in spoken.places] == [1, 2] and spoken.page == 1


def test_places_never_leave_the_page():
    spoken = [*sentences_of([page("word " * 300)])]
    assert len(spoken) == 2 and all(0 <= share <= 1 for s in spoken for place in s.places for share in place[1:])
