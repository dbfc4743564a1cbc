"""The journal held against the set of a certificate: which decisions count, on the command line and in the file."""

import json
import sqlite3
import time
from dataclasses import replace
from datetime import date

import pytest

from core.__main__ import main
from core.banks.measured_bank import conditions_in
from core.banks.scored_bank import ValuedBank
from core.chain import verdict
from core.journal import Journal
from core.journal.drift import dated_certificate, drift_since, summary_of_set
from core.presets import preset
from core.presets.saved import SavedPresets
from core.settings import Settings
from core.tuning.certificates import limits_digest
from core.tuning.drift import FEWEST
from core.tuning.guarantee import Promise, guarantee
from tests.support.journals import DAY, questions
from tests.support.planted_banks import RELATED, planted

SIGNED = replace(preset("as_printed"), name="signed", help="with a guarantee")


@pytest.fixture(scope="module")
def cases():
    """60 questions of which every third is refused."""
    scores = [0.2 if n % 3 == 0 else 0.9 for n in range(60)]
    return [
        planted(f"Set {n}?", "refused" if s < 0.5 else "answered", retrieval_confidence=s) for n, s in enumerate(scores)
    ]


@pytest.fixture
def certified(cases, tmp_path):
    """The preset saved with a guarantee of the models in use, and its certificate."""
    result = guarantee(ValuedBank(cases), SIGNED, RELATED, Promise(shares={"over_refused": 0.9}))
    named = SIGNED.with_values({RELATED: result.value})
    models = conditions_in(tmp_path, "bundled", Settings()).models_digest
    certificate = dated_certificate(result, named, cases, models=models, bank="rows.jsonl")
    SavedPresets(tmp_path).save(named, certificate)
    return named, certificate


def ask(journal, cases, under, count, start=0, at=None):
    """Write questions with the measurements of these cases, in turn."""
    for n in range(start, start + count):
        trace = cases[n % len(cases)].trace
        trace = replace(trace, question=replace(trace.question, query=f"Asked {n}?", answer=None))
        journal.record(trace, verdict(trace, under), under, at=at)


def test_the_set_is_counted_as_the_journal_would_list_it(certified, cases):
    named, certificate = certified
    counted = summary_of_set(
        [replace(c, trace=replace(c.trace, question=replace(c.trace.question, answer=None))) for c in cases], named
    )
    assert counted.n == 60 and sum(counted.shares["outcomes"].values()) == sum(counted.scores["evidence"]) == 60
    assert certificate["set"] == "rows.jsonl" and set(certificate["questions"]) == {"n", "shares", "scores"}


def test_only_decisions_under_the_certified_limits_since_that_day_count(journal, certified, cases):
    named, certificate = certified
    for _ in range(2):
        ask(journal, cases, named, 3)
    ask(journal, cases, named, 2, start=3, at=time.time() - 2 * DAY)
    ask(journal, cases, replace(preset("strict")), 2, start=5)
    ask(journal, cases, named.with_values({RELATED: 0.07}), 2, start=7)
    digest = certificate["limits"]
    found = journal.decisions_under("signed", lambda then: limits_digest(then) == digest, date.today())
    assert questions(found) == ["Asked 0?", "Asked 1?", "Asked 2?"] * 2
    assert drift_since(journal, "signed", certificate | {"questions": {}}).n == 3  # repetitions count once


def test_the_topic_match_is_stored_and_unknown_in_an_older_journal(journal, certified, cases, tmp_path):
    ask(journal, cases, certified[0], 1)
    (row,) = journal.rows()
    assert row.topic == pytest.approx(cases[0].trace.rounds[0].case.closest.asked)
    journal.close()
    with sqlite3.connect(tmp_path / "journal.sqlite3") as old:
        old.execute("ALTER TABLE decisions DROP COLUMN topic")
        old.execute("PRAGMA user_version = 3")
    old.close()
    upgraded = Journal(tmp_path)
    assert [d.topic for d in upgraded.rows()] == [None] and questions(upgraded.rows()) == ["Asked 0?"]
    upgraded.close()


def told(tmp_path, capsys, *options):
    code = main(["journal", "--drift", "signed", "--home", str(tmp_path), *options])
    return code, capsys.readouterr()


def test_the_command_line_prints_the_drift_and_fails_where_questions_differ(
    journal, certified, cases, tmp_path, capsys
):
    named, _ = certified
    stored = json.loads((tmp_path / "presets" / "signed.json").read_text())
    counts = {"n": 200, "shares": {"outcomes": {"deliver": 200}, "subjects": {}},
              "scores": {"evidence": [0] * 19 + [200], "topic": [0] * 19 + [200]}}  # fmt: skip
    stored["certificate"]["questions"] = counts
    (tmp_path / "presets" / "signed.json").write_text(json.dumps(stored))
    code, said = told(tmp_path, capsys)
    assert code == 0 and said.out.startswith("Not checked") and f"0 of {FEWEST}" in said.out
    ask(journal, cases, named, FEWEST)
    code, said = told(tmp_path, capsys)
    assert code == 1 and said.out.startswith("These questions are no longer like those of the set: they differ in ")
    code, said = told(tmp_path, capsys, "--json")
    assert code == 1 and json.loads(said.out)["compared"] == [1, FEWEST]


def test_without_a_valid_guarantee_nothing_is_compared(certified, tmp_path, capsys):
    named, certificate = certified
    SavedPresets(tmp_path).save(named)
    code, said = told(tmp_path, capsys)
    assert code == 1 and "has no guarantee" in said.err and not said.out
    SavedPresets(tmp_path).save(named.with_values({RELATED: 0.01}), certificate)
    code, said = told(tmp_path, capsys)
    assert code == 1 and "is void" in said.err
    SavedPresets(tmp_path).save(named, certificate | {"date": "yesterday"})
    code, said = told(tmp_path, capsys)
    assert code == 1 and "has no valid date" in said.err
