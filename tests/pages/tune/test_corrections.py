"""The preview of a file before its import: its names of fields, and cells that are corrected there."""

from dataclasses import replace

from streamlit.testing.v1 import AppTest

from core.banks.files import FIELDS, LEFT_OUT, columns_in, mapped_lines, read_raw
from pages.components.shared.session_types import Import
from pages.components.tune.new_questions import HOLDS, TITLES, preview_frame
from tests.support.app_pages import press


def corrected_file():
    """Two callbacks of the import without its table, which only a browser can edit."""
    import streamlit as st

    from pages.components.tune.new_questions import _choose_column, _correct

    st.button("Correct", on_click=_correct)
    st.button("Choose", on_click=_choose_column, args=("note",))


def test_a_change_of_a_column_keeps_corrected_cells():
    at = AppTest.from_function(corrected_file).run()
    rows = read_raw(b"question,class,note\nWhat is air?,nine,\n,7,\n", "rows.csv")
    at.session_state["import"] = Import(file="rows.csv", rows=rows, columns=columns_in(rows))
    at.session_state["column of the file note"] = LEFT_OUT
    press(at, "Choose")
    for edits in ({0: {"Class": "9"}}, {0: {"Subject": "Science"}, 1: {"Question": "What is fire?"}}):
        at.session_state["report_lines"] = [0, 1]
        at.session_state[f"import report {at.session_state['import report number']}"] = {"edited_rows": edits}
        press(at, "Correct")
    assert [line.problem for line in at.session_state["import"].lines] == ["", ""]
    at.session_state["column of the file note"] = "kind"
    press(at, "Choose")
    lines = at.session_state["import"].lines
    assert [line.problem for line in lines] == ["", ""]
    assert [line.row["query"] for line in lines] == ["What is air?", "What is fire?"]
    assert lines[0].row["class_number"] == 9 and lines[0].row["subject"] == "Science"


def test_a_corrected_cell_needs_no_second_reading_of_the_file():
    at = AppTest.from_function(corrected_file).run()
    rows = read_raw(b"question,class\nWhat is air?,nine\n,7\n", "rows.csv")
    read = Import(file="rows.csv", rows=rows, columns=columns_in(rows))
    at.session_state["import"] = replace(read, rows=(), lines=mapped_lines(rows, read.columns, {}))
    at.session_state["report_lines"] = [0, 1]
    at.session_state["import report 0"] = {"edited_rows": {0: {"Class": "9"}}}
    press(at, "Correct")
    first, second = at.session_state["import"].lines
    assert (first.row["class_number"], first.problem) == (9, "") and second.problem


def test_a_field_has_one_name_in_the_table_of_a_set_and_at_its_import():
    assert {field: HOLDS[field] for field in TITLES} == TITLES and set(FIELDS) <= set(TITLES)
    assert HOLDS["reference"] == "Reference: what a right answer says"


def test_a_kept_column_with_the_title_of_a_field_has_a_title_of_its_own_in_the_preview():
    shown = preview_frame([{"Question": "7b", "query": "What?"}, {"query": "Who?"}])
    assert shown["Question"].tolist() == ["What?", "Who?"] and shown["Question, kept as it is"][0] == "7b"
