"""What a library holds: one manifest a document, written last and whole; what the name of a file says of it; and how a
library says that it refuses something."""

import hashlib
import json
import os
import re
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path

from core.library.losses import Loss
from core.platform.atomic_write import write_whole


class LibraryError(ValueError):
    """A file or a request that the library refuses; the message is one sentence that says what to do."""


class Cancelled(LibraryError):  # noqa: N818 - a wish, not an error
    """Somebody wanted the work to stop; nothing of it was kept."""


@dataclass(frozen=True, kw_only=True)
class Document:
    """One PDF of the library: its counts of pages and passages, and the settings that shaped these.

    file: what tells its bytes from others. embedder: the model of its vectors. replaces: documents that are
    hidden because this one is there, and are about to be taken out. sentences: how many were read, 0 where nobody has
    counted; broken: how many of them are not whole; hidden: letters that its pages do not show, which were left out.
    losses: what its pages show and nobody has read. labels: the number that each page is printed with, "" where it is
    not known; empty where none is.
    """

    id: str
    name: str
    class_number: int | None = None
    subject: str = ""
    chapter: str = ""
    pages: int
    passages: int
    added: str
    """ISO time."""
    settings: dict[str, int] = field(default_factory=dict)
    file: str = ""
    embedder: str = ""
    replaces: tuple[str, ...] = ()
    sentences: int = 0
    broken: int = 0
    hidden: int = 0
    losses: tuple[Loss, ...] = ()
    labels: tuple[str, ...] = ()

    def label(self, page: int) -> str:
        """The number that a page, counted from 1, is printed with; "" where it is not known."""
        return self.labels[page - 1] if page <= len(self.labels) else ""

    @property
    def content(self) -> tuple[object, ...]:
        """All that decides what a search finds: everything but the time and what is no longer seen."""
        return tuple(str(v) for k, v in asdict(self).items() if k not in ("added", "replaces"))


def file_digest(data: bytes) -> str:
    """What tells the bytes of a PDF from those of any other: 16 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()[:16]


def document_id(file: str, settings: dict[str, int]) -> str:
    """The id of a PDF that is read in this way: read otherwise, it is another document. 16 hexadecimal digits."""
    return hashlib.sha256(f"{file} {sorted(settings.items())}".encode()).hexdigest()[:16]


class Manifests:
    """The manifests in one folder. Read again only when the folder has changed, by whichever process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, id_: str) -> Path:
        return self.folder / f"{id_}.json"

    def all(self) -> tuple[Document, ...]:
        """Every complete document that is not replaced, the oldest first."""
        return _visible(self._state())

    def replacing(self) -> tuple[Document, ...]:
        """The documents whose predecessors may still be there."""
        return tuple(d for d in self.all() if d.replaces)

    def version(self) -> str:
        """16 hexadecimal digits that change whenever the content does."""
        return _version(self._state())

    def add(self, document: Document) -> None:
        write_whole(self.path(document.id), json.dumps(asdict(document), indent=1).encode())

    def remove(self, id_: str) -> None:
        self.path(id_).unlink(missing_ok=True)

    def _state(self) -> tuple[tuple[str, int, int, int], ...]:
        """Path, inode, time and size of every manifest: what tells a changed folder from the one last read."""
        found = []
        for entry in os.scandir(self.folder):
            with suppress(FileNotFoundError):  # removed a moment ago
                if entry.name.endswith(".json"):
                    status = entry.stat()
                    found.append((entry.path, status.st_ino, status.st_mtime_ns, status.st_size))
        return tuple(sorted(found))


@lru_cache(maxsize=8)
def _visible(state: tuple[tuple[str, int, int, int], ...]) -> tuple[Document, ...]:
    found = [d for d in (_document(row) for row in state) if d]
    hidden = {id_ for d in found for id_ in d.replaces}
    return tuple(sorted((d for d in found if d.id not in hidden), key=lambda d: (d.added, d.id)))


@lru_cache(maxsize=8)
def _version(state: tuple[tuple[str, int, int, int], ...]) -> str:
    rows = sorted(document.content for document in _visible(state))
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]


@lru_cache(maxsize=4096)
def _document(row: tuple[str, int, int, int]) -> Document | None:
    """What a manifest says; None when it has just been removed."""
    path = Path(row[0])
    try:
        stored = json.loads(path.read_bytes())
        own = {"file": stored.get("file") or path.stem, "replaces": tuple(stored.get("replaces", ()))}
        own |= {"losses": tuple(Loss(*loss) for loss in stored.get("losses", ()))}
        own |= {"labels": tuple(stored.get("labels", ()))}
        return Document(**stored | own)  # once, the digest of a file was the id of its document
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
"""Characters of a safe name, and those of its end that stay when it is cut."""


@dataclass(frozen=True, kw_only=True)
class Textbook:
    """Where a file belongs. What its name does not say is None or ""."""

    class_number: int | None = None
    subject: str = ""
    chapter: str = ""


def textbook(name: str) -> Textbook:
    """Class, subject and chapter as NCERT encodes them: jemh105.pdf is class 10, Mathematics, chapter 5.

    Preliminary pages (ps), answers (an), glossaries (gl) and appendices (a1) have no chapter.
    """
    found = _NCERT.fullmatch(name.strip().lower())
    if not found or found[2] not in _SUBJECTS:
        return Textbook()
    return Textbook(
        class_number=ord(found[1]) - ord("a") + 1,
        subject=_SUBJECTS[found[2]],
        chapter=str(int(found[3])) if found[3].isdigit() and int(found[3]) else "",
    )


def safe_name(name: str) -> str:
    """`name` without folders, control characters or marks that turn the reading direction; never empty."""
    base = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    shown = "".join(" " if unicodedata.category(c).startswith("C") else c for c in base)
    kept = " ".join(shown.split()).lstrip(". ")
    if not kept:
        return "document.pdf"
    return kept if len(kept) <= _LONGEST else _cut(kept)


def _cut(name: str) -> str:
    """The beginning and the end of a long name; letters of its digest keep it apart from another one like it."""
    end = "~" + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8] + "~" + name[-_END:]
    return name[: _LONGEST - len(end)] + end


def clashes(names: Sequence[str], bytes_of: Callable[[int], bytes]) -> dict[int, str]:
    """For each file that must not be added with the others: its place among `names`, and the sentence that says why.

    The first file of a name is added, and so is the same file again. Only files whose names meet are read.
    """
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(safe_name(name).casefold(), []).append(place)
    found = {}
    for first, *others in (p for p in places.values() if len(p) > 1):
        kept = file_digest(bytes_of(first))
        found |= {place: _sentence(names[place]) for place in others if file_digest(bytes_of(place)) != kept}
    return found


def _sentence(name: str) -> str:
    return (
        f"{safe_name(name)} comes twice in this batch with different content, and only the first one is added; "
        "rename the other one and add it again."
    )
