"""Finds what a book asks of its pupils and what it tells their teachers: neither states anything."""

import re
from collections.abc import Callable, Iterator, Sequence

from core.pdf.paragraphs import Part

TO_TEACHERS = re.compile(
    r"\b(?:notes?|hints?|tips|suggestions|guidelines)\s+(?:for|to)\s+(?:the\s+)?teachers?\b"
    r"|\bteachers?['’]?s?['’]?\s+(?:notes?|corner|page|hints?)\b|\bfor\s+(?:the\s+)?teachers?\s*$",
    re.IGNORECASE,
)
"""The title of a text that is written to teachers."""
ASKING = re.compile(r"\b(?:exercises?|questions?|quiz|problems?|test yourself|check your progress)\b", re.IGNORECASE)
"""The title of exercises."""
_STATEMENT_OPENING = re.compile(
    r"\b(?:did you know|do you know|know more|more to know|facts?|summary|what you have learnt)\b", re.I
)
_NUMBERED = re.compile(r"\(?\d{1,2}[.)]\s")
_LIST, _MOSTLY = 4, 0.5  # numbered items of an exercise, and the share of questions among them, at least
_TITLE_WORDS = 6
_TOP = 0.25  # of a page: a title above this height is that of the whole page


def exercises(parts: Sequence[Part]) -> list[bool]:
    """For each part (a `Part` is a group of lines such as a heading or a paragraph), True if it belongs to an exercise
    or to a text for teachers.

    Either begins with a heading that names it, and ends before the next heading of the same size or larger, or before a
    title of facts such as "Did you know?"; a text for teachers that begins at the top of a page ends with a heading on
    a later page. A box with such a title is one too, and so is a list of numbered items of which at least half are
    questions.
    """
    listed = _in_question_lists(parts)
    return [is_under_title or is_listed for is_under_title, is_listed in zip(_under_titles(parts), listed, strict=True)]


def _under_titles(parts: Sequence[Part]) -> Iterator[bool]:
    """Yield for each part True if a heading or the title of its box makes it part of an exercise."""
    size, teachers_page = 0.0, 0
    asking, stating = _boxes_titled(parts, _names_exercise), _boxes_titled(parts, _names_facts)
    for part in parts:
        line, is_heading = part.lines[0], part.kind == "heading"
        if is_heading and line.page.number > teachers_page:
            is_on_top = _is_titled(part, TO_TEACHERS) and line.line.top < _TOP * line.page.height
            teachers_page = line.page.number if is_on_top else 0
        if (part.kind == "box" or is_heading or line.line.bold) and _names_facts(part):
            size = 0.0
        if part.kind == "box" or (part.kind == "row" and line.box):
            yield line.box not in stating and (line.box in asking or size > 0 or teachers_page > 0)
            continue
        if is_heading and (_names_exercise(part) or line.line.size >= 0.97 * size):
            size = line.line.size if _names_exercise(part) else 0.0
        yield size > 0 or teachers_page > 0


def _boxes_titled(parts: Sequence[Part], is_title: Callable[[Part], bool]) -> set[tuple[int, int] | None]:
    """The boxes with such a title, which may be read after the text beside it, or on another page than the rest."""
    return {part.lines[0].box for part in parts if part.kind == "box" and is_title(part)}


def _names_facts(part: Part) -> bool:
    """True if a part begins with a short line that announces facts."""
    return _is_titled(part, _STATEMENT_OPENING)


def _names_exercise(part: Part) -> bool:
    """True if a part begins with a short line that names an exercise or a text for teachers."""
    return _is_titled(part, ASKING) or _is_titled(part, TO_TEACHERS)


def _is_titled(part: Part, title: re.Pattern[str]) -> bool:
    """True if a part begins with a short line that matches `title`."""
    return bool(title.search(part.first)) and len(part.first.split()) <= _TITLE_WORDS


def _in_question_lists(parts: Sequence[Part]) -> list[bool]:
    """For each part, True if it is in a list of numbered questions."""
    flags = [False] * len(parts)
    start = 0
    while start < len(parts):
        end = start
        while end < len(parts) and parts[end].kind == parts[start].kind and parts[end].kind != "heading":
            end += 1
        numbered = [n for n in range(start, end) if _NUMBERED.match(parts[n].first)]
        questions = sum(parts[n].last.rstrip().endswith("?") for n in numbered)
        if len(numbered) >= _LIST and questions >= _MOSTLY * len(numbered):
            flags[numbered[0] : end] = [True] * (end - numbered[0])
        start = max(end, start + 1)
    return flags
