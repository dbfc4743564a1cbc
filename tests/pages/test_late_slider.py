"""What was set just before the page was left, and what lasts on other pages."""

from core.banks.saved import SavedBanks
from pages.components.shared.session import SETTINGS, TUNE
from tests.support.app_pages import press

KEY = "confidence.min_confidence"


def test_a_move_that_arrives_with_a_change_of_page_draws_the_new_page_and_lasts(app, home):
    SavedBanks(home).replace("one_question", [{"query": "What is an acid?"}])
    app.session_state[TUNE.bank.key] = "one_question"
    press(app, "What is photosynthesis?")
    app.slider(key=KEY).set_value(55.0)
    app.switch_page("pages/tune.py").run()
    assert not app.exception and app.slider(key=KEY).value == 55
    assert any(box.label == "Question set" for box in app.selectbox)
    SavedBanks(home).delete("one_question")


def test_what_was_set_lasts_on_pages_that_do_not_draw_it(app):
    app.session_state[SETTINGS.stage_1.key] = "endpoint"
    app.run()
    app.text_input(key=SETTINGS.endpoint.key).set_value("http://me/v1").run()
    app.slider(key="passages_fetched").set_value(3).run()
    for page in ("pages/history.py", "pages/guide.py", "pages/history.py"):
        app.switch_page(page).run()
        assert not app.exception and SETTINGS.endpoint.key not in {field.key for field in app.text_input}
    app.switch_page("pages/ask.py").run()
    assert app.text_input(key=SETTINGS.endpoint.key).value == "http://me/v1"
    assert app.slider(key="passages_fetched").value == 3
