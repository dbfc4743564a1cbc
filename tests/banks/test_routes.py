"""Each route is taken by questions of a committed bank: its steps on stored traces, its end live."""

import pytest

from core.decide import next_step, verdict
from core.decide.routes import ROUTES
from core.reply.serialization import question_of
from tests.support.route_bank import ROWS, STORED, preset_for, sample_explorer, stored_trace

HELD = {path.name.removesuffix(".json.gz") for path in STORED.glob("*.json.gz")}
AS_STORED = [row for row in ROWS if row["id"] in HELD]


def test_every_route_and_every_stretch_of_the_way_is_in_the_bank():
    assert {row["route"] for row in ROWS} == set(ROUTES)
    segments = {"clear", "split", "refine 1", "recheck", "correct", "stage 1", "stage 2", "query checks"}
    assert segments <= {step for row in ROWS for step in row["steps"]}
    assert all(row["steps"][-1] == row["route"] for row in ROWS)


@pytest.mark.skipif(not HELD, reason="no traces are stored yet: run python -m tests.support.route_bank")
def test_every_row_has_a_stored_trace_and_every_trace_a_row():
    assert {row["id"] for row in ROWS} == HELD


@pytest.mark.parametrize("row", AS_STORED, ids=lambda row: row["id"])
def test_a_stored_trace_takes_the_steps_of_its_row(row):
    trace = stored_trace(row)
    found = verdict(trace, preset_for(row))
    assert (list(found.steps), found.route) == (row["steps"], row["route"])
    assert next_step(trace, preset_for(row)).action == row["route"]


@pytest.fixture(scope="module")
def explorer(sample_home):
    made = sample_explorer(sample_home("routes"))
    yield made
    made.library.close()


@pytest.mark.long
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_asked_anew_a_row_ends_on_its_route(explorer, row):
    assert explorer.ask(question_of(row), preset_for(row))[1].route == row["route"]
