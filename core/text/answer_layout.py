"""The layout of an answer: its lines, paragraphs and lists, without the signs of Markdown."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise, takewhile, zip_longest

from core.text.citation_marks import STAND_IN, without_stand_ins
from core.text.lexicon import table
from core.text.words import words


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A line of text or an item of a list, with placeholders in place of its citation marks.

    opening: the sentence that opens the list of the item; "" if the item is complete without it. paragraph: its number
    from 0. item, heading, bold: whether it is a list item, a heading, a line in bold.
    """

    text: str
    paragraph: int
    opening: str = ""
    item: bool = False
    heading: bool = False
    bold: bool = False


_HEADING = re.compile(r"#{1,6}\s+")
_BOLD = re.compile(r"\*\*[^*]+\*\*")
_BULLET = re.compile(r"[-*+•–‣▪◦]\s+")
_NUMBER = re.compile(r"\(?(?P<n>\d{1,2}|[a-z]|[ivx]{2,4})[.)]\s+")
_FIRST = ("1", "01", "a", "i")
"""The first number of a list."""
_INLINE = re.compile(r"(?:^|(?<=\s))\(?(?P<n>\d{1,2}(?=[.)])|[a-z](?=\)))(?P<sign>[.)])\s+")
_EMPHASIS = re.compile(
    r"(?<!\w)(\*{1,3}|_{1,3}|`{1,3})(?=\S)((?:(?!\1)[^\n]){1,300})(?<=\S)\1(?![\d*`])(?!(?<=_)[\w(])"
)
_ENDS = (".", "!", "?", "।", ":", ";")
_WHOLE = 4
"""Minimum number of words of an item with a full stop, from which on it is complete without its opening."""
_COUNT = {name: n for n in range(2, 13) for name in (table("numbers")["to twenty"][n], str(n))}
_COUNTED = re.compile(
    rf"\b(?P<count>{'|'.join(_COUNT)})(?P<what>(?: (?:main|basic|important|key|different|major))? "
    r"(?:things|points|items|ways|steps|reasons|facts|parts|kinds|types|examples|conditions|requirements)(?=:))?\b ?",
    re.IGNORECASE,
)


def statements(text: str, *, marks_first: bool = False) -> list[Statement]:
    """The statements of `text`, in order.

    marks_first: True if a line that holds only citation marks belongs to the line after it, not to the one before it.
    """
    return list(_with_openings(_join_lines(_lines(text), marks_first)))


def without_emphasis(text: str) -> str:
    """`text` without the signs for bold, italic and code."""
    for _ in range(2):  # italic may stand within bold
        text = _EMPHASIS.sub(r"\2", text)
    return text


def _lines(text: str) -> Iterator[Statement]:
    """The lines of `text` that are neither blank nor a rule, without their markers."""
    paragraph, items, blank, last = 0, 0, False, None
    lines = [
        " ".join(line.split()) for line in chain.from_iterable(map(_items_of, _rows_as_sentences(text.split("\n"))))
    ]
    for line, after in zip_longest((line.lstrip("> ") for line in lines), lines[1:], fillvalue=""):
        if not line.strip("-*_= "):
            blank = True
            continue
        heading = _HEADING.match(line)
        line = line[heading.end() :] if heading else line
        heading = heading or (len(after) > 2 and set(after) in ({"="}, {"-"}) and not _plain(line).endswith(_ENDS))
        marker = _BULLET.match(line) or _NUMBER.match(line)
        if marker and marker.re is _NUMBER and not items and marker["n"] not in _FIRST:
            marker = None  # a list begins with the first of its numbers or letters
        line, items = line[marker.end() :] if marker else line, items + bool(marker)
        continues = last is not None and marker and (last.item or _plain(last.text).endswith(":"))
        paragraph += bool(last is not None and (heading or (blank and not continues)))
        blank, last = False, Statement(
            text=without_emphasis(line), paragraph=paragraph, item=bool(marker), heading=bool(heading),
            bold=_BOLD.fullmatch(line) is not None,
        )  # fmt: skip
        yield last


