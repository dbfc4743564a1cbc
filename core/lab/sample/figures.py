"""The drawings of a chapter: flows, bar charts and plots, as vector graphics centred in their column.

All sizes are in points.
"""

from dataclasses import dataclass
from math import ceil, floor, log10

from core.lab.sample.layout import Piece
from core.lab.sample.source import Bars, Block, Flow, Plot, fail
from core.lab.sample.typography import BLACK, PALE, Line, Sheet, Theme

_TEXT_WIDTH, _PAD, _ARROW, _ROW_GAP = 84.0, 7.0, 20.0, 24.0
_BAR_HEIGHT, _BAR_PLACE = 105.0, 66.0  # height of the tallest bar; width of a bar with its label
_PLOT_WIDTH, _PLOT_HEIGHT = 280.0, 140.0
_INTERVALS = 6  # maximum of an axis

Point = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class FlowDrawing:
    """A flow chart that can draw itself: its steps are boxes in rows, and an arrow leads from the end of a row down to
    the next row.

    texts: the lines of each step. in_row: number of steps in a row. box_width, box_height: the size of each box.
    """

    texts: list[list[Line]]
    theme: Theme
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
            row, column = divmod(number, self.in_row)
            left, top = x + column * (self.box_width + _ARROW), y + row * (self.box_height + _ROW_GAP)
            self._draw_step(sheet, lines, left, top)
            if number < len(self.texts) - 1:
                arrow(sheet, self._across(left, top) if column < self.in_row - 1 else self._down(left, top, x))

    def _across(self, left: float, top: float) -> list[Point]:
        start, middle = left + self.box_width, top + self.box_height / 2
        return [(start + 2, middle), (start + _ARROW - 2, middle)]

    def _down(self, left: float, top: float, first: float) -> list[Point]:
        """The corners of the arrow from the last step of a row to the first step of the next row. left, top: the
        position of the last step. first: the left of the first step."""
        start, end, bottom = left + self.box_width / 2, first + self.box_width / 2, top + self.box_height
        turn = bottom + _ROW_GAP / 2
        return [(start, bottom + 1), (start, turn), (end, turn), (end, bottom + _ROW_GAP - 1)]

    def _draw_step(self, sheet: Sheet, lines: list[Line], left: float, top: float) -> None:
        style = self.theme.label
        sheet.set_draw_color(*self.theme.accent)
        sheet.set_fill_color(*self.theme.pale)
        sheet.set_line_width(0.8)
        sheet.rect(left, top, self.box_width, self.box_height, style="DF", round_corners=True, corner_radius=4)
        top += (self.box_height - len(lines) * style.leading) / 2
        for number, line in enumerate(lines):
            middle = left + (self.box_width - line.width) / 2
            sheet.draw_line(line, middle, top + style.leading * (number + 0.78), style)


def flow(sheet: Sheet, theme: Theme, content: Flow, width: float) -> FlowDrawing:
    room = max([_TEXT_WIDTH, *(sheet.longest_word(step, theme.label) for step in content.steps)])
    texts = [sheet.lines(step, theme.label, room) for step in content.steps]
    wide = max(line.width for lines in texts for line in lines) + 2 * _PAD
    fitting = max(1, int((width + _ARROW) / (wide + _ARROW)))
    rows = ceil(len(texts) / fitting)
    return FlowDrawing(
        texts=texts, theme=theme, in_row=ceil(len(texts) / rows), box_width=wide,
        box_height=max(map(len, texts)) * theme.label.leading + 2 * _PAD,
    )  # fmt: skip


def arrow(sheet: Sheet, points: list[Point]) -> None:
    """Draw a line through the points with an arrow head at the last; its last part is horizontal or vertical."""
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


@dataclass(frozen=True, kw_only=True)
class BarChart:
    """A chart of vertical bars that can draw itself, with the value above each bar, its label below, and the unit above
    the axis.

    content: the values and the unit. labels: the lines of the label of each bar. bar_spacing: the distance from one bar
    to the next.
    """

    content: Bars
    labels: list[list[Line]]
    theme: Theme
    bar_spacing: float

    @property
    def width(self) -> float:
        return self.bar_spacing * len(self.labels) + 12

    @property
    def height(self) -> float:
        leading = self.theme.label.leading
        return 2.8 * leading + _BAR_HEIGHT + leading * max(map(len, self.labels)) + 4

    def draw(self, sheet: Sheet, x: float, y: float) -> None:
        style, left = self.theme.label, x + 6
        foot = y + 2.8 * style.leading + _BAR_HEIGHT
        most = max(value for _, value in self.content.bars)
        for number, (_, value) in enumerate(self.content.bars):
            start, tall = left + number * self.bar_spacing, _BAR_HEIGHT * value / most
            sheet.set_fill_color(*self.theme.accent)
            sheet.rect(start + 0.22 * self.bar_spacing, foot - tall, 0.56 * self.bar_spacing, tall, style="F")
            middle = start + self.bar_spacing / 2
            for row, line in enumerate(self.labels[number]):
                sheet.draw_line(line, middle - line.width / 2, foot + 3 + style.leading * (row + 0.78), style)
            sheet.label(number_text(value), middle, foot - tall - 3, style, align=0.5)
        arrow(sheet, [(left, foot), (left, y + 1.2 * style.leading)])
        sheet.rule(left, foot, self.bar_spacing * len(self.labels), BLACK, 0.9)
        sheet.label(self.content.unit, x, y + 0.8 * style.leading, style)


