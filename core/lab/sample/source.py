"""Parses the source of a chapter, plain text line by line, into blocks. Errors name the line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

BOXES = ("activity", "note", "example", "exercises")
BLOCKS = (*BOXES, "table", "figure", "formula")
SIGNS = "→⇌≤≥√πθΔλμΩ₹−"
_PUNCTUATION = "–—‘’“”•"
_HEADER = re.compile(
    r"= class (?P<class_number>\d{1,2}) \| (?P<subject>[^|]*[^| ]) "
    r"\| chapter (?P<number>\S+) \| columns (?P<columns>[12])"
)
_BRACKET = re.compile(r"\[(\w*)\] ?(.*)")
_MARKS = {"## ": "heading", "### ": "subheading", "- ": "bullet"}
_STRANGE = re.compile(rf"[^ -~\xa0-\xac\xae-ÿ{_PUNCTUATION}{SIGNS}]")  # the soft hyphen is left out
_SHIFTED = re.compile(r"~[^~^]+~|\^[^~^]+\^")
_QUESTION = re.compile(r"\d+\. ")
_OPTION = re.compile(r"\([a-z]\) ")


class SourceError(ValueError):
    """The source is invalid; the message names the line."""


class Flow(NamedTuple):
    """The content of a flow chart: the texts of its steps, in order."""

    steps: tuple[str, ...]


class Bars(NamedTuple):
    """The content of a bar chart: (label, value) of each bar, and the unit of all values."""

    bars: tuple[tuple[str, float], ...]
    unit: str


class Plot(NamedTuple):
    """The content of a line plot: points that are joined in order, and the labels of the horizontal (`across`) and the
    vertical axis (`up`)."""

    points: tuple[tuple[float, float], ...]
    across: str
    up: str


@dataclass(frozen=True, kw_only=True)
class Block:
    """One block of a chapter, such as a paragraph, a heading, a box or a table.

    kind: its type. text: its text; for a box, a table or a figure its title or caption. line: the number of its line in
    the source, from 1. body: the blocks inside a box. rows: the cells of each row of a table. drawing: the content of a
    figure.
    """

    kind: str
    text: str
    line: int
    body: tuple["Block", ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    drawing: Flow | Bars | Plot | None = None


@dataclass(frozen=True, kw_only=True)
class Chapter:
    """A parsed source. number: a text, since chapters of an appendix have numbers such as "A1". columns: the number of
    columns on a page."""

    title: str
    class_number: int
    subject: str
    number: str
    columns: int
    blocks: tuple[Block, ...]


Numbered = tuple[int, str]  # a line that is not empty, and its number from 1


def parse_chapter(source: str) -> Chapter:
    """The chapter in `source`. Raises SourceError for anything that is not in the format."""
    lines = [(n, line.strip()) for n, line in enumerate(source.splitlines(), 1)]
    for number, line in lines:
        _check_characters(number, line)
    title, header = (*(line for _, line in lines), "", "")[:2]
    if not re.match(r"# \S", title):
        fail(1, f"the title is missing, got {title!r}; write it as: # Title")
    match = _HEADER.fullmatch(header)
    if not match:
        form = "= class 10 | Mathematics | chapter 5 | columns 1 (or 2)"
        fail(2, f"the header {header!r} cannot be read; write it as: {form}")
    blocks = tuple(_blocks(iter([(n, line) for n, line in lines[2:] if line])))
    return Chapter(
        title=title.removeprefix("# ").strip(), class_number=int(match["class_number"]), subject=match["subject"],
        number=match["number"], columns=int(match["columns"]), blocks=blocks,
    )  # fmt: skip


def fail(number: int, message: str) -> NoReturn:
    raise SourceError(f"Line {number}: {message}.")


def _check_characters(number: int, line: str) -> None:
    strange = _STRANGE.search(line)
    if strange:
        code = f"U+{ord(strange[0]):04X}"
        fail(number, f"the character {code} cannot be set; Latin-1 and {_PUNCTUATION + SIGNS} can, put one of these")
    if re.search(r"[~^]", _SHIFTED.sub("", line)):
        fail(number, "a ~ or ^ has no partner; a subscript is written ~n~, a superscript ^2^")


def _blocks(lines: Iterator[Numbered]) -> Iterator[Block]:
    for number, line in lines:
        bracket = _BRACKET.fullmatch(line)
        if bracket and bracket[1] != "formula":
            yield _bracketed(number, bracket[1], bracket[2], lines)
        else:
            yield _single(number, line)


def _single(number: int, line: str) -> Block:
    """The block of one line, inside or outside a box."""
    bracket = _BRACKET.fullmatch(line)
    if bracket:
        if not bracket[2]:
            fail(number, "[formula] is empty; write the formula behind the bracket")
        return Block(kind="formula", text=bracket[2], line=number)
    for mark, kind in _MARKS.items():
        if line.startswith(mark):
            return Block(kind=kind, text=line.removeprefix(mark), line=number)
    if line.startswith("#"):
        fail(number, f"{line!r} is no heading; write ## for a numbered one and ### for a sub-heading")
    return Block(kind="paragraph", text=line, line=number)


def _bracketed(number: int, kind: str, text: str, lines: Iterator[Numbered]) -> Block:
    if kind == "end":
        fail(number, "[end] closes nothing; take it out, or open a block above it")
    if kind not in BLOCKS:
        fail(number, f"[{kind}] is unknown; write one of {', '.join(f'[{name}]' for name in BLOCKS)}")
    if kind in ("table", "figure") and not text:
        fail(number, f"[{kind}] has no caption; write it behind the bracket")
    body = tuple(_until_end(number, kind, lines))
    if not body:
        fail(number, f"[{kind}] is empty; write its lines before [end]")
    if kind == "table":
        return Block(kind=kind, text=text, line=number, rows=tuple(_rows(body)))
    if kind == "figure":
        return Block(kind=kind, text=text, line=number, drawing=_drawing(body))
    single = _exercise if kind == "exercises" else _single
    return Block(kind=kind, text=text, line=number, body=tuple(single(*line) for line in body))


def _until_end(number: int, kind: str, lines: Iterator[Numbered]) -> Iterator[Numbered]:
    for inner, line in lines:
        bracket = _BRACKET.fullmatch(line)
        if bracket and bracket[1] == "end":
            return
        if bracket and (bracket[1] != "formula" or kind not in BOXES):
            fail(inner, f"[{bracket[1]}] stands inside [{kind}] of line {number}; close that with [end] first")
        if line.startswith("## "):
            fail(inner, f"a heading stands inside [{kind}] of line {number}; close that with [end] first")
        yield inner, line
    fail(number, f"[{kind}] is never closed; write [end] after its last line")


def _exercise(number: int, line: str) -> Block:
    for pattern, kind in ((_QUESTION, "question"), (_OPTION, "option")):
        if pattern.match(line):
            return Block(kind=kind, text=line, line=number)
    return _single(number, line)


def _rows(body: tuple[Numbered, ...]) -> Iterator[tuple[str, ...]]:
    heads = body[0][1].count("|") + 1
    for number, line in body:
        cells = tuple(cell.strip() for cell in line.split("|"))
        if len(cells) != heads:
            fail(number, f"this row has {len(cells)} cells and the header row has {heads}; give it as many")
        yield cells


def _drawing(body: tuple[Numbered, ...]) -> Flow | Bars | Plot:
    number, line = body[0]
    if len(body) > 1:
        fail(body[1][0], "a figure holds one line; write [end] after it")
    kind, _, rest = line.partition(":")
    readers = {"flow": _flow, "bars": _bars, "plot": _plot}
    if kind not in readers:
        fail(number, f"the drawing {kind!r} is unknown; begin the line with one of flow:, bars:, plot:")
    parts = [part.strip() for part in rest.split("|")]
    try:
        return readers[kind](*parts)
    except (TypeError, ValueError):
        fail(number, f"{line!r} cannot be drawn; {_DRAWN[kind]}")


_DRAWN = {
    "flow": "write two steps or more as: flow: seed -> plant -> flower",
    "bars": "write values of 0 or more as: bars: air=340, water=1500 | metres per second",
    "plot": "write two points or more as: plot: 0,0; 1,5 | time in seconds | distance in metres",
}


def _flow(text: str) -> Flow:
    steps = tuple(step.strip() for step in text.split("->"))
    if len(steps) < 2 or not all(steps):
        raise ValueError
    return Flow(steps)


def _bars(text: str, unit: str) -> Bars:
    pairs = [part.rpartition("=") for part in text.split(",")]
    bars = tuple((label.strip(), _number(value)) for label, _, value in pairs)
    if not all(label and value >= 0 for label, value in bars) or not any(value for _, value in bars):
        raise ValueError
    return Bars(bars, unit)


def _plot(text: str, across: str, up: str) -> Plot:
    points = tuple(tuple(_number(part) for part in point.split(",")) for point in text.split(";"))
    if len(points) < 2 or {len(point) for point in points} != {2}:
        raise ValueError
    return Plot(points, across, up)


def _number(text: str) -> float:
    match = re.fullmatch(r"\s*([-−]?)(\d+(?:\.\d+)?)\s*", text)
    if not match:
        raise ValueError
    return -float(match[2]) if match[1] else float(match[2])
