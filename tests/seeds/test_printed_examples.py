"""Every example that the source documents print: its outcome in its own preset, and the file that the app shows."""

import json

import pytest

from core.lab.printed_examples.outcomes import DOCUMENTS, PRESETS, run
from core.presentation.printed_examples import FILE, RUNS, in_words, printed_examples, printed_outcome_count
from core.reply.serialization import question_of

EXAMPLES = {f"{letter} {name}": (letter, e) for letter, d in DOCUMENTS.items() for name, e in d.examples.items()}


@pytest.mark.parametrize(("letter", "example"), EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_has_its_outcome_in_the_preset_of_its_document(bundled_models, letter, example):
    done = run(letter, example, "own", bundled_models)
    failed = {name: done.verdict.checks[name].why for name in done.verdict.failed}
    assert done.outcome == example.outcome, failed


def test_the_file_of_the_app_holds_every_example_as_it_is_declared():
    stored = {f"{e.letter} {e.name}": e for e in printed_examples()}
    assert list(stored) == list(EXAMPLES)
    for name, (letter, example) in EXAMPLES.items():
        row = stored[name]
        assert question_of(dict(row.row)) == example.question
        assert (row.printed, row.changes, row.domain) == (example.printed, example.changes, DOCUMENTS[letter].domain)
        assert row.runs["own"].outcome == example.outcome
        assert (row.document, row.preset) == (DOCUMENTS[letter].title, f"seed_{letter.lower()}")


def test_each_run_names_its_difference_and_only_then():
    for example in printed_examples():
        assert set(example.runs) == set(PRESETS) == set(RUNS)
        for run_ in example.runs.values():
            assert run_.as_printed is (run_.outcome == example.printed)
            assert bool(run_.difference) is not run_.as_printed, (example.name, run_)


def test_the_file_was_written_with_the_models_that_ship(bundled_models):
    assert json.loads(FILE.read_text(encoding="utf-8"))["models"] == bundled_models.names


def test_outcomes_are_counted_and_put_into_words():
    examples = printed_examples()
    assert printed_outcome_count(examples, "own") == sum(not e.ours for _, e in EXAMPLES.values())
    outcomes = {r.outcome for e in examples if e.letter != "E" for r in e.runs.values() if " " not in r.outcome}
    assert all(in_words(outcome) != outcome and "_" not in in_words(outcome) for outcome in outcomes)
    assert in_words("pass, low, escalated") == "In scope, low confidence, handed over"
    assert in_words("generate, finalize") == "generate, finalize"
