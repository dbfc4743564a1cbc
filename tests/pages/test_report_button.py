"""The report of the Ask page: its pages are drawn only when it is downloaded."""

from core.presets import preset
from core.reply.serialization import question_of
from pages.components.ask.verdict_actions import report_of
from tests.support.app_pages import press


def test_the_report_is_made_only_on_request(app, explorer, monkeypatch):
    drawn = []
    picture = explorer.library.picture
    monkeypatch.setattr(
        type(explorer.library), "picture", lambda _, *at, **how: drawn.append(at) or picture(*at, **how)
    )
    press(app, "What is photosynthesis?")
    assert len(drawn) == 1  # the page beside the answer
    (button,) = app.get("download_button")
    assert button.proto.label == "Print"


def test_the_report_has_the_pages_that_the_answer_rests_on(explorer):
    question = question_of({"query": "What is photosynthesis?"})
    trace, verdict = explorer.ask(question, preset("default"))
    report = report_of(trace, verdict, preset("default"), explorer)
    assert "What is photosynthesis?" in report and 1 <= report.count("<img") <= 6
