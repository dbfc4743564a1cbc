"""What a check alone refuses: counted on cases that only one check holds back, and drawn as it was stored."""

import json
from dataclasses import replace

import pytest

from core.checks import all_checks
from core.evaluation.cases import LabelledCase
from core.lab.docs import measurements
from core.lab.docs import sample_bank as alone
from core.lab.docs.measurements import changes_since
from core.lab.docs.sample_bank import mode_reasons
from core.lab.figures.checks_alone import BAD, GOOD, NOTHING, counts_alone, group_of, isolate_check, rows, stored_row
from core.presets import modes_of, preset, values
from tests.support.cases import case_about
from tests.support.deciding_cases import cases as sole_cases
from tests.support.fake_models import fake_models
from tests.support.markdown_tables import table_row, table_rows
from tests.support.route_bank import ROWS
from tests.support.route_bank import stored_trace as stored_route
from tests.support.traces import deep

PRINTED = preset("as_printed")
SUPPORTED = "An arithmetic progression is a list of numbers."


@pytest.fixture(scope="module")
def bank():
    """A good and a bad case of each sort; what forbids them is said by their names."""
    make_case, models = case_about, fake_models()
    uncited, hedged, absent = (sole_cases(make_case)[name] for name in ("citations", "hedging", "retrieval_confidence"))
    false = "An arithmetic progression is a list of 95 purple numbers."

    def labelled(case, **labels):
        answer = labels.pop("answer", None)
        case = replace(case, question=replace(case.question, answer=answer))
        row = {"query": case.question.query, "kind": "pair", "answer": answer} | labels
        return LabelledCase(row=row, trace=deep(models, case, case, case))

    return [
        labelled(make_case(), kind="answerable", expected="answered", facts=["list of numbers"]),
        labelled(absent, kind="answerable", expected="answered", facts=["list of numbers"]),
        labelled(make_case(), answer=SUPPORTED, expected="supported"),
        labelled(hedged, answer=SUPPORTED, expected="supported"),
        labelled(absent, kind="absent", expected="refused"),
        labelled(make_case(false), answer=false, expected="altered", facts=["95 purple"]),
        labelled(uncited, answer=SUPPORTED, kind="wrongly_cited", expected="refused"),
        labelled(make_case(), kind="two_part", expected="answered"),
    ]


def test_alone_means_that_every_other_check_only_watches():
    for name in (NOTHING, "numbers"):
        modes = modes_of(isolate_check(PRINTED.with_values({}, {"numbers": "off"}), name))
        assert {check for check, mode in modes.items() if mode == "blocks"} == ({name} - {""})
        assert set(modes.values()) <= {"blocks", "watches"}


def test_each_check_is_counted_for_what_it_holds_back_by_itself(bank):
    found = counts_alone(bank, PRINTED)
    assert found["n"] == dict.fromkeys(GOOD + BAD, 0) | {
        "answerable": 2, "supported": 2, "absent": 1, "altered": 1, "faulty": 1,
    }  # fmt: skip
    alone_ = {name: {g for g, n in groups.items() if n} for name, groups in found["alone"].items()}
    assert alone_[NOTHING] == set() and set(alone_) == {NOTHING, *(c.name for c in all_checks())}
    assert alone_["retrieval_confidence"] == {"answerable", "absent"} and alone_["hedging"] == {"supported"}
    assert found["alone"]["retrieval_confidence"]["answerable"] == 1
    assert alone_["numbers"] == {"altered"} and alone_["citations"] == {"faulty"}


def test_a_mode_of_the_base_changes_nothing_and_a_limit_does(bank):
    watching = PRINTED.with_values({}, {"retrieval_confidence": "off"})
    assert counts_alone(bank, watching) == counts_alone(bank, PRINTED)
    looser = PRINTED.with_values({"retrieval_confidence.min_retrieval_confidence": 0.2})
    assert counts_alone(bank, looser)["alone"]["retrieval_confidence"] == dict.fromkeys(GOOD + BAD, 0)


def test_every_group_is_in_the_reporting_half_of_the_sample_banks():
    assert {group_of(row) for row in rows()} == {*GOOD, *BAD}


TODAY = "2999-01-02"
"""A date after which nothing has changed."""


@pytest.fixture(scope="module")
def counted(bank):
    """The row that would be stored for the preset default."""
    return stored_row(bank, preset("default"))


@pytest.fixture
def stored(counted, tmp_path, monkeypatch):
    """Writes what would have been measured, with some changes, and gives the table back."""
    monkeypatch.setattr(measurements, "MEASUREMENTS", tmp_path)

    def table(**changes):
        kept = {"date": TODAY} | counted | changes
        (tmp_path / "alone.json").write_text(json.dumps(kept))
        return alone.alone_table()

    return table


def test_the_table_says_for_every_check_what_it_refuses_and_why_it_blocks_or_watches(stored):
    about, main, groups = stored().split("\n\n")
    assert about == "The reporting half of the sample banks, limits of the preset default, counted on 2999-01-02."
    lines = main.splitlines()
    assert len(lines) == 3 + len(all_checks()) and len({line.count("|") for line in lines}) == 1
    cells = table_row(main, "`retrieval_confidence`")
    assert cells[:2] == ["1 of 4 (25 %, 5-70)", "1 of 3 (33 %, 6-79)"]
    assert cells[-1] == mode_reasons()["retrieval_confidence"]
    assert table_row(groups, "`numbers`") == list("0000010") and "altered, of 1" in groups


def test_counts_of_other_limits_or_without_a_check_say_so(stored):
    looser = preset("default").with_values({"citations.min_citation_coverage": 0.123})
    assert stored(limits=values(looser)).split("\n\n")[0].endswith("Since then other limits or new: `citations`.")
    kept = stored_row([], preset("default"))
    del kept["alone"]["numbers"]
    table = stored(alone=kept["alone"])
    (main,) = [cells for cells in table_rows(table) if cells[:2] == ["`numbers`", "not measured"]]
    assert main[2] == "not measured"


def test_counts_of_another_program_say_what_has_changed(stored):
    about = stored(date="2026-01-02").split("\n\n")[0]
    assert about.endswith(changes_since("2026-01-02")) and "Since then: " in about


def test_before_anything_is_measured_the_reasons_stand_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(measurements, "MEASUREMENTS", tmp_path)
    table = alone.alone_table()
    assert table.startswith("Not measured yet.")
    assert all(
        [f"`{name}`", sentence] in [cells[:2] for cells in table_rows(table)]
        for name, sentence in mode_reasons().items()
    )


def test_recorded_questions_are_counted_like_any_others():
    recorded = {row["id"]: LabelledCase(row=row, trace=stored_route(row)) for row in ROWS}
    plain, cookies = recorded["route-plain"], recorded["route-off-topic"]
    bank = [
        replace(plain, row=plain.row | {"kind": "answerable", "expected": "answered", "facts": ["common difference"]}),
        replace(cookies, row=cookies.row | {"kind": "off_topic", "expected": "refused"}),
    ]
    found = counts_alone(bank, PRINTED)["alone"]
    assert all(groups["answerable"] == 0 for groups in found.values()) and found[NOTHING]["off_topic"] == 0
    assert found["topic_relevance"]["off_topic"] == found["confidence"]["off_topic"] == 1
