"""A long table is drawn a page at a time, and a short one without a choice of pages."""

from streamlit.testing.v1 import AppTest


def table(count):
    import streamlit as st

    from pages.components.shared.session import TUNE

    page = TUNE.page.of("rows").rows(count)
    st.text(f"{page.start} {page.stop}")


def drawn(count, number=1):
    app = AppTest.from_function(table, args=(count,))
    app.session_state["page of rows"] = number
    return app.run()


def test_a_short_table_has_no_pages():
    app = drawn(600)
    assert app.text[0].value == "0 600" and not app.number_input


def test_a_long_table_begins_with_its_first_page_and_says_which_rows_it_shows():
    app = drawn(100_000)
    assert app.text[0].value == "0 600" and app.caption[0].value == "Rows 1 to 600 of 100,000"
    app.number_input[0].set_value(167).run()
    assert app.text[0].value == "99600 100000"


def test_the_last_page_holds_what_is_left_and_a_page_that_is_gone_becomes_it():
    assert drawn(1301, 3).text[0].value == "1200 1301"
    assert drawn(601, 9).text[0].value == "600 601"
