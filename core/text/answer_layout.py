"""The layout of an answer: its lines, paragraphs and lists, without the signs of Markdown."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise, zip_longest

from core.text.citation_marks import STAND_IN, without_stand_ins
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
_WORDS = "two three four five six seven eight nine ten eleven twelve".split()
_COUNT = {**{word: n for n, word in enumerate(_WORDS, 2)}, **{str(n): n for n in range(2, 13)}}
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
        marker = _marker(line, items)
        line, items = line[len(marker) :], items + bool(marker)
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


def _marker(line: str, items: int) -> str:
    """The marker of a list item at the start of `line`, "" if there is none. A number or a letter is a marker if it is
    the first of its kind or if items precede it."""
    if bullet := _BULLET.match(line):
        return bullet.group()
    number = _NUMBER.match(line)
    return number.group() if number and (items or number["n"] in _FIRST) else ""


def _join_lines(lines: Iterator[Statement], marks_first: bool) -> list[Statement]:
    """The lines after joining continuations: a line that continues in lower case, and a line of marks alone, belong to
    another line."""
    joint_lines: list[Statement] = []
    before = ""
    for line in lines:
        plain = _plain(line.text)
        if not plain and (marks_first or not joint_lines):
            before += line.text
        elif not plain:
            joint_lines[-1] = replace(joint_lines[-1], text=joint_lines[-1].text + line.text)
        elif joint_lines and not line.item and not line.heading and _continues(joint_lines[-1].text, plain):
            joint_lines[-1] = replace(joint_lines[-1], text=f"{joint_lines[-1].text} {line.text}")
        else:
            joint_lines.append(replace(line, text=before + line.text))
            before = ""
    return joint_lines


def _continues(before: str, line: str) -> bool:
    return line[0].islower() and line[1:2] not in (".", ")") and not _plain(before).endswith(_ENDS)


def _with_openings(lines: list[Statement]) -> Iterator[Statement]:
    """The lines, in which each item of a list of fragments has `opening` set to the line that opens the list.

    That line is then left out.
    """
    index = 0
    while index < len(lines):
        line, end = lines[index], index + 1
        while end < len(lines) and lines[end].item:
            end += 1
        items = lines[index + 1 : end]
        opens, plain = items and not line.item and _plain(line.text).endswith(":"), [_plain(i.text) for i in items]
        if opens and not all(text.endswith((".", "!", "?", "।")) and len(words(text)) >= _WHOLE for text in plain):
            opening = _without_count(line.text, len(items))
            yield from (replace(item, opening=opening, paragraph=line.paragraph) for item in items)
            index = end
        else:
            yield line
            index += 1


def _without_count(opening: str, count: int) -> str:
    """`opening` without a number that equals `count`, the number of its items: "They need two things:" becomes "They
    need:" before two items."""
    shortened = _COUNTED.sub(lambda match: "" if _COUNT[match["count"].lower()] == count else match.group(), opening)
    return re.sub(r"\s+:", ":", shortened)


def _plain(text: str) -> str:
    return without_stand_ins(text).strip() if STAND_IN.search(text) else text.strip()
