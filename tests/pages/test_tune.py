"""The tabs Bench and Diagnose of the Tune page: counts that follow the sliders, titles of pictures, proposals."""

import json
from dataclasses import replace
from xml.etree.ElementTree import fromstring

import numpy as np
import plotly.graph_objects as go
import pytest

from core.banks.bank_counts import compare
from core.banks.open_bank import OpenBank
from core.banks.saved import SavedBanks
from core.checks import all_thresholds
from core.evaluation.counts import Rate
from core.evaluation.outcomes import Outcome
from core.presets import preset
from core.presets.saved import SavedPresets
from core.reply.serialization import question_of
from core.reports.evaluation_report import Evaluation
from core.thresholds import Preset
from core.tuning.proposals import Aim, propose
from pages.components.ask.sparklines import bank_strips, ticks_of
from pages.components.shared import session_values
from pages.components.shared.figure import wrap_title
from pages.components.shared.question_state import form_of, show_measured
from pages.components.shared.safe_display import plain
from pages.components.shared.session import ASK, FORM, TUNE
from pages.components.tune.bench import ALL, PINNED, matrix_lines, slices_of
from pages.components.tune.diagnose import VIEWS, refusal_lines, summary
from pages.components.tune.outcome_tables import frame
from pages.components.tune.proposals import figure_lines
from tests.support.app_pages import as_printed, drawn_elements, keep_measured, press, strips_of
from tests.support.planted_banks import HYBRID, RELATED, planted, two_limits
from tests.support.tune_page import tab

PRINTED = preset("as_printed")
MADE = "two_limits"
"""The bank of the page, cached by the first test that needs it."""


@pytest.fixture
def cases():
    return two_limits(120, related=0.434, hybrid=0.4)


def test_refusals_by_reason_add_up():
    lines = refusal_lines({"off_topic": (1, 15), "low_confidence": (4, 0), "": (7, 0)})
    assert len(lines) == 2 and "off\\_topic" in lines[0] and "| 1 | 15 | 16 (80 %" in lines[0]
    assert "| 4 | 0 | 4 (20 %" in lines[1] and refusal_lines({}) == []


def test_a_changed_question_opens_with_its_trace(cases, monkeypatch):
    found = compare(OpenBank.of(cases), PRINTED, PRINTED.with_values({RELATED: 0.3})).changes
    table = frame([case.row for case in cases], found, "Before", "Now")
    assert table["Change"][0] == "✗ worse" and table["Now"][0] == "answered, wrong"
    assert table["Before"][0] == "rightly refused"
    monkeypatch.setattr(session_values.st, "session_state", {})
    case = cases[found[0].case]
    show_measured(case.trace, ("bundled", None))
    opened = ASK.current.value
    assert opened.trace is case.trace and opened.measured_with == ("bundled", None)
    assert opened.form["question"] == FORM.question.value == case.row["query"]


def test_class_and_subject_are_passed_to_the_ask_page(cases):
    form = form_of(question_of({"query": "What?", "class_number": 7, "subject": "Biology"}))
    assert (form["question"], form["class_number"], form["subject"]) == ("What?", 7, "Biology")
    assert form_of(cases[0].trace.question)["class_number"] == 0


def test_a_proposal_reports_figures_of_the_held_out_half(cases):
    on = np.arange(len(cases)) // 2 % 2 == 0
    said = figure_lines(propose(OpenBank.of(cases), PRINTED, Aim(), tuning=on))
    assert "On the **60** cases that the search did not use" in said[0] and "saving per case" in said[1]
    limited = figure_lines(propose(OpenBank.of(cases), PRINTED, Aim(max_over_refusal=0.5), tuning=on))
    assert limited[1].startswith("The limit of 50 % on wrong refusals is")


# Tests with the app: its own explorer, and a bank of synthetic traces under its conditions.


