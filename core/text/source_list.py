"""The list of sources at the end of an answer, which claims nothing."""

import re

from core.text.answer_layout import without_emphasis
from core.text.citation_marks import STAND_IN, without_stand_ins
from core.text.mark_places import numbers_of

_NAME = (
    r"(?:sources?|references?|citations?|cited (?:sources?|passages?)|bibliography|footnotes?|works cited"
    r"|(?:sources?|passages?|references?)[ \t]+(?:used|cited))"
)
_HEADING = re.compile(rf"[\s#>*_\-]{{0,8}}{_NAME}[*_ \t]{{0,4}}(?::[*_]{{0,3}}(?P<rest>.*)|$)", re.IGNORECASE)
_BEHIND = re.compile(rf"(?<=[.!?।\U000F0000-\U000FFFFD])[ \t]{{1,9}}[*_]{{0,3}}{_NAME}:[*_]{{0,3}}", re.IGNORECASE)
_MARKER = re.compile(r"(?:[-*+•–]|\(?\d{1,2}[.):]?)(?:\s+|$)")
_SMALL = frozenset(
    """of and the for in on a an to by from with p pp pg page pages chapter chapters ch class textbook textbooks book
    books passage passages source sources section sec unit lesson grade part vol volume ed eds edition standard std no
    line lines para paragraph figure table accessed retrieved published available at via pdf et al isbn doc document
    reader author""".split()
)
"""Words of a source in lower case."""
_SAYS = frozenset(
    """is are was were be been can cannot could will would shall should may might must do does did has have had not no
    never""".split()
)
"""Words, in any case, that make a line a claim."""
_LOCATED = re.compile(
    r"\b(?:pp?\.?|pg\.?|pages?|chapters?|ch\.?|class|vol\.?|sections?)\s?\d|https?://|www\.|\.pdf\b", re.IGNORECASE
)
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|[\w-]+\.(?:pdf|docx?|txt|html?|md|epub)\b")
_MOST_WORDS = 25


def split_sources(text: str) -> tuple[str, tuple[int | str, ...]]:
    """(`text` without its list of sources, the passages of the whole answer as numbers or stand-ins for marks).

    A line of the list that is no source is a claim, and stays. The passages apply to the whole answer only if the list
    holds nothing but numbers: "Sources: [1]"; else they are ().
    """
    lines = text.strip().split("\n")
    for index in range(len(lines) - 1, -1, -1):
        if match := _HEADING.fullmatch(lines[index]):
            return _split_entries(lines[:index], [match["rest"] or "", *lines[index + 1 :]])
    if (behind := list(_BEHIND.finditer(lines[-1]))) and _is_source(lines[-1][behind[-1].end() :]):
        return _split_entries([*lines[:-1], lines[-1][: behind[-1].start()]], [lines[-1][behind[-1].end() :]])
    return _without_notes(lines), ()


def _split_entries(body: list[str], entries: list[str]) -> tuple[str, tuple[int | str, ...]]:
    claims = [entry for entry in entries if entry.strip() and not _is_source(entry)]
    bare = [_bare(entry) for entry in entries if entry.strip() and entry not in claims]
    passages = [numbers_of(entry) for entry in bare if entry]
    for_all: tuple[int | str, ...] = ()
    if not claims and all(passages):
        for_all = (*STAND_IN.findall("".join(entries)), *(n for numbers in passages for n in numbers or ()))
    return "\n".join([*body, *claims]), for_all


def _without_notes(lines: list[str]) -> str:
    """The lines without the notes at the end: "[^1]: Science, page 3"."""
    end = len(lines)
    while end > 1 and (not lines[end - 1].strip() or _is_note(lines[end - 1])):
        end -= 1
    return "\n".join(lines[:end] if any(without_stand_ins(line).strip() for line in lines[:end]) else lines)


def _is_note(line: str) -> bool:
    line = line.strip()
    return bool(STAND_IN.match(line) and _LOCATED.search(line)) and _is_source(line)


def _is_source(entry: str) -> bool:
    """True for a title, a page, an address or a number; False for a line that states something."""
    words = [w.strip(".*_") for w in re.split(r"[\s,;:()\"“”‘’'/|–—-]+", _ADDRESS.sub(" ", _bare(entry)))]
    if len(words) > _MOST_WORDS or _SAYS & {w.lower() for w in words}:
        return False
    return all(not w or not w[0].islower() or w.lower() in _SMALL or w[-1].isdigit() for w in words)


def _bare(entry: str) -> str:
    """`entry` without its list marker, citation marks and emphasis. An entry of a number alone keeps the number."""
    plain = without_emphasis(without_stand_ins(entry).strip()).strip(" .:()")
    marker = _MARKER.match(plain)
    return plain[marker.end() :].strip() if marker and marker.end() < len(plain) else plain
