"""Finds the boxes and rules that are drawn on a page."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.pdf.page import Line, Rectangle

_THIN, _LONG = 2.5, 60.0  # points: largest thickness of a rule, and smallest length of a rule of a table
_SAME = 2.5  # points: edges closer to each other than this are one rule
EDGE = 4.0
"""Points by which the ends of two rules of one table may differ."""
_MAX_RULE_GAP = 150.0  # points: largest distance between two neighbouring rules of one table
_LEAST_RULES = 3  # fewest rules of a table
_CELL, _MOST_CELLS = 8.0, 2000  # points: smallest height and width of a cell; more cells than this are a picture


@dataclass(frozen=True, order=True)
class Rule:
    """A straight line, horizontal or vertical. at: for a horizontal line its y, for a vertical one its x. start, end:
    its ends along the other axis. All in points.
    """

    at: float
    start: float
    end: float


def rules(rectangles: Sequence[Rectangle]) -> tuple[list[Rule], list[Rule]]:
    """Return the horizontal rules and the vertical rules of a page, by position. The edges of cells count as rules."""
    cells = [r for r in rectangles if min(r[2] - r[0], r[3] - r[1]) >= _CELL and r[3] - r[1] <= _MAX_RULE_GAP]
    cells = cells if len(cells) <= _MOST_CELLS else []
    horizontal = [
        Rule((top + bottom) / 2, left, right) for left, top, right, bottom in rectangles if bottom - top <= _THIN
    ]
    vertical = [
        Rule((left + right) / 2, top, bottom) for left, top, right, bottom in rectangles if right - left <= _THIN
    ]
    horizontal += [Rule(y, left, right) for left, top, right, bottom in cells for y in (top, bottom)]
    vertical += [Rule(x, top, bottom) for left, top, right, bottom in cells for x in (left, right)]
    return _join(horizontal), _join(vertical)


def _join(pieces: Iterable[Rule]) -> list[Rule]:
    """Join pieces of rules that lie on the same line and touch each other."""
    rules_: list[Rule] = []
    groups: list[list[Rule]] = []
    for rule in sorted(pieces):
        if not groups or rule.at - groups[-1][0].at > _SAME:
            groups.append([])
        groups[-1].append(rule)
    for group in (sorted(pieces_, key=lambda rule: rule.start) for pieces_ in groups):
        position = sum(rule.at for rule in group) / len(group)
        start, end = group[0].start, group[0].end
        for rule in group[1:]:
            if rule.start > end + EDGE:
                rules_.append(Rule(position, start, end))
                start, end = rule.start, rule.end
            end = max(end, rule.end)
        rules_.append(Rule(position, start, end))
    return rules_


def stacks(horizontal: Sequence[Rule]) -> list[list[Rule]]:
    """Group horizontal rules with the same ends into stacks, each from top to bottom.

    A stack has three or more rules, and no gap between neighbours is wider than 150 points.
    """
    runs: list[list[Rule]] = []
    for rule in (r for r in horizontal if r.end - r.start >= _LONG):
        candidates = (s for s in runs if abs(s[-1].start - rule.start) + abs(s[-1].end - rule.end) <= 2 * EDGE)
        stack_above = next((stack for stack in candidates if 0 < rule.at - stack[-1].at <= _MAX_RULE_GAP), None)
        if stack_above is None:
            runs.append([rule])
        else:
            stack_above.append(rule)
    return [stack for stack in runs if len(stack) >= _LEAST_RULES]


_LEAST_SHARE, _MOST_SHARE = 0.004, 0.6
"""Limits for the area of a box, as shares of the page: a smaller area is an ornament, a larger one is the page's
background.
"""
_LEAN = 20
"""Minimum height and width of a box (points); anything thinner is a rule."""
_SLACK = 2
_LAP, _ROOM = 0.02, 1.5  # smallest shared area of two parts, and the largest area of their union, as shares
_ALIKE, _LEADING = 0.06, 1.6  # of the font size: largest size difference and largest pitch in a paragraph


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
            areas.append((round(box[0], 2), round(box[1], 2), round(box[2], 2), round(box[3], 2)))
    return sorted(_merge_overlaps(areas, _MOST_SHARE * width * height), key=_area, reverse=True)


def _merge_overlaps(boxes: Sequence[Rectangle], max_area: float) -> list[Rectangle]:
    """Merge boxes that overlap, because a box that bends round a picture is drawn as several rectangles. max_area:
    largest area that a merged box may have (points²).
    """
    areas: list[Rectangle] = []
    for box in sorted(boxes, key=_area, reverse=True):
        for index, other in enumerate(areas):
            union = (min(box[0], other[0]), min(box[1], other[1]), max(box[2], other[2]), max(box[3], other[3]))
            shared = (max(box[0], other[0]), max(box[1], other[1]), min(box[2], other[2]), min(box[3], other[3]))
            apart = not _contains(box, other) and not _contains(other, box)
            overlaps = apart and _area(shared) > _LAP * min(_area(box), _area(other))
            if overlaps and _area(union) <= min(max_area, _area(box) + _area(other) * _ROOM):
                areas[index] = union
                break
        else:
            areas.append(box)
    return areas


def _area(box: Rectangle) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def assign_boxes(lines: Sequence[Line], areas: Sequence[Rectangle]) -> tuple[Line, ...]:
    """Return the lines with `box` set to the index of the largest area that holds the line, or None.

    All lines of one paragraph get the same box: the most frequent one among them.
    """
    boxes_of_lines = [
        next((n for n in range(len(areas)) if _contains(areas[n], line.rectangle)), None) for line in lines
    ]
    start = 0
    for end in range(1, len(lines) + 1):
        if end == len(lines) or not _is_next_line(lines[end - 1], lines[end]):
            boxes_of_lines[start:end] = [Counter(boxes_of_lines[start:end]).most_common(1)[0][0]] * (end - start)
            start = end
    return tuple(replace(line, box=box) for line, box in zip(lines, boxes_of_lines, strict=True))


def _is_next_line(before: Line, after: Line) -> bool:
    """True if `after` is the next line of the same paragraph: it has the same size and the same left edge."""
    is_same_style = abs(after.size - before.size) <= _ALIKE * before.size and abs(after.left - before.left) <= _SLACK
    return is_same_style and 0 < after.top - before.top < _LEADING * before.size


def outside(rectangles: Sequence[Rectangle], areas: Sequence[Rectangle]) -> list[Rectangle]:
    """Return the drawn rectangles that lie in none of `areas`, such as tables, whose cells are no boxes."""
    return [rectangle for rectangle in rectangles if not any(_contains(area, rectangle) for area in areas)]


def _contains(box: Rectangle, inner: Rectangle) -> bool:
    """True if `inner` lies within `box`, give or take 2 points."""
    return (
        box[0] - _SLACK <= inner[0] and inner[2] <= box[2] + _SLACK
        and box[1] - _SLACK <= inner[1] and inner[3] <= box[3] + _SLACK
    )  # fmt: skip
