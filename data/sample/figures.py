"""The drawings of a chapter, as vector graphics in the middle of their column. All in points."""

from data.sample.charts import bar_chart, plot
from data.sample.flows import flow
from data.sample.lettering import Sheet
from data.sample.look import Look
from data.sample.pieces import Piece
from data.sample.source import Bars, Block, Flow, Plot, fail

_MAKERS = {Flow: flow, Bars: bar_chart, Plot: plot}


def picture(sheet: Sheet, look: Look, block: Block, width: float) -> Piece:
    """The drawing of a figure. Raises SourceError where its words have no room in `width`."""
    drawing = _MAKERS[type(block.drawing)](sheet, look, block.drawing, width)
    if drawing.width > width:
        fail(
            block.line, f"the figure needs {drawing.width:.0f} points and the column has {width:.0f}; shorten its words"
        )
    left = (width - drawing.width) / 2

    def draw(sheet: Sheet, x: float, y: float) -> None:
        drawing.draw(sheet, x + left, y)

    return Piece(height=drawing.height, draw=draw, above=1.2 * look.body.size, keeps=True)
