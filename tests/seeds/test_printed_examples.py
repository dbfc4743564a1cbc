"""Every example that the source documents print: its outcome in its own preset, which of them end otherwise than printed,
and the file that the app shows.
"""

import json
from functools import cache

import pytest

from core.decide.messages import MESSAGES
from core.lab.printed_examples import MODEL, examples, run
from core.presentation.printed_examples import FILE, RUNS, in_words, printed_examples, printed_outcome_count
from core.reply.document_records import abstention

TABLES = examples()
EXAMPLES = {f"{letter} {name}": e for letter, table in TABLES.items() for name, e in table.items()}
OF_C, OF_D = ({name: e for name, e in EXAMPLES.items() if e.letter == letter} for letter in "CD")
DIFFERENT = {
    "A": [], "B": [], "C": [],
    "D": ["blocked 2 a documented advantage, with the measured score"],
    "E": ["2.1 the words of the fallback"],
}  # fmt: skip
"""The examples whose outcome differs on purpose, or because of a measured score."""
DIFFERENT_BY_MODEL = {
    "A": [], "B": [],
    "C": ["2 a contradiction by another word"],
    "D": ["blocked 2 a documented advantage, found well"],
    "E": [],
}  # fmt: skip
"""What a better language model would end; to be judged again, with every row marked nli, when another one is trained."""


@pytest.fixture(scope="module")
def done(bundled_models):
    """The run of an example in the preset of its document, by its name; each is run once."""
    return cache(lambda name: run(EXAMPLES[name], "own", bundled_models))


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_has_its_outcome_in_the_preset_of_its_document(done, name):
    found = done(name)
    failed = {check: found.verdict.checks[check].why for check in found.verdict.failed}
    assert found.outcome == found.example.outcome, failed


@pytest.mark.parametrize("name", OF_C)
def test_the_reader_of_document_c_says_that_it_abstains_and_keeps_the_answer(done, name):
    row, found = done(name).example, done(name).verdict
    result = abstention(found)
    assert result.should_abstain is (result.reason is not None)
    assert (found.checks["hedging"].state == "failed") is row.hedges
    if row.label:
        assert {s.label for s in found.sentences} == {row.label}
    answer = row.question.answer
    assert found.round.case.draft.text == answer
    if row.outcome == "proceed":
        assert (found.route, found.answer) == ("deliver", answer)
    else:
        assert (found.route, found.answer) == ("refuse", MESSAGES["abstain"])


@pytest.mark.parametrize("name", [name for name, row in OF_D.items() if not row.message])
def test_an_answer_of_document_d_goes_out_only_if_it_is_delivered(done, name):
    found = done(name).verdict
    assert (OF_D[name].question.answer in found.answer) is (found.route == "deliver")


@pytest.mark.parametrize(
    "name", [name for name, row in OF_D.items() if row.printed == row.outcome == "pass, skipped, delivered"]
)
def test_what_needs_no_fact_check_has_no_second_stage(done, name):
    found = done(name).verdict
    assert found.round.signals["interest"]["needs_fact_check"] == 0
    assert found.checks["fact_grounding"].cause == "not applicable" and found.tier is None


def named(where):
    return {seed: [name for name, row in table.items() if where(row)] for seed, table in TABLES.items()}


def test_how_many_examples_differ_from_their_document_and_which():
    assert named(lambda row: row.difference and not row.difference.startswith(MODEL)) == DIFFERENT
    assert named(lambda row: row.difference.startswith(MODEL)) == DIFFERENT_BY_MODEL
    assert {seed: len(table) for seed, table in TABLES.items()} == {"A": 16, "B": 17, "C": 33, "D": 22, "E": 14}
    assert sum(len(names) for table in (DIFFERENT, DIFFERENT_BY_MODEL) for names in table.values()) == 4


def test_a_row_says_why_it_differs_and_only_then():
    for table in TABLES.values():
        for name, row in table.items():
            assert bool(row.ours) == bool(row.difference) and row.ours != row.printed, name
            assert row.nli or not row.difference.startswith(MODEL), name


def test_every_outcome_that_a_document_prints_is_there():
    printed = {seed: {row.printed for row in table.values()} for seed, table in TABLES.items()}
    assert printed["A"] == {
        "accepted", "low_confidence", "insufficient_context", "off_topic", "missing_citations", "invalid_citations",
        "low_grounding", "hallucination_detected",
    }  # fmt: skip
    assert printed["B"] == {"synthesizer", "refine_retrieve"}
    assert printed["C"] == {"proceed", "low_retrieval_score", "no_score_gap", "not_grounded", "hedging_detected"}


def test_the_stored_runs_have_the_outcomes_that_are_expected():
    for example in EXAMPLES.values():
        assert example.runs["own"].outcome == example.outcome
        assert example.domain == ("shop" if example.letter == "D" else "school")


def test_each_run_names_its_difference_and_only_then():
    for example in printed_examples():
        assert set(example.runs) == set(RUNS)
        for run_ in example.runs.values():
            assert run_.as_printed is (run_.outcome == example.printed)
            assert bool(run_.difference) is not run_.as_printed, (example.name, run_)


def test_the_file_was_written_with_the_models_that_ship(bundled_models):
    assert json.loads(FILE.read_text(encoding="utf-8"))["models"] == bundled_models.names


def test_outcomes_are_counted_and_put_into_words():
    examples = printed_examples()
    assert printed_outcome_count(examples, "own") == sum(not e.ours for e in EXAMPLES.values())
    outcomes = {r.outcome for e in examples if e.letter != "E" for r in e.runs.values() if " " not in r.outcome}
    assert all(in_words(outcome) != outcome and "_" not in in_words(outcome) for outcome in outcomes)
    assert in_words("pass, low, escalated") == "In scope, low confidence, handed over"
    assert in_words("generate, finalize") == "generate, finalize"
