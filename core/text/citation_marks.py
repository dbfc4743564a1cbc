"""The citation marks of an answer, and the passages that they name.

A readable mark has the numbers of its passages: [1], [1, 2], [1-3], 【1†source】, [Source 1], (Source 1), a superscript
or (1) at the end of a clause. An unreadable mark looks like a citation but names no passage ("[citation needed]",
"(page 3)"). Other numbers in brackets belong to the sentence.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from core.text.lexicon import last_word, listed


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A citation mark at text[start:end]. numbers: of its passages, from 1; () if it cannot be read."""

    start: int
    end: int
    numbers: tuple[int, ...]


STAND_IN = re.compile("[\U000f0000-\U000ffffd]")
"""The character that stands for a mark while its answer is split into sentences; no visible text holds one."""
_FIRST_STAND_IN = 0xF0000
_LABEL = r"(?:sources?|passages?|documents?|docs?|refs?|references?|citations?|contexts?|chunks?|ids?|notes?)"
_PAGE = r"(?:pp?\.?|pg\.?|pages?|lines?|sections?|chapters?)\s?\d+(?:\s?[-–—]\s?\d+)?"
_ITEM = re.compile(
    rf"(?P<label>{_LABEL}\b[\s.:#=_-]{{0,3}}|{_LABEL}[_:]?(?=\d))?[#^]?\s?(?P<first>\d{{1,3}})(?!\d|\.\d)"
    rf"(?:\s?(?:[-–—‑−]|to\b)\s?(?P<last>\d{{1,3}})(?!\d|\.\d))?(?:†[^,;]{{0,40}}|[\s,:;]{{0,3}}\(?{_PAGE}\)?)?",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\s?(?:[;,&|]|,?\s?and\b)\s?", re.IGNORECASE)
_LONGEST_RANGE = 50
"""The most passages of a range: "[1-300]" exceeds any list of passages."""
_UNREADABLE = re.compile(
    rf"{_LABEL}|{_LABEL}\.?\s?[:#=].*|{_LABEL} (?:needed|required|missing)|{_LABEL} [A-Z]|(?:see )?{_PAGE}|\d+:\d+†.*"
    rf"|(?!fig|table|activity|example|exercise).{{2,80}}[\s,]{_PAGE}|\S+\.pdf\b.*|https?://\S+"
    r"|\d{1,3}, ?[^\W\d_]{2,}.*",
    re.IGNORECASE,
)
_GROUP = re.compile(
    r"\\?[\[［【](?P<square>[^\[\]［］【】\n]{1,120}?)\\?[\]］】](?P<link>\((?:https?://|www\.|#)[^()\s]{0,300}\))?"
    r"|(?:(?<!\w)|(?=\([A-Za-z]))\((?P<round>[^()\[\]\n]{1,120})\)|<(?P<tag>sup|ref|cite|source)>\s*\[?(?P<tagged>[^<>\[\]\n]{1,60})\]?\s*</(?P=tag)>"
    r"|(?P<high>[⁰¹²³⁴⁵⁶⁷⁸⁹](?:[⁰¹²³⁴⁵⁶⁷⁸⁹]|[,˒⁻–-](?=[⁰¹²³⁴⁵⁶⁷⁸⁹]))*)(?![⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹])"
    rf"|(?:(?<=according to )|(?<=based on )|(?<=stated in )|(?<=given in )|(?<=shown in ))"
    rf"(?P<named>{_LABEL} \d{{1,2}})(?!\w|\.\d)",
    re.IGNORECASE,
)
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹˒⁻", "0123456789,-")
_WRAPS = (("[", "]"), ("***", "***"), ("**", "**"), ("*", "*"), ("(see ", ")"), ("(Sources: ", ")"), ("(", ")"))
_JOINTS = ("", ",", ";", "&", "and", ",and")
"""The signs between two marks that are one, without their blanks."""
_THROUGH = tuple("-–—‑−")
_ENDS_CLAUSE = re.compile(
    r"[ \t]*(?:$|[\n.,;:!?।)\]\"”’»*_\U000F0000-\U000FFFFD]|(?:and|but|or|which|while|because|so)\b)"
)
_AWAIT_NUMBER = frozenset(listed("words before a number"))
"""Words before a bracket that show that a number in it belongs to the sentence."""
_SIGNS = tuple("=+×÷*/<>-")
"""Signs of a calculation."""
_NUMBERED = frozenset(listed("things with a number"))
_WORD = re.compile(r"(?<![^\W_])[a-z]{4,}[.,;:!?\"”’)]*$|[.:!?।\"”’)]$")
"""The end of a text after which a superscript is a mark, no power: a word of four letters or more, or a stop."""
_SQUARED = frozenset(listed("often squared"))
_NEAR = 40
"""The number of characters before a bracket that decide what it is."""
_MARKER = re.compile(r"[ \t]*(?:(?:[-*+•–>]|#{1,6}|\(?\d{1,2}[.)])[ \t]*){0,3}(?:\*\*)?")
"""The signs that may precede the first word of a line."""


@lru_cache(maxsize=1024)
def marks_in(text: str) -> tuple[Mark, ...]:
    """The citation marks of `text` from left to right; adjacent marks are one."""
    marks = filter(None, (_mark(text, group) for group in _GROUP.finditer(text)))
    found = []
    for mark in _join(text, marks):  # each with the blanks before it, unless they follow the marker of a list item
        first = len(text[: mark.start].rstrip(" \t\u00a0"))
        found.append(mark if _opens_line(text, first) else replace(mark, start=first))
    return tuple(found)


def numbers_of(content: str) -> tuple[int, ...] | None:
    """The numbers of the passages that `content` names, each once; () for an impossible range; None for other contents.

    Forms: "1, 2", "1-3", "Source 1", "1, p. 3; 2", "1†source", "Source 2: Science, page 3".
    """
    content, numbers, position = " ".join(content.split()), [], 0
    while item := _ITEM.match(content, position):
        first, last = int(item["first"]), int(item["last"] or item["first"])
        if not first <= last <= first + _LONGEST_RANGE:
            return ()
        numbers += range(first, last + 1)
        position = item.end()
        separator = _SEPARATOR.match(content, position)
        if position == len(content) or (item["label"] and not separator):  # a title may follow a label
            return tuple(dict.fromkeys(numbers)) if content[position : position + 1] in ("", ":", ",", " ") else None
        if not separator:
            return None
        position = separator.end()
    return tuple(dict.fromkeys(numbers)) if numbers and content[:1].isalpha() else None


def _mark(text: str, group: re.Match[str]) -> Mark | None:
    """The mark in one group of signs; None if the group is no mark at its position."""
    start, end = group.span()
    # The signs around it belong to it: "[[1]]", "**[1]**", "(see [1])".
    while wrap := next((w for w in _WRAPS if text.endswith(w[0], 0, start) and text.startswith(w[1], end)), None):
        start, end = start - len(wrap[0]), end + len(wrap[1])
    content = (group["square"] or group["round"] or group["tagged"] or group["named"] or "").strip()
    content = content or (group["high"] or "").translate(_LOWERED)  # empty for a blank to fill in, "( )"
    numbers = numbers_of(content)
    before = "" if _opens_line(text, start) else re.sub(r"[ \t*_`]+$", "", text[max(0, start - _NEAR) : start])
    bare = re.fullmatch(r"[\d,;&\s–-]+", content) is not None
    ends = _ENDS_CLAUSE.match(text, end) is not None
    if numbers is None:
        is_mark = _UNREADABLE.fullmatch(content) and not text.startswith("(", end)
    elif group["high"] or group["tag"] == "sup":
        is_mark = not before or (_WORD.search(before) and last_word(before) not in _SQUARED)
    elif group["round"] and bare:
        touches = start > 0 and text[start - 1].isalnum() and len(before.split()[-1]) < 4  # f(1)
        names = last_word(before.removesuffix(".")) in _NUMBERED or before[-1:].isdecimal()
        is_number = names or before.endswith(_SIGNS) or touches or max(numbers, default=0) not in range(1, 21)
        is_mark = ends and before and not is_number
    elif group["square"] and bare:
        touches = start > 0 and text[start - 1].isalnum() and len(re.split(r"[^\w]", before)[-1]) == 1
        awaited = last_word(before) in _AWAIT_NUMBER or before.endswith((*_SIGNS, *"≤≥≈∈"))
        is_mark = not touches and (ends or not awaited)
    else:
        is_mark = True
    return Mark(start=start, end=end, numbers=numbers or ()) if is_mark else None


def _join(text: str, marks: Iterable[Mark]) -> Iterator[Mark]:
    """`marks` with adjacent ones joined: "[1][2]", "[1], [2] and [3]", "[1]-[4]"."""
    last: Mark | None = None
    for mark in marks:
        if last and mark.start < last.end:
            continue
        between = text[last.end : mark.start].replace(" ", "").replace("\t", "") if last else "."
        if last and between in _THROUGH and last.numbers and mark.numbers:
            through = range(last.numbers[-1], mark.numbers[0])
            numbers = (*last.numbers, *through, *mark.numbers) if len(through) <= _LONGEST_RANGE else ()
        elif last and between in _JOINTS:
            numbers = (*last.numbers, *mark.numbers) if last.numbers and mark.numbers else ()
        else:
            if last:
                yield last
            last = mark
            continue
        last = replace(last, end=mark.end, numbers=tuple(dict.fromkeys(numbers)))
    if last:
        yield last


def _opens_line(text: str, end: int) -> bool:
    """True if the line before `end` holds only the marker of a list item."""
    _, line_break, line = text[max(0, end - _NEAR) : end].rpartition("\n")
    return (bool(line_break) or end < _NEAR) and _MARKER.fullmatch(line) is not None


def without_marks(text: str) -> str:
    """`text` without its citation marks."""
    return without_stand_ins(with_stand_ins(text)[0]).strip()


def with_stand_ins(text: str) -> tuple[str, dict[str, tuple[int, ...]]]:
    """`text` with one stand-in character in place of each mark, and the passages of the mark of each character."""
    numbers: dict[str, tuple[int, ...]] = {}
    for n, mark in reversed([*enumerate(marks_in(text), _FIRST_STAND_IN)]):
        text, numbers[chr(n)] = text[: mark.start] + chr(n) + text[mark.end :], mark.numbers
    return text, numbers


def without_stand_ins(text: str) -> str:
    """`text` without stand-in characters."""
    return STAND_IN.sub("", text)
