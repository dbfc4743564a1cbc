"""Where pieces stand in their columns: spaces, boxes, breaks."""

from core.lab.sample.layout import Box, Group, Piece, filled


def piece(height=10.0, **more):
    return Piece(height=height, draw=lambda sheet, x, y: None, **more)


def tops(*pieces, height=100.0):
    """For each column the tops of its pieces, all of one block."""
    return [[top for _, top in column] for column in filled([Group(list(pieces))], lambda number: height)]


def test_the_larger_space_parts_two_pieces_and_none_is_above_the_first():
    assert tops(piece(above=9), piece(above=3, below=7), piece(above=4), piece(above=5)) == [[0, 13, 30, 45]]


def test_a_box_has_its_pad_above_and_below():
    box = Box(tint=None, edge=(0, 0, 0), pad=6)
    assert tops(piece(), piece(box=box, above=5), piece(box=box), piece(above=5)) == [[0, 21, 31, 52]]


def test_two_boxes_at_once_have_a_pad_each():
    first, second = Box(tint=None, edge=(0, 0, 0), pad=6), Box(tint=None, edge=(0, 0, 0), pad=4)
    assert tops(piece(box=first), piece(box=second)) == [[6, 26]]


def test_the_pad_of_a_box_must_fit_into_the_column_too():
    box = Box(tint=None, edge=(0, 0, 0), pad=6)
    assert tops(piece(box=box), piece(box=box), height=32) == [[6, 16]]
    assert tops(piece(box=box), piece(box=box), height=31) == [[6], [6]]


def test_what_keeps_goes_to_the_next_column_with_what_follows():
    assert tops(piece(), piece(keeps=True), piece(), height=25) == [[0], [0, 10]]


def test_what_keeps_but_is_taller_than_a_column_is_broken():
    assert tops(piece(keeps=True), piece(keeps=True), piece(), height=25) == [[0, 10], [0]]


def test_columns_have_heights_of_their_own():
    columns = filled([Group([piece(), piece(), piece()])], lambda number: 10 if number == 0 else 100)
    assert [len(column) for column in columns] == [1, 2]


def test_figures_that_wait_keep_their_order_and_stay_before_the_next_section():
    big, small, text, section = piece(60), piece(5), piece(20), piece(20)
    groups = [
        Group([piece(50)]), Group([big], floats=True), Group([small], floats=True), Group([text]),
        Group([section], opens=True),
    ]  # fmt: skip
    first, second = ([p for p, _ in column] for column in filled(groups, lambda number: 100))
    assert first[1:] == [text] and second == [big, small, section]
