"""The names of books and pages for readers: the title of the chapter, else a file name that is made of words."""

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Protocol

from core.case import Passage
from core.question import file_and_suffix

_CODE = re.compile(r"[a-z]{2,5}\d{2,4}[a-z]*\d*", re.IGNORECASE)
"""A publisher's code as a file name, such as jesc110."""

_SMALL = frozenset("a an and as at by for from in of on or the to with".split())


class Titled(Protocol):
    """A passage or a document: its file name, and the known facts about its book ("" and None if unknown)."""

    name: str
    title: str
    class_number: int | None
    subject: str
    chapter: str


def book_title(name: str) -> str:
    """The title of a file name: "nutrition_in_plants.pdf" gives "Nutrition in Plants"; a publisher's code is unchanged.

    The suffix that distinguishes documents of one name follows the title: "Chapter1 (class 7)".
    """
    return title_of(name) or name


def title_of(name: str) -> str:
    """The title of a file name; "" for a publisher's code."""
    file, suffix = file_and_suffix(name)
    stem = PurePath(file).stem if file.lower().endswith(".pdf") else file
    words = stem.replace("_", " ").split()
    if _CODE.fullmatch(stem):
        return ""
    return _title_case(words) + suffix


def title_case(text: str) -> str:
    """A title in capitals as a title in small letters: "MOTION IN A LINE" gives "Motion in a Line"."""
    return _title_case(text.lower().split())


def _title_case(words: Sequence[str]) -> str:
    return " ".join(w if n and w in _SMALL else w[0].upper() + w[1:] for n, w in enumerate(words))


def book(titled: Titled) -> str:
    """The book and chapter of a passage or document: "Sound, chapter 10", or "Science, class 10, chapter 10"."""
    title, chapter = titled.title or title_of(titled.name), f"chapter {titled.chapter}" if titled.chapter else ""
    if not title and titled.subject:  # the name is a code, which class and subject say better
        title = f"{titled.subject}, class {titled.class_number}" if titled.class_number else titled.subject
    return ", ".join(filter(None, (title or titled.name, chapter)))


def titles_of(names: Iterable[str], documents: Iterable[Titled]) -> list[str]:
    """The book of each file name, by its document; by the name alone if that document is gone."""
    book_by_name = {document.name: book(document) for document in documents}
    return [book_by_name.get(name) or book_title(name) for name in names]


def in_short(titled: Titled) -> str:
    """The shortest distinguishing name: its title, or its chapter if its file name is a code."""
    return titled.title or title_of(titled.name) or (f"chapter {titled.chapter}" if titled.chapter else book(titled))


def page_words(page: int, label: str = "") -> str:
    """A page in words: "page 2 (printed 162)"; "page 2" if the printed number is equal or unknown."""
    return f"page {page} (printed {label})" if label and label != str(page) else f"page {page}"


def page_title(page: int, label: str = "") -> str:
    """`page_words` with a capital letter, for titles: "Page 2 (printed 162)"."""
    return f"P{page_words(page, label)[1:]}"


def page_of_passage(passage: Passage, page: int) -> str:
    """`page_words` for a page of a passage; "" if the page is unknown (0)."""
    return page_words(page, passage.label(page)) if page else ""


def with_page(passage: Passage, page: int) -> str:
    """The book of a passage with a page: "Sound, chapter 10, page 3"; the book alone if the page is unknown (0)."""
    return f"{book(passage)}, {page_of_passage(passage, page)}" if page else book(passage)


def place_of(passage: Passage) -> str:
    """The start of a passage as part of a sentence: "on page 3 of Sound, chapter 10"; "in Sound" without a page."""
    return f"on {page_of_passage(passage, passage.page)} of {book(passage)}" if passage.page else f"in {book(passage)}"


def origin(passage: Passage) -> str:
    """The details of a passage that `book` omits: its class, subject and section if known, and its file."""
    details = (f"class {passage.class_number}" if passage.class_number else "", passage.subject, passage.section)
    return " · ".join(part for part in (*details, passage.document) if part)
