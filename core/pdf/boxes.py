"""The boxes of a page: areas with a ground or a frame of their own, such as activities and speech bubbles."""

from collections.abc import Sequence

from core.pdf.page import Line, Rectangle

_LEAST, _MOST = 0.004, 0.6
"""Share of the page: less is an ornament, more is its ground."""
_LEAN = 20
"""Points: a box is at least this high and wide, or it is a rule."""
_SLACK = 2
_LAP, _ROOM = 0.02, 1.5  # what two parts of a box share at least, and how much larger than both it is at most


def boxes(drawn: Sequence[Rectangle], width: float, height: float) -> list[Rectangle]:
    """Of what is drawn, the areas that are large enough to hold text, the largest first, each once."""
    found: list[Rectangle] = []
    for left, top, right, bottom in drawn:
        box = (max(0.0, left), max(0.0, top), min(width, right), min(height, bottom))
        wide, high = box[2] - box[0], box[3] - box[1]
        share = wide * high / (width * height)
        if min(wide, high) >= _LEAN and _LEAST <= share <= _MOST and not any(_alike(box, b) for b in found):
            found.append((round(box[0], 2), round(box[1], 2), round(box[2], 2), round(box[3], 2)))
    return sorted(_united(found, _MOST * width * height), key=_area, reverse=True)


def _united(boxes: Sequence[Rectangle], most: float) -> list[Rectangle]:
    """Boxes that lap over each other, as one: an activity may bend round a picture."""
    found: list[Rectangle] = []
    for box in sorted(boxes, key=_area, reverse=True):
        for place, other in enumerate(found):
            whole = (min(box[0], other[0]), min(box[1], other[1]), max(box[2], other[2]), max(box[3], other[3]))
            if _laps(box, other) and _area(whole) <= min(most, _area(box) + _area(other) * _ROOM):
                found[place] = whole
                break
        else:
            found.append(box)
    return found


def _area(box: Rectangle) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _laps(one: Rectangle, other: Rectangle) -> bool:
    """Do two boxes share some ground, and neither lies in the other?"""
    shared = (max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3]))
    apart = not _holds(one, other) and not _holds(other, one)
    return apart and _area(shared) > _LAP * min(_area(one), _area(other))


def placed(lines: Sequence[Line], found: Sequence[Rectangle]) -> tuple[int | None, ...]:
    """For each line, the place of the largest box that holds it, or None."""
    return tuple(next((n for n in range(len(found)) if _holds(found[n], line.rectangle)), None) for line in lines)


def _alike(one: Rectangle, other: Rectangle) -> bool:
    return all(abs(a - b) <= _SLACK for a, b in zip(one, other, strict=True))


def _holds(box: Rectangle, inner: Rectangle) -> bool:
    """Is `inner` within `box`, a few points of slack allowed?"""
    return (
        box[0] - _SLACK <= inner[0] and inner[2] <= box[2] + _SLACK
        and box[1] - _SLACK <= inner[1] and inner[3] <= box[3] + _SLACK
    )  # fmt: skip
