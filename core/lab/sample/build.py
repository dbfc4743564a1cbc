"""Builds the sample library in data/sample from the sources there: python -m core.lab.sample.build.

Every chapter.txt becomes chapter.pdf, and library.json lists them. The format of a source:

    # Chapter title
    = class 10 | Mathematics | chapter 5 | columns 1
    ## 5.1 Numbered heading
    ### Sub-heading
    A paragraph is one line, with subscripts a~n~ and superscripts n^2^.
    - a bullet point
    [formula] a~n~ = a + (n - 1)d    (5.1)
    [activity] Activity 5.1 Title       likewise [note] and [example]; then paragraphs, bullets, formulas; then [end]
    [table] Table 5.1: caption          then rows such as: cell | cell, the first of them the header row; then [end]
    [figure] Fig. 5.1: caption          then one line, flow: a -> b or bars: a=1, b=2 | unit
                                        or plot: 0,0; 1,5 | across | up; then [end]
    [exercises] Exercises               then lines such as: 1. Question? and: (a) option (b) option; then [end]

The same source gives the same bytes.
"""

import json
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from core.lab.sample.blocks import Galley
from core.lab.sample.layout import Box, Group, Piece, Placed, filled
from core.lab.sample.source import Chapter, SourceError, fail, parse_chapter
from core.lab.sample.typography import GREY, Sheet, Style, theme_of

SAMPLE = Path(__file__).parents[3] / "data" / "sample"
_TOP, _FOOT, _HEAD = 76.0, 60.0, 50.0  # distances from the page's edges: text, running head
_SIDES = {1: 82.0, 2: 58.0}  # margins left and right of the text, by the number of columns
_BETWEEN = 22.0
_RUNNING = Style("Helvetica", "", 8.5, 11, (70, 70, 70))


