"""Labels of points of a chart: none covers another one, or the line, where there is room beside its point."""

from itertools import combinations

import numpy as np
import pytest

from core.presentation.label_sides import _CLEAR, HEIGHT, SIDES, WIDTHS, label_boxes, label_sides, overlaps


def boxes(points, labels, line=(), width=WIDTHS[0]):
    """The box of each label in a chart of this width."""
    centres = [np.array([width * x, HEIGHT * (1 - y)]) for x, y in points]
    sides = [list(SIDES).index(side) for side in label_sides(points, labels, line)]
    return [label_boxes(c, label)[n] for c, label, n in zip(centres, labels, sides, strict=True)]


def overlap(one, other):
    return overlaps(np.array([one]), np.array([other]))[0]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    ("points", "labels"),
    [
        ([(0.75, 0.3), (0.75, 0.3)], ["now", "Default, Lenient"]),
        ([(0.48, 0.35), (0.49, 0.47)], ["As printed", "A: Safety mechanism"]),
        ([(0.8, 0.9), (0.95, 0.9), (0.9, 0.75)], ["E", "D", "B"]),
        ([(0.36, 0.44), (0.5, 0.42)], ["Strict", "As printed"]),
    ],
)
def test_no_label_covers_another_on_a_screen_or_a_phone(points, labels, width):
    assert [overlap(a, b) for a, b in combinations(boxes(points, labels, width=width), 2)] == [0] * (
        len(labels) * (len(labels) - 1) // 2
    )


def test_no_label_lies_between_two_marks_where_it_could_belong_to_either():
    points = [(0.84, 0.95), (0.98, 0.95), (0.92, 0.78)]
    marks = [(WIDTHS[0] * x, HEIGHT * (1 - y)) for x, y in points]
    for n, box in enumerate(boxes(points, ["E", "D", "B"])):
        others = [(x - _CLEAR, y - _CLEAR, x + _CLEAR, y + _CLEAR) for m, (x, y) in enumerate(marks) if m != n]
        assert [overlap(box, other) for other in others] == [0, 0]


@pytest.mark.parametrize(
    ("line", "sides"),
    [
        ([(0.1, 0.5), (0.9, 0.5)], ["bottom center", "top center"]),
        ([(0.1, 0.9), (0.45, 0.62), (0.5, 0.5), (0.9, 0.5)], ["top right", "bottom center"]),
    ],
)
def test_a_label_keeps_off_the_line(line, sides):
    points, labels = [(0.5, 0.5), (0.5, 0.5)], ["now", "Default, Lenient"]
    assert label_sides(points, labels, line) == sides
    for width in WIDTHS:
        ((x0, y0), (x1, y1)) = [(width * x, HEIGHT * (1 - y)) for x, y in line[-2:]]
        for box in boxes(points, labels, line, width):
            assert overlap(box, (x0, y0 - 1, x1, y1 + 1)) == 0


def test_a_label_with_room_all_around_is_above_its_point():
    assert label_sides([(0.5, 0.5)], ["Default"]) == ["top center"]


@pytest.mark.parametrize("width", WIDTHS)
def test_a_label_at_the_edge_stays_in_the_chart(width):
    drawn = boxes([(1.0, 0.5), (0.0, 0.5)], ["Default", "Strict"], width=width)
    assert all(left >= 0 and right <= width for left, _, right, _ in drawn)
