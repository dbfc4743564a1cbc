"""The Evaluate page: background lists with their table, labels and download; and the stored figures."""

import threading
from types import SimpleNamespace

import pytest

from core.banks.question_lists import MOST
from core.banks.saved import SavedBanks
from core.evaluation.outcomes import Outcome, Rate
from core.reports import metrics as figures
from core.reports.evaluation_report import Evaluation
from core.settings.domains import domain
from core.thresholds import Preset
from pages.components.evaluate.bank_evaluation import summary
from pages.components.evaluate.list_table import SAID, form_of, rows
from pages.components.evaluate.question_lists import Run, left
from pages.components.shared.safe_display import plain
from pages.components.shared.session import BANK
from tests.support.app_pages import as_printed, drawn, keep_measured, press
from tests.support.planted_banks import two_limits

PATIENCE = 240
LIMIT = "retrieval_confidence.min_retrieval_confidence"


@pytest.fixture
def page(app):
    as_printed(app).switch_page("pages/evaluate.py").run()
    assert not app.exception
    return app


def ask_list(at, text):
    at.text_area[0].set_value(text)
    return press(at, "Ask them all")


def ended(at):
    """The page after its list has ended."""
    run = at.session_state["list"][-1]
    assert run.ended.wait(PATIENCE)
    at.run()
    assert not at.exception
    return run


class Gated:
    """A fake explorer that refuses each question once its gate is open."""

    def __init__(self):
        self.begun, self.gate, self.asked = threading.Event(), threading.Event(), []

    def ask(self, question, preset):
        self.begun.set()
        assert self.gate.wait(PATIENCE)
        self.asked.append(question.query)
        if question.query == "break":
            raise RuntimeError("a model is gone")
        raise ValueError("cannot be asked")


def run_over(*queries):
    explorer, run = Gated(), Run(rows=[{"query": q} for q in queries], using=("bundled", None))
    run.begin(explorer, Preset())
    assert explorer.begun.wait(PATIENCE)
    return explorer, run


def test_a_pasted_list_becomes_a_table_and_a_file(page):
    ask_list(page, "What is photosynthesis?\nWho wrote the play Hamlet?\n\n=1+1")
    ended(page)
    table = page.dataframe[0].value
    assert table["Question"].tolist() == ["What is photosynthesis?", "Who wrote the play Hamlet?", "=1+1"]
    assert table["Outcome"].tolist()[:2] == ["✓ answered", "✗ refused"]
    assert table["Page"][0].endswith("Nutrition in Plants") and table["Evidence"][0] > 40 > table["Evidence"][1]
    assert table[SAID][1] == domain("school").messages["off_topic"]
    assert any("3 questions asked" in text for text in drawn(page))
    assert page.get("download_button")


def test_a_redraw_neither_loses_nor_doubles_a_question(page):
    ask_list(page, "What is an acid?\nWhat is money?")
    run = page.session_state["list"][-1]
    for _ in range(3):
        page.run()
    page.switch_page("pages/library.py").run()
    page.switch_page("pages/evaluate.py").run()
    assert page.session_state["list"] == [run]
    ended(page)
    assert [one.row["query"] for one in run.done] == ["What is an acid?", "What is money?"]


def test_sliders_of_the_ask_page_decide_the_table_without_a_model(page, model_calls):
    ask_list(page, "What is photosynthesis?")
    ended(page)
    model_calls.clear()
    page.switch_page("pages/ask.py").run()
    page.slider(key=LIMIT).set_value(1.0).run()
    page.switch_page("pages/evaluate.py").run()
    assert page.dataframe[0].value["Outcome"].tolist() == ["✗ refused"]
    assert model_calls == []


def test_an_invalid_list_shows_one_sentence(page):
    for text, sentence in ((" \n ", "holds no question"), ("What?\n" * (MOST + 1), "at most 200 are asked at a time")):
        ask_list(page, text)
        assert len(page.error) == 1 and sentence in page.error[0].value
        assert not page.dataframe and not page.session_state["list"]
    ask_list(page, "What is an acid?")
    assert not page.error
    ended(page)


def test_a_stopped_list_keeps_its_results():
    explorer, run = run_over("one", "two", "three")
    run.stopping.set()
    assert left(run) == "stopping after this one …"
    explorer.gate.set()
    assert run.ended.wait(PATIENCE)
    assert explorer.asked == ["one"] and [d.error for d in run.done] == ["cannot be asked"]


