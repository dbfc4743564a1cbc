"""What became of a question or of a given answer is graded by its labels."""

import json
from types import SimpleNamespace

import pytest

from core.banks.project import for_fitting
from core.lab.figures import ablation_rows
from core.lab.figures.ablation_rows import Grade, Row, case_rows, chapter_rows, sample_rows, teacher_report_rows

DRY = "Sound is slow. Ice is dry."


def verdict(route, answer="", sentences=()):
    """What grades read of a verdict."""
    return SimpleNamespace(
        route=route, answer=answer, answered=route.startswith("deliver"), primary_reason=None, confidence=50.0,
        sentences=[SimpleNamespace(text=text) for text in sentences],
    )  # fmt: skip


@pytest.fixture
def bank(monkeypatch):
    """Puts a row in the place of every bank of its name."""

    def put(name, *rows):
        monkeypatch.setattr(ablation_rows, "read_bank", lambda path, report=False: rows if path.stem == name else [])

    return put


@pytest.mark.parametrize(("labels", "found", "grade"), [
    ({"expected": "answered", "facts": ["green"]}, verdict("deliver", "Leaves are green."), Grade.OWN_RIGHT),
    ({"expected": "answered", "facts": ["green", "red"]}, verdict("deliver", "It is green."), Grade.OWN_IN_PART),
    ({"expected": "answered", "facts": ["green"]}, verdict("deliver", "It is so. " * 5 + "Green."), Grade.OWN_IN_PART),
    ({"expected": "answered", "facts": ["green"]}, verdict("deliver", "Leaves are blue."), Grade.OWN_WRONG),
    ({"expected": "answered", "facts": ["green"]}, verdict("refuse"), Grade.OWN_REFUSED),
    ({"expected": "answered", "facts": ["green"]}, verdict("clarify"), Grade.OWN_REFUSED),
    ({"expected": "refused"}, verdict("deliver", "Zorgon."), Grade.ABSENT_ANSWERED),
    ({"expected": "refused"}, verdict("refuse"), Grade.ABSENT_REFUSED),
    ({"expected": "clarified"}, verdict("clarify"), Grade.OTHER_GOOD),
    ({"expected": "clarified"}, verdict("deliver", "It."), Grade.OTHER_BAD),
    ({"expected": "refused", "answer": "A."}, verdict("refuse"), Grade.OTHER_GOOD),
    ({"expected": "refused", "answer": "A."}, verdict("deliver", "A."), Grade.OTHER_BAD),
    ({"expected": "supported", "answer": "A."}, verdict("deliver", "A."), Grade.AS_IT_STANDS),
    ({"expected": "supported", "answer": "A."}, verdict("deliver_part", "A."), Grade.CHANGED),
    ({"expected": "supported", "answer": "A."}, verdict("refuse"), Grade.REFUSED),
    ({"expected": "altered", "answer": "A."}, verdict("deliver", "A."), Grade.ALTERED_OUT),
    ({"expected": "altered", "answer": "A. B.", "facts": ["red"]}, verdict("deliver_part", "B."), Grade.ALTERED_HELD),
])  # fmt: skip
def test_a_row_of_the_sample_is_graded_by_its_outcome(bank, labels, found, grade):
    bank("answerable", {"query": "Q?", "kind": "answerable"} | labels)
    (row,) = sample_rows()
    assert row.name == "sample-answerable-0" and row.grade(found) is grade


@pytest.mark.parametrize(("found", "grades"), [
    (verdict("deliver", DRY, ["Sound is slow.", "Ice is dry."]), (Grade.AS_IT_STANDS, Grade.ALTERED_OUT)),
    (verdict("deliver_part", "Ice is dry.", ["Sound is slow.", "Ice is dry."]), (Grade.CHANGED, Grade.ALTERED_HELD)),
    (verdict("refuse"), (Grade.REFUSED, Grade.ALTERED_HELD)),
])  # fmt: skip
def test_an_altered_answer_on_a_chapter_is_out_when_its_altered_sentence_is(bank, found, grades):
    held_back = next(query for query in map("Q{}?".format, range(100)) if not for_fitting(query))
    pair = {"query": held_back, "pair": "1"}
    bank("chapter_pairs", {"id": "a", "expected": "supported", "answer": "Sound is fast. Ice is dry."} | pair,
         {"id": "b", "expected": "altered", "answer": DRY} | pair)  # fmt: skip
    assert tuple(row.grade(found) for row in chapter_rows()) == grades


