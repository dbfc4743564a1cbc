"""The rules of a page: the straight lines that are drawn, and the stacks of them that may hold a table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from core.pdf.page import Rectangle

_THIN, _LONG = 2.5, 60.0  # points: a rule is at most so thick, and a rule of a table at least so long
_SAME = 2.5  # points: edges that are nearer to each other are one rule
EDGE = 4.0
"""Points by which the rules of one table may differ at their ends."""
_APART = 150.0  # points: two neighbouring rules of one table are at most this far apart
_LEAST_RULES = 3  # rules that a table has
_CELL, _MOST_CELLS = 8.0, 2000  # points: a cell is at least so high and wide; more cells than this are a picture


@dataclass(frozen=True, order=True)
class Rule:
    """A straight line. at: its y when it is horizontal, else its x; it reaches from `start` to `end` (points)."""

    at: float
    start: float
    end: float


def rules(drawn: Sequence[Rectangle]) -> tuple[list[Rule], list[Rule]]:
    """The horizontal and the vertical rules of a page, each from the left or the top; the edges of cells count."""
    cells = [r for r in drawn if min(r[2] - r[0], r[3] - r[1]) >= _CELL and r[3] - r[1] <= _APART]
    cells = cells if len(cells) <= _MOST_CELLS else []
    level = [Rule((top + bottom) / 2, left, right) for left, top, right, bottom in drawn if bottom - top <= _THIN]
    upright = [Rule((left + right) / 2, top, bottom) for left, top, right, bottom in drawn if right - left <= _THIN]
    level += [Rule(y, left, right) for left, top, right, bottom in cells for y in (top, bottom)]
    upright += [Rule(x, top, bottom) for left, top, right, bottom in cells for x in (left, right)]
    return _joined(level), _joined(upright)


def _joined(pieces: Iterable[Rule]) -> list[Rule]:
    """Pieces at one place that touch each other, as one rule."""
    found: list[Rule] = []
    for group in _groups(sorted(pieces)):
        place = sum(rule.at for rule in group) / len(group)
        start, end = group[0].start, group[0].end
        for rule in group[1:]:
            if rule.start > end + EDGE:
                found.append(Rule(place, start, end))
                start, end = rule.start, rule.end
            end = max(end, rule.end)
        found.append(Rule(place, start, end))
    return found


def _groups(pieces: Sequence[Rule]) -> Iterable[list[Rule]]:
    """Pieces at one place, within 2.5 points, in the order of their starts."""
    first, numbers, number = float("-inf"), [], 0
    for rule in pieces:
        if rule.at - first > _SAME:
            first, number = rule.at, number + 1
        numbers.append(number)
    for _, group in groupby(zip(numbers, pieces, strict=True), key=lambda pair: pair[0]):
        yield sorted((rule for _, rule in group), key=lambda rule: rule.start)


def stacks(level: Sequence[Rule]) -> list[list[Rule]]:
    """Horizontal rules that begin and end alike, from the top, in runs of three or more without a wide gap."""
    found: list[list[Rule]] = []
    for rule in (r for r in level if r.end - r.start >= _LONG):
        above = (s for s in found if abs(s[-1].start - rule.start) + abs(s[-1].end - rule.end) <= 2 * EDGE)
        home = next((stack for stack in above if 0 < rule.at - stack[-1].at <= _APART), None)
        if home is None:
            found.append([rule])
        else:
            home.append(rule)
    return [stack for stack in found if len(stack) >= _LEAST_RULES]
