"""The table of what a writer says with and without the guardrail counts what was stored, and nothing else."""

import json

import pytest

from core.case import CaseError
from core.lab.docs import measurements
from core.lab.docs.writers import writers_table
from core.lab.figure_files import store_figures
from core.lab.figures.writers import _stored, answer_row, judge_stored, sample_questions
from tests.support.markdown_tables import table_row, table_rows


def stored(without, route, given, n):
    return {"id": f"q{n}", "without": without, "route": route, "with": given, "given": f"Text {n}."}


ANSWERS = [
    stored("wrong_answer", "deliver", "wrong_answer", 1), stored("wrong_answer", "refuse", "over_refusal", 2),
    stored("half_answer", "deliver_corrected", "right_answer", 3), stored("right_answer", "deliver", "right_answer", 4),
    stored("right_answer", "escalate", "escalated", 5),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(measurements, "MEASUREMENTS", tmp_path)
    about = {"writer": "local", "preset": "default", "date": "2026-11-22", "answers": ANSWERS}
    (tmp_path / "writers.json").write_text(json.dumps(about))
    return tmp_path


def test_before_the_command_ran_the_table_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(measurements, "MEASUREMENTS", tmp_path)
    assert writers_table() == "Not measured yet."


def test_both_sides_are_counted_and_what_became_of_the_faulty_ones(folder):
    table = writers_table()
    assert table_row(table, "an answer with every fact") == ["2 of 5 (40 %, 12-77)"] * 2
    faulty = table_row(table, "an answer that lacks a fact or states a listed wrong one")
    assert faulty == ["3 of 5 (60 %, 23-88)", "1 of 5 (20 %, 4-62)"]
    assert (
        "Of the 3 answers that lack a fact, delivered whole: 1 of 3" in table and "in the book's own words: 1" in table
    )
    assert "None of them was read by a person yet." in table


def test_what_was_read_is_counted_by_label_and_by_what_went_out(folder):
    rows = [
        {"id": "q1", "label": "false", "note": "x"},
        {"id": "q4", "label": "right", "note": ""},
        {"id": "gone", "label": "right", "note": ""},
    ]
    (folder / "writers_read.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    table = writers_table()
    assert "as 2 of them were read" in table
    assert table_row(table, "it says something false") == ["1 of 2 (50 %, 9-91)", "1 of 1 (100 %, 21-100)"]


def test_what_went_out_is_read_by_itself_and_held_against_the_words(folder):
    rows = [
        {"id": "q1", "label": "lacks", "given": "lacks", "text": "Text 1."}, {"id": "q2", "label": "right"},
        {"id": "q3", "given": "right", "text": "Text 3."}, {"id": "q4", "given": "false", "text": "Text 4."},
    ]  # fmt: skip
    (folder / "writers_read.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    table = writers_table()
    assert "as 2 of them were read" in table and "as 3 of the 3 that went out" in table
    assert ["it says something false", "1 of 3 (33 %, 6-79)"] in table_rows(table)
    assert "of what was said 1 of 2 (50 %, 9-91), of what went out 2 of 3" in table


def test_a_text_that_was_not_read_as_it_goes_out_now_is_not_counted(folder):
    rows = [
        {"id": "q1", "label": "lacks", "given": "lacks", "text": "Text 1."}, {"id": "q3", "given": "right", "text": "Old."},
        {"id": "q2", "given": "right", "text": "Text 2."},
    ]  # fmt: skip
    (folder / "writers_read.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    assert "as 1 of the 3 that went out" in writers_table()


def test_drafts_that_were_judged_later_say_when_and_whether_their_pages_are_still_found(folder):
    assert "asked of the writer *local* on 2026-11-22; preset default. Since then: " in writers_table()
    stored_ = json.loads((folder / "writers.json").read_text())
    answers = [one | {"same_best": one["id"] != "q1"} for one in ANSWERS]
    (folder / "writers.json").write_text(json.dumps(stored_ | {"judged": "2099-01-01", "answers": answers}))
    assert (
        "judged anew on 2099-01-01: for 4 of 5 (80 %, 38-96) the best passage is on the page that was best then.\n"
        in (writers_table())
    )


def test_a_stored_draft_is_judged_anew_and_a_question_without_one_keeps_its_row(models, make_case):
    from core.case import Trace
    from core.decide import verdict
    from core.graph.rounds import measure

    case, said = make_case(), "An arithmetic progression is a list of numbers. [1]"
    row = next(row for row in sample_questions() if not row.get("false_facts"))
    asked = []

    class Asks:
        def ask(self, question, preset_):
            asked.append((question.query, question.answer))
            trace = Trace(question=question, rounds=(measure("first", make_case(said), models),))
            return trace, verdict(trace, preset_)

    one = {"id": row["id"], "said": said, "certainty": 0.5, "seconds": 9.0, "writer": "local", "route": "?",
           "passages": [f"{e.passage.document}, page {e.passage.page}" for e in case.evidence]}  # fmt: skip
    none = {"id": row["id"], "said": "", "route": "clarify"}
    stored_ = {"writer": "local", "date": "2026-11-22", "answers": [one, none]}
    found = judge_stored(stored_, Asks())
    assert asked == [(row["query"], said)] and found["answers"][1] == none and found["date"] == "2026-11-22"
    judged = found["answers"][0]
    assert judged["route"] in ("deliver", "deliver_part", "refuse", "escalate") and judged["same_best"]
    assert {name: judged[name] for name in ("said", "certainty", "writer")} == {
        name: one[name] for name in ("said", "certainty", "writer")
    }
    assert judge_stored(found, Asks())["answers"][0]["written_from"] == one["passages"]


def test_the_questions_are_of_the_reporting_half_and_the_same_each_time():
    rows = sample_questions()
    assert (
        len(rows) == 60 and rows == sample_questions() and all(r["facts"] and r["expected"] == "answered" for r in rows)
    )
    assert len({r["id"] for r in rows}) == 60


def test_an_answer_is_stored_with_what_a_person_needs_to_read_it(models, make_case):
    from core.case import Trace
    from core.decide import verdict
    from core.graph.rounds import measure
    from core.lab.figures.chapter_outcomes import answer_checks_alone
    from core.thresholds import Preset

    case = make_case("An arithmetic progression is a list of numbers. [1]")
    found = verdict(
        Trace(question=case.question, rounds=(measure("first", case, models),)), answer_checks_alone(Preset())
    )
    row = {"id": "1", "query": "?", "facts": ["list of numbers"], "expected": "answered"}
    told = answer_row(row, found)
    assert told["without"] == told["with"] == "right_answer" and told["route"] == "deliver"
    assert told["said"].endswith("[1]") and told["sentences"][0]["label"] == "entailment" and len(told["passages"]) == 2
    assert json.loads(json.dumps(told))["facts"] == ["list of numbers"]


def test_what_was_stored_is_gone_on_with_and_never_mixed_with_another_prompt(tmp_path):
    path = tmp_path / "writers.json"
    found = _stored(path, "local")
    found["answers"].append({"id": "q1"})
    store_figures(path, found)
    assert _stored(path, "local") == found and not list(tmp_path.glob("*.part"))
    with pytest.raises(CaseError, match="another writer or prompt"):
        _stored(path, "endpoint")
    store_figures(path, found | {"prompt": "old"})
    with pytest.raises(CaseError, match="another writer or prompt"):
        _stored(path, "local")
