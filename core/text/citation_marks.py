"""The citation marks of an answer, in every form that people and language models write, and the passages they name.

A readable mark has the numbers of its passages. An unreadable mark looks like a citation but has no number ("[citation
needed]"). Other numbers in brackets belong to the sentence.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from core.text.mark_places import NEAR, Group, at_line_start, is_citation, is_mark, is_power, numbers_of, without_items


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A citation mark at text[start:end], with the blanks before it. numbers: of its passages, from 1; () if
    unreadable."""

    start: int
    end: int
    numbers: tuple[int, ...]


STAND_IN = re.compile("[\U000f0000-\U000ffffd]")
"""The character that stands for a mark while its answer is split into sentences; no visible text holds one."""
_FIRST_STAND_IN = 0xF0000
_BRACKETS = re.compile(
    r"\\?[\[［【〔〖⟦](?P<square>[^\[\]［］【】〔〕〖〗⟦⟧\n]{1,120}?)\\?[\]］】〕〗⟧]|\((?P<round>[^()\[\]\n]{1,120})\)"
    r"|<(?P<tag>ref|cite|citation|source)>(?P<tagged>[^<>\n]{1,60})</(?P=tag)>"
)
_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_RAISED = re.compile(
    rf"<sup>\s*(?P<sup>[^<>\n]{{1,40}}?)\s*</sup>|(?<!\^)\^(?P<caret>\d{{1,3}}(?:,\d{{1,3}})*)\^?(?!\w)"
    rf"|⁽?(?P<high>[{_DIGITS}](?:[{_DIGITS}]|[,˒⁻–-](?=[{_DIGITS}]))*)(?![⁺⁻{_DIGITS}])⁾?"
)
_LOWERED = str.maketrans(_DIGITS + "˒⁻", "0123456789,-")
_NAMED = re.compile(
    r"(?:(?<=according to )|(?<=based on )|(?<=stated in )|(?<=given in )|(?<=shown in )|(?<=described in ))"
    r"(?:sources?|passages?|documents?|docs?|contexts?) \d{1,2}(?!\w|\.\d)",
    re.IGNORECASE,
)
"""A passage named in words: "According to passage 1, ..."."""
_BETWEEN = re.compile(r"[ \t]*(?:(?:[,;&]|,?[ \t]*and\b)[ \t]*)?")
_THROUGH = re.compile(r"[ \t]*[-–—‑−][ \t]*")
_LONGEST_RANGE = 50
"""The most passages of a range: "[1]-[200]" exceeds any list of passages."""
_WRAPS = (
    ("[", "]"), ("(", ")"), ("<sup>", "</sup>"), ("***", "***"), ("**", "**"), ("*", "*"), ("__", "__"), ("_", "_"),
    ("`", "`"), ("^", "^"),
)  # fmt: skip
_LINK = re.compile(r"\((?:https?://|www\.|#)[^()\s]{0,300}\)")
_SEE = re.compile(r"\([ \t]*(?:see|see also|cf\.?|from|sources?:?|refs?[.:]?|references?:?|citations?:?)[ \t]*$", re.I)


def marks_in(text: str) -> tuple[Mark, ...]:
    """The citation marks of `text` from left to right; adjacent marks are one."""
    return _marks(text)


@lru_cache(maxsize=1024)
def _marks(text: str) -> tuple[Mark, ...]:
    groups = list(_join_groups(text, sorted(_candidates(text), key=lambda g: g.start)))
    marks = [g for g in groups if is_mark(text, g)]
    if any(g.shape == "square" and g.readable for g in marks):  # an answer keeps to one form
        marks = [g for g in marks if g.shape != "round"]
    else:
        marks = without_items(text, marks)
    return tuple(Mark(start=_blank_before(text, g.start), end=g.end, numbers=g.numbers) for g in marks)


def without_marks(text: str) -> str:
    """`text` without its citation marks."""
    return replace_marks(text, ("",) * len(marks_in(text))).strip()


def replace_marks(text: str, stand_ins: Iterable[str]) -> str:
    """`text` with the next of `stand_ins` in place of each mark; ValueError unless there is one for each mark."""
    parts, last = [], 0
    for mark, stand_in in zip(marks_in(text), stand_ins, strict=True):
        parts += [text[last : mark.start], stand_in]
        last = mark.end
    return "".join(parts) + text[last:]