class Pages(Sheet):
    """The pages of one chapter as a PDF.

    Each page but the first has a running head: the subject on even pages, the title on odd pages.
    """

    def __init__(self, chapter: Chapter) -> None:
        super().__init__(chapter.title)
        self.chapter = chapter
        self.theme = theme_of(chapter)
        self.side = _SIDES[chapter.columns]
        self.text_width = self.w - 2 * self.side
        self.column = (self.text_width - (chapter.columns - 1) * _BETWEEN) / chapter.columns
        self._title = self.lines(chapter.title, self._title_style, self.text_width - 40)
        if self.length(chapter.title.upper(), _RUNNING) > self.text_width - 60:
            fail(1, f"the title {chapter.title!r} is too long for the head of a page; shorten it")

    def make(self) -> bytes:
        """The PDF. Raises SourceError if something does not fit in its column."""
        columns = filled(self._groups(), self._height)
        ends = _ends(columns)
        for number, column in enumerate(columns):
            page, column_index = divmod(number, self.chapter.columns)
            if column_index == 0:
                self.add_page()
            x = self.side + column_index * (self.column + _BETWEEN)
            self._draw_column(column, x, self._top(page), ends)
        return bytes(self.output())

    def header(self) -> None:
        """Draw the running head, or on the first page the title block. fpdf2 calls this on every new page."""
        number = self.page_no()
        if number == 1:
            return self._draw_title()
        left, right = self.side, self.w - self.side
        if number % 2 == 0:
            self.label(str(number), left, _HEAD, _RUNNING._replace(emphasis="B"))
            self.label(self.chapter.subject.upper(), left + 26, _HEAD, _RUNNING)
        else:
            self.label(self.chapter.title.upper(), right - 26, _HEAD, _RUNNING, align=1.0)
            self.label(str(number), right, _HEAD, _RUNNING._replace(emphasis="B"), align=1.0)
        return self.rule(left, _HEAD + 6, self.text_width, self.theme.accent, 0.6)

    @property
    def _title_style(self) -> Style:
        return Style("Helvetica", "B", 24, 29, self.theme.accent)

    @property
    def _title_height(self) -> float:
        return 58 + self._title_style.leading * len(self._title)

    def _draw_title(self) -> None:
        x, y, style = self.side, _HEAD, self._title_style
        self.set_fill_color(*self.theme.pale)
        self.rect(x, y, self.text_width, self._title_height, style="F")
        self.set_fill_color(*self.theme.accent)
        self.rect(x, y, 7, self._title_height, style="F")
        word = Style("Helvetica", "", 11, 14, GREY)
        self.label("CHAPTER", x + 24, y + 36, word)
        self.label(self.chapter.number, x + 30 + self.length("CHAPTER", word), y + 36, style)
        for number, line in enumerate(self._title):
            self.draw_line(line, x + 24, y + 66 + style.leading * number, style)

    def _top(self, page: int) -> float:
        """The top of the text on a page. page: counted from 0."""
        return _TOP if page else _HEAD + self._title_height + 24

    def _height(self, column: int) -> float:
        return self.h - _FOOT - self._top(column // self.chapter.columns)

    def _groups(self) -> Iterator[Group]:
        """Yield the blocks of the chapter as groups of pieces. A heading is in the group of the block that follows
        it."""
        galley = Galley(self, self.theme, self.column)
        headings: list[Piece] = []
        opens = False
        for block in self.chapter.blocks:
            pieces = galley.set(block)
            if block.kind in ("heading", "subheading"):
                headings += pieces
                opens = opens or block.kind == "heading"
                continue
            floats = block.kind in ("figure", "table") and not headings
            yield Group(headings + pieces, floats=floats, opens=opens or block.kind == "exercises")
            headings, opens = [], False
        if headings:
            yield Group(headings, opens=True)

    def _draw_column(self, column: list[Placed], x: float, top: float, ends: set[Piece]) -> None:
        for box, placed in groupby(column, key=lambda placed: placed[0].box):
            pieces = list(placed)
            if box:
                self._draw_box(box, pieces, x, top, ends)
            for piece, y in pieces:
                piece.draw(self, x + (box.pad if box else 0.0), top + y)

    def _draw_box(self, box: Box, pieces: list[Placed], x: float, top: float, ends: set[Piece]) -> None:
        """Draw that part of a box which lies in one column. An edge is drawn only at an end of the box, not where it
        continues in the next column."""
        (first, start), (last, end) = pieces[0], pieces[-1]
        upper, lower = top + start - box.pad, top + end + last.height + box.pad
        self.set_fill_color(*(box.tint or box.edge))
        self.rect(x, upper, self.column if box.tint else 2, lower - upper, style="F")
        for piece, edge in ((first, upper), (last, lower)):
            if box.tint and piece in ends:
                self.rule(x, edge, self.column, box.edge, 1.2)


def _ends(columns: list[list[Placed]]) -> set[Piece]:
    """The first and the last piece of every box, which are those at which the edges of the box are drawn."""
    pieces = [piece for column in columns for piece, _ in column]
    groups = [list(group) for box, group in groupby(pieces, key=lambda piece: piece.box) if box]
    return {end for group in groups for end in (group[0], group[-1])}


def build(source: str) -> bytes:
    """The PDF of one source. Raises SourceError, which names the line, if it cannot be typeset."""
    return Pages(parse_chapter(source)).make()


def build_folder(folder: Path) -> None:
    """Write a PDF for every source in `folder`, and library.json. Nothing is written if a source is invalid."""
    files: dict[Path, bytes] = {}
    entries = []
    for path in sorted(folder.glob("*.txt")):
        pdf = path.with_suffix(".pdf")
        try:
            chapter = parse_chapter(path.read_text("utf-8"))
            files[pdf] = Pages(chapter).make()
        except SourceError as error:
            raise SourceError(f"{path.name}: {error}") from None
        entries.append(json.dumps(entry(pdf.name, chapter), ensure_ascii=False))
    files[folder / "library.json"] = ("[\n " + ",\n ".join(entries) + "\n]\n").encode()
    for path, data in files.items():
        path.write_bytes(data)


def entry(file: str, chapter: Chapter) -> dict[str, str | int]:
    """The entry of a chapter in library.json."""
    return {
        "file": file, "class_number": chapter.class_number, "subject": chapter.subject, "chapter": chapter.number,
    }  # fmt: skip


if __name__ == "__main__":
    try:
        build_folder(SAMPLE)
    except SourceError as error:
        sys.exit(str(error))
