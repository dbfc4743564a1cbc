"""Lines come in the order of the file, boxes and tables are known, and what is not one run of the page is told."""

from core.library.passages import sentences_of
from tests.support.drawn_pages import column, read_back, sheet, texts

LEFT = ("The first column begins here and", "goes on for several lines that", "fill its width, and ends here.", "So.")
RIGHT = ("The second column is read after", "the first, although its lines stand", "at the same height on the", "page.")


def test_lines_come_in_the_order_of_the_file():
    pdf = sheet()
    column(pdf, 50, 80, *LEFT)
    column(pdf, 320, 80, *RIGHT)
    pdf.text(50, 50, "A title that the file has last")
    assert texts(pdf) == [*LEFT, *RIGHT, "A title that the file has last"]


def test_columns_whose_lines_alternate_in_the_file_make_no_sentence_of_both():
    pdf = sheet()
    for place, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        pdf.text(50, 80 + 12 * place, left)
        pdf.text(320, 80 + 12 * place, right)
    assert not [s.text for s in sentences_of([read_back(pdf)]) if "first column" in s.text and "second" in s.text]


def test_rows_of_a_table_are_read_across():
    pdf = sheet()
    for place, cells in enumerate((("Element", "Symbol"), ("Zinc", "Zn"), ("Iron", "Fe"), ("Copper", "Cu"))):
        pdf.text(50, 80 + 16 * place, cells[0])
        pdf.text(200, 80 + 16 * place, cells[1])
    assert texts(pdf) == ["Element", "Symbol", "Zinc", "Zn", "Iron", "Fe", "Copper", "Cu"]


def test_a_sentence_with_a_fraction_is_not_whole():
    pdf = sheet()
    pdf.text(50, 80, "The value of")
    pdf.set_font_size(8)
    pdf.text(110, 75, "dx")
    pdf.text(110, 86, "dt")
    pdf.set_font_size(10)
    pdf.text(125, 80, "at noon is high. It falls.")
    found = {s.text: s.whole for s in sentences_of([read_back(pdf)])}
    assert [whole for text, whole in found.items() if text.startswith("The value of")] == [False]
    assert found["It falls."]


def test_a_justified_line_of_few_words_is_one_line_of_its_sentence():
    pdf = sheet()
    column(pdf, 50, 80, "A line of words that fills the column whole", "and then a line that has few")
    for left, word in ((50, "words"), (98, "with"), (138, "even"), (180, "gaps")):
        pdf.text(left, 104, word)
    column(pdf, 50, 116, "before the next line that fills the column.")
    (found,) = sentences_of([read_back(pdf)])
    assert "has few words with even gaps before the next" in found.text and found.whole


def test_the_lines_of_a_box_stay_together_and_know_it():
    pdf = sheet()
    pdf.set_fill_color(200, 220, 250)
    pdf.rect(300, 60, 200, 60, style="F")
    column(pdf, 310, 80, "Activity 1.1", "Strike a bell and listen.")
    column(
        pdf, 50, 80, "A bell makes a sound when it", "is struck, and the sound dies", "away at once when it is held."
    )
    page = read_back(pdf)
    assert [line.text for line in page.lines if line.box is not None] == ["Activity 1.1", "Strike a bell and listen."]
    places = [n for n, line in enumerate(page.lines) if line.box is not None]
    assert places[1] == places[0] + 1 and len(page.boxes) == 1


def test_white_grounds_thin_rules_and_whole_pages_are_no_boxes():
    pdf = sheet()
    pdf.set_fill_color(255, 255, 255)
    pdf.rect(50, 60, 200, 60, style="F")
    pdf.set_fill_color(200, 220, 250)
    pdf.rect(0, 0, 595, 842, style="F")
    pdf.rect(50, 300, 200, 2, style="F")
    column(pdf, 60, 80, "Plain words", "on a plain page")
    assert read_back(pdf).boxes == ()


def test_a_box_that_bends_round_a_picture_is_one():
    pdf = sheet()
    pdf.set_fill_color(200, 220, 250)
    pdf.rect(50, 60, 150, 80, style="F")
    pdf.rect(50, 130, 300, 60, style="F")
    column(pdf, 60, 80, "Fill a glass jar with", "water, and watch it.", leading=30)
    column(pdf, 60, 150, "Is the volume of the gas the same in both of the tubes?", "Put the flame out.")
    page = read_back(pdf)
    assert page.boxes == ((50.0, 60.0, 350.0, 190.0),) and {line.box for line in page.lines} == {0}


def test_the_outline_of_a_picture_is_no_box():
    pdf = sheet()
    pdf.set_fill_color(200, 220, 250)
    pdf.polygon([(50 + 5 * n, 60 + 40 * (n % 2)) for n in range(40)] + [(240, 200), (50, 200)], style="F")
    column(pdf, 60, 120, "Words on a drawing", "of many corners")
    assert read_back(pdf).boxes == ()


def test_the_cells_of_a_ruled_table_are_read_whole():
    pdf = sheet()
    for top in (60, 84, 120, 156):
        pdf.line(50, top, 350, top)
    column(pdf, 54, 76, "Nutrient")
    column(pdf, 200, 76, "Foods")
    column(pdf, 54, 98, "Minerals build", "bones and teeth")
    column(pdf, 200, 98, "ragi, which has calcium,", "and green leaves")
    column(pdf, 54, 134, "Proteins")
    column(pdf, 200, 134, "pulses, milk and", "eggs")
    column(pdf, 50, 180, "Manure is made from dung and rotting plants.")
    page = read_back(pdf)
    assert [line.text for line in page.lines] == [
        "Nutrient", "Foods", "Minerals build", "bones and teeth", "ragi, which has calcium,", "and green leaves",
        "Proteins", "pulses, milk and", "eggs", "Manure is made from dung and rotting plants.",
    ]  # fmt: skip
    assert [line.box for line in page.lines] == [0] * 9 + [None]


def test_rules_over_and_under_paragraphs_make_no_table():
    pdf = sheet()
    for top in (60, 84, 120, 156):
        pdf.line(50, top, 350, top)
    column(pdf, 54, 76, "Sound needs a medium to travel through.")
    column(pdf, 54, 98, "It cannot pass through a vacuum,", "where there is nothing to vibrate.")
    assert read_back(pdf).boxes == ()
