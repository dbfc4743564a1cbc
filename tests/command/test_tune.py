"""python -m core tune, on a real library with models that count words."""

import json
import shutil
from dataclasses import replace

import pytest

import core.command.tune
from core.__main__ import main
from core.checks import all_checks, all_thresholds
from core.graph import Explorer
from core.presets import preset
from core.presets.saved import SavedPresets
from core.tuning.proposals import FEWEST
from tests.support.command_line import run_on
from tests.support.pdfs import make_pdf

THINGS = "leaf light water carbon oxygen starch chlorophyll sunlight energy food plant green".split()
ROWS = [
    {"id": f"in {n}", "query": f"What is {thing} in photosynthesis?", "expected": "answered"} for n, thing in enumerate(THINGS)
] + [{"id": f"out {n}", "query": f"How do I bake cookie number {n}?", "expected": "refused"} for n in range(14)]  # fmt: skip


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """A folder for what the tests below have measured."""
    return tmp_path_factory.mktemp("measured")


@pytest.fixture
def measured_home(home, measured):
    """The home with all that was measured in such a home before, so that a row is measured for the first test only."""
    banks = home / "home" / "banks"
    shutil.copytree(measured, banks, dirs_exist_ok=True)
    yield home
    shutil.copytree(banks, measured, dirs_exist_ok=True)


def tuned(home, capsys, *arguments, rows=ROWS):
    return run_on("tune", rows, home, capsys, *arguments)


def test_it_prints_the_contract_and_measures_once(home, capsys, models):
    code, said = tuned(home, capsys, "--json")
    found = json.loads(said.out)
    assert code == 0 and set(found) == {"preset", "fitted_on", "held_out", "default_held_out"}
    known = all_thresholds()
    assert all(known[key].validate(value) == value for key, value in found["preset"].items())
    assert found["held_out"]["n"] == found["default_held_out"]["n"] == len(ROWS) - found["fitted_on"]["n"] >= FEWEST
    for half in (found["held_out"], found["default_held_out"]):
        low, high = half["interval"]
        assert 0 <= low <= high <= 1 and half["counts"]["due"] + half["counts"]["others"] == half["n"]
    before = models.entailer.calls, models.embedder.calls
    code, again = tuned(home, capsys, "--json")
    assert json.loads(again.out) == found and (models.entailer.calls, models.embedder.calls) == before


def test_the_sweep_of_document_c_prints_each_value_with_its_accuracy(measured_home, capsys):
    code, printed = tuned(measured_home, capsys, "--abstention-sweep", "--json")
    row = json.loads(printed.out)
    assert code == 0 and list(row["accuracy"]) == ["0.2", "0.25", "0.3", "0.35", "0.4"]
    best = max(rate["count"] for rate in row["accuracy"].values())
    assert row["accuracy"][f"{row['chosen']:g}"]["count"] == best
    code, printed = tuned(measured_home, capsys, "--abstention-sweep")
    assert code == 0 and printed.out.count("Threshold 0.") == 5 and f"chosen: {row['chosen']:g}" in printed.out


def test_a_limit_and_a_preset_are_heard(measured_home, capsys):
    code, said = tuned(measured_home, capsys, "--max-over-refusal", "0.1", "--preset", "seed_b")
    assert code == 0 and said.out.startswith("searched on ")
    assert all(":" not in line or "confidence." in line for line in said.out.splitlines() if "->" in line)


def test_the_writer_and_a_saved_preset_are_heard(measured_home, capsys, monkeypatch):
    opened, heard = core.command.tune.open_explorer, []
    monkeypatch.setattr("core.command.tune.open_explorer", lambda *given: heard.append(given[2]) or opened(*given))
    SavedPresets(measured_home / "home").save(replace(preset("seed_b"), name="mine"))
    code, _ = tuned(measured_home, capsys, "--writer", "local", "--preset", "mine")
    assert code == 0 and heard[0].writer == "local"
    code, said = tuned(measured_home, capsys, "--preset", "nobody's")
    assert code == 1 and "nobody's" in said.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [(("--max-over-refusal", "7"), "share from 0 to 1"), (("--wrong-cost", "0"), "must cost more than 0")],
)
def test_an_aim_that_nobody_can_have_is_one_sentence(home, capsys, arguments, sentence):
    code, said = tuned(home, capsys, *arguments)
    assert code == 1 and sentence in said.err and said.out == ""


