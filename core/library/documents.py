"""The documents of a library, and what was lost when each was read."""

import hashlib
import json
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from core.pdf.page import Page
from core.platform.atomic_write import write_whole


class Loss(NamedTuple):
    """Something on a page that was not read. kind: a key of `LOSSES`. count: the number of occurrences."""

    kind: str
    page: int
    count: int


LOSSES = {
    "no text": "{pages} {has} no text; it may be a scan: run OCR on it and add the file again",
    "sideways": "{lines} set at a slant on {pages} {was} not read; look there before you rely on an answer",
    "uncoded": "{glyphs} on {pages} {was} drawn without saying which letters they are; export the file again with "
    "its fonts, or run OCR on it",
    "fields": "{fields} on {pages} {was} not read; look there for what is written in",
    "notes": "{notes} on {pages} {was} not read; look there for what is noted",
    "added": "{pages} may hold form fields, notes and hidden layers, which nobody could look for, since the file is "
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
    order = list(LOSSES)
    in_order = sorted(losses, key=lambda loss: (order.index(loss.kind), loss.page))
    return [_loss_sentence(kind, list(group)) for kind, group in groupby(in_order, key=lambda loss: loss.kind)]


def _loss_sentence(kind: str, losses: Sequence[Loss]) -> str:
    number, several = sum(loss.count for loss in losses), len(losses) > 1
    text = LOSSES[kind].format(
        pages=_pages([loss.page for loss in losses]), has="have" if several else "has",
        was="was" if number == 1 else "were", lines=_count_text(number, "line"), glyphs=_count_text(number, "letter"),
        tables=_count_text(number, "table"), fields=_count_text(number, "form field"),
        notes=_count_text(number, "note"),
    )  # fmt: skip
    for singular, plural in _PLURALS if several or number > 1 else ():
        text = text.replace(singular, plural)
    return text


def _pages(pages: Sequence[int]) -> str:
    if len(pages) == 1:
        return f"page {pages[0]}"
    if len(pages) > _MOST:
        return f"pages {', '.join(map(str, pages[:_MOST]))} and {len(pages) - _MOST} more"
    return f"pages {', '.join(map(str, pages[:-1]))} and {pages[-1]}"


def _count_text(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


class LibraryError(ValueError):
    """Raised if the library refuses a file or a request. The message is one sentence that says what to do."""


class Cancelled(LibraryError):  # noqa: N818 - a request, not an error
    """Raised if a person cancelled the work; nothing of it is stored."""


@dataclass(frozen=True, kw_only=True)
class Document:
    """One PDF of the library.

    settings: the settings that its passages depend on, such as the words per passage. file: digest of the PDF's bytes.
    embedder: digest of the model that made its vectors. replaces: ids of older documents that this one hides until they
    are removed. sentences: number of sentences that were read, 0 if they were not counted. broken: how many of these
    are incomplete. hidden: number of letters in the file that its pages do not show; they are left out. losses: what
    the pages show and could not be read. labels: the printed number of each page, "" where unknown; empty if none is
    known. title: of the chapter, from the first page or from a person; "" if unknown.
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
    replaces: tuple[str, ...] = ()
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
        """Everything that affects search results: all fields but `added`, `replaces` and `title`."""
        return tuple(str(v) for k, v in asdict(self).items() if k not in ("added", "replaces", "title"))


def file_digest(data: bytes) -> str:
    """Digest of the bytes of a PDF: 16 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()[:16]


def document_id(file: str, settings: dict[str, int]) -> str:
    """Id of a PDF read with these settings: 16 hexadecimal digits. Other settings give another document."""
    return hashlib.sha256(f"{file} {sorted(settings.items())}".encode()).hexdigest()[:16]


class Manifests:
    """The manifests in one folder, a JSON file for each document. They are read again only after the folder has
    changed, by any process.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, id_: str) -> Path:
        return self.folder / f"{id_}.json"

    def all(self) -> tuple[Document, ...]:
        """Every complete document that is not replaced, oldest first."""
        return _visible(self._state())

    def replacing(self) -> tuple[Document, ...]:
        """The documents that replace others. Files of the replaced documents may still be on the disk."""
        return tuple(d for d in self.all() if d.replaces)

    def version(self) -> str:
        """A digest of all documents that changes when their content does; 16 hexadecimal digits."""
        return _version(self._state())

    def add(self, document: Document) -> None:
        write_whole(self.path(document.id), json.dumps(asdict(document), indent=1).encode())

    def remove(self, id_: str) -> None:
        self.path(id_).unlink(missing_ok=True)

    def _state(self) -> tuple[tuple[str, int, int, int], ...]:
        """Path, inode, modification time and size of every manifest: these change when the folder does."""
        manifests = []
        for entry in os.scandir(self.folder):
            with suppress(FileNotFoundError):  # removed a moment ago
                if entry.name.endswith(".json"):
                    status = entry.stat()
                    manifests.append((entry.path, status.st_ino, status.st_mtime_ns, status.st_size))
        return tuple(sorted(manifests))


SAMPLE_MARK = "sample_was_added"
"""Name of the file in a run-time folder that marks that the app has added the sample chapters, which it does
only once.
"""


def version_in(home: Path) -> str:
    """The version of the library in the run-time folder `home`, without opening it; "" if it was never used.

    The app adds the sample chapters to a library that was never used.
    """
    manifests = Manifests(home / "documents")
    return manifests.version() if manifests.all() or (home / SAMPLE_MARK).exists() else ""


def names_in(home: Path) -> frozenset[str]:
    """The names of the documents in the run-time folder `home`, without opening its library."""
    return frozenset(document.name for document in Manifests(home / "documents").all())


@lru_cache(maxsize=8)
def _visible(state: tuple[tuple[str, int, int, int], ...]) -> tuple[Document, ...]:
    documents = [d for d in (_document(row) for row in state) if d]
    replaced = {id_ for d in documents for id_ in d.replaces}
    return tuple(sorted((d for d in documents if d.id not in replaced), key=lambda d: (d.added, d.id)))


@lru_cache(maxsize=8)
def _version(state: tuple[tuple[str, int, int, int], ...]) -> str:
    rows = sorted(document.content for document in _visible(state))
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]


@lru_cache(maxsize=4096)
def _document(row: tuple[str, int, int, int]) -> Document | None:
    """Read a manifest; None if it has just been removed."""
    path = Path(row[0])
    try:
        content = json.loads(path.read_bytes())
        fields = {"file": content.get("file") or path.stem, "replaces": tuple(content.get("replaces", ()))}
        fields |= {"losses": tuple(Loss(*loss) for loss in content.get("losses", ()))}
        fields |= {"labels": tuple(content.get("labels", ()))}
        return Document(**content | fields)  # in old manifests the id of a document is the digest of its file
    except FileNotFoundError:
        return None
    except (ValueError, TypeError) as error:
        raise LibraryError(
            f"The manifest {path.name} of the library cannot be read; delete it and add its PDF again."
        ) from error


_NCERT = re.compile(r"([a-l])[ehu]([a-z]{2})\d(\d\d|ps|an|gl|a\d)(?:\s*\(\d+\))?(?:\.pdf)?")
_SUBJECTS = {
    "sc": "Science", "cu": "Science", "mh": "Mathematics", "gp": "Mathematics", "ss": "Social Science",
    "es": "Social Science", "ph": "Physics", "bo": "Biology", "ch": "Chemistry", "hs": "History",
    "gy": "Geography", "ps": "Political Science", "ec": "Economics", "py": "Psychology", "sy": "Sociology",
    "ac": "Accountancy", "bs": "Business Studies", "cs": "Computer Science",
}  # fmt: skip
_LONGEST, _END = 120, 24
"""Maximum length of a safe name, and how many characters of its end stay when it is shortened."""


@dataclass(frozen=True, kw_only=True)
class Textbook:
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
        reasons |= {index: _sentence(names[index]) for index in others if file_digest(bytes_of(index)) != first_digest}
    return reasons


def _sentence(name: str) -> str:
    return (
        f"{safe_name(name)} comes twice in this batch with different content, and only the first one is added; "
        "rename the other one and add it again."
    )
