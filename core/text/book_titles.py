"""What a book is called in a reader's words: a file name is read as a title where it is one."""

import re
from pathlib import PurePath
from typing import Protocol

from core.case import Passage
from core.question import file_and_place

_CODE = re.compile(r"[a-z]{2,5}\d{2,4}[a-z]*\d*", re.IGNORECASE)
"""A file name that only a publisher reads, such as jesc110."""

_SMALL = frozenset("a an and as at by for from in of on or the to with".split())


class Titled(Protocol):
    """A passage or a document: the name of its file, and what is known of the book."""

    @property
    def name(self) -> str: ...
    @property
    def class_number(self) -> int | None: ...
    @property
    def subject(self) -> str: ...
    @property
    def chapter(self) -> str: ...


def book_title(name: str) -> str:
    """ "nutrition_in_plants.pdf" as "Nutrition in Plants"; the name as it is where it is a publisher's code.

    What tells a document from others of its name stays behind the title: "Chapter1 (class 7)".
    """
    return title_of(name) or name


def title_of(name: str) -> str:
    """The title that a file name is, in its words; "" for a publisher's code, which is none."""
    file, place = file_and_place(name)
    stem = PurePath(file).stem if file.lower().endswith(".pdf") else file
    words = stem.replace("_", " ").split()
    if _CODE.fullmatch(stem):
        return ""
    return " ".join(w if n and w in _SMALL else w[0].upper() + w[1:] for n, w in enumerate(words)) + place


def book(of: Titled) -> str:
    """The chapter that a passage or a document is: "Sound, chapter 10", or "Science, class 10, chapter 10"."""
    name = of.name
    title, chapter = book_title(name), f"chapter {of.chapter}" if of.chapter else ""
    if not title_of(name) and of.subject:  # the name is a code, which class and subject say better
        title = f"{of.subject}, class {of.class_number}" if of.class_number else of.subject
    return ", ".join(part for part in (title, chapter) if part)


def in_short(of: Titled) -> str:
    """It in as few words as tell it from its neighbours: its title, or its chapter where its name is a code."""
    return title_of(of.name) or (f"chapter {of.chapter}" if of.chapter else book(of))


def page_words(page: int, label: str = "") -> str:
    """A page in words: "page 2 (printed 162)"; "page 2" where the printed number is the same or not known."""
    return f"page {page} (printed {label})" if label and label != str(page) else f"page {page}"


def page_title(page: int, label: str = "") -> str:
    """The same at the beginning of a title: "Page 2 (printed 162)"."""
    return f"P{page_words(page, label)[1:]}"


def page_of_passage(passage: Passage, page: int) -> str:
    """The same for a page of a passage; "" where the page is not known."""
    return page_words(page, passage.label(page)) if page else ""


def with_page(passage: Passage, page: int) -> str:
    """Its book with one of its pages: "Sound, chapter 10, page 3"; the book alone where the page is not known."""
    return f"{book(passage)}, {page_of_passage(passage, page)}" if page else book(passage)


def place_of(passage: Passage) -> str:
    """Where it begins, within a sentence: "on page 3 of Sound, chapter 10", "in Sound" where no page is known."""
    return f"on {page_of_passage(passage, passage.page)} of {book(passage)}" if passage.page else f"in {book(passage)}"


def origin(passage: Passage) -> str:
    """What `book` leaves out of a passage: its class, subject and section, as far as they are known, and its file."""
    known = (f"class {passage.class_number}" if passage.class_number else "", passage.subject, passage.section)
    return " · ".join(part for part in (*known, passage.document) if part)
