"""The documents of a library, and the parts of their pages that could not be read."""

import hashlib
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import NamedTuple

from core.errors import UserError
from core.pdf.page import Page
from core.question import fold_subject
from core.words import count_of, joined


class Loss(NamedTuple):
    """Something on a page that was not read. kind: a key of `LOSSES`. count: the number of occurrences."""

    kind: str
    page: int
    count: int


LOSSES = {
    "no text": "{pages} {has} no text; it may be a scan: run OCR on it and add the file again",
    "sideways": "{lines} set at a slant on {pages} {was} not read; look there before you rely on an answer",
    "uncoded": "{glyphs} on {pages} {was} stored only as shapes and not read; export the file again with its "
    "fonts, or run OCR on it",
    "fields": "{fields} on {pages} {was} not read; look there for what is filled in",
    "notes": "{notes} on {pages} {was} not read; look there for what is noted",
    "added": "{pages} may hold form fields, notes and hidden layers, which were not read because the file is "
    "damaged; download or export it again",
    "tables": "{tables} on {pages} {was} not read, so no row of it is quoted; look it up on the page",
}
"""Sentence for each kind of loss: what could not be read, then what to do."""
_PLURALS = (
    ("it may be a scan", "they may be scans"), ("OCR on it and", "OCR on them and"),
    ("row of it", "row of them"), ("look it up on the page", "look them up there"),
)  # fmt: skip
"""Parts of a sentence with their plural."""
_MOST = 8
"""Maximum number of pages that a sentence names one by one."""


def losses_of(pages: Sequence[Page], cleaned_pages: Sequence[Page]) -> tuple[Loss, ...]:
    """The parts of `pages` that could not be read. cleaned_pages: the same pages without running heads and page
    numbers.
    """
    losses = []
    for page, read_page in zip(pages, cleaned_pages, strict=True):
        counts = {
            "no text": int(page.shows_more and not read_page.lines), "sideways": page.sideways, "uncoded": page.uncoded,
            "fields": page.unread_fields, "notes": page.unread_notes, "added": int(not page.known),
            "tables": page.loose_tables,
        }  # fmt: skip
        losses += [Loss(kind, page.number, count) for kind, count in counts.items() if count]
    return tuple(losses)


def loss_sentences(losses: Iterable[Loss]) -> list[str]:
    """One sentence for each kind of loss, without a full stop."""
    in_order, sentences = sorted(losses, key=lambda loss: loss.page), []
    for kind, template in LOSSES.items():
        if not (of_kind := [loss for loss in in_order if loss.kind == kind]):
            continue
        number, several = sum(loss.count for loss in of_kind), len(of_kind) > 1
        text = template.format(
            pages=_pages([loss.page for loss in of_kind]), has="have" if several else "has",
            was="was" if number == 1 else "were", lines=count_of(number, "line"), glyphs=count_of(number, "letter"),
            tables=count_of(number, "table"), fields=count_of(number, "form field"), notes=count_of(number, "note"),
        )  # fmt: skip
        for singular, plural in _PLURALS if several or number > 1 else ():
            text = text.replace(singular, plural)
        sentences.append(text)
    return sentences


def _pages(pages: Sequence[int]) -> str:
    if len(pages) == 1:
        return f"page {pages[0]}"
    if len(pages) > _MOST:
        return f"pages {', '.join(map(str, pages[:_MOST]))} and {len(pages) - _MOST} more"
    return f"pages {joined([*map(str, pages)], 'and')}"


class LibraryError(UserError):
    """Raised if the library refuses a file or a request. The message is one sentence that says what to do."""


class Cancelled(LibraryError):  # noqa: N818 - a request, not an error
    """Raised if a person cancelled the work; nothing of it is stored."""


@dataclass(frozen=True, kw_only=True)
class Document:
    """One PDF of the library.

    settings: the settings that its passages depend on, such as the words per passage. file: digest of the PDF's bytes.
    embedder: digest of the model that made its vectors. sentences: number of sentences that were read, 0 if they were
    not counted. broken: how many of these are incomplete. hidden: number of letters in the file that its pages do not
    show; they are left out. losses: what the pages show and could not be read. labels: the printed number of each page,
    "" where unknown; empty if none is known. title: of the chapter, from the first page or from a person; "" if
    unknown.
    """

    id: str
    name: str
    class_number: int | None = None
    subject: str = ""
    chapter: str = ""
    pages: int
    passages: int
    added: str
    """Time at which it was added, in ISO 8601."""
    settings: dict[str, int] = field(default_factory=dict)
    file: str = ""
    embedder: str = ""
    sentences: int = 0
    broken: int = 0
    hidden: int = 0
    losses: tuple[Loss, ...] = ()
    labels: tuple[str, ...] = ()
    title: str = ""

    def label(self, page: int) -> str:
        """The printed number of a page, counted from 1; "" if unknown."""
        return self.labels[page - 1] if page <= len(self.labels) else ""

    @property
    def content(self) -> tuple[object, ...]:
        """Everything that affects search results: all fields but `added` and `title`."""
        return tuple(str(v) for k, v in asdict(self).items() if k not in ("added", "title"))