def test_a_failed_list_names_its_question():
    explorer, run = run_over("one", "break", "three")
    assert left(run) == "the first one is being read …"
    explorer.gate.set()
    assert run.ended.wait(PATIENCE)
    assert run.sentence == "The list broke at question 2 (a model is gone); ask it again." and len(run.done) == 1


def test_an_invalid_question_has_its_row():
    explorer, run = run_over("one")
    explorer.gate.set()
    assert run.ended.wait(PATIENCE)
    table = rows(run.lines(Preset()), (30.0, 40.0))
    assert table["Outcome"].tolist() == ["○ not asked"] and table[SAID].tolist() == ["cannot be asked"]
    assert table["Evidence"].isna().all() and table["Page"].isna().all()


def test_a_confidence_is_never_rounded_onto_a_limit_that_it_missed():
    line = {"question": "What?", "route": "refuse", "document": "a.pdf", "page": 1, "reason": "", "answer": None}
    told = [line | {"confidence": confidence} for confidence in (39.96, 74.6, 40.0)]
    assert rows(told, (30.0, 40.0))["Evidence"].tolist() == [39.96, 75.0, 40.0]


def test_class_and_subject_are_passed_to_the_ask_page():
    form = form_of({"query": "What?", "class_number": 7, "subject": "Biology"})
    assert (form["question"], form["class_number"], form["subject"]) == ("What?", 7, "Biology")
    assert form_of({"query": "What?"})["class_number"] == 0


def test_stored_figures_are_drawn_and_those_of_another_bank_show_one_sentence(page, tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "MEASURED", tmp_path)
    page.run()
    assert "Measured on the sample questions" not in drawn(page)
    (tmp_path / "sample_bank.json").write_text('{"bank": "mine.jsonl", "missing_documents": []}', encoding="utf-8")
    page.run()
    assert plain("sample_bank.json was measured on mine.jsonl; measure it without --bank.") in drawn(page)
    monkeypatch.setattr(
        "pages.components.evaluate.bank_evaluation.sample_marks",
        lambda: ("Preset default.", "| a |\n|---|\n| 1 of 2 |"),
    )
    page.run()
    assert "Measured on the sample questions" in drawn(page) and any("1 of 2" in text for text in drawn(page))


def test_a_measured_bank_shows_the_seeds_tables_and_follows_the_sliders(app, home, explorer, model_calls):
    keep_measured(home, explorer, "made", two_limits(40, related=0.6, hybrid=0.3))
    app.session_state[BANK] = "made"
    as_printed(app).switch_page("pages/evaluate.py").run()
    assert not app.exception
    wrong = "With the guardrail 0 of 20 answers that go out are wrong, without it 20 of 40; 0 of 20"
    assert any(plain(wrong) in text for text in drawn(app))
    for title in (
        "With and without the guardrail",
        "Refusals by reason",
        "Abstention",
        "Which check decided alone",
        "By class, subject and kind",
    ):
        assert any(title in text for text in drawn(app))
    assert not any("User trust score" in text for text in drawn(app))
    model_calls.clear()
    app.session_state[LIMIT] = 0.0
    app.run()
    assert not any(plain(wrong) in text for text in drawn(app)) and model_calls == []


def test_without_a_bank_the_page_explains_how_to_create_one(app, home):
    banks = SavedBanks(home)
    for name in banks.names():
        banks.delete(name)
    app.switch_page("pages/evaluate.py").run()
    assert any("There is no question set yet" in text for text in drawn(app))


def told(count, with_facts):
    """The summary for `count` delivered answers that count as correct, `with_facts` of them with facts in their rows."""
    rate, refused = Rate(count=0, n=count), Rate(count=2, n=9)
    side = SimpleNamespace(hallucinated=rate, false_positives=refused)
    outcomes = [
        Outcome(row={"facts": ["5"]} if n < with_facts else {}, name="right_answer", route="deliver", answer="5")
        for n in range(count)
    ]
    found = Evaluation(outcomes=outcomes, bank=None, preset=Preset(), about={})
    found.__dict__["tables"] = SimpleNamespace(guarded=side, without=side)
    return summary(found)


def test_an_answer_without_facts_does_not_count_as_correct():
    assert told(7, 0) == "With the guardrail 7 answered, not checked against facts; 2 of 9 wrongly refused."
    assert told(7, 4).startswith("With the guardrail 0 of 4 answers that go out are wrong (3 answered, not checked")
    assert told(7, 7).startswith("With the guardrail 0 of 7 answers that go out are wrong, without it 0 of 7;")