@pytest.fixture
def page(app, explorer, home, cases):
    if MADE not in SavedBanks(home).names():
        keep_measured(home, explorer, MADE, cases)
    app.session_state[TUNE.bank.key] = MADE
    as_printed(app).switch_page("pages/tune.py").run()
    assert not app.exception
    return app


def view(at, name):
    """The same page with a view of the tab Diagnose open."""
    at.session_state[TUNE.view.key] = name
    return tab(at, "Diagnose")


def titles(at):
    """The title of each picture, which stands above it and in its image. Building the figures also validates their
    properties."""
    charts = [chart.proto for chart in at.get("plotly_chart")]
    for chart in charts:
        figure = go.Figure(json.loads(chart.spec))
        assert figure.layout.title.text == wrap_title(chart.alt)
        assert json.loads(chart.config)["displayModeBar"] and "toImage" in chart.config
        assert f"**{plain(chart.alt)}**" in [m.value for m in at.markdown]
    return [chart.alt for chart in charts]


def test_a_slider_decides_the_whole_bank_and_runs_no_model(page, model_calls):
    assert any("120 questions, all measured" in text for text in drawn_elements(page))
    assert "**No outcomes changed**" in drawn_elements(page)
    model_calls.clear()
    page.slider(key=RELATED).set_value(0.44).run()
    assert not page.exception and model_calls == []
    assert any(" changed: " in text.replace("\\", "") for text in drawn_elements(page))
    assert len(page.dataframe) == 1 and model_calls == []


def test_the_curve_follows_the_slider_that_moved_last(page, model_calls):
    limits = page
    model_calls.clear()
    for key in (RELATED, HYBRID):
        limits.slider(key=key).set_value(0.4).run()
        assert limits.selectbox(key=TUNE.curve.key).value == key and model_calls == []


def test_the_scores_of_the_bank_are_under_the_sliders(page, cases, model_calls):
    related = [case.trace.rounds[0].signals["retrieval_confidence"]["related"] for case in cases]
    low, high = (edge(r.mean() for r in related) for edge in (min, max))
    ticks = ticks_of(OpenBank.of(cases))[RELATED]
    assert ticks[0] == pytest.approx(low, abs=0.01) and ticks[-1] == pytest.approx(high, abs=0.01)
    caption = fromstring(bank_strips({RELATED: ticks}, [RELATED])[RELATED]).findtext("p")
    assert caption in strips_of(page).values()
    model_calls.clear()
    page.slider(key=RELATED).set_value(0.44).run()
    assert caption in strips_of(page).values() and model_calls == []


def test_every_view_is_drawn_and_each_picture_has_a_title(page):
    assert len(titles(page)) == 1 and titles(page)[0].endswith(" wrong")
    pictures = {"Which checks matter": 1, "Scores at a limit": 1, "Pair of limits": 1, "Calibration": 1}
    for name in VIEWS:
        at = view(page, name)
        assert len(titles(at)) == pictures.get(name, 0) and all(len(title) > 20 for title in titles(at)), name


def test_the_matrix_of_outcomes_follows_the_slice(page, cases):
    assert (
        "| | 60 to answer | 60 to stop |" in " ".join(drawn_elements(page))
        and page.selectbox(key=TUNE.slice.key).value == ALL
    )
    page.selectbox(key=TUNE.slice.key).set_value("Kind: made").run()
    assert not page.exception and "| | 60 to answer | 60 to stop |" in " ".join(drawn_elements(page))


def test_the_slices_are_classes_subjects_and_kinds():
    cases = [planted(f"Q {n}?", "answered") for n in range(3)]
    for case, (number, subject) in zip(cases, ((9, "Science"), (10, "Science"), (None, "")), strict=True):
        case.row.update(class_number=number, subject=subject)
    found = {name: cases.tolist() for name, cases in slices_of(OpenBank.of(cases)).items()}
    assert found == {ALL: [0, 1, 2], "Class 9": [0], "Class 10": [1], "Science": [0, 1], "Kind: made": [0, 1, 2]}


