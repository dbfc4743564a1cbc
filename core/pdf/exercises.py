"""Finds what a book asks of its pupils and what it tells their teachers: neither states anything."""

import re
from collections.abc import Iterator, Sequence

from core.pdf.line_types import ITEM
from core.pdf.page import groups
from core.pdf.paragraphs import Part

TO_TEACHERS = re.compile(
    r"\b(?:notes?|hints?|tips|suggestions|guidelines)\s+(?:for|to)\s+(?:the\s+)?teachers?\b"
    r"|\bteachers?['’]?s?['’]?\s+(?:notes?|corner|page|hints?)\b|\bfor\s+(?:the\s+)?teachers?\s*$",
    re.IGNORECASE,
)
"""The title of a text that is written to teachers."""
ASKING = re.compile(r"\b(?:exercises?|questions?|quiz|problems?|test yourself|check your progress)\b", re.IGNORECASE)
"""The title of exercises."""
_EXERCISE = re.compile(f"{ASKING.pattern}|{TO_TEACHERS.pattern}", re.IGNORECASE)
_STATEMENT_OPENING = re.compile(
    r"\b(?:did you know|do you know|know more|more to know|facts?|summary|what you have learnt)\b", re.I
)
_ACTIVITY = re.compile(
    r"(?:(?:group|class|suggested) )?(?:activit(?:y|ies)|projects?(?: work)?)(?:,? and projects?)?"
    r"|(?:just )?for fun\W*",
    re.IGNORECASE,
)
"""The title of something to do, whose steps are a list; what follows the list may be text of the book again."""
_NUMBERED = re.compile(r"\(?(\d{1,2})[.)]\s")
_QUESTION = re.compile(r"\?\s*$|\(\d{1,2}(?:, ?\d{1,2})*\)(?: \d{1,2}\.)?$")
"""The end of a question, or of a clue in a crossword: "Also known as paddy (4)"."""
_LIST, _MOSTLY = 4, 0.5  # numbered items of an exercise, and the share of questions among them, at least
_TITLE_WORDS = 6
_TOP = 0.25  # of a page: a title above this height is that of the whole page


def exercises(parts: Sequence[Part]) -> list[bool]:
    """For each part (a `Part` is a group of lines such as a heading or a paragraph), True if it belongs to an exercise
    or to a text for teachers.

    Either begins with a heading that names it, and ends before the next heading of the same size or larger, or before a
    title of facts such as "Did you know?"; a text for teachers that begins at the top of a page ends with a heading on
    a later page. A box with such a title is one too, and so are the steps under the title of an activity, and a list of
    numbered items that goes on with the exercises before it or of which at least half are questions.
    """
    titled = list(_under_titles(parts))
    found = zip(titled, _in_activities(parts), _in_question_lists(parts, titled), strict=True)
    return [any(reasons) for reasons in found]


def _under_titles(parts: Sequence[Part]) -> Iterator[bool]:
    """Yield for each part True if a heading or the title of its box makes it part of an exercise."""
    # The title of a box may be read after the text beside it, or on another page than the rest.
    asking, stating = (
        {part.lines[0].page_box for part in parts if part.kind == "box" and title.search(_title(part))}
        for title in (_EXERCISE, _STATEMENT_OPENING)
    )
    size, teachers_page = 0.0, 0
    for part in parts:
        line, title, is_heading = part.lines[0], _title(part), part.kind == "heading"
        if is_heading and line.page.number > teachers_page:
            is_on_top = TO_TEACHERS.search(title) and line.top < _TOP * line.page.height
            teachers_page = line.page.number if is_on_top else 0
        if (part.kind == "box" or is_heading or line.bold) and _STATEMENT_OPENING.search(title):
            size = 0.0
        if part.kind == "box" or (part.kind == "row" and line.page_box):
            yield line.page_box not in stating and (line.page_box in asking or size > 0 or teachers_page > 0)
            continue
        if is_heading and (_EXERCISE.search(title) or line.size >= 0.97 * size):
            size = line.size if _EXERCISE.search(title) else 0.0
        yield size > 0 or teachers_page > 0


def _title(part: Part) -> str:
    """The first line of a part if it is short enough for a title, else ""."""
    return part.first if len(part.first.split()) <= _TITLE_WORDS else ""


def _in_activities(parts: Sequence[Part]) -> Iterator[bool]:
    """Yield for each part True if it is the title of an activity, its first sentence, or a step in the list below."""
    is_step = is_first = False
    for part in parts:
        is_set_off = part.kind in ("heading", "box") or part.lines[0].bold
        is_title = is_set_off and bool(_ACTIVITY.fullmatch(part.first))
        is_step = is_title or is_first or (is_step and bool(ITEM.match(part.first)))
        is_first = is_title
        yield is_step


def _in_question_lists(parts: Sequence[Part], titled: Sequence[bool]) -> list[bool]:
    """For each part, True if it is in a list of numbered questions. titled: whether the part is in an exercise with a
    title."""
    flags, end, last = [False] * len(parts), 0, 0
    for group in groups(parts, lambda one, other: one.kind == other.kind != "heading"):
        start, end = end, end + len(group)
        is_heading = group[0].kind == "heading"
        matches = {n: _NUMBERED.match(parts[n].first) for n in range(start, end) if not is_heading}
        numbers = {n: int(match[1]) for n, match in matches.items() if match}
        numbered = list(numbers)
        questions = sum(bool(_QUESTION.search(parts[n].last)) for n in numbered)
        goes_on = len(numbered) > 1 and numbers[numbered[0]] == last + 1 > 1
        if goes_on or (len(numbered) >= _LIST and questions >= _MOSTLY * len(numbered)):
            flags[numbered[0] : end] = [True] * (end - numbered[0])
        last = next((numbers[n] for n in reversed(numbered) if titled[n]), last)
    return flags