def _items_of(line: str) -> list[str]:
    """`line`, with each item of a list that is numbered from 1 within it as a line of its own. The first number opens
    the line or follows a colon; a number with a full stop follows the end of a sentence."""
    starts: list[int] = []
    for number in _INLINE.finditer(line):
        before = _plain(line[: number.start()])
        follows = not before or before.endswith(_ENDS if starts else ":") or (starts and number["sign"] == ")")
        if follows and number["n"] in (str(len(starts) + 1), chr(ord("a") + len(starts))):
            starts.append(number.start())
    pieces = [line[a:b].strip(" ;,") for a, b in pairwise([0, *starts, len(line)])] if len(starts) > 1 else [line]
    return [piece for piece in pieces if piece] or [line]


def _rows_as_sentences(lines: Sequence[str]) -> Iterator[str]:
    """The lines, where each row of a table of Markdown names its columns: "Gold: melts at 1064 °C."."""
    header: list[str] = []
    for line, after in zip_longest(lines, lines[1:], fillvalue=""):
        cells = _cells(line)
        if _is_rule(_cells(after)):
            header = cells
        elif not cells or not header:
            header = []
            yield line
        elif not _is_rule(cells):
            # The name of a column begins in lower case within a sentence, unless it is an abbreviation.
            names = [name[:1].lower() + name[1:] if name[1:2].islower() else name for name in header[1:]]
            values = [f"{name} {value}".strip() for name, value in zip(names, cells[1:], strict=False)]
            yield f"{cells[0]}: {', '.join(values)}."


def _cells(line: str) -> list[str]:
    line = line.strip()
    return [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []


def _is_rule(cells: list[str]) -> bool:
    return bool(cells) and all(cell and not cell.strip(":-") for cell in cells)


def _join_lines(lines: Iterator[Statement], marks_first: bool) -> list[Statement]:
    """The lines, each joined with what continues it: a line in lower case, or a line of marks alone."""
    joint_lines: list[Statement] = []
    before = ""
    for line in lines:
        plain, can_continue = _plain(line.text), bool(joint_lines) and not line.item and not line.heading
        continues = can_continue and plain[:1].islower() and plain[1:2] not in (".", ")")
        if not plain and (marks_first or not joint_lines):
            before += line.text
        elif not plain:
            joint_lines[-1] = replace(joint_lines[-1], text=joint_lines[-1].text + line.text)
        elif continues and not _plain(joint_lines[-1].text).endswith(_ENDS):
            joint_lines[-1] = replace(joint_lines[-1], text=f"{joint_lines[-1].text} {line.text}")
        else:
            joint_lines.append(replace(line, text=before + line.text))
            before = ""
    return joint_lines


def _with_openings(lines: list[Statement]) -> Iterator[Statement]:
    """The lines, in which each item of a list of fragments has `opening` set to the line that opens the list.

    That line is then left out. Its number goes if it is that of the items: "They need two things:" becomes "They need:"
    before two items.
    """
    index = 0
    while index < len(lines):
        line, items = lines[index], list(takewhile(lambda one: one.item, lines[index + 1 :]))
        opens, plain = items and not line.item and _plain(line.text).endswith(":"), [_plain(i.text) for i in items]
        index += 1
        if opens and not all(text.endswith((".", "!", "?", "।")) and len(words(text)) >= _WHOLE for text in plain):
            opening = _COUNTED.sub(lambda m: "" if _COUNT[m["count"].lower()] == len(items) else m[0], line.text)  # noqa: B023
            opening = re.sub(r"\s+:", ":", opening)
            yield from (replace(item, opening=opening, paragraph=line.paragraph) for item in items)
            index += len(items)
        else:
            yield line


def _plain(text: str) -> str:
    return without_stand_ins(text).strip() if STAND_IN.search(text) else text.strip()