def test_a_cell_of_the_matrix_has_right_and_wrong_outcomes_apart_and_what_changed():
    right, wrong = np.array([[5, 1, 0], [0, 0, 9]]), np.array([[2, 0, 3], [1, 0, 0]])
    assert matrix_lines((right, wrong), (right, wrong)) == [
        "| | 11 to answer | 10 to stop |", "|---|---:|---:|", "| **answered** | :green[✓\u00a05] :red[✗\u00a02] | :red[✗\u00a01] |",
        "| **corrected** | :green[✓\u00a01] | 0 |", "| **refused** | :red[✗\u00a03] | :green[✓\u00a09] |",
    ]  # fmt: skip
    before = np.array([[4, 1, 0], [0, 0, 9]]), np.array([[2, 0, 4], [1, 0, 0]])
    lines = matrix_lines((right, wrong), before)
    assert lines[2].startswith("| **answered** | :green[✓\u00a05]\u00a0:gray[+1] :red[✗\u00a02] |")
    assert ":red[✗\u00a03]\u00a0:gray[-1]" in lines[4]


def test_the_limits_are_compared_with_any_preset_and_with_those_that_were_pinned(page, model_calls):
    model_calls.clear()
    page.slider(key=RELATED).set_value(0.44).run()
    changed = heading(page)
    assert " changed: " in changed
    press(page, "Pin")
    assert page.selectbox(key=TUNE.against.key).value == PINNED and heading(page) == "No outcomes changed"
    page.button(key="reset all").click().run()
    assert heading(page) != "No outcomes changed" and not page.exception
    page.selectbox(key=TUNE.against.key).set_value("Exam").run()
    assert not page.exception and model_calls == []
    page.selectbox(key=TUNE.against.key).set_value("").run()
    assert heading(page) == "No outcomes changed"


def test_a_saved_preset_with_the_title_of_the_pinned_limits_stays_beside_them(page, home):
    saved = SavedPresets(home)
    saved.save(replace(preset("exam"), name="Pinned limits"))
    try:
        press(page, "Pin")
        options = page.selectbox(key=TUNE.against.key).options
        assert {"against Pinned limits", f"against {PINNED}"} <= set(options)
        assert heading(page) == "No outcomes changed"
        page.selectbox(key=TUNE.against.key).set_value("Pinned limits").run()
        assert not page.exception and " changed: " in heading(page)
    finally:
        saved.delete("Pinned limits")


def test_a_preset_that_cannot_be_read_is_left_out_of_the_bench_and_says_so_once(page, home):
    broken = SavedPresets(home).folder / "broken.json"
    broken.parent.mkdir(exist_ok=True)
    broken.write_text("no preset", encoding="utf-8")
    try:
        page.run()
        assert not page.exception and len(page.error) == 1 and "saved preset 'broken'" in page.error[0].value
        assert "against broken" not in page.selectbox(key=TUNE.against.key).options and len(titles(page)) == 1
    finally:
        broken.unlink()
    assert not page.run().error


def heading(at):
    """What the bench says of the changes."""
    texts = [text.replace("\\", "").strip("*") for text in drawn_elements(at)]
    return next(text for text in texts if text == "No outcomes changed" or " changed: " in text)


def promise(page):
    return next(text.replace("\\", "") for text in drawn_elements(page) if "answers are wrong (95 %" in text)


def test_the_promise_is_one_line_with_a_number_and_a_limit_that_keeps_it(page, model_calls):
    limits = page
    limits.session_state[TUNE.curve.key] = HYBRID
    model_calls.clear()
    limits.run()
    assert promise(limits) == (
        "% of the answers are wrong (95 % confidence): **no, about 232 more labelled questions are needed**"
    )
    limits.number_input(key=TUNE.promised_percent.key).set_value(20).run()
    assert f"**no, but proven with “{all_thresholds()[HYBRID].label}” at 0.39**" in promise(limits)
    limits.button(key="set guaranteed limit").click().run()
    assert not limits.exception and limits.slider(key=HYBRID).value == 0.39
    assert promise(limits).endswith("**yes, 1 of 32 checked answers is wrong**")
    assert not [b for b in limits.button if b.key == "set guaranteed limit"] and model_calls == []


