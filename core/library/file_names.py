"""What a file name says: NCERT's names hold class, subject and chapter; any name becomes a safe one."""

import hashlib
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.library.documents import file_digest

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


def same_name(one: str, other: str) -> bool:
    """Do two safe names stand for one file? Case does not tell files apart everywhere."""
    return one.casefold() == other.casefold()


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
