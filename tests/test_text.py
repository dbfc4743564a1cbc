"""Sentences and words as the project reads them."""

import pytest

from core.draft import read_answer
from core.text import content, overlap, sentences, stem


@pytest.mark.parametrize(("text", "expected"), [
    ("One. Two! Three?", ["One.", "Two!", "Three?"]),
    ("See Fig. 5.2 and Eq. 3 here. Next.", ["See Fig. 5.2 and Eq. 3 here.", "Next."]),
    ("It is 3.14 m. It is long", ["It is 3.14 m.", "It is long"]),
    ("C. V. Raman was born here. He won.", ["C. V. Raman was born here.", "He won."]),
    ("It is so. [1] And so [2]. End.", ["It is so. [1]", "And so [2].", "End."]),
    ("Acids e.g. lemon juice are sour.", ["Acids e.g. lemon juice are sour."]),
    ("water boils here. it freezes there.", ["water boils here.", "it freezes there."]),
    ("", []), ("   ", []),
])  # fmt: skip
def test_sentences(text, expected):
    assert sentences(text) == expected


def test_stems_meet():
    for one, other in [
        ("plants", "plant"),
        ("reflected", "reflect"),
        ("bodies", "body"),
        ("moving", "moved"),
    ]:
        assert stem(one) == stem(other)


def test_overlap_counts_content_words_only():
    assert overlap("The plant is green", "A green plant") == 1
    assert overlap("The plant is red", "A green plant") == 0.5
    assert overlap("the of and", "the of and") == 0
    assert content("It is a list of 3 numbers") == ["list", "3", "number"]


def test_marks_are_read_and_taken_out():
    draft = read_answer("Sound travels. [1] It needs air [2, 3][4]. Silence.", writer="given")
    assert [(s.text, s.citations) for s in draft.sentences] == [
        ("Sound travels.", (1,)), ("It needs air.", (2, 3, 4)), ("Silence.", ()),
    ]  # fmt: skip


def test_text_that_looks_like_code_stays_text():
    hostile = "<script>alert(1)</script> {0} %s ${x} __import__('os')."
    assert read_answer(hostile, writer="given").sentences[0].text == hostile
