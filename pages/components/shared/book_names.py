"""What a book is called in a teacher's words: a file name is read as a title where it is one."""

import re
from pathlib import PurePath

from core.case import Passage
from core.library import Document

_CODE = re.compile(r"[a-z]{2,5}\d{2,4}[a-z]*\d*", re.IGNORECASE)
"""A file name that only a publisher reads, such as jesc110."""

_SMALL = frozenset("a an and as at by for from in of on or the to with".split())


def book_title(name: str) -> str:
    """ "nutrition_in_plants.pdf" as "Nutrition in Plants"; the name as it is where it is a publisher's code."""
    stem = PurePath(name).stem if name.lower().endswith(".pdf") else name
    words = stem.replace("_", " ").split()
    if not words or _CODE.fullmatch(stem):
        return name
    return " ".join(w if n and w in _SMALL else w[0].upper() + w[1:] for n, w in enumerate(words))


def book(of: Passage | Document) -> str:
    """The chapter that a passage or a document is: "Sound, chapter 10", or "Science, class 10, chapter 10"."""
    title, chapter = book_title(of.name), f"chapter {of.chapter}" if of.chapter else ""
    if title == of.name and of.subject:  # the name is a code, which class and subject say better
        title = f"{of.subject}, class {of.class_number}" if of.class_number else of.subject
    return ", ".join(part for part in (title, chapter) if part)
