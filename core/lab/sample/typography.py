"""Typography: styles and colours, runs of one font, lines of words, and the sheet that measures and draws them.

All sizes are in points.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from fpdf import FPDF

from core.lab.sample.source import SIGNS, Chapter

_SIGNS_FONT = "Signs"
_SIGNS_FILE = Path(__file__).parents[3] / "data" / "sample" / "signs.ttf"
"""A subset of DejaVu Serif, made by pyftsubset, with signs that the core fonts lack."""
_PARTS = re.compile(r"~(?P<below>[^~]+)~|\^(?P<above>[^^]+)\^|(?P<plain>[^~^]+)")
_SMALL = 0.68  # the size of subscripts and superscripts
_RISES = {"below": -0.18, "above": 0.36, "plain": 0.0}
_SIGN_SIZE = 0.88  # DejaVu is drawn larger than Times
_HAIR = 0.01  # tolerance, since sums of the same widths may differ slightly

Colour = tuple[int, int, int]
BLACK: Colour = (0, 0, 0)
GREY: Colour = (120, 120, 120)
PALE: Colour = (222, 222, 222)
_DARK: Colour = (45, 45, 45)
_BLUE: Colour = (0, 98, 140)
_GREEN: Colour = (28, 112, 62)
_PURPLE: Colour = (140, 25, 105)
TINTS: dict[str, Colour] = {"activity": (224, 241, 248), "note": (252, 238, 218)}
EDGES: dict[str, Colour] = {"activity": (20, 105, 145), "note": (176, 98, 14)}
_ACCENTS = {"Mathematics": _BLUE, "Physics": _BLUE, "Biology": _GREEN, "Science": _GREEN}


class Style(NamedTuple):
    """How a text looks: font family, emphasis ("B" for bold), size, colour, and `leading`, the distance between two
    baselines."""

    family: str
    emphasis: str
    size: float
    leading: float
    colour: Colour = (0, 0, 0)


class Run(NamedTuple):
    """Text in one font. rise: its height above the baseline, negative for a subscript."""

    text: str
    family: str
    emphasis: str
    size: float
    rise: float


Word = tuple[Run, ...]


class Line(NamedTuple):
    """One line of text. width: with normal gaps. gaps: the number of gaps between words, which may be widened."""

    runs: tuple[Run, ...]
    width: float
    gaps: int


def words(text: str, style: Style) -> list[Word]:
    """The words of `text`, with ~subscripts~ and ^superscripts^ read and signs in their own font."""
    word_list: list[Word] = []
    current: list[Run] = []
    for run in _runs(text, style):
        for index, part in enumerate(run.text.split(" ")):
            if index and current:
                word_list.append(tuple(current))
                current = []
            if part:
                current.append(run._replace(text=part))
    return [*word_list, tuple(current)] if current else word_list


def _runs(text: str, style: Style) -> Iterator[Run]:
    for part in _PARTS.finditer(text):
        kind = part.lastgroup or "plain"
        rise = style.size * _RISES[kind]
        size = style.size * (_SMALL if rise else 1.0)
        for sign, letters in groupby(part[kind], key=SIGNS.__contains__):
            if sign:
                yield Run("".join(letters), _SIGNS_FONT, "", size * _SIGN_SIZE, rise)
            else:
                yield Run("".join(letters), style.family, style.emphasis, size, rise)


def _spaced(line: list[Word], style: Style) -> tuple[Run, ...]:
    """The runs of a line. A space belongs to the run before it, since PDF readers otherwise break after a subscript."""
    runs: list[Run] = []
    for index, word in enumerate(line):
        for run in word if index == 0 else (_space(runs[-1], style), *word):
            if runs and runs[-1][1:] == run[1:]:
                runs[-1] = run._replace(text=runs[-1].text + run.text)
            else:
                runs.append(run)
    return tuple(runs)


def _space(before: Run, style: Style) -> Run:
    if before.family == _SIGNS_FONT:
        return Run(" ", style.family, style.emphasis, style.size, 0.0)
    return before._replace(text=" ")


class Sheet(FPDF):
    """A4 pages in points. The date is fixed, so that the same content gives the same bytes."""

    def __init__(self, title: str) -> None:
        super().__init__(format="A4", unit="pt")
        self.core_fonts_encoding = "cp1252"
        self.add_font(_SIGNS_FONT, fname=_SIGNS_FILE)
        self.set_creation_date(datetime(2026, 1, 1, tzinfo=UTC))
        self.set_producer("Guardrail Explorer")
        self.set_title(title)
        self.set_lang("en-IN")
        self.set_auto_page_break(auto=False)

    def measure(self, run: Run) -> float:
        """The width of a run. The space after a subscript is as wide as other spaces."""
        self.set_font(run.family, run.emphasis, run.size)
        short = self.get_string_width(" ") * (1 / _SMALL - 1) if run.rise and run.text.endswith(" ") else 0.0
        return self.get_string_width(run.text) + short

    def length(self, text: str, style: Style) -> float:
        """The width of `text` on one line."""
        return sum(map(self.measure, _spaced(words(text, style), style)))

    def longest_word(self, text: str, style: Style) -> float:
        return max((sum(map(self.measure, word)) for word in words(text, style)), default=0.0)

    def lines(self, text: str | list[Word], style: Style, width: float) -> list[Line]:
        """`text` in lines of at most `width`; a wider word has a line of its own."""
        if isinstance(text, str):
            text = words(text, style)
        rows: list[list[Word]] = []
        space = self.measure(Run(" ", style.family, style.emphasis, style.size, 0.0))
        line_width = width
        for word in text:
            wide = sum(map(self.measure, word))
            if line_width + space + wide > width + _HAIR or not rows:
                rows.append([])
                line_width = -space
            rows[-1].append(word)
            line_width += space + wide
        return [self._line(row, style) for row in rows]

    def _line(self, row: list[Word], style: Style) -> Line:
        runs = _spaced(row, style)
        return Line(runs, sum(map(self.measure, runs)), len(row) - 1)

    def draw_line(self, line: Line, x: float, baseline: float, style: Style, gap: float = 0.0) -> None:
        """Draw a line. gap: added to the width of every space."""
        self.set_fill_color(*style.colour)
        self.set_text_color(*style.colour)
        for run in line.runs:
            wide = self.measure(run)
            if run.family == _SIGNS_FONT:
                self.text(x, baseline - run.rise, run.text)
            else:
                self._show(run.text, x, baseline - run.rise, gap)
            x += wide + gap * run.text.count(" ")

    def label(self, text: str, x: float, baseline: float, style: Style, *, align: float = 0.0) -> None:
        """Draw one line of `text` with its left end (`align` 0), middle (0.5) or right end (1) at `x`."""
        for line in self.lines(text, style, float("inf")):
            self.draw_line(line, x - align * line.width, baseline, style)

    def rule(self, x: float, y: float, length: float, colour: Colour, thickness: float) -> None:
        """Draw a horizontal line."""
        self.set_draw_color(*colour)
        self.set_line_width(thickness)
        self.line(x, y, x + length, y)

    def _show(self, text: str, x: float, baseline: float, gap: float) -> None:
        """Write text with widened spaces. The widening is in a TJ array, since PDF readers respect that but not the
        operator Tw."""
        if not self.current_font_is_set_on_page:
            self._out(self._set_font_for_page(self.current_font, self.font_size_pt))
        parts = re.findall("[^ ]* |[^ ]+", self.normalize_text(text))
        fragments = [self.current_font.encode_text(part).removesuffix(" Tj") for part in parts]
        operand = f" {-1000 * gap / self.font_size_pt:.0f} ".join(fragments)
        self._out(f"BT {x:.2f} {self.h - baseline:.2f} Td [{operand}] TJ ET")


class Theme(NamedTuple):
    """The style of each kind of text in a chapter. accent: colour of headings and drawings. pale: a light tint of that
    colour. cell_head: style of the head of a table. label: style of the words in a figure."""

    accent: Colour
    pale: Colour
    body: Style
    box_title: Style
    heading: Style
    subheading: Style
    caption: Style
    caption_label: Style
    cell: Style
    cell_head: Style
    label: Style


def theme_of(chapter: Chapter) -> Theme:
    """The theme of a chapter, coloured by its subject; two columns have a smaller font than one."""
    size = 11.5 if chapter.columns == 1 else 10.2
    accent = _ACCENTS.get(chapter.subject, _PURPLE)
    return Theme(
        accent=accent,
        pale=tuple(255 - (255 - part) // 8 for part in accent),
        body=Style("Times", "", size, 1.28 * size),
        box_title=Style("Helvetica", "B", 0.92 * size, 1.3 * size),
        heading=Style("Helvetica", "B", 1.15 * size, 1.45 * size, accent),
        subheading=Style("Helvetica", "B", 0.95 * size, 1.3 * size, _DARK),
        caption=Style("Times", "I", 0.9 * size, 1.1 * size),
        caption_label=Style("Times", "B", 0.9 * size, 1.1 * size),
        cell=Style("Times", "", 0.92 * size, 1.1 * size),
        cell_head=Style("Helvetica", "B", 0.78 * size, 1.1 * size),
        label=Style("Helvetica", "", 0.72 * size, 0.9 * size),
    )
