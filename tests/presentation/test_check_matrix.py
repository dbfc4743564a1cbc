"""Questions by checks: each cell says what the check says, and the title names the check that fails most often."""

from core.checks import all_checks
from core.decide import verdict
from core.presentation.check_matrix import FAILED, MARKS, MONITORED, NOT_RUN, PASSED, Matrix, matrix, matrix_title
from core.presets import preset
from tests.support.planted_banks import two_limits

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
