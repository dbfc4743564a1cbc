"""The Tune page: counts that follow the sliders, titles of pictures, and proposals accepted one by one."""

import csv
import io
import json

import numpy as np
import plotly.graph_objects as go
import pytest

from core.banks.saved import SavedBanks
from core.banks.scored_bank import Tally, ValuedBank
from core.checks import all_thresholds, check_of
from core.presets import preset
from core.tuning.curves import Curve, compare, heat
from core.tuning.proposals import propose
from core.tuning.score_distributions import Ruler, reliability, spread
from core.tuning.search import Aim
from pages.components.ask.sparklines import bank_strip, ticks_of
from pages.components.shared.figure import as_csv, wrapped
from pages.components.shared.session import BANK, COST, CURVE
from pages.components.tune.changed_questions import OUTCOMES, asked_of, changes, frame, heading, view
from pages.components.tune.changed_questions import told_of as compared
from pages.components.tune.check_pictures import ruler_picture, scores_picture
from pages.components.tune.outcomes import PICTURES, grid, refusal_lines, sentences
from pages.components.tune.proposals import told_of
from pages.components.tune.tradeoffs import curve_picture, curve_title, heat_picture, reliability_picture
from tests.support.app_pages import as_printed, drawn, keep_measured, press, strips_of
from tests.support.planted_banks import HYBRID, RELATED, two_limits

PRINTED = preset("as_printed")
MADE = "two_limits"
"""The bank of the page, cached by the first test that needs it."""
FIELDS = ("due", "right", "fair", "wrong", "over_refused", "others", "held", "fairly_held", "let_out", "unsaid")


@pytest.fixture
def cases():
    return two_limits(120, related=0.434, hybrid=0.4)


def counted(*numbers):
    return Tally(**dict(zip(FIELDS, numbers, strict=True)))


def curve(wrong, refused, key=RELATED, points=(0.4, 0.5, 0.6, 0.7)):
    numbers = {"values": np.array(points), "wrong": np.array(wrong), "over_refused": np.array(refused)}
    return Curve(key=key, unsaid=np.zeros(len(points), dtype=int), due=90, n=150, **numbers)


def test_the_outcome_is_given_in_sentences_with_intervals():
    said = sentences(counted(90, 74, 4, 3, 9, 60, 55, 2, 3, 2))
    assert said[0] == (
        "Of **90** that should be answered: **74** right, **4** in part or at length, **3** wrong (3 %, 1–9), **9** wrongly "
        "refused (10 %, 5–18)."
    )
    assert said[1] == "Of **60** others: **57** refused or sent for clarification, **3** answered (5 %, 2–14)."
    assert said[2].startswith("2 cases not counted")
    assert sentences(counted(*[0] * 10)) == ["No case can be counted under these limits."]


def test_the_grid_shows_changes_and_unmeasured_cases():
    cells = grid(counted(90, 74, 4, 3, 9, 60, 57, 0, 3, 3), counted(90, 70, 4, 3, 13, 60, 58, 0, 2, 3), (1, 2))
    assert cells[0] == [":green[✓ 78] :blue[(+4)] :red[✗ 3]", ":red[✗ 9] :blue[(−4)]", ":gray[○ 1]"]
    assert cells[1] == [":red[✗ 3] :blue[(+1)]", ":green[✓ 57] :blue[(−1)]", ":gray[○ 2]"]


def test_refusals_by_reason_add_up():
    lines = refusal_lines({"off_topic": 1, "low_confidence": 4, "": 7}, {"off_topic": 15})
    assert len(lines) == 2 and "off\\_topic" in lines[0] and "| 1 | 15 | 16 (80 %" in lines[0]
    assert "| 4 | 0 | 4 (20 %" in lines[1] and refusal_lines({}, {}) == []


@pytest.mark.parametrize(
    ("wrong", "refused", "said"),
    [
        ([3, 3, 3, 0], [5, 5, 5, 17], "raising it to 0.70 refuses 12 more good questions and stops 3 wrong answers"),
        (
            [4, 3, 3, 3],
            [3, 5, 5, 5],
            "lowering it to 0.40 no longer refuses 2 good questions and lets out 1 wrong answer",
        ),
        ([3, 3, 3, 3], [5, 5, 5, 5], "Wherever “Mean of the best three” stands, this set has as many wrong answers"),
    ],
)
def test_the_title_of_a_curve_states_the_effect_of_the_next_move(wrong, refused, said):
    assert said in curve_title(curve(wrong, refused), 0.6)


def test_the_stricter_direction_comes_first_in_the_title():
    found = curve([5, 4, 3, 2], [9, 8, 7, 6][::-1], key="entailment.nli_threshold")
    assert curve_title(found, 0.6).split(": ")[1].startswith("lowering it to 0.50")


