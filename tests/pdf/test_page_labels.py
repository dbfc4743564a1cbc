"""The number that a page is printed with: found at its edges, counted on, else the label of the file."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.book_titles import page_title, page_words, with_page
from core.case import Passage
from core.library.passages import passages_of
from core.pdf.furniture import page_labels
from tests.support.page_lines import line, page, page_with

BODY = "The {n} valley lies between two ranges of hills.\nA river runs through it.\nGoats graze there.\nIt is {n}."
NAMES = ("first", "second", "third", "fourth", "fifth")


def book(*feet, head=False):
    """A page for each foot, or head, which is a line of its own."""
    texts = [BODY.format(n=name) for name, _ in zip(NAMES, feet, strict=False)]
    return page_with(
        *(f"{foot}\n{text}" if head else f"{text}\n{foot}" for text, foot in zip(texts, feet, strict=True))
    )


@pytest.mark.parametrize(
    ("pages", "labels"),
    [
        (book("161", "162", "163"), ("161", "162", "163")),
        (book("161", "162", "163", head=True), ("161", "162", "163")),
        (book("", "162", "163"), ("161", "162", "163")),
        (book("161", "", "163", ""), ("161", "162", "163", "164")),
        (book("Page 9", "Page 10", "Page 11"), ("9", "10", "11")),
        (book("- 9 -", "- 10 -", "- 11 -"), ("9", "10", "11")),
        (book("Science 12", "13 Sound", "Science 14", head=True), ("12", "13", "14")),
        (book("Reprint 2026-27", "Reprint 2026-27"), ("", "")),
        (book("7", "19", "3"), ("", "", "")),
        (book("", "", ""), ("", "", "")),
        (book("1", "2", "3"), ("1", "2", "3")),
    ],
)
def test_printed_numbers_that_count_on_with_the_pages(pages, labels):
    assert page_labels(pages) == labels


def test_the_label_of_the_file_stands_in_where_nothing_is_printed():
    pages = [replace(p, label=label) for p, label in zip(book("", "", ""), ("ii", "2", "iii"), strict=True)]
    assert page_labels(pages) == ("ii", "", "iii")


def test_the_label_of_the_file_comes_before_what_is_printed():
    pages = [replace(p, label=label) for p, label in zip(book("161", "162"), ("A-1", "A-2"), strict=True)]
    assert page_labels(pages) == ("A-1", "A-2")


def test_labels_that_only_count_the_pages_of_the_file_are_none():
    assert page_labels([replace(p, label=str(p.number)) for p in book("161", "162")]) == ("161", "162")


@given(first=st.integers(1, 900), absent=st.sets(st.integers(0, 4), max_size=3))
def test_any_first_number_is_found_with_up_to_three_of_five_left_out(first, absent):
    feet = ["" if n in absent else str(first + n) for n in range(5)]
    assert page_labels(book(*feet)) == tuple(str(first + n) for n in range(5))


@pytest.mark.parametrize(
    ("at", "label", "words"),
    [(2, "162", "page 2 (printed 162)"), (2, "", "page 2"), (2, "2", "page 2"), (1, "iv", "page 1 (printed iv)")],
)
def test_a_page_in_words(at, label, words):
    assert (page_words(at, label), page_title(at, label)) == (words, words.replace("page", "Page"))


def test_passages_keep_the_numbers_of_their_pages_and_cite_them():
    (passage,) = passages_of(book("161", "162"), document_id="d", document="valley.pdf").passages
    assert passage.labels == tuple({1: "161", 2: "162"}[n] for n in passage.pages)
    assert with_page(passage, 2) == "Valley, page 2 (printed 162)"
    assert passage.label(3) == "163"  # a sentence may go on there


def test_an_old_passage_has_no_numbers():
    old = Passage(id="d:0", sentences=("A river runs.",), pages=(2,), document="valley.pdf")
    assert (old.label(2), with_page(old, 2)) == ("", "Valley, page 2")


def test_a_number_in_the_last_sentence_is_no_page_number():
    pages = [
        page(line(f"In the year {n} it rained more than in any other of the long years before it")) for n in (5, 6)
    ]
    assert page_labels([replace(p, number=n) for n, p in enumerate(pages, 1)]) == ("", "")
