"""Tables: rows where rules or clear columns leave no doubt, loose ones counted, and nothing else taken for a table."""

from itertools import pairwise
from pathlib import Path

import pytest

from core.library.passages import sentences_of
from tests.support.drawn_pages import column, read_back, sheet

CASE = Path(__file__).resolve().parents[3] / "shared/data/cases/12_table_with_rules.pdf"
TOWERS = [["Tower", "Height (m)", "Opened in"], ["Hill Tower", "84", "1901"], ["Lake Tower", "62", "1877"]]
PLANTS = [["Plant", "Leaves", "Home"], ["Sal", "broad and shiny", "plains"], ["Deodar", "like needles", "hills"]]
TWO = [["Metal", "Melting point (°C)"], ["Tin", "232"], ["Lead", "327"], ["Zinc", "420"]]


def boxed_cells(rows, *, bold=True, width=150, title=""):
    """Every cell with a frame of its own, under a title."""
    pdf = sheet()
    pdf.set_font("Helvetica", style="B", size=14)
    column(pdf, 50, 60, title)
    pdf.set_xy(50, 80)
    for place, row in enumerate(rows):
        pdf.set_font("Helvetica", style="B" if bold and not place else "", size=10)
        pdf.set_x(50)
        for text in row:
            pdf.cell(width, 18, text, border=1)
        pdf.ln()
    return pdf


def ruled(rows, lines, *, bold=True, upright=()):
    """Rows 20 points apart; lines: the rows over which a rule is drawn; upright: where a rule stands."""
    pdf = sheet()
    for place, row in enumerate(rows):
        pdf.set_font("Helvetica", style="B" if bold and not place else "", size=10)
        for n, text in enumerate(row):
            column(pdf, 60 + 150 * n, 94 + 20 * place, text)
    for place in lines:
        pdf.line(55, 80 + 20 * place, 500, 80 + 20 * place)
    for x in upright:
        pdf.line(x, 80, x, 80 + 20 * len(rows))
    return pdf


def by_columns(rows):
    """A grid whose file writes one column after the other."""
    pdf = sheet()
    for n in range(len(rows[0])):
        for place, row in enumerate(rows):
            pdf.set_font("Helvetica", style="" if place else "B", size=10)
            column(pdf, 60 + 150 * n, 94 + 20 * place, row[n])
    for place in range(len(rows) + 1):
        pdf.line(55, 80 + 20 * place, 500, 80 + 20 * place)
    return pdf


def rows_of(pdf):
    return [s.text for s in sentences_of([read_back(pdf)]) if s.kind == "row"]


