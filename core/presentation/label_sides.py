"""The side on which each point of a chart has its label, so that no label covers another label, a point or the line."""

from collections.abc import Sequence

import numpy as np

WIDTHS, HEIGHT = (760, 280), 230
"""Size in pixels of the area that a chart on the Tune page draws in, without axes: the widths on a screen and on a
phone."""
_LETTER, _LINE = 6.2, 15
"""Width of a letter and height of a line of text in pixels, at the size of a label."""
_MARK, _CLEAR = 8, 16
"""Half the size of a mark in pixels, and of the area around it that the labels of other marks keep out of."""
_STROKE, _WEIGHT = 3, 3
"""Half the thickness of the chart's line with some air, in pixels; how much worse it is to cover another label than as
much of the line or of the area around a mark."""
SIDES = {
    "top center": (0, -1), "bottom center": (0, 1), "middle right": (1, 0), "middle left": (-1, 0),
    "top right": (1, -1), "top left": (-1, -1), "bottom right": (1, 1), "bottom left": (-1, 1),
}  # fmt: skip
"""The sides of a point as plotly calls them, the preferred first, each with its direction to the right and down."""
Point = tuple[float, float]
"""x and y as shares of the chart's width and height, 0 to 1 from its lower left corner."""


def label_sides(points: Sequence[Point], labels: Sequence[str], line: Sequence[Point] = ()) -> list[str]:
    """The side of each point on which its label covers least of longer labels, of the line, and of the area around
    other marks, on a screen and on a phone together.

    Points at the same position share their mark. line: the corners of a line in the chart.
    """
    charts = [_Chart(width, points, labels, line) for width in WIDTHS]
    sides = {}
    for index in sorted(range(len(points)), key=lambda n: -len(labels[n])):  # a long label has the fewest sides to go
        side = int(np.argmin(sum(chart.costs(index) for chart in charts)))
        sides[index] = list(SIDES)[side]
        for chart in charts:
            chart.place(index, side)
    return [sides[index] for index in range(len(points))]


class _Chart:
    """The boxes of a chart of one width: those of its marks, of its line, and of the labels placed so far. A box is
    left, top, right and bottom in pixels."""

    def __init__(self, width: int, points: Sequence[Point], labels: Sequence[str], line: Sequence[Point]) -> None:
        self.frame = np.array([[0, 0, width, HEIGHT]])
        self.centres, self.line = _pixels(points, width), _around(_along(_pixels(line, width)), _STROKE)
        self.boxes = [label_boxes(centre, label) for centre, label in zip(self.centres, labels, strict=True)]
        self.taken = np.empty((0, 4))

    def costs(self, index: int) -> np.ndarray:
        """For each of SIDES, the area in square pixels that the label of a point would cover there, weighted, and that
        part of it that would be outside the chart."""
        boxes, is_other = self.boxes[index], np.any(self.centres != self.centres[index], axis=1)
        obstacles = np.concatenate([self.line, _around(self.centres[is_other], _CLEAR)])
        area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
        covered = _WEIGHT * overlaps(boxes, self.taken) + overlaps(boxes, obstacles)
        return covered + area - overlaps(boxes, self.frame)

    def place(self, index: int, side: int) -> None:
        """Put the label of a point on one of SIDES."""
        self.taken = np.concatenate([self.taken, self.boxes[index][side : side + 1]])


def _pixels(points: Sequence[Point], width: int) -> np.ndarray:
    """Positions in pixels from the upper left corner: (points, 2)."""
    shares = np.array(points, dtype=float).reshape(-1, 2)
    return np.stack([width * shares[:, 0], HEIGHT * (1 - shares[:, 1])], axis=1)


def label_boxes(centre: np.ndarray, label: str) -> np.ndarray:
    """The box of the label of a mark on each of SIDES: (sides, 4). centre: of the mark."""
    towards = np.array(list(SIDES.values()))
    size = np.array([_LETTER * len(label), _LINE])
    away = _MARK * np.stack([towards[:, 1] == 0, towards[:, 1] != 0], axis=1)
    middles = centre + towards * (size / 2 + away)
    return np.concatenate([middles - size / 2, middles + size / 2], axis=1)


def _along(corners: np.ndarray) -> np.ndarray:
    """Positions along a line through these corners (corners, 2), two strokes apart, so that squares around them tile
    the line: (positions, 2)."""
    if not len(corners):
        return corners
    lengths = np.concatenate([[0], np.hypot(*np.diff(corners, axis=0).T).cumsum()])
    at = np.arange(0, lengths[-1] + 1, 2 * _STROKE)
    return np.stack([np.interp(at, lengths, corners[:, axis]) for axis in (0, 1)], axis=1)


def _around(centres: np.ndarray, half: float) -> np.ndarray:
    """Squares around these positions, as boxes (positions, 4)."""
    return np.concatenate([centres - half, centres + half], axis=1)


def overlaps(boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """For each of `boxes` (boxes, 4), the area that it shares with `others` (others, 4), in square pixels, summed."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    return (high - low).clip(min=0).prod(-1).sum(-1)
