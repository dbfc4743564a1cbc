"""The title of a chapter is read from its first page, stored with the document, and can be corrected."""

import pytest

from core.book_titles import book, title_case
from core.library.chapter_titles import LONGEST, chapter_title, tidy_title
from core.pdf.page import Line, Page, Word
from tests.support.pdfs import make_pdf

BODY = [(10.0, f"All of the running text is set in this size, line {n}.") for n in range(20)]


def page(*lines, number=1):
    """A page with these lines from top to bottom, each a size in points and a text."""
    drawn, top = [], 60.0
    for size, text in lines:
        words = tuple(Word(text=word, left=50 + n * 40, right=80 + n * 40) for n, word in enumerate(text.split()))
        drawn.append(Line(words=words, top=top, bottom=top + size, size=size))
        top += 1.2 * size
    return Page(number=number, width=595, height=842, lines=tuple(drawn))


def test_a_page_for_teachers_has_no_title_of_the_chapter():
    notes = page((20, "Notes for the Teacher"), (26, "Chapter 4: Trade and Us"), *BODY)
    assert chapter_title([notes, page((24, "Trade and the World"), *BODY, number=2)], "4") == "Trade and the World"
    assert chapter_title([notes], "4") == ""


@pytest.mark.parametrize(
    ("heads", "chapter", "title"),
    [
        ([(16, "CHAPTER10"), (30, "The Human Eye and"), (30, "the Colourful World")], "10",
         "The Human Eye and the Colourful World"),
        ([(40, "Chapter 4"), (30, "Money and Banking")], "4", "Money and Banking"),
        ([(11, "CHAPTER TWO"), (14, "MOTION IN A STRAIGHT LINE")], "2", "Motion in a Straight Line"),
        ([(72, "9"), (30, "Family and"), (30, "Community")], "9", "Family and Community"),
        ([(30, "The Rise of the Marathas 3")], "3", "The Rise of the Marathas"),
        ([(30, "Chapter 7: Nationalism"), (18, "The big questions")], "7", "Nationalism"),
        ([(30, "The World after 1945")], "3", "The World after 1945"),
        ([(30, "Contents"), (20, "Peat and Coal")], "", "Peat and Coal"),
        ([(30, "https://www.example.org"), (20, "Peat and Coal")], "", "Peat and Coal"),
        ([(10.5, "Not larger than the running text")], "", ""),
        ([], "", ""),
    ],
)  # fmt: skip
def test_the_largest_lines_with_words_are_the_title(heads, chapter, title):
    assert chapter_title([page(*heads, *BODY)], chapter) == title


def test_a_first_page_without_text_is_passed_over():
    assert chapter_title([page(), page((30, "Agriculture"), *BODY, number=2)]) == "Agriculture"
    assert chapter_title([]) == ""


def test_without_a_title_in_the_text_the_running_head_is_one():
    def body(page_number):
        return [(size, f"{text} Page {page_number}.") for size, text in BODY]

    pages = [
        page((9, "PEAT AND COAL" if n % 2 else "GEOGRAPHY"), *body(n), (9, "Reprint 2026-27"), number=n)
        for n in range(1, 9)
    ]  # fmt: skip
    assert chapter_title(pages) == "Peat and Coal"
    assert chapter_title(pages[:2]) == ""
    assert chapter_title([page(*BODY, (10, "near the village."), number=n) for n in range(1, 9)]) == ""


def test_a_title_is_stored_on_one_line_and_bounded():
    assert tidy_title("  Sound \n and\tlight\x00 ") == "Sound and light"
    assert len(tidy_title("x" * 500)) == LONGEST
    assert title_case("THE RISE OF THE SUN") == "The Rise of the Sun"


def test_a_corrected_title_is_on_the_passages_and_leaves_the_search_alone(library):
    document = library.ingest(
        make_pdf("Light travels in straight lines. A mirror reflects light."), "light.pdf"
    ).document
    version, (passage, *_) = library.version, library.passages()
    assert book(passage) == book(document)
    fields = {"class_number": document.class_number, "subject": document.subject, "chapter": document.chapter}
    amended = library.amend(document.id, **fields, title=" The  Wug ")
    assert amended.title == "The Wug" and library.version == version
    assert book(library.passages()[0]).startswith("The Wug")
    assert library.amend(document.id, **fields).title == "The Wug"
