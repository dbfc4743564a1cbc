"""The tile of a check: its state, its value beside its limit and the reason, for every check and every state."""

import re

import pytest

from core.check import Component
from core.checks import all_checks, check_of
from core.decide import CheckResult, verdict
from core.presentation.check_tiles import failing, in_order, numbers_text, reason, state, tally, tile
from core.presets import presets
from core.thresholds import Threshold
from tests.support.route_bank import ROWS, preset_for, stored_trace

CASES = [(row, name) for row in ROWS for name in ("", "default", "as_printed")]


def result(name="hedging", state="passed", cause=None, mode="blocks", margin=None, **more):
    value = {} if margin is None else {"value": more.pop("value", -margin), "limit": more.pop("limit", 0.0)}
    return CheckResult(
        name=name, stage="answer", state=state, cause=cause, mode=mode, why="Because.", margin=margin, **value, **more
    )


@pytest.mark.parametrize(
    ("outcome", "cause", "mode", "mark", "words"),
    [
        ("passed", None, "blocks", "passed", "passed"),
        ("failed", None, "blocks", "failed", "failed"),
        ("failed", None, "watches", "failed", "failed, but only monitors"),
        ("passed", None, "watches", "passed", "passed"),
        ("not_run", "off", "off", "not_run", "off"),
        ("not_run", "not applicable", "blocks", "not_run", "not run, not applicable"),
        ("not_run", "error", "blocks", "failed", "broke, so nothing is delivered"),
        ("not_run", "error", "watches", "not_run", "broke"),
    ],
)
def test_each_state_of_a_check_has_a_mark_and_words(outcome, cause, mode, mark, words):
    shown = tile(result(state=outcome, cause=cause, mode=mode, margin={"passed": 0.0, "failed": -1.0}.get(outcome)))
    assert (shown.state, shown.state_text) == (mark, words)
    assert shown.reason.endswith("Because.") and (shown.limit == "") == bool(cause)


@pytest.mark.parametrize(
    ("name", "by", "value", "limit", "margin", "text"),
    [
        ("support", "min_support", 0.23, 0.60, -0.37, "0.23, needs 0.60"),
        ("support", "min_support", 0.80, 0.60, 0.20, "0.80, needs 0.60"),
        ("confidence", "min_confidence", 76.0, 40.0, 36.0, "76 of 100, needs 40"),
        ("confidence", "min_confidence", 39.6, 40.0, -0.4, "39 of 100, needs 40"),
        ("context_sufficiency", "min_chunks_required", 1.0, 2.0, -1.0, "1 passage, needs 2"),
        ("numbers", "", 1.0, 0.0, -1.0, "1 unsupported, none allowed"),
        ("hedging", "", 0.0, 0.0, 0.0, "0 hedged, none allowed"),
        ("entailment", "nli_threshold", 0.94, 0.70, -0.24, "0.94 uncertain, at most 0.70"),
        ("entailment", "", 0.97, 0.0, -0.97, "0.97 contradicted, none allowed"),
        ("interest", "max_drift", -1.0, 0.15, 1.15, "not off topic, at most 0.15"),
        ("interest", "max_drift", -0.31, 0.15, 0.46, "−0.31 off topic, at most 0.15"),
    ],
)
def test_a_value_reads_as_the_name_of_its_check_says(name, by, value, limit, margin, text):
    outcome = result(
        name, "passed" if margin >= 0 else "failed", margin=margin, by=by, value=value, limit=limit
    )  # fmt: skip
    assert tile(outcome).line == text
    assert reason(outcome).endswith(". Because.") and numbers_text(outcome).endswith(text)


@pytest.mark.parametrize(
    ("value", "margin", "text"),
    [
        (36.0, 164.0, "36 words, at most 200"),
        (1.0, 199.0, "1 word, at most 200"),
        (240.0, -40.0, "240 words, at most 200"),
    ],
)
def test_a_maximum_that_counts_no_faults_is_called_one(monkeypatch, value, margin, text):
    most = Threshold(
        label="Most words", default=200, low=20, high=400, step=10, unit="words", stricter="lower",
        source_document="ours", help="At most this many words.",
    )  # fmt: skip
    monkeypatch.setattr(type(check_of("hedging")), "thresholds", lambda _: {"max_words": most})
    state = "passed" if margin >= 0 else "failed"
    assert tile(result("hedging", state, by="max_words", value=value, limit=200.0, margin=margin)).line == text


def test_the_parts_of_a_value_are_bars_of_their_own_scale():
    parts = (Component(label="Book agrees", value=0.25, unit="probability"),
             Component(label="Details without evidence", value=1, unit="items", most=4))  # fmt: skip
    assert [(b.label, b.text, b.share) for b in tile(result(margin=0.0, components=parts)).bars] == [
        ("Book agrees", "0.25", 0.25), ("Details without evidence", "1", 0.25),
    ]  # fmt: skip


def test_short_names_differ():
    names = [check.short for check in all_checks()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("row", "name"), CASES, ids=[f"{row['id']}-{name or 'its own'}" for row, name in CASES])
def test_every_cross_is_counted_once_and_no_value_contradicts_its_state(row, name):
    found = verdict(stored_trace(row), presets()[name] if name else preset_for(row))
    results = list(found.checks.values())
    crosses = [r for r in results if state(r) == "failed"]
    blocking, monitors = failing(results)
    assert sorted(r.name for r in blocking + monitors) == sorted(r.name for r in crosses)
    assert {r.name for r in in_order(results)} == {r.name for r in results}

    # the phrase names what blocks, and its counts are those of the tiles
    ran, passed, phrase = (
        sum(state(r) != "not_run" for r in results),
        sum(r.state == "passed" for r in results),
        tally(results),
    )
    assert passed + len(crosses) == ran and all(check_of(r.name).short in phrase for r in blocking)
    if not blocking:
        expected = f"all {ran} checks passed"
        if monitors:
            verb = "monitors" if len(monitors) == 1 else "monitor"
            expected = f"{passed} of {ran} checks passed; {len(monitors)} failed, but only {verb}"
        assert phrase == (expected if ran > 1 else "the one check that ran passed" if ran else "no check ran")

    for one in results:
        shown = tile(one)
        assert "1.00, at most 0.00" not in shown.reason and "-1" not in shown.line and "−1.00" not in shown.line
        if one.margin is not None:
            assert (one.margin < 0) == (one.state == "failed")
            assert shown.reason.startswith(shown.line[:1].upper())
        if shown.limit.startswith("needs "):  # the numbers as they are drawn lie on the right side
            value, limit = (float(re.search(r"[−\d.]+", t)[0].replace("−", "-")) for t in (shown.value, shown.limit))
            assert (value >= limit) == (one.state == "passed")
