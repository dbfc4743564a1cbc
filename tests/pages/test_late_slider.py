"""A slider that was moved just before the page was left."""

from tests.support.app_pages import press

KEY = "confidence.min_confidence"


def test_a_move_that_arrives_with_a_change_of_page_draws_the_new_page_and_lasts(app):
    press(app, "What is photosynthesis?")
    app.slider(key=KEY).set_value(55.0)
    app.switch_page("pages/tune.py").run()
    assert not app.exception and app.slider(key=KEY).value == 55
    assert any(box.label == "Question set" for box in app.selectbox)
