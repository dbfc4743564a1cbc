"""Finds the boxes that are drawn on a page, and the lines in them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core.pdf.page import Line, Rectangle, groups

_LEAST_SHARE, _MOST_SHARE = 0.004, 0.6
"""Limits for the area of a box, as shares of the page: a smaller area is an ornament, a larger one is the page's
background.
"""
_LEAN = 20
"""Minimum height and width of a box (points); anything thinner is a rule."""
_SLACK = 2
_LAP, _ROOM = 0.02, 1.5  # smallest shared area of two parts, and the largest area of their union, as shares
_LEADING = 0.6  # of the font size: largest gap between two lines of a paragraph


def boxes(rectangles: Sequence[Rectangle], width: float, height: float) -> list[Rectangle]:
    """Return the areas among the drawn rectangles that are large enough to hold text.

    width, height: of the page (points). Each area occurs once; the largest comes first. An area is clipped to the
    page, and boxes that overlap are merged.
    """
    areas: list[Rectangle] = []
    for left, top, right, bottom in rectangles:
        box = (max(0.0, left), max(0.0, top), min(width, right), min(height, bottom))
        wide, high = box[2] - box[0], box[3] - box[1]
        share = wide * high / (width * height)
        if (
            min(wide, high) >= _LEAN
            and _LEAST_SHARE <= share <= _MOST_SHARE
            and not any(all(abs(x - y) <= _SLACK for x, y in zip(box, b, strict=True)) for b in areas)
        ):
            areas.append(tuple(round(edge, 2) for edge in box))
    # A box that bends round a picture is drawn as several rectangles that overlap.
    merged: list[Rectangle] = []
    for box in sorted(areas, key=_area, reverse=True):
        for index, other in enumerate(merged):
            union = (min(box[0], other[0]), min(box[1], other[1]), max(box[2], other[2]), max(box[3], other[3]))
            shared = (max(box[0], other[0]), max(box[1], other[1]), min(box[2], other[2]), min(box[3], other[3]))
            apart = not _contains(box, other) and not _contains(other, box)
            overlaps = apart and _area(shared) > _LAP * min(_area(box), _area(other))
            largest = min(_MOST_SHARE * width * height, _area(box) + _area(other) * _ROOM)
            if overlaps and _area(union) <= largest:
                merged[index] = union
                break
        else:
            merged.append(box)
    return sorted(merged, key=_area, reverse=True)


def _area(box: Rectangle) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def assign_boxes(lines: Sequence[Line], areas: Sequence[Rectangle]) -> tuple[Line, ...]:
    """Return the lines with `box` set to the index of the largest area that holds the line, or None.

    All lines of one paragraph get the same box: the most frequent one among them.
    """
    boxes_of_lines = [
        next((n for n in range(len(areas)) if _contains(areas[n], line.rectangle)), None) for line in lines
    ]
    new_lines: list[Line] = []
    for paragraph in groups(lines, lambda a, b: a.is_followed_by(b, _LEADING) and abs(b.left - a.left) <= _SLACK):
        boxes_of_paragraph = boxes_of_lines[len(new_lines) : len(new_lines) + len(paragraph)]
        box = Counter(boxes_of_paragraph).most_common(1)[0][0]
        new_lines += (replace(line, box=box) for line in paragraph)
    return tuple(new_lines)


def outside(rectangles: Sequence[Rectangle], areas: Sequence[Rectangle]) -> list[Rectangle]:
    """Return the drawn rectangles that lie in none of `areas`, such as tables, whose cells are no boxes."""
    return [rectangle for rectangle in rectangles if not any(_contains(area, rectangle) for area in areas)]


def _contains(box: Rectangle, inner: Rectangle) -> bool:
    """True if `inner` lies within `box`, give or take 2 points."""
    return (
        box[0] - _SLACK <= inner[0] and inner[2] <= box[2] + _SLACK
        and box[1] - _SLACK <= inner[1] and inner[3] <= box[3] + _SLACK
    )  # fmt: skip
