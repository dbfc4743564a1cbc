"""Labels of points of a chart: none covers another one where there is room beside its point."""

from itertools import combinations

import pytest

from core.presentation.label_sides import _CLEAR, HEIGHT, WIDTH, _label_box, _overlap, label_sides


def boxes(points, labels):
    centres = [(WIDTH * x, HEIGHT * (1 - y)) for x, y in points]
    return [
        _label_box(c, label, side) for c, label, side in zip(centres, labels, label_sides(points, labels), strict=True)
    ]


@pytest.mark.parametrize(
    ("points", "labels"),
    [
        ([(0.75, 0.3), (0.75, 0.3)], ["now", "Default, Lenient"]),
        ([(0.48, 0.35), (0.49, 0.47)], ["As printed", "A: Safety mechanism"]),
        (
            [(0.8, 0.9), (0.95, 0.9), (0.9, 0.75)],
            ["E: LangGraph edge cases", "D: Two-stage guardrail", "B: Confidence"],
        ),
    ],
)
def test_no_label_covers_another(points, labels):
    assert [_overlap(a, b) for a, b in combinations(boxes(points, labels), 2)] == [0] * (
        len(labels) * (len(labels) - 1) // 2
    )


def test_no_label_lies_between_two_marks_where_it_could_belong_to_either():
    points = [(0.84, 0.95), (0.98, 0.95), (0.92, 0.78)]
    labels = ["E", "D", "B"]
    marks = [(WIDTH * x, HEIGHT * (1 - y)) for x, y in points]
    for n, box in enumerate(boxes(points, labels)):
        others = [(x - _CLEAR, y - _CLEAR, x + _CLEAR, y + _CLEAR) for m, (x, y) in enumerate(marks) if m != n]
        assert [_overlap(box, other) for other in others] == [0, 0]


def test_a_label_with_room_all_around_is_above_its_point():
    assert label_sides([(0.5, 0.5)], ["Default"]) == ["top center"]


def test_a_label_at_the_right_edge_stays_in_the_chart():
    assert all(
        left >= 0 and right <= WIDTH for left, _, right, _ in boxes([(1.0, 0.5), (0.0, 0.5)], ["Default", "Strict"])
    )
