"""What a file name says: NCERT's names hold class, subject and chapter; any name becomes a safe one."""

import hashlib
import re
import unicodedata
from dataclasses import dataclass

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
