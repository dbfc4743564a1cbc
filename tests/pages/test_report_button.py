"""The report button of the Ask page: the report is made on request, with progress."""

from pages.components.ask.verdict_actions import drawing
from tests.support.app_pages import press


def test_the_report_is_made_only_on_request(app, explorer, monkeypatch):
    drawn = []
    picture = explorer.library.picture
    monkeypatch.setattr(
        type(explorer.library), "picture", lambda _, *at, **how: drawn.append(at) or picture(*at, **how)
    )
    press(app, "What is photosynthesis?")
    assert drawn == [] and not app.get("download_button")
    app.button(key="report").click().run()
    assert not app.exception and not app.error
    assert 1 <= len(drawn) <= 6
    (file,) = app.get("download_button")
    assert file.proto.label == "Download"
    app.run()
    assert not app.get("download_button")


def test_progress_names_the_page_that_is_drawn():
    seen = []
    listen = drawing(lambda *at: seen.append(at))
    for done in range(3):
        listen(done, 3)
    assert seen == [(0.0, "Drawing page 1 of 3"), (1 / 3, "Drawing page 2 of 3"), (2 / 3, "Drawing page 3 of 3")]
