"""Running heads go, and words are whole again; nothing else changes."""

from dataclasses import replace

import pytest

from core.pdf import furniture
from core.pdf.text_cleaning import clean_page, readable, seam, whole_words
from tests.support.page_lines import line, page, read_text
from tests.support.page_lines import page as laid_page

BODY = tuple(f"Body line {word} of the page goes on." for word in ("one", "two", "three", "four", "five", "six"))


def nothing(number):
    return ""


def book(pages, head=nothing, foot=nothing):
    """Pages of six lines, with a head and a foot where the functions give one."""
    made = []
    for n in range(1, pages + 1):
        body = tuple(f"Page {chr(96 + n)}: {line}" for line in BODY)
        made.append(tuple(line for line in (head(n), *body, foot(n)) if line))
    return made


PLAIN = tuple(book(8))


def without_furniture(pages):
    """What is left of pages of plain lines."""
    return read_text(furniture.without_furniture([laid_page(*lines, number=n) for n, lines in enumerate(pages, 1)]))


def test_heads_of_left_and_right_pages_go_with_their_numbers():
    pages = book(8, head=lambda n: f"SOUND {n + 120}" if n % 2 else f"SCIENCE{n + 120}")
    assert without_furniture(pages) == PLAIN


def test_feet_that_repeat_word_for_word_go():
    assert without_furniture(book(8, foot="2024-25".format)) == PLAIN
    assert without_furniture(book(8, foot="The Book of Light".format)) == PLAIN


def test_page_numbers_alone_go():
    assert without_furniture(book(8, foot=lambda n: str(n + 48))) == PLAIN
    assert without_furniture(book(8, foot=lambda n: f"- {n} -")) == PLAIN
    assert without_furniture(book(8, foot=lambda n: f"Page {n} of 8")) == PLAIN


@pytest.mark.parametrize("place", range(7))
def test_page_numbers_in_the_margin_go(place):
    pages = [(*lines[:place], str(n + 48), *lines[place:]) for n, lines in enumerate(PLAIN)]
    assert without_furniture(pages) == PLAIN


def test_pages_without_text_do_not_count_among_those_that_have_a_head():
    written = book(4, head=lambda n: "SOUND" if n < 4 else "")
    assert without_furniture([*[()] * 20, *written]) == (*[()] * 20, *book(4))


@pytest.mark.parametrize("numbers", [(7, 9, 9, 11, 12, 15, 20, 21), (3, 3, 3, 3, 3, 3, 3, 3), (8, 7, 6, 5, 4, 3, 2, 1)])
def test_numbers_inside_a_page_that_do_not_count_on_stay(numbers):
    pages = [(*lines[:3], str(n), *lines[3:]) for n, lines in zip(numbers, PLAIN, strict=True)]
    assert without_furniture(pages) == tuple(pages)


def test_a_number_inside_a_page_stays_where_the_page_number_stands_at_the_foot():
    pages = [(*lines[:3], str(n), *lines[3:], str(n)) for n, lines in enumerate(PLAIN, 1)]
    assert without_furniture(pages) == tuple(page[:-1] for page in pages)


def test_a_cell_of_a_table_is_no_page_number():
    pages = [laid_page(*lines[:3], line(str(n), 3, cell=(0, 1, 0)), *lines[3:], number=n)
             for n, lines in enumerate(PLAIN, 1)]  # fmt: skip
    assert read_text(furniture.without_furniture(pages)) == read_text(pages)


def test_reprint_lines_go_even_from_a_single_page():
    assert without_furniture([("A line.", "Reprint 2026-27")]) == (("A line.",),)


def test_captions_and_lone_figures_stay():
    captions = book(8, foot=lambda n: f"Fig. {3 * n % 7 + 1}")
    assert without_furniture(captions) == tuple(captions)
    figures = book(8, foot=lambda n: str(17 * n % 11 + 40) if n == 5 else None)
    assert without_furniture(figures) == tuple(figures)


def test_a_line_that_recurs_in_the_middle_of_pages_stays():
    pages = [(*page[:3], "Remember the rule.", *page[3:]) for page in book(8)]
    assert without_furniture(pages) == tuple(pages)


def test_a_running_head_goes_wherever_it_comes_in_the_order_of_reading():
    pages = [laid_page(line(f"SOUND {n + 120}", top=20.0), *body, number=n + 1) for n, body in enumerate(PLAIN)]
    last = [replace(page, lines=(*page.lines[1:], page.lines[0])) for page in pages]
    assert read_text(furniture.without_furniture(last)) == PLAIN


def test_a_document_of_equal_pages_is_not_emptied():
    pages = [("The same line.",)] * 5
    assert without_furniture(pages) == tuple(pages)


def met(before, after, *document):
    text, between = seam(before, after, whole_words([before, after, *document]))
    return text + between + after


@pytest.mark.parametrize(
    ("before", "after", "whole"),
    [
        ("the chemi-", "cal change", "the chemical change"),
        ("the atmo-", "sphere", "the atmosphere"),
        ("an in-", "crease of heat", "an increase of heat"),
        ("a soft\u00ad", "ened edge", "a softened edge"),
        ("a well-", "known fact", "a well-known fact"),
        ("the X-", "Ray tube", "the X-Ray tube"),
        ("CFC-", "11 is a gas", "CFC-11 is a gas"),
        ("sound –", "a vibration", "sound – a vibration"),
        ("plain", "lines", "plain lines"),
    ],
)
def test_words_broken_at_a_line_end_are_joined_and_hyphens_kept(before, after, whole):
    assert met(before, after) == whole


def test_the_document_itself_decides_about_a_hyphen():
    assert met("called near-", "sightedness.", "In near-sightedness the eye") == "called near-sightedness."
    assert met("heard light-", "ning", "We saw lightning and light") == "heard lightning"
    assert met("a light-", "sensitive cell", "The light falls") == "a light-sensitive cell"


def test_words_hold_only_what_can_be_stored():
    assert readable("\ufb01nd\x00") == "find" and readable("ﬂow\ud835") == "flow"
    assert readable("soft\u00adened") == "softened"
    assert readable("don\x19t") == "don’t"
    assert readable("किसान खेत में") == "किसान खेत में"


def test_dots_that_stand_apart_are_one_word_in_their_place():
    before = page("2, 4, 6, . . . ., and so on")
    (after,) = clean_page(before).lines
    assert after.text == "2, 4, 6, ..., and so on"
    first, last = before.lines[0].words[3], before.lines[0].words[6]
    assert (after.words[3].left, after.words[3].right) == (first.left, last.right)


def test_a_mended_page_keeps_the_places_of_its_words():
    before = page("\ufb01nd the ﬂow", "\x00", "plain words")
    after = clean_page(before)
    assert [line.text for line in after.lines] == ["find the flow", "plain words"]
    assert after.lines[1] == before.lines[2]
    assert after.lines[0].left == before.lines[0].left and after.lines[0].right == before.lines[0].right
