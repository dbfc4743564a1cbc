"""Which parts of a document ask instead of telling: exercises are no evidence."""

import re
from collections.abc import Iterator, Sequence

from core.library.parts import Part

_ASKING = re.compile(r"\b(?:exercises?|questions?|quiz|problems?|test yourself|check your progress)\b", re.IGNORECASE)
_NUMBERED = re.compile(r"\(?\d{1,2}[.)]\s")
_LIST, _MOSTLY = 4, 0.5  # numbered items, and the share of them that asks, from which on a list is an exercise
_HEADING_WORDS = 6


def exercises(parts: Sequence[Part]) -> list[bool]:
    """For each part whether it belongs to an exercise.

    An exercise begins with a heading that says so and ends with the next heading of the same size or larger;
    a box whose title says so is one; so is a list of numbered items of which half are questions.
    """
    return [titled or listed for titled, listed in zip(_titled(parts), _listed(parts), strict=True)]


def _titled(parts: Sequence[Part]) -> Iterator[bool]:
    size, box = 0.0, None
    for part in parts:
        line = part.lines[0]
        if part.kind == "box":
            if line.box != box and _asks(part):
                box = line.box
            yield line.box == box or size > 0
            continue
        if part.kind == "heading" and (_asks(part) or line.line.size >= 0.97 * size):
            size = line.line.size if _asks(part) else 0.0
        yield size > 0


def _asks(part: Part) -> bool:
    """Does a part begin with a short line that names an exercise?"""
    return bool(_ASKING.search(part.first)) and len(part.first.split()) <= _HEADING_WORDS


def _listed(parts: Sequence[Part]) -> list[bool]:
    """Lists of numbered questions that no heading announces."""
    found = [False] * len(parts)
    start = 0
    while start < len(parts):
        end = start
        while end < len(parts) and parts[end].kind == parts[start].kind and parts[end].kind != "heading":
            end += 1
        places = [n for n in range(start, end) if _NUMBERED.match(parts[n].first)]
        asked = sum(parts[n].last.rstrip().endswith("?") for n in places)
        if len(places) >= _LIST and asked >= _MOSTLY * len(places):
            found[places[0] : end] = [True] * (end - places[0])
        start = max(end, start + 1)
    return found
