"""The rules of a page: its straight lines, and the stacks of horizontal lines that may be tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from core.pdf.page import Rectangle

_THIN, _LONG = 2.5, 60.0  # points: largest thickness of a rule, and smallest length of a rule of a table
_SAME = 2.5  # points: edges closer to each other than this are one rule
EDGE = 4.0
"""Points by which the ends of rules of one table may differ."""
_APART = 150.0  # points: largest distance between two neighbouring rules of one table
_LEAST_RULES = 3  # fewest rules of a table
_CELL, _MOST_CELLS = 8.0, 2000  # points: smallest height and width of a cell; more cells than this are a picture


@dataclass(frozen=True, order=True)
class Rule:
    """A straight line. at: its y if it is horizontal, else its x. start, end: its extent along the other axis
    (points).
    """

    at: float
    start: float
    end: float


def rules(drawn: Sequence[Rectangle]) -> tuple[list[Rule], list[Rule]]:
    """Return the horizontal rules and the vertical rules of a page, by position. The edges of cells count as rules."""
    cells = [r for r in drawn if min(r[2] - r[0], r[3] - r[1]) >= _CELL and r[3] - r[1] <= _APART]
    cells = cells if len(cells) <= _MOST_CELLS else []
    horizontal = [Rule((top + bottom) / 2, left, right) for left, top, right, bottom in drawn if bottom - top <= _THIN]
    vertical = [Rule((left + right) / 2, top, bottom) for left, top, right, bottom in drawn if right - left <= _THIN]
    horizontal += [Rule(y, left, right) for left, top, right, bottom in cells for y in (top, bottom)]
    vertical += [Rule(x, top, bottom) for left, top, right, bottom in cells for x in (left, right)]
    return _join(horizontal), _join(vertical)


def _join(pieces: Iterable[Rule]) -> list[Rule]:
    """Join pieces at the same position that touch each other."""
    joined: list[Rule] = []
    for group in _groups(sorted(pieces)):
        position = sum(rule.at for rule in group) / len(group)
        start, end = group[0].start, group[0].end
        for rule in group[1:]:
            if rule.start > end + EDGE:
                joined.append(Rule(position, start, end))
                start, end = rule.start, rule.end
            end = max(end, rule.end)
        joined.append(Rule(position, start, end))
    return joined


def _groups(pieces: Sequence[Rule]) -> Iterable[list[Rule]]:
    """Yield pieces whose positions lie within 2.5 points, each group sorted by start."""
    first, numbers, number = float("-inf"), [], 0
    for rule in pieces:
        if rule.at - first > _SAME:
            first, number = rule.at, number + 1
        numbers.append(number)
    for _, group in groupby(zip(numbers, pieces, strict=True), key=lambda pair: pair[0]):
        yield sorted((rule for _, rule in group), key=lambda rule: rule.start)


def stacks(horizontal: Sequence[Rule]) -> list[list[Rule]]:
    """Group horizontal rules with the same ends into runs from the top.

    Each run has three or more rules, and no gap between neighbours is wider than 150 points.
    """
    runs: list[list[Rule]] = []
    for rule in (r for r in horizontal if r.end - r.start >= _LONG):
        candidates = (s for s in runs if abs(s[-1].start - rule.start) + abs(s[-1].end - rule.end) <= 2 * EDGE)
        stack_above = next((stack for stack in candidates if 0 < rule.at - stack[-1].at <= _APART), None)
        if stack_above is None:
            runs.append([rule])
        else:
            stack_above.append(rule)
    return [stack for stack in runs if len(stack) >= _LEAST_RULES]