def test_a_small_bank_and_a_row_that_cannot_be_asked_are_said(home, capsys):
    rows = [*ROWS[:3], {"id": "bad", "query": "Why?", "answer": "Iron rusts. Milk is white.", "citations": [[1]]}]
    code, said = tuned(home, capsys, rows=rows)
    assert code == 1 and "tune: bad:" in said.err and "each half needs at least" in said.err


def test_a_library_that_changes_meanwhile_ends_it_in_a_sentence(home, capsys, models, monkeypatch):
    asked, ask = [], Explorer.ask

    def added_at_the_third(explorer, *given):
        asked.append(given[0].query)
        if len(asked) == 3:
            explorer.library.ingest(make_pdf("An echo is a sound that comes back."), "sound.pdf")
        return ask(explorer, *given)

    monkeypatch.setattr(Explorer, "ask", added_at_the_third)
    code, said = tuned(home, capsys)
    assert (code, said.out, len(asked)) == (1, "", 3) and "The library changed while the bank was measured" in said.err
    monkeypatch.setattr(Explorer, "ask", ask)
    code, again = tuned(home, capsys)
    assert code == 0 and again.out.startswith("searched on ")


def test_the_reporting_half_is_never_searched(home, capsys):
    from core.banks import REPORTING

    assert main(["tune", "--bank", str(REPORTING), "--home", str(home / "home")]) == 1
    assert "is only counted" in capsys.readouterr().err


KNOWN = [row | {"facts": ["nowhere"]} if row["expected"] == "answered" else row for row in ROWS]
"""The same rows with facts that no passage holds, so that an answer counts as wrong."""
RIGHT = [
    {"id": f"right {n}", "query": "What is the green substance in the leaves called?", "expected": "answered",
     "facts": ["chlorophyll"]} for n in range(40)
]  # fmt: skip
MATCH = "topic_relevance.max_topic_mismatch_score"
OFF = [f"--set={check.name}.mode=off" for check in all_checks() if check.name != "topic_relevance"]


def test_a_guarantee_is_printed_and_saved_with_its_limits(measured_home, capsys):
    asks = ("--guarantee", "0.2", "--confidence", "0.9", "--along", MATCH, *OFF)
    code, said = tuned(measured_home, capsys, *asks, "--json", "--save", "signed", rows=[*RIGHT, *ROWS[12:]])
    assert code == 0, said.err
    found = json.loads(said.out)
    assert found["holds"] and found["key"] == MATCH and found["rows_needed"] is None
    assert found["count"] / found["n"] <= found["bound"] <= found["promised"] == 0.2
    saved = SavedPresets(measured_home / "home").preset("signed")
    assert saved.thresholds[MATCH] == found["value"]
    assert saved.help.startswith("At most 20 % of the answers given out are wrong, with 90 % confidence, with “")
    code, again = tuned(measured_home, capsys, *asks, rows=[*RIGHT, *ROWS[12:]])
    assert code == 0 and again.out.startswith("At most 20 %") and f"at {found['value']:g}." in again.out


@pytest.mark.parametrize(("rows", "missing"), [
    (RIGHT[:12], "more labelled questions are needed."), (KNOWN, "More questions would not help"),
])  # fmt: skip
def test_a_guarantee_that_is_missing_says_what_it_takes_and_fails(measured_home, capsys, rows, missing):
    code, said = tuned(measured_home, capsys, "--guarantee", "wrong=0.05", "--along", MATCH, *OFF, rows=rows)
    assert code == 1
    assert said.out.startswith("No value of “") and missing in said.out


@pytest.mark.parametrize("wrong", [
    ("--guarantee", "wrong"), ("--guarantee", "off_topic=0.1"), ("--guarantee", "2"), ("--save", "x"),
    ("--guarantee", "0.1", "--along", "fact_grounding.recheck"),
])  # fmt: skip
def test_an_impossible_guarantee_is_refused_in_a_sentence(home, capsys, wrong):
    code, said = tuned(home, capsys, *wrong)
    assert code == 1 and not said.out and "guarantee" in said.err.lower()