def bar_chart(sheet: Sheet, theme: Theme, content: Bars, width: float) -> BarChart:
    bar_spacing = min(_BAR_PLACE, (width - 12) / len(content.bars))
    bar_spacing = max([bar_spacing, *(sheet.longest_word(label, theme.label) + 4 for label, _ in content.bars)])
    labels = [sheet.lines(label, theme.label, bar_spacing - 4) for label, _ in content.bars]
    return BarChart(content=content, labels=labels, theme=theme, bar_spacing=bar_spacing)


@dataclass(frozen=True, kw_only=True)
class PlotDrawing:
    """A line plot that can draw itself: points joined by lines, over two labelled axes with ticks.

    content: the points and the labels of the axes. across, up: the values at the ticks of the horizontal and of the
    vertical axis. margin: width left of the vertical axis.
    """

    content: Plot
    theme: Theme
    across: list[float]
    up: list[float]
    margin: float
    width: float
    height: float

    def draw(self, sheet: Sheet, x: float, y: float) -> None:
        self._draw_axes(sheet, x, y)
        points = [self._place(point, x, y) for point in self.content.points]
        sheet.set_draw_color(*self.theme.accent)
        sheet.set_fill_color(*self.theme.accent)
        sheet.set_line_width(1.3)
        sheet.polyline(points)
        for left, top in points:
            sheet.circle(left, top, 2.2, style="F")

    def _place(self, point: Point, x: float, y: float) -> Point:
        """The position of a point on the sheet."""
        right, high = (
            (value - ticks[0]) / (ticks[-1] - ticks[0])
            for value, ticks in zip(point, (self.across, self.up), strict=True)
        )
        top = y + 2 * self.theme.label.leading
        return x + self.margin + right * (self.width - self.margin - 16), top + (1 - high) * _PLOT_HEIGHT

    def _draw_axes(self, sheet: Sheet, x: float, y: float) -> None:
        style = self.theme.label
        (left, foot), (right, top) = (self._place((self.across[i], self.up[i]), x, y) for i in (0, -1))
        for value in self.up:
            level = self._place((self.across[0], value), x, y)[1]
            sheet.rule(left, level, right - left, PALE, 0.6)
            sheet.label(number_text(value), left - 4, level + 0.3 * style.size, style, align=1.0)
        sheet.set_draw_color(*BLACK)
        for value in self.across:
            y_position = self._place((value, self.up[0]), x, y)[0]
            sheet.line(y_position, foot, y_position, foot + 3)
            sheet.label(number_text(value), y_position, foot + 3 + style.leading, style, align=0.5)
        arrow(sheet, [(left, foot), (left, top - 10)])
        arrow(sheet, [(left, foot), (right + 14, foot)])
        sheet.label(self.content.across, (left + right) / 2, foot + 4 + 2.1 * style.leading, style, align=0.5)
        sheet.label(self.content.up, x, y + 0.6 * style.leading, style)


def plot(sheet: Sheet, theme: Theme, content: Plot, width: float) -> PlotDrawing:
    across, up = (ticks_of(values) for values in zip(*content.points, strict=True))
    margin = 8 + max(sheet.length(number_text(value), theme.label) for value in up)
    height = _PLOT_HEIGHT + 4.4 * theme.label.leading
    words = max(sheet.length(content.across, theme.label) + margin, sheet.length(content.up, theme.label))
    wide = max(min(width, _PLOT_WIDTH + margin), words)
    return PlotDrawing(content=content, theme=theme, across=across, up=up, margin=margin, width=wide, height=height)


def ticks_of(values: tuple[float, ...]) -> list[float]:
    """Values for the ticks of an axis: round numbers in equal steps that enclose `values`. They begin at 0, unless more
    than half of the axis would then be empty.

    If all `values` are whole, so are the ticks.
    """
    low, high = min(values), max(values)
    low = 0.0 if 0 < low <= high / 2 else low
    rough = (high - low or abs(high) or 1.0) / _INTERVALS
    if all(value.is_integer() for value in values):
        rough = max(rough, 1.0)
    unit = 10.0 ** floor(log10(rough))
    step = next(unit * size for size in (1, 2, 5, 10) if unit * size >= rough * (1 - 1e-9))
    first, last = floor(low / step + 1e-9), max(ceil(high / step - 1e-9), floor(low / step + 1e-9) + 1)
    return [number * step for number in range(first, last + 1)]


def number_text(value: float) -> str:
    """A number with up to ten digits and a true minus sign, as textbooks print it."""
    return f"{value:.10g}".replace("-", "−")


_MAKERS = {Flow: flow, Bars: bar_chart, Plot: plot}


def picture(sheet: Sheet, theme: Theme, block: Block, width: float) -> Piece:
    """The drawing of a figure. Raises SourceError if its words do not fit in `width`."""
    drawing = _MAKERS[type(block.drawing)](sheet, theme, block.drawing, width)
    if drawing.width > width:
        fail(
            block.line, f"the figure needs {drawing.width:.0f} points and the column has {width:.0f}; shorten its words"
        )
    left = (width - drawing.width) / 2

    def draw(sheet: Sheet, x: float, y: float) -> None:
        drawing.draw(sheet, x + left, y)

    return Piece(height=drawing.height, draw=draw, above=1.2 * theme.body.size, keeps=True)
