"""Where an answer cites: every form of a citation mark that people and language models write, and the passages that it
names.

A mark is either readable, and then it has the numbers of its passages, or it has the look of a citation but no number
that can be read ("[citation needed]"), and then it has none. Other numbers in brackets are part of what is said.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from core.text.mark_contents import is_citation, numbers_of
from core.text.mark_places import NEAR, Group, at_line_start, is_mark, is_power, without_items


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A citation mark at text[start:end], with the blanks before it. numbers: passages from 1, () if unreadable."""

    start: int
    end: int
    numbers: tuple[int, ...]


STAND_IN = re.compile("[\U000f0000-\U000ffffd]")
"""One character for a mark while its answer is cut into sentences; no text that is seen holds one."""
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
"""A passage that is named in words: "According to passage 1, ..."."""
_BETWEEN = re.compile(r"[ \t]*(?:(?:[,;&]|,?[ \t]*and\b)[ \t]*)?")
_THROUGH = re.compile(r"[ \t]*[-–—‑−][ \t]*")
_LONGEST_RANGE = 50
"""Most passages of a range: "[1]-[200]" names no passages that anybody was given."""
_WRAPS = (
    ("[", "]"), ("(", ")"), ("<sup>", "</sup>"), ("***", "***"), ("**", "**"), ("*", "*"), ("__", "__"), ("_", "_"),
    ("`", "`"), ("^", "^"),
)  # fmt: skip
_LINK = re.compile(r"\((?:https?://|www\.|#)[^()\s]{0,300}\)")
_SEE = re.compile(r"\([ \t]*(?:see|see also|cf\.?|from|sources?:?|refs?[.:]?|references?:?|citations?:?)[ \t]*$", re.I)


def marks_in(text: str) -> tuple[Mark, ...]:
    """The citation marks of `text`, from the left; marks next to each other are one."""
    return _marks(text)


@lru_cache(maxsize=1024)
def _marks(text: str) -> tuple[Mark, ...]:
    groups = list(_joined(text, sorted(_candidates(text), key=lambda g: g.start)))
    stand = [g for g in groups if is_mark(text, g)]
    if any(g.shape == "square" and g.readable for g in stand):  # an answer keeps to one form
        stand = [g for g in stand if g.shape != "round"]
    else:
        stand = without_items(text, stand)
    return tuple(Mark(start=_blank_before(text, g.start), end=g.end, numbers=g.numbers) for g in stand)


def without_marks(text: str) -> str:
    """`text` without its marks: those of another turn lead to passages that are not these."""
    return replaced(text, ("",) * len(marks_in(text))).strip()


def replaced(text: str, stand_ins: Iterable[str]) -> str:
    """`text` with one of `stand_ins` in the place of each mark."""
    parts, last = [], 0
    for mark, stand_in in zip(marks_in(text), stand_ins, strict=True):
        parts += [text[last : mark.start], stand_in]
        last = mark.end
    return "".join(parts) + text[last:]


def _candidates(text: str) -> Iterator[Group]:
    """Whatever has the form of a mark, wherever it stands."""
    for found in _BRACKETS.finditer(text):
        if group := _bracketed(found):
            yield group
    for found in _NAMED.finditer(text):
        yield Group(start=found.start(), end=found.end(), numbers=numbers_of(found.group()) or (), shape="labelled")
    for found in _RAISED.finditer(text):
        content = (found["sup"] or found["caret"] or (found["high"] or "").translate(_LOWERED)).strip("[]")
        if (numbers := numbers_of(content)) and not is_power(text, found):
            yield Group(start=found.start(), end=found.end(), numbers=numbers, shape="raised")


def _bracketed(found: re.Match[str]) -> Group | None:
    """The group of one pair of brackets; None where they hold something else."""
    kind = "square" if found["square"] or found["tagged"] else "round"
    content = (found["square"] or found["round"] or found["tagged"]).strip()
    numbers = numbers_of(content)
    plain = content.replace("^", "")[:1].isdigit()
    leads_elsewhere = found.string.startswith("(", found.end()) and not _LINK.match(found.string, found.end())
    if numbers is None and (leads_elsewhere or not is_citation(content, square=kind == "square")):
        return None
    shape = kind if plain and numbers else "labelled"
    if shape == "round" and re.search(r"[^\d,;&\s–-]", content):
        shape = "labelled"  # "(1, p. 3)" says by itself that it cites
    return Group(
        start=found.start(), end=found.end(), numbers=numbers or (), shape=shape, readable=bool(numbers),
    )  # fmt: skip


def _joined(text: str, found: Iterable[Group]) -> Iterator[Group]:
    """Groups that stand next to each other as one: "[1][2]", "[1], [2] and [3]", "[1]-[4]"."""
    last: Group | None = None
    for group in (_widened(text, g) for g in found):
        if last and group.start < last.end:
            continue
        both = _both(text, last, group) if last else None
        if last and not both:
            yield last
        last = both or group
    if last:
        yield last


def _both(text: str, one: Group, other: Group) -> Group | None:
    """Two groups as one, where nothing but a separator stands between them."""
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


def _widened(text: str, group: Group) -> Group:
    """`group` with what only wraps it: "[[1]]", "**[1]**", "(see [1])", and the address of a link."""
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


def _blank_before(text: str, place: int) -> int:
    """Where the blanks before `place` begin; those behind the marker of a list item stay with the marker."""
    first = place
    while first and text[first - 1] in " \t\u00a0":
        first -= 1
    return place if at_line_start(text[max(0, first - NEAR) : first]) else first


def with_stand_ins(text: str) -> str:
    """`text` with one character in the place of each mark: the first for the first of `marks_in(text)`."""
    return replaced(text, (chr(_FIRST_STAND_IN + n) for n in range(len(marks_in(text)))))


def without_stand_ins(text: str) -> str:
    """`text` without the characters that stand for marks."""
    return STAND_IN.sub("", text)


def place_of(stand_in: str) -> int:
    """The place among the marks of its text of the mark that `stand_in` stands for."""
    return ord(stand_in) - _FIRST_STAND_IN