def test_the_numbers_of_a_curve_are_its_points():
    shown = curve_picture(curve([3, 3, 3, 0], [5, 5, 5, 17]), 0.6)
    assert [row[1:4] for row in shown.rows] == [(0.4, 3, 5), (0.5, 3, 5), (0.6, 3, 5), (0.7, 0, 17)]
    assert "0.60" in shown.note and [t["type"] for t in shown.traces] == ["scatter"] * 3


def test_titles_are_escaped_and_numbers_are_no_formulas():
    assert wrapped("a < b " * 20).count("<br>") == 2 and "&lt;" in wrapped("a < b")
    rows = list(csv.reader(io.StringIO(as_csv(["name", "n"], [["=1+1", 2]]).decode("utf-8-sig"))))
    assert rows == [["name", "n"], ["'=1+1", "2"]]


def test_scores_on_the_wrong_side_of_the_limit_are_counted(cases):
    found = spread(ValuedBank(cases), PRINTED, check_of(RELATED))
    shown = scores_picture(found)
    failing, passing = (found.good < 0.6).sum(), (found.bad >= 0.6).sum()
    assert f"fails {failing} of 60 good questions and lets {passing} of 60 others pass" in shown.title
    assert sum(row[3] for row in shown.rows) == sum(row[4] for row in shown.rows) == 60


def test_a_heat_map_names_its_cheapest_pair(cases):
    found = heat(ValuedBank(cases), PRINTED, RELATED, HYBRID)
    shown = heat_picture(found, 5.0, (0.6, 0.3))
    cost = min(row[-1] for row in shown.rows)
    assert (
        len(shown.rows) == 441
        and shown.title.endswith(f"a cost of {cost:.0f}")
        and shown.title.startswith("Cheapest at")
    )


@pytest.mark.parametrize(
    ("inside", "outside", "said"),
    [
        ((0.6, 0.7), (0.1, 0.2), "a limit between parts them"), ((0.3, 0.7), (0.1, 0.5), "no limit parts them cleanly"),
        ((0.3,), (), "No off-syllabus question is measured yet"),
    ],
)  # fmt: skip
def test_a_ruler_states_whether_a_limit_separates_both_sides(inside, outside, said):
    found = Ruler(scale="cosine", group="all questions", model="m", inside=inside, outside=outside)
    assert said in ruler_picture([found], PRINTED).title


@pytest.mark.parametrize(
    ("said", "true", "title"),
    [([0.9] * 10, [True] * 9 + [False], "keeps its word"), ([0.9] * 10, [False] * 10, "promises too much"),
     ([0.1] * 10, [True] * 10, "promises too little"), ([], [], "no question is measured yet")],
)  # fmt: skip
def test_a_reliability_curve_states_the_direction_of_its_bias(said, true, title):
    assert title in reliability_picture("x", reliability(said, true), "The confidence", "").title


def test_changes_list_worse_cases_first_and_open_with_their_trace(cases):
    bank = ValuedBank(cases)
    looser = PRINTED.with_values({RELATED: 0.3})
    found = changes(bank, looser, PRINTED)
    ways = [c.way for c in found]
    assert (
        ways == sorted(ways)
        and {-1, 1} <= set(ways)
        and set(OUTCOMES) >= {o for c in found for o in (c.before, c.after)}
    )
    table = frame(cases, found, "Before", "Now")
    assert (
        table["Way"][0] == "✗ worse"
        and table["Now"][0] == "answered, wrong"
        and table["Before"][0] == "rightly refused"
    )
    assert heading(found).startswith(f"{len(found)} questions changed since the preset: {ways.count(1)} better")
    opened = asked_of(cases[found[0].case], ("bundled", None))
    assert opened.trace is cases[found[0].case].trace and opened.form["question"] == cases[found[0].case].row["query"]


def test_the_counts_of_a_view_add_up(cases):
    found = view(ValuedBank(cases), PRINTED, PRINTED, RELATED)
    assert found.now == found.before and found.changes == () and found.unmeasured == (0, 0)
    assert sum(found.inside.values()) == found.now.over_refused and sum(found.outside.values()) == found.now.held


def test_a_proposal_reports_figures_of_the_held_out_half(cases):
    on = np.arange(len(cases)) // 2 % 2 == 0
    said = told_of(propose(cases, PRINTED, Aim(), tuning=on))
    assert "On the **60** cases that the search never saw" in said[0] and "saved a case" in said[1]
    limited = told_of(propose(cases, PRINTED, Aim(max_over_refusal=0.5), tuning=on))
    assert limited[1].startswith("The limit of 50 % is")