def test_a_proposal_is_accepted_one_by_one(page, model_calls):
    view(page, "Proposal")
    model_calls.clear()
    press(page, "Propose")
    accepts = [b for b in page.button if b.label == "Accept"]
    assert accepts and any("that the search did not use" in text for text in drawn_elements(page))
    key = accepts[0].key.removeprefix("accept ")
    before = page.slider(key=key).value
    accepts[0].click().run()
    assert not page.exception and page.slider(key=key).value != before
    assert any("✓ accepted" in text for text in drawn_elements(page))
    press(page, "Accept all")
    assert not [b for b in page.button if b.label == "Accept"]
    press(page, "Undo all")
    assert page.slider(key=key).value == before and model_calls == []


def test_an_aim_and_its_number_survive_a_page_switch(page):
    view(page, "Proposal")
    page.number_input(key=TUNE.cost.key).set_value(7.0).run()
    page.switch_page("pages/ask.py").run()
    page.switch_page("pages/tune.py").run()
    assert page.number_input(key=TUNE.cost.key).value == 7.0 and not page.exception


def test_an_unmeasured_bank_explains_what_to_do(page, home):
    SavedBanks(home).replace("new", [{"query": "What is an acid?", "expected": "answered"}])
    page.run()
    page.selectbox(key=TUNE.bank.key).set_value("new").run()
    assert not page.exception and any("This question set has not been run yet" in e.value for e in page.info)
    assert [b for b in page.button if b.label == "Run set"]
    SavedBanks(home).delete("new")


def test_the_effect_of_the_guardrail_follows_the_sliders(app, home, explorer, model_calls):
    keep_measured(home, explorer, "made", two_limits(40, related=0.6, hybrid=0.3))
    app.session_state[TUNE.bank.key] = "made"
    app.session_state[TUNE.tab.key], app.session_state[TUNE.view.key] = "Diagnose", "Report"
    as_printed(app).switch_page("pages/tune.py").run()
    assert not app.exception
    wrong = (
        "With the guardrail, 0 of 20 answers that the app wrote itself are wrong; without the guardrail, 20 of 40 are "
        "wrong. 0 of 20 questions that should be answered"
    )
    assert any(plain(wrong) in text for text in drawn_elements(app))
    model_calls.clear()
    app.slider(key=RELATED).set_value(0.0).run()
    assert not any(plain(wrong) in text for text in drawn_elements(app)) and model_calls == []


def told(count, with_facts):
    """The summary for `count` delivered answers that count as correct, `with_facts` of them with facts in their rows."""
    rate, refused = Rate(count=0, n=with_facts), Rate(count=2, n=9)
    side = {"hallucinated": rate, "false_positives": refused}
    outcomes = [
        Outcome(row={"facts": ["5"]} if n < with_facts else {}, name="right_answer", route="deliver", answer="5")
        for n in range(count)
    ]
    found = Evaluation(outcomes=outcomes, bank=None, preset=Preset(), about={})
    found.__dict__["tables"] = {"with": side, "without": side}
    return summary(found)


def test_an_answer_without_facts_does_not_count_as_correct():
    refused = "2 of 9 questions that should be answered are wrongly refused."
    assert told(7, 0) == (
        f"With the guardrail, 7 questions got an answer that could not be checked: no facts are listed. {refused}"
    )
    assert told(7, 4).startswith(
        "With the guardrail, 0 of 4 answers that the app wrote itself are wrong; without the guardrail, 0 of 4 are wrong "
        "(3 more answers could not be checked"
    )
    assert told(7, 7).startswith(
        "With the guardrail, 0 of 7 answers that the app wrote itself are wrong; without the guardrail, 0 of 7 are wrong. "
    )
