"""Flows: steps in boxes of one size, joined by arrows. All in points."""

from dataclasses import dataclass
from math import ceil

from data.sample.lettering import Line, Sheet
from data.sample.look import BLACK, Look
from data.sample.source import Flow

_TEXT_WIDTH, _PAD, _ARROW, _ROW_GAP = 84.0, 7.0, 20.0, 24.0

Point = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class FlowDrawing:
    """Steps in rows of equal length; an arrow leads from the end of a row down to the next."""

    texts: list[list[Line]]
    look: Look
    in_row: int
    box_width: float
    box_height: float

    @property
    def width(self) -> float:
        return self.in_row * (self.box_width + _ARROW) - _ARROW

    @property
    def height(self) -> float:
        return ceil(len(self.texts) / self.in_row) * (self.box_height + _ROW_GAP) - _ROW_GAP

    def draw(self, sheet: Sheet, x: float, y: float) -> None:
        for number, lines in enumerate(self.texts):
            row, place = divmod(number, self.in_row)
            left, top = x + place * (self.box_width + _ARROW), y + row * (self.box_height + _ROW_GAP)
            self._draw_step(sheet, lines, left, top)
            if number < len(self.texts) - 1:
                arrow(sheet, self._across(left, top) if place < self.in_row - 1 else self._down(left, top, x))

    def _across(self, left: float, top: float) -> list[Point]:
        start, middle = left + self.box_width, top + self.box_height / 2
        return [(start + 2, middle), (start + _ARROW - 2, middle)]

    def _down(self, left: float, top: float, first: float) -> list[Point]:
        """From a step at `left` to the one below whose left is `first`."""
        start, end, bottom = left + self.box_width / 2, first + self.box_width / 2, top + self.box_height
        turn = bottom + _ROW_GAP / 2
        return [(start, bottom + 1), (start, turn), (end, turn), (end, bottom + _ROW_GAP - 1)]

    def _draw_step(self, sheet: Sheet, lines: list[Line], left: float, top: float) -> None:
        style = self.look.label
        sheet.set_draw_color(*self.look.accent)
        sheet.set_fill_color(*self.look.pale)
        sheet.set_line_width(0.8)
        sheet.rect(left, top, self.box_width, self.box_height, style="DF", round_corners=True, corner_radius=4)
        top += (self.box_height - len(lines) * style.leading) / 2
        for number, line in enumerate(lines):
            middle = left + (self.box_width - line.width) / 2
            sheet.put(line, middle, top + style.leading * (number + 0.78), style)


def flow(sheet: Sheet, look: Look, given: Flow, width: float) -> FlowDrawing:
    room = max([_TEXT_WIDTH, *(sheet.longest_word(step, look.label) for step in given.steps)])
    texts = [sheet.lines(step, look.label, room) for step in given.steps]
    wide = max(line.width for lines in texts for line in lines) + 2 * _PAD
    fitting = max(1, int((width + _ARROW) / (wide + _ARROW)))
    rows = ceil(len(texts) / fitting)
    return FlowDrawing(
        texts=texts, look=look, in_row=ceil(len(texts) / rows), box_width=wide,
        box_height=max(map(len, texts)) * look.label.leading + 2 * _PAD,
    )  # fmt: skip


def arrow(sheet: Sheet, points: list[Point]) -> None:
    """A line through the points with a head at the last; its last part is level or upright."""
    (before_x, before_y), (x, y) = points[-2:]
    length = abs(x - before_x) + abs(y - before_y)
    across, down = (x - before_x) / length, (y - before_y) / length
    sheet.set_draw_color(*BLACK)
    sheet.set_fill_color(*BLACK)
    sheet.set_line_width(0.9)
    sheet.polyline([*points[:-1], (x - 4 * across, y - 4 * down)])
    base_x, base_y = x - 6 * across, y - 6 * down
    sides = [(base_x - 2.6 * down, base_y + 2.6 * across), (base_x + 2.6 * down, base_y - 2.6 * across)]
    sheet.polygon([(x, y), *sides], style="F")