def test_two_presets_are_compared_with_the_mcnemar_test(cases):
    bank = ValuedBank(cases)
    said = compared(compare(bank, PRINTED, PRINTED.with_values({RELATED: 0.3})), "One", "Other")
    assert said[0].startswith("**One**") and "exact McNemar test, p " in said[2]
    assert (
        compared(compare(bank, PRINTED, PRINTED), "One", "Other")[2]
        == "There is no case on which only one of them is right."
    )


# Tests with the app: its own explorer, and a bank of synthetic traces under its conditions.


@pytest.fixture
def page(app, explorer, home, cases):
    if MADE not in SavedBanks(home).names():
        keep_measured(home, explorer, MADE, cases)
    app.session_state[BANK] = MADE
    as_printed(app).switch_page("pages/tune.py").run()
    assert not app.exception
    return app


def titles(at):
    """The title of each picture on one line. Building the figures also validates their properties."""
    figures = [go.Figure(json.loads(chart.proto.spec)).to_plotly_json() for chart in at.get("plotly_chart")]
    return [f["layout"]["title"]["text"].replace("<br>", " ") for f in figures]


def test_a_slider_decides_the_whole_bank_and_runs_no_model(page, model_calls):
    assert any("120 questions, all measured" in text for text in drawn(page))
    assert "No outcomes changed" in drawn(page)
    model_calls.clear()
    page.slider(key=RELATED).set_value(0.44).run()
    assert not page.exception and model_calls == []
    assert any("changed since the preset" in text for text in drawn(page))
    assert page.selectbox(key=CURVE).value == RELATED and len(page.dataframe) == 1
    page.slider(key=HYBRID).set_value(0.4).run()
    assert page.selectbox(key=CURVE).value == HYBRID and model_calls == []


def test_the_scores_of_the_bank_are_under_the_sliders(page, cases, model_calls):
    related = [case.trace.rounds[0].signals["retrieval_confidence"]["related"] for case in cases]
    low, high = (edge(r.mean() for r in related) for edge in (min, max))
    strip = bank_strip(all_thresholds()[RELATED], ticks_of(ValuedBank(cases))[RELATED])
    assert strip.bank[0] == pytest.approx(low, abs=0.01) and strip.bank[-1] == pytest.approx(high, abs=0.01)
    assert strip.caption in strips_of(page).values()
    model_calls.clear()
    page.slider(key=RELATED).set_value(0.44).run()
    assert strip.caption in strips_of(page).values() and model_calls == []


def test_every_picture_has_a_title_and_its_numbers(page):
    for name in PICTURES:
        page.segmented_control(key="tune picture").set_value(name).run()
        assert not page.exception
        assert len(titles(page)) == 2 and all(len(title) > 20 for title in titles(page))
        assert len([b for b in page.get("download_button") if b.proto.label == "CSV"]) == 2


def test_a_proposal_is_accepted_one_by_one(page, model_calls):
    model_calls.clear()
    press(page, "Propose")
    accepts = [b for b in page.button if b.label == "Accept"]
    assert accepts and any("that the search never saw" in text for text in drawn(page))
    key = accepts[0].key.removeprefix("accept ")
    before = page.slider(key=key).value
    accepts[0].click().run()
    assert not page.exception and page.slider(key=key).value != before
    assert any("✓ accepted" in text for text in drawn(page))
    press(page, "Accept all")
    assert not [b for b in page.button if b.label == "Accept"]
    press(page, "Take all back")
    assert page.slider(key=key).value == before and model_calls == []


def test_an_aim_and_its_number_survive_a_page_switch(page):
    page.number_input(key=COST).set_value(7.0).run()
    page.switch_page("pages/ask.py").run()
    page.switch_page("pages/tune.py").run()
    assert page.number_input(key=COST).value == 7.0 and not page.exception


def test_the_sweep_of_seed_c_takes_one_click(page):
    press(page, "Sweep of document C")
    assert any("0.20" in text and "0.40" in text and "chosen" in text for text in drawn(page))
    assert any("the document’s limit of 10 %" in text for text in drawn(page))


def test_an_unmeasured_bank_explains_what_to_do(page, home):
    SavedBanks(home).replace("new", [{"query": "What is an acid?", "expected": "answered"}])
    page.run()
    page.selectbox(key=BANK).set_value("new").run()
    assert not page.exception and any("This question set has not been run yet" in e.value for e in page.info)
    assert [b for b in page.button if b.label == "Run set"]
    SavedBanks(home).delete("new")


def test_without_a_bank_the_page_explains_how_to_create_one(start, tmp_path):
    (tmp_path / "sample_was_added").touch()
    at = start("pages/tune.py", tmp_path)
    assert any("There is no question set yet" in e.value for e in at.info)
