"""A value of the session is declared once: a mistyped name is an error, and widgets outlive the pages that draw them."""

from collections import Counter

import pytest
from streamlit.testing.v1 import AppTest

from core.case import CaseError
from pages.components.shared import session_values
from pages.components.shared.limits import SLIDERS
from pages.components.shared.session import FORM, JOURNAL, LIMITS, SETTINGS, TUNE, Group, declared_widgets
from pages.components.shared.session_values import Outcome, RowButton, Value


@pytest.mark.parametrize("group", [group() for group in Group.__subclasses__()], ids=lambda group: type(group).__name__)
def test_a_name_that_is_not_declared_is_an_error(group):
    with pytest.raises(AttributeError):
        _ = group.questoin
    with pytest.raises(AttributeError):
        group.questoin = 1
    declared = next((one for one in vars(type(group)).values() if isinstance(one, Value)), FORM.question)
    with pytest.raises(AttributeError):
        declared.valeu = 1


def test_another_key_than_those_of_a_form_is_an_error():
    with pytest.raises(KeyError):
        FORM.fill({"questoin": "What is air?"})


def test_no_two_values_share_a_key():
    declared = [one for group in Group.__subclasses__() for one in vars(group).values() if isinstance(one, Value)]
    counts = Counter([value.key for value in declared] + list(SLIDERS.widgets))
    assert len(declared) > 100 and [key for key, count in counts.items() if count > 1] == []


def test_every_widget_of_the_groups_that_are_cleared_or_restored_outlives_its_page():
    kept = {widget.key for widget in declared_widgets()}
    for group in (FORM, SETTINGS, JOURNAL):
        assert set(group.widgets) == {v.key for v in vars(type(group)).values() if isinstance(v, Value)} <= kept
    assert {LIMITS.preset.key, TUNE.promised_percent.key, *SLIDERS.widgets} <= kept


def page():
    import streamlit as st

    from pages.components.shared.page_run import init_session
    from pages.components.shared.session import ASK, HISTORY, JOURNAL, TUNE

    init_session()
    st.session_state.setdefault("seen", []).append((JOURNAL.text.value, TUNE.new_bank.value, TUNE.file.key))
    if st.session_state.get("is drawn", True):
        st.text_input("Words", **JOURNAL.text.kept)
        st.text_input("Name", key=TUNE.new_bank.key)
    st.button("Clear", on_click=JOURNAL.reset)
    st.button("Renew", on_click=TUNE.file.renew)
    HISTORY.own.value.append(1)
    st.text(f"{ASK.to_journal.take()} {len(HISTORY.own.value)}")


@pytest.fixture
def app(monkeypatch, tmp_path):
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path))
    return AppTest.from_function(page).run()


def test_a_widget_keeps_its_value_while_it_is_not_drawn_and_another_value_does_not(app):
    app.text_input(key=JOURNAL.text.key).set_value("acid")
    app.text_input(key=TUNE.new_bank.key).set_value("mine").run()
    for is_drawn in (False, False, True):
        app.session_state["is drawn"] = is_drawn
        app.run()
    assert not app.exception and app.session_state["seen"][-1][:2] == ("acid", "")


def test_filters_return_to_their_initial_values(app):
    app.text_input(key=JOURNAL.text.key).set_value("acid").run()
    app.button[0].click().run()
    assert app.text_input(key=JOURNAL.text.key).value == ""


def test_a_renewed_widget_gets_a_new_key(app):
    app.button[1].click().run()
    first, second = (keys[-1] for keys in app.session_state["seen"])
    assert first != second


def test_a_value_that_is_taken_is_gone_and_an_owned_list_lasts(app):
    app.session_state["to journal"] = True
    assert app.run().text[0].value == "True 2"
    assert app.run().text[0].value == "False 3"


def test_an_outcome_is_that_of_the_last_action(monkeypatch):
    monkeypatch.setattr(session_values.st, "session_state", {})
    outcome = Outcome("outcome of a test")
    with outcome.catch():
        raise CaseError("The question is empty.")
    assert [str(one) for one in outcome.value] == ["The question is empty."] and not outcome.succeeded
    with outcome.catch():
        outcome.say("It is saved.")
    assert outcome.value == ["It is saved."] and outcome.succeeded
    with outcome.catch(is_new=False):
        raise CaseError("The question is empty.")
    assert len(outcome.value) == 2
    with pytest.raises(ValueError, match="a fault of the program"), outcome.catch():
        raise ValueError("a fault of the program")


def test_a_press_in_a_column_of_buttons_names_the_item_of_its_row(monkeypatch):
    monkeypatch.setattr(session_values.st, "session_state", state := {})
    drawn, pressed, button = [], [], RowButton(None, "open row of a test")
    monkeypatch.setattr(session_values.st.column_config, "ButtonColumn", lambda *_, **about: drawn.append(about))
    button.column(["first", "second"], pressed.append, 60)
    for row in (1, 2, None):  # a row that no longer exists, and no press, call nothing
        state[button.key] = None if row is None else {"row": row}
        drawn[0]["on_click"]()
    assert pressed == ["second"]


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