def file_digest(data: bytes) -> str:
    """Digest of the bytes of a PDF: 16 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()[:16]


def document_id(file: str, settings: dict[str, int]) -> str:
    """Id of a PDF read with these settings: 16 hexadecimal digits. Other settings give another document."""
    return hashlib.sha256(f"{file} {sorted(settings.items())}".encode()).hexdigest()[:16]


def version_of(documents: Iterable[Document]) -> str:
    """A digest of all documents that changes when their content does; 16 hexadecimal digits."""
    rows = sorted(document.content for document in documents)
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]


SAMPLE_MARK = "sample_was_added"
"""Name of the file in a run-time folder that marks that the app has added the sample chapters, which it does
only once.
"""

_NCERT = re.compile(r"([a-l])[ehu]([a-z]{2})\d(\d\d|ps|an|gl|a\d)(?:\s*\(\d+\))?(?:\.pdf)?")
_SUBJECTS = {
    "sc": "Science", "cu": "Science", "mh": "Mathematics", "gp": "Mathematics", "ss": "Social Science",
    "es": "Social Science", "ph": "Physics", "bo": "Biology", "ch": "Chemistry", "hs": "History",
    "gy": "Geography", "ps": "Political Science", "ec": "Economics", "py": "Psychology", "sy": "Sociology",
    "ac": "Accountancy", "bs": "Business Studies", "cs": "Computer Science",
}  # fmt: skip
_LONGEST, _END = 120, 24
"""Maximum length of a safe name, and how many characters of its end stay when it is shortened."""


class Textbook(NamedTuple):
    """Class, subject and chapter of a file. A value that is not known is None or ""."""

    class_number: int | None = None
    subject: str = ""
    chapter: str = ""


def textbook(name: str) -> Textbook:
    """Read class, subject and chapter from an NCERT file name: jemh105.pdf is class 10, Mathematics, chapter 5.

    Preliminary pages (ps), answers (an), glossaries (gl) and appendices (a1) have no chapter.
    """
    match = _NCERT.fullmatch(name.strip().lower())
    if not match or match[2] not in _SUBJECTS:
        return Textbook()
    return Textbook(
        class_number=ord(match[1]) - ord("a") + 1,
        subject=_SUBJECTS[match[2]],
        chapter=str(int(match[3])) if match[3].isdigit() and int(match[3]) else "",
    )


def safe_name(name: str) -> str:
    """Return `name` without folders, control characters and bidirectional marks; never empty."""
    base = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    printable = "".join(" " if unicodedata.category(c).startswith("C") else c for c in base)
    safe = " ".join(printable.split()).lstrip(". ")
    if not safe:
        return "document.pdf"
    if len(safe) <= _LONGEST:
        return safe
    # A long name keeps its start and its end, and 8 digits of its digest between them make it unique.
    end = "~" + hashlib.sha256(safe.encode("utf-8", "surrogatepass")).hexdigest()[:8] + "~" + safe[-_END:]
    return safe[: _LONGEST - len(end)] + end


def clashes(names: Sequence[str], bytes_of: Callable[[int], bytes]) -> dict[int, str]:
    """Find the files that must not be added with the others: index in `names` -> a sentence with the reason.

    The first file of a name is added; a later one with the same bytes is no clash. Only files whose names collide are
    read.
    """
    indices_by_name: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        indices_by_name.setdefault(safe_name(name).casefold(), []).append(index)
    reasons = {}
    for first, *others in (p for p in indices_by_name.values() if len(p) > 1):
        first_digest = file_digest(bytes_of(first))
        reasons |= {
            index: f"{safe_name(names[index])} comes twice in this batch with different content, and only the first "
            "one is added; rename the other one and add it again."
            for index in others
            if file_digest(bytes_of(index)) != first_digest
        }
    return reasons


def with_unique_names(documents: Sequence[Document]) -> tuple[Document, ...]:
    """Return `documents` with unique names: if several share a file name, class and subject are added to it.

    "chapter1.pdf" of class 7 becomes "chapter1.pdf (class 7)". Lists, citations and scopes use this name.
    """
    count = Counter(document.name.casefold() for document in documents)
    return tuple(
        replace(d, name=d.name + (in_brackets(d) or " (class not known)")) if count[d.name.casefold()] > 1 else d
        for d in documents
    )


def in_brackets(document: Document) -> str:
    """Class and subject to append to a name: " (class 7, Science)"; "" if neither is known.

    Brackets in the subject are removed, so that they do not end the outer ones.
    """
    subject = " ".join(document.subject.replace("(", " ").replace(")", " ").split())
    parts = [f"class {document.class_number}" if document.class_number else "", subject]
    return f" ({', '.join(filter(None, parts))})" if any(parts) else ""


def is_place_of(document: Document, name: str, book: Textbook | Document) -> bool:
    """True if a file with this name, class and subject would take the document's place. Case is ignored, as some file
    systems do.
    """
    of_same_book = (document.class_number, fold_subject(document.subject)) == (
        book.class_number, fold_subject(book.subject),
    )  # fmt: skip
    return document.name.casefold() == name.casefold() and of_same_book


def previous_version(
    documents: Sequence[Document], file: str, name: str, class_number: int | None, subject: str | None
) -> Document | None:
    """The document of which a file is a new version; None for a new file.

    That is the document with the same bytes (`file` is their digest). If there is none, it is the document with the
    same name, class and subject; a class or subject of None is not compared. Raises LibraryError if several documents
    fit.
    """
    if same := [d for d in documents if d.file == file]:
        return same[-1]
    matches = [
        d for d in documents
        if d.name.casefold() == name.casefold()
        and class_number in (None, d.class_number)
        and (subject is None or fold_subject(subject) == fold_subject(d.subject))
    ]  # fmt: skip
    if len(matches) > 1:
        matches = [d for d in matches if is_place_of(d, name, textbook(name))] or matches
    if len(matches) > 1:
        names = ", ".join(document.name for document in with_unique_names(matches))
        raise LibraryError(
            f"{name} could be a new version of {names}; give its class and subject, so that it replaces the right one."
        )
    return matches[0] if matches else None
