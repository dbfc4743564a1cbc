"""Lines that are set sideways or upside down are read apart, with their places right; others are counted."""

import math
from pathlib import Path

import pytest

from core.library.passages import sentences_of
from tests.pdf.lettered import TURNS, file_of, read, shown
from tests.support.drawn_pages import column, read_back, sheet

CASES = Path(__file__).parents[3] / "shared" / "data" / "cases"
HILLS = "Goats graze on the slopes. The river runs north."
PEAK = "The highest peak is Mount Karu at 6120 metres."
SLANTED = (math.cos(0.7), math.sin(0.7), -math.sin(0.7), math.cos(0.7))


def told(page):
    return [(s.text, s.whole) for s in sentences_of([page])]


def page_with(*drawn, size=(600, 800)):
    return read(file_of(b"".join(drawn), size=size))


@pytest.mark.parametrize("turn", [1, 2, 3])
@pytest.mark.parametrize("first", [True, False])
def test_a_turned_sentence_stands_apart_and_is_whole(turn, first):
    upright, turned = shown(HILLS), shown(PEAK, left=400, bottom=400, matrix=TURNS[turn])
    page = page_with(*((turned, upright) if first else (upright, turned)))
    assert told(page) == [("Goats graze on the slopes.", True), ("The river runs north.", True), (PEAK, True)]
    assert page.sideways == 0


@pytest.mark.parametrize(
    ("turn", "box"),
    [(1, (0.66, 0.18, 0.69, 0.5)), (2, (0.24, 0.49, 0.67, 0.52)), (3, (0.64, 0.17, 0.68, 0.5))],
)
def test_a_turned_sentence_has_its_place_on_the_page(turn, box):
    page = page_with(shown(HILLS), shown(PEAK, left=400, bottom=400, matrix=TURNS[turn]))
    ((_, left, top, right, bottom),) = sorted(sentences_of([page]), key=lambda s: s.text == PEAK)[-1].rects
    length = 256 / (600 if turn == 2 else 800)
    along = (left, right) if turn == 2 else (top, bottom)
    start = {1: 0.5, 2: 400 / 600, 3: 0.5}[turn]
    assert along[1] - along[0] == pytest.approx(length, abs=0.04)
    assert start == pytest.approx(along[0] if turn == 1 else along[1], abs=0.01)
    across = (top, bottom) if turn == 2 else (left, right)
    at = 0.5 if turn == 2 else 400 / 600
    assert across[0] - 0.01 < at < across[1] + 0.01 and across[1] - across[0] < 0.03


def test_several_turned_lines_are_one_text():
    lines = ("The valley lies between two high", "ranges of hills and is wide. It is", "green in summer.")
    drawn = [shown(text, left=400 + 16 * n, bottom=300, matrix=TURNS[3]) for n, text in enumerate(lines)]
    assert told(page_with(shown(HILLS), *drawn))[2:] == [
        ("The valley lies between two high ranges of hills and is wide.", True), ("It is green in summer.", True),
    ]  # fmt: skip


def test_a_page_whose_text_is_turned_as_a_whole_is_read_as_a_page():
    lines = ("1.1 The hills", "The valley lies between two high", "ranges of hills. It is green.")
    drawn = [shown(text, left=100 + 16 * n, bottom=300, matrix=TURNS[3]) for n, text in enumerate(lines)]
    found = list(sentences_of([page_with(*drawn)]))
    assert [(s.text, s.kind, s.whole) for s in found] == [
        ("1.1 The hills", "heading", True),
        ("The valley lies between two high ranges of hills.", "prose", True), ("It is green.", "prose", True),
    ]  # fmt: skip


def test_a_sentence_goes_on_over_a_page_with_a_turned_line():
    first = page_with(shown("The valley lies between two high and"), shown(PEAK, 400, 300, matrix=TURNS[3]))
    pdf = sheet()
    column(pdf, 60, 90, "very steep ranges of hills. It is green.")
    spoken = list(sentences_of([first, read_back(pdf)]))
    assert PEAK in [s.text for s in spoken]


def test_an_axis_label_is_in_no_sentence():
    label = shown("Distance in metres", left=40, bottom=600, matrix=TURNS[3])
    page = page_with(shown("Goats graze on the"), label, shown("slopes of the hills.", bottom=686))
    assert [text for text, _ in told(page)] == ["Goats graze on the slopes of the hills.", "Distance in metres"]


def test_arrow_heads_that_are_letters_are_no_text():
    assert told(page_with(shown(HILLS), shown(">", left=300, bottom=300, matrix=TURNS[2]))) == [
        ("Goats graze on the slopes.", True), ("The river runs north.", True),
    ]  # fmt: skip


@pytest.mark.parametrize("lines", [1, 2, 3])
def test_slanted_lines_are_counted_and_not_read(lines):
    drawn = [shown("not to be sold", left=100 + 150 * n, bottom=200, matrix=SLANTED) for n in range(lines)]
    page = page_with(shown("Goats graze on the"), *drawn, shown("slopes of the hills.", bottom=686))
    assert page.sideways == lines
    assert told(page) == [("Goats graze on the slopes of the hills.", True)]


def test_narrow_turned_letters_are_seen():
    page = page_with(shown(HILLS), shown("all till ill", left=300, bottom=300, size=7, matrix=TURNS[3]))
    assert [line.text for line in page.lines if line.turn] == ["all till ill"] and page.hidden == 0


def test_a_turned_running_head_goes():
    head = shown("Our Land and Its People", left=580, bottom=300, size=8, matrix=TURNS[3])
    texts = ["The first hill is green.", "A river runs north.", "Goats graze there.", "Snow falls in winter."]
    pages = [page_with(shown(text), head) for text in texts]
    assert [s.text for s in sentences_of(pages)] == texts


@pytest.mark.skipif(not CASES.is_dir(), reason="the cases do not lie beside the project")
def test_the_sideways_line_of_the_cases():
    page = read((CASES / "05_sideways_line.pdf").read_bytes())
    assert told(page)[-1] == ("The tallest peak of the range is Mount Karu at 6120 metres.", True)
    ((_, left, top, right, bottom),) = list(sentences_of([page]))[-1].rects
    assert (left, right) == pytest.approx((0.48, 0.5), abs=0.01) and bottom - top > 0.3
