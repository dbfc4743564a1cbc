"""What stands on every page goes; what merely looks like it stays."""

from dataclasses import replace

from core.library import running_heads as furniture
from tests.library.laid import line, read
from tests.library.laid import page as laid_page

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
    return read(furniture.without_furniture([laid_page(*lines, number=n) for n, lines in enumerate(pages, 1)]))


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
    assert read(furniture.without_furniture(last)) == PLAIN


def test_a_document_of_equal_pages_is_not_emptied():
    pages = [("The same line.",)] * 5
    assert without_furniture(pages) == tuple(pages)