def _candidates(text: str) -> Iterator[Group]:
    """Every group in `text` with the form of a mark, in any position."""
    for match in _BRACKETS.finditer(text):
        if group := _bracket_group(match):
            yield group
    for match in _NAMED.finditer(text):
        yield Group(start=match.start(), end=match.end(), numbers=numbers_of(match.group()) or (), shape="labelled")
    for match in _RAISED.finditer(text):
        content = (match["sup"] or match["caret"] or (match["high"] or "").translate(_LOWERED)).strip("[]")
        if (numbers := numbers_of(content)) and not is_power(text, match):
            yield Group(start=match.start(), end=match.end(), numbers=numbers, shape="raised")


def _bracket_group(match: re.Match[str]) -> Group | None:
    """The group of one pair of brackets; None if the brackets hold no citation."""
    kind = "square" if match["square"] or match["tagged"] else "round"
    content = (match["square"] or match["round"] or match["tagged"]).strip()
    numbers = numbers_of(content)
    plain = content.replace("^", "")[:1].isdigit()
    leads_elsewhere = match.string.startswith("(", match.end()) and not _LINK.match(match.string, match.end())
    if numbers is None and (leads_elsewhere or not is_citation(content, square=kind == "square")):
        return None
    shape = kind if plain and numbers else "labelled"
    if shape == "round" and re.search(r"[^\d,;&\s–-]", content):
        shape = "labelled"  # "(1, p. 3)" says by itself that it cites
    return Group(
        start=match.start(), end=match.end(), numbers=numbers or (), shape=shape, readable=bool(numbers),
    )  # fmt: skip


def _join_groups(text: str, groups: Iterable[Group]) -> Iterator[Group]:
    """`groups` with adjacent ones joined: "[1][2]", "[1], [2] and [3]", "[1]-[4]"."""
    last: Group | None = None
    for group in (_with_wrapping(text, g) for g in groups):
        if last and group.start < last.end:
            continue
        both = _join_pair(text, last, group) if last else None
        if last and not both:
            yield last
        last = both or group
    if last:
        yield last


def _join_pair(text: str, one: Group, other: Group) -> Group | None:
    """Two groups as one if only a separator is between them; else None."""
    between = text[one.end : other.start]
    if one.shape != other.shape and "raised" in (one.shape, other.shape):
        return None
    numbers = one.numbers + other.numbers
    if _THROUGH.fullmatch(between) and one.numbers and other.numbers:
        first, last = one.numbers[-1], other.numbers[0]
        whole = first <= last <= first + _LONGEST_RANGE
        numbers = (*one.numbers, *range(first + 1, last), *other.numbers) if whole else ()
    elif len(between) > NEAR or not _BETWEEN.fullmatch(between):
        return None
    return replace(one, end=other.end, numbers=tuple(dict.fromkeys(numbers)), readable=one.readable and other.readable)


def _with_wrapping(text: str, group: Group) -> Group:
    """`group` with its wrapping: "[[1]]", "**[1]**", "(see [1])", and the address of a link."""
    start, end = group.start, group.end
    if group.shape != "round" and (link := _LINK.match(text, end)):
        end = link.end()
    again = True
    while again:
        again = False
        for opens, closes in _WRAPS:
            if text.endswith(opens, 0, start) and text.startswith(closes, end):
                start, end, again = start - len(opens), end + len(closes), True
                break
    see = _SEE.search(text[max(0, start - NEAR) : start])
    if see and text.startswith(")", end):
        start, end = start - len(see.group()), end + 1
    return replace(group, start=start, end=end)


def _blank_before(text: str, end: int) -> int:
    """The start of the blanks before `end`; `end` itself if the blanks follow the marker of a list item."""
    first = end
    while first and text[first - 1] in " \t\u00a0":
        first -= 1
    return end if at_line_start(text[max(0, first - NEAR) : first]) else first


def with_stand_ins(text: str) -> str:
    """`text` with one stand-in character in place of each mark, in the order of `marks_in(text)`."""
    return replace_marks(text, (chr(_FIRST_STAND_IN + n) for n in range(len(marks_in(text)))))


def without_stand_ins(text: str) -> str:
    """`text` without stand-in characters."""
    return STAND_IN.sub("", text)


def mark_index(stand_in: str) -> int:
    """The index, among the marks of its text, of the mark that `stand_in` stands for."""
    return ord(stand_in) - _FIRST_STAND_IN