READ = {
    "cells with frames": (boxed_cells(TOWERS), ["Hill Tower, height: 84 m, opened in: 1901.",
                                                "Lake Tower, height: 62 m, opened in: 1877."]),
    "a rule under every row": (ruled(TOWERS, range(4)), ["Hill Tower, height: 84 m, opened in: 1901.",
                                                         "Lake Tower, height: 62 m, opened in: 1877."]),
    "a grid": (ruled(PLANTS, range(4), upright=(55, 205, 355, 500)),
               ["Sal, leaves: broad and shiny, home: plains.", "Deodar, leaves: like needles, home: hills."]),
    "three rules": (ruled(PLANTS, (0, 1, 3), bold=False),
                    ["Sal, leaves: broad and shiny, home: plains.", "Deodar, leaves: like needles, home: hills."]),
    "units under no bold head": (boxed_cells(TWO, bold=False), ["Tin, melting point: 232 °C.",
                                 "Lead, melting point: 327 °C.", "Zinc, melting point: 420 °C."]),
    "a unit of its own": (boxed_cells([["Gas", "Share (kg)"], ["Argon", "9"], ["Oxygen", "21%"]]),
                          ["Argon, share: 9 kg.", "Oxygen, share (kg): 21%."]),
    "one column after the other": (by_columns(PLANTS), ["Sal, leaves: broad and shiny, home: plains.",
                                                        "Deodar, leaves: like needles, home: hills."]),
    "years name the rows": (boxed_cells([["Year", "Trees"], ["1951", "120"], ["1961", "90"]]),
                            ["Year: 1951, trees: 120.", "Year: 1961, trees: 90."]),
    "a head that is an abbreviation": (boxed_cells([["Town", "PIN code"], ["Rampur", "one"], ["Sonpur", "two"]]),
                                       ["Rampur, PIN code: one.", "Sonpur, PIN code: two."]),
    "an empty cell": (boxed_cells([["Plant", "Fruit", "Home"], ["Sal", "", "plains"], ["Fig", "sweet", "hills"]]),
                      ["Sal, home: plains.", "Fig, fruit: sweet, home: hills."]),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_a_sure_table_is_read_as_rows(name):
    pdf, expected = READ[name]
    assert (rows_of(pdf), read_back(pdf).loose_tables) == (expected, 0)


def test_a_broken_cell_is_one_text_where_rules_show_the_row():
    pdf = sheet()
    with pdf.table(col_widths=(30, 30), width=300) as table:
        for row in (
            ["Plant", "Use"],
            ["Sal", "Its wood makes strong doors and long beams for houses"],
            ["Fig", "Food"],
        ):
            table.row(row)
    assert rows_of(pdf) == ["Sal, use: Its wood makes strong doors and long beams for houses.", "Fig, use: Food."]


LOOSE = {
    "no header": ruled([["Sal", "broad", "plains"], ["Deodar", "needles", "hills"]], range(3), bold=False),
    "merged rows": ruled([["Plant", "Leaves"], ["Sal", "broad"], ["", "shiny"]], range(4), upright=(55, 205, 500)),
    "to be filled": boxed_cells([["Sum", "Answer"], ["Two and two", "..."], ["Two and six", "..."]]),
    "to be paired": boxed_cells([["Column I", "Column II"], ["Sal", "a flower"], ["Rose", "a tree"]]),
    "two values in a cell": boxed_cells([["Plant", "Leaf"], ["Sal", "big"], ["", "red"], ["Fig", "small"]]),
}


@pytest.mark.parametrize("name", LOOSE)
def test_a_table_in_doubt_is_counted_and_gives_no_rows(name):
    assert (rows_of(LOOSE[name]), read_back(LOOSE[name]).loose_tables) == ([], 1)


def test_a_head_over_two_columns_leaves_the_table_loose():
    pdf = ruled([["Town", "", ""], ["", "first", "second"], ["Rampur", "20", "30"]], (0, 2, 3))
    column(pdf, 250, 94, "People in every year that was counted")
    assert rows_of(pdf) == [] and read_back(pdf).loose_tables == 1


PLAIN = {
    "two columns of prose": [
        ["The wide river runs down", "In winter all the herds"],
        ["from the far hills to", "come"],
    ],
    "a title alone": [["The river"], ["It runs to the sea."], ["It is long."]],
}


@pytest.mark.parametrize("name", PLAIN)
def test_what_is_no_table_stays_text(name):
    page = read_back(ruled(PLAIN[name], ()))
    assert (page.loose_tables, [line.cell for line in page.lines if line.cell]) == (0, [])


def test_the_words_of_a_row_stand_in_its_cells_and_under_its_header():
    pdf = boxed_cells(TOWERS)
    page = read_back(pdf)
    row = next(s for s in sentences_of([page]) if s.text.startswith("Lake Tower"))
    tops = sorted({place[2] for place in row.rects})
    assert row.whole and len(tops) == 2
    lines = {round(line.top / page.height, 4) for line in page.lines if line.text in ("Lake Tower", "Height (m)")}
    assert set(tops) == lines
    assert all(one != other for one, other in pairwise(row.rects))


def test_every_letter_outside_of_a_table_stays_in_its_order():
    pdf = boxed_cells(TOWERS)
    column(pdf, 50, 60, "Some towers are old.")
    column(pdf, 50, 200, "The lake is near.")
    assert [s.text for s in sentences_of([read_back(pdf)]) if s.kind != "row"] == [
        "Some towers are old.", "The lake is near."
    ]  # fmt: skip


@pytest.mark.skipif(not CASE.exists(), reason="the cases are not on this machine")
def test_the_case_of_the_issue():
    import pypdfium2

    from core.pdf.read import page_at

    said = [s.text for s in sentences_of([page_at(pypdfium2.PdfDocument(CASE), 0)])]
    assert "Clock Tower, height: 62 m, built: 1877." in said


def test_a_table_in_an_exercise_is_no_evidence():
    rows = [s for s in sentences_of([read_back(boxed_cells(TOWERS, title="Exercises"))]) if s.kind == "row"]
    assert len(rows) == 2 and all(row.exercise for row in rows)