@pytest.fixture
def teacher(tmp_path):
    """Two chapters, of which the second is asked: a question with two facts, one without, and a pair of answers."""
    of_half = {"chapter": "b", "facts": None}
    rows = [
        {"id": "0", "type": "own", "query": "Q?", "chapter": "a", "facts": []},
        {"id": "1", "type": "own", "query": "Q?"} | of_half | {"facts": ["green", "red|pink"]},
        {"id": "2", "type": "absent", "query": "Q?"} | of_half,
        {"id": "3", "type": "judge", "query": "Q?", "good": "A.", "bad": "B."} | of_half,
    ]
    (tmp_path / "teacher").mkdir()
    (tmp_path / "teacher" / "group1.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (tmp_path / "teacher" / "group2.jsonl").write_text("", encoding="utf-8")
    return {row.name: row for row in teacher_report_rows(tmp_path)}


def test_a_teachers_rows_are_graded_by_the_facts_of_the_reference(teacher):
    assert list(teacher) == ["teacher-1", "teacher-2", "teacher-3-good", "teacher-3-bad"]
    answers = {"Green and pink.": Grade.OWN_RIGHT, "Green.": Grade.OWN_IN_PART, "Blue.": Grade.OWN_WRONG}
    assert [teacher["teacher-1"].grade(verdict("deliver", a)) for a in answers] == list(answers.values())
    assert teacher["teacher-1"].grade(verdict("refuse")) is Grade.OWN_REFUSED
    assert teacher["teacher-2"].grade(verdict("deliver", "Blue.")) is Grade.ABSENT_ANSWERED
    assert teacher["teacher-2"].grade(verdict("refuse")) is Grade.ABSENT_REFUSED
    assert teacher["teacher-3-good"].grade(verdict("deliver_corrected", "C.")) is Grade.CHANGED
    assert teacher["teacher-3-bad"].grade(verdict("deliver_part", "B.")) is Grade.ALTERED_HELD
    assert teacher["teacher-3-bad"].grade(verdict("deliver", "B.")) is Grade.ALTERED_OUT


@pytest.fixture
def cases(tmp_path):
    """Writes files of cases, with a README that labels two of them."""
    folder = tmp_path / "cases"
    folder.mkdir()
    readme = (
        "- 99.out: `A.` -> D\n- 99.held: `A.` -> N, refused\n- 99.either: `A.` -> D, or in part\n- 99.open: `A.` -> -\n"
    )
    (folder / "README.md").write_text(readme, encoding="utf-8")

    def write(name, *ids):
        row = {"query": "Q?", "contexts": ["P."], "answer": "A."}
        lines = (json.dumps(row | ({"id": one} if one else {})) for one in ids)
        (folder / name).write_text("\n".join(lines), encoding="utf-8")
        return case_rows(tmp_path)

    return write


def test_a_case_is_as_wanted_when_it_goes_out_whole_or_when_it_should_not(cases):
    out, held, either = cases("99_some.jsonl", "99.out", "99.held", "99.either", "99.open")
    assert out.grade(verdict("deliver", "A.")) is held.grade(verdict("refuse")) is Grade.CASE_AS_WANTED
    assert out.grade(verdict("deliver_part", "A.")) is held.grade(verdict("deliver", "A.")) is Grade.CASE_OTHERWISE
    assert either.name == "cases-99.either"


def test_a_file_of_the_first_cases_has_a_label_for_each_row(cases):
    assert len(cases("33_rupees.jsonl", None, None)) == 2
    with pytest.raises(ValueError, match=r"33_rupees\.jsonl has 3 rows and _EARLY 2 labels"):
        cases("33_rupees.jsonl", None, None, None)


def test_a_row_that_cannot_be_asked_is_not_read():
    row = Row("cases-1", {"query": ""}, str)
    assert row.ask(SimpleNamespace(ask=None))["grade"] is Grade.NOT_READ
