"""The areas of a page with a ground or a frame of their own, such as activities and speech bubbles."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core.pdf.page import Line, Rectangle

_LEAST_SHARE, _MOST_SHARE = 0.004, 0.6
"""Share of the page: less is an ornament, more is its ground."""
_LEAN = 20
"""Points: a box is at least this high and wide, or it is a rule."""
_SLACK = 2
_LAP, _ROOM = 0.02, 1.5  # what two parts of a box share at least, and how much larger than both it is at most
_ALIKE, _LEADING = 0.06, 1.6  # of the size: what two lines of a paragraph differ by, and how far apart they are


def boxes(drawn: Sequence[Rectangle], width: float, height: float) -> list[Rectangle]:
    """Of what is drawn, the areas that are large enough to hold text, the largest first, each once."""
    found: list[Rectangle] = []
    for left, top, right, bottom in drawn:
        box = (max(0.0, left), max(0.0, top), min(width, right), min(height, bottom))
        wide, high = box[2] - box[0], box[3] - box[1]
        share = wide * high / (width * height)
        if (
            min(wide, high) >= _LEAN
            and _LEAST_SHARE <= share <= _MOST_SHARE
            and not any(_same_place(box, b) for b in found)
        ):
            found.append((round(box[0], 2), round(box[1], 2), round(box[2], 2), round(box[3], 2)))
    return sorted(_united(found, _MOST_SHARE * width * height), key=_area, reverse=True)


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


def boxed(lines: Sequence[Line], found: Sequence[Rectangle]) -> tuple[Line, ...]:
    """Each line with the place of the largest box that holds it, or None; a paragraph is in a box whole or not."""
    each = [next((n for n in range(len(found)) if _holds(found[n], line.rectangle)), None) for line in lines]
    start = 0
    for end in range(1, len(lines) + 1):
        if end == len(lines) or not _is_next_line(lines[end - 1], lines[end]):
            each[start:end] = [Counter(each[start:end]).most_common(1)[0][0]] * (end - start)
            start = end
    return tuple(replace(line, box=box) for line, box in zip(lines, each, strict=True))


def _is_next_line(before: Line, after: Line) -> bool:
    """Is `after` the next line of the same paragraph, of the same size and with the same left edge?"""
    alike = abs(after.size - before.size) <= _ALIKE * before.size and abs(after.left - before.left) <= _SLACK
    return alike and 0 < after.top - before.top < _LEADING * before.size


def outside(drawn: Sequence[Rectangle], areas: Sequence[Rectangle]) -> list[Rectangle]:
    """What is drawn, without what lies in one of `areas`: the cells of a table are no boxes."""
    return [one for one in drawn if not any(_holds(area, one) for area in areas)]


def _same_place(one: Rectangle, other: Rectangle) -> bool:
    return all(abs(a - b) <= _SLACK for a, b in zip(one, other, strict=True))


def _holds(box: Rectangle, inner: Rectangle) -> bool:
    """Is `inner` within `box`, a few points of slack allowed?"""
    return (
        box[0] - _SLACK <= inner[0] and inner[2] <= box[2] + _SLACK
        and box[1] - _SLACK <= inner[1] and inner[3] <= box[3] + _SLACK
    )  # fmt: skip
