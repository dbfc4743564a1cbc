"""The side on which each point of a chart has its label, so that no label covers another label or a point."""

from collections.abc import Sequence

WIDTH, HEIGHT = 760, 230
"""Size in pixels of the area that a chart on the Tune page draws in, without axes; narrower than on most screens."""
_LETTER, _LINE = 6.2, 15
"""Width of a letter and height of a line in pixels, at the size of a label."""
_MARK, _CLEAR = 8, 16
"""Half the size of a mark in pixels, and of the area around it that the labels of other marks keep out of."""
SIDES = {
    "top center": (0, -1), "bottom center": (0, 1), "middle right": (1, 0), "middle left": (-1, 0),
    "top right": (1, -1), "top left": (-1, -1), "bottom right": (1, 1), "bottom left": (-1, 1),
}  # fmt: skip
"""The sides of a point as plotly calls them, the preferred first, each with its direction to the right and down."""
Box = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels."""


def label_sides(points: Sequence[tuple[float, float]], labels: Sequence[str]) -> list[str]:
    """The side of each point on which its label covers least of the labels before it and is not close to another mark.

    Points at the same position share their mark.

    points: x and y as shares of the chart's width and height, 0 to 1 from its lower left corner.
    """
    centres = [(WIDTH * x, HEIGHT * (1 - y)) for x, y in points]
    sides: list[str] = []
    labels_so_far: list[Box] = []
    for centre, label in zip(centres, labels, strict=True):
        boxes = {side: _label_box(centre, label, side) for side in SIDES}
        marks = [(x - _CLEAR, y - _CLEAR, x + _CLEAR, y + _CLEAR) for x, y in centres if (x, y) != centre]
        others = [*labels_so_far, *marks]
        side = min(boxes, key=lambda s: sum(_overlap(boxes[s], b) for b in others) + _outside(boxes[s]))
        sides.append(side)
        labels_so_far.append(boxes[side])
    return sides


def _label_box(centre: tuple[float, float], label: str, side: str) -> Box:
    right, down = SIDES[side]
    width = _LETTER * len(label)
    x = centre[0] + right * (width / 2 + _MARK * (down == 0))
    y = centre[1] + down * (_LINE / 2 + _MARK)
    return x - width / 2, y - _LINE / 2, x + width / 2, y + _LINE / 2


def _overlap(one: Box, other: Box) -> float:
    """The area that two boxes share, in square pixels."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(width, 0) * max(height, 0)


def _outside(box: Box) -> float:
    """The area of a box outside the chart, in square pixels."""
    return (box[2] - box[0]) * (box[3] - box[1]) - _overlap(box, (0, 0, WIDTH, HEIGHT))
