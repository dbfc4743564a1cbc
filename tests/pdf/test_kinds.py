"""What a line is follows from how it is set and where it stands."""

import pytest

from core.pdf.line_types import body_size, is_caption, is_heading_style, typed_lines
from tests.support.page_lines import line, page

PROSE = "Sound is produced by things that vibrate, and it travels through air, water and steel."


def kinds(*lines, boxes=()):
    return [found.kind for found in typed_lines([page(*lines, boxes=boxes)])]


def test_the_body_is_what_most_letters_are_set_in():
    assert body_size([page(line(PROSE), line(PROSE, 1), line("A Very Large Title Here", 2, size=28))]) == 10
    assert body_size([page()]) == 0


@pytest.mark.parametrize(
    ("text", "style", "expected"),
    [
        ("Loudness and Pitch", {"bold": True}, True),
        ("CHAPTER TWO", {"size": 14.0}, True),
        ("Loudness and Pitch", {}, False),
        ("It stops at once.", {"bold": True}, False),
        ("v = u + at", {"bold": True}, False),
        ("12 34", {"bold": True}, False),
        (
            "Note that the speed of sound in a solid is always larger than it is in any gas or liquid",
            {"bold": True},
            False,
        ),
    ],
)
def test_headings_are_bold_or_large_and_short(text, style, expected):
    assert is_heading_style(line(text, **style), 10) is expected


def test_a_bold_line_inside_a_paragraph_is_no_heading():
    assert (
        kinds(PROSE[:-1], line("the voice box or the larynx", 1, bold=True), line("of a person.", 2)) == ["prose"] * 3
    )
    assert kinds(PROSE, line("Loudness and Pitch", 2, bold=True), line(PROSE, 4)) == ["prose", "heading", "prose"]


def test_bold_lines_that_open_a_paragraph_one_and_a_half_lines_apart_are_no_heading():
    """Size 10, a line every 16 points: a book for small children, or a manuscript."""
    texts = ("The moon turns round the earth once in a month, and the", "side that we see is always the same one.")
    lines = [line(text, top=72.0 + 16 * n, bold=n == 0) for n, text in enumerate(texts)]
    assert [n.kind for n in typed_lines([page(*lines)])] == ["prose", "prose"]


def test_a_paragraph_in_bold_is_prose():
    bold = [line("Sound needs a medium to travel through", n, bold=True) for n in range(4)]
    assert kinds(*bold, line(PROSE, 6)) == ["prose"] * 5


def test_a_heading_may_take_two_lines():
    lines = line("10.1 Sound is Made by a", 2, bold=True), line("Vibrating Body", 3, bold=True)
    assert kinds(PROSE, *lines, line(PROSE, 5)) == ["prose", "heading", "heading", "prose"]


def test_numbered_headings_need_no_style():
    assert kinds("10.1 Sound is Made by Bodies", "Touch the bell.") == ["heading", "prose"]
    assert kinds("10.1 metres is the length", "of the hall.") == ["prose", "prose"]


@pytest.mark.parametrize(
    ("text", "style", "expected"),
    [
        ("Fig. 10.2 : Striking a pan", {}, True),
        ("Figure 1.3", {}, True),
        ("Table 4 - Metals", {"bold": True}, True),
        ("Fig. 2.1 shows the graph of a car.", {}, False),
        ("Table 10.1. Complete the rest of it.", {}, False),
        ("Figures of speech are used", {"bold": True}, False),
    ],
)
def test_captions_are_numbered_and_set_apart(text, style, expected):
    assert is_caption(line(text, **style), 10) is expected


def test_the_lines_of_a_caption_belong_to_it():
    small = {"size": 8.0, "italic": True}
    found = kinds(
        PROSE, line("Figure 1.3", 2, **small), line("Formation of slaked lime", top=106.0, **small), line(PROSE, 6)
    )
    assert found == ["prose", "caption", "caption", "prose"]


def test_small_words_at_a_picture_are_labels_and_small_items_are_not():
    assert kinds(PROSE, line("Test tube", 2, size=8.0), line("• grapes rot", 4, size=8.0)) == [
        "prose",
        "label",
        "prose",
    ]


def test_a_heading_right_above_a_box_is_its_title():
    box = (70.0, 88.0, 300.0, 130.0)
    title, inside = line("Activity 10.1", size=13.0, bold=True), line("Strike a bell.", top=92.0, box=0)
    assert kinds(title, inside, boxes=(box,)) == ["box", "box"]
    far = line("10.3 Sound", top=40.0, size=13.0, bold=True)
    assert kinds(far, inside, boxes=(box,)) == ["heading", "box"]
