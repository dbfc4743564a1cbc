"""One row for each measured question: what became of it, with its reason, confidence and page."""

import pytest

from core.checks import all_checks
from core.decide import verdict
from core.evaluation.cases import LabelledCase
from core.graph import Explorer
from core.presentation.question_rows import (
    COLUMNS,
    FAILED,
    MARKS,
    MONITORED,
    NOT_RUN,
    PASSED,
    Matrix,
    matrix,
    matrix_title,
    result_row,
)
from core.presets import preset
from core.reply.serialization import question_of
from core.thresholds import Preset
from tests.support.libraries import one_chapter
from tests.support.planted_banks import two_limits

TEXT = "Photosynthesis is the process by which green plants make their own food. Chlorophyll is a green substance."


@pytest.fixture
def explorer(models, tmp_path):
    with one_chapter(tmp_path / "home", models, TEXT) as library:
        yield Explorer(library, models)


def test_a_row_says_what_became_of_its_question(explorer):
    preset = Preset(modes={c.name: "watches" for c in all_checks() if c.name not in ("topic_relevance", "citations")})
    rows = [
        {"query": "What is photosynthesis?", "class_number": 7, "expected": "answered"},
        {"query": "Who is Zorgon?"},
    ]
    cases = [LabelledCase(row=row, trace=explorer.ask(question_of(row), preset)[0]) for row in rows]
    answered, refused = (result_row(case, preset) for case in cases)
    assert tuple(answered) == tuple(refused) == COLUMNS
    assert (answered["route"], answered["outcome"], answered["class"]) == ("deliver", "right_answer", 7)
    assert (answered["document"], answered["page"]) == ("plants.pdf", 1) and answered["answer"]
    assert refused["route"] == "refuse" and refused["reason"] and refused["answer"] is None


PRINTED = preset("as_printed")
STATES = {FAILED: "failed", MONITORED: "failed", NOT_RUN: "not_run", PASSED: "passed"}


def test_each_cell_says_what_its_check_says():
    cases = two_limits(12, related=0.434, hybrid=0.4)
    drawn = matrix(cases, PRINTED)
    assert len(drawn.checks) == len(all_checks()) and drawn.questions == tuple(case.row["query"] for case in cases)
    for case, row in zip(cases, drawn.cells, strict=True):
        results = verdict(case.trace, PRINTED).checks
        for check, cell in zip(all_checks(), row, strict=True):
            result = results.get(check.name)
            assert STATES[cell.code] == (result.state if result else "not_run"), check.name
            assert cell.text and (cell.code != FAILED or result.mode == "blocks")


def test_the_title_names_the_check_that_fails_most_often():
    drawn = matrix(two_limits(12, related=0.434, hybrid=0.4), PRINTED)
    title = matrix_title(drawn)
    name, count = title.split("”")[0][1:], int(title.split(": ")[1].split(" of ")[0])
    failures = [sum(row[n].code == FAILED for row in drawn.cells) for n in range(len(drawn.checks))]
    assert drawn.checks[failures.index(max(failures))] == name and count == max(failures) > 0
    nothing = Matrix(questions=(), checks=drawn.checks, cells=())
    assert matrix_title(nothing) == "No blocking check fails any of these questions"


def test_no_mark_stands_for_passed_and_failed():
    assert len({MARKS[code] for code in (FAILED, NOT_RUN, PASSED)}) == 3
