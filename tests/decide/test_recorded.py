"""Verdicts on random questions are those that were recorded when the engine on arrays took the place of the chain for
one question; both gave the same.

Where a verdict is meant to change: RECORD=1 .venv/bin/python -m pytest tests/decide/test_recorded.py writes it anew.
"""

import hashlib
import json
import os
from pathlib import Path

import numpy as np
import pytest

from core.decide import next_step, verdict
from core.decide.engine import Decided
from core.decide.measured import MeasuredSet
from core.decide.points import Limits
from core.decide.routes import NOWHERE, ROUTES
from tests.support.random_traces import random_preset, random_trace

FILE = Path(__file__).with_name("recorded.json")
COUNT = 300


@pytest.fixture(scope="module")
def traces():
    return [random_trace(seed) for seed in range(COUNT)]


def said(found):
    """Everything of a verdict that does not depend on the words of a check."""
    checks = {
        name: [
            r.state,
            r.cause,
            r.mode,
            r.by,
            *(None if x is None else round(x, 6) for x in (r.value, r.limit, r.margin)),
        ]
        for name, r in found.checks.items()
    }
    return [
        found.route, found.steps, found.stage, found.reasons, found.failed, found.band, found.tier, found.abstention,
        [[c.done, c.before, c.after] for c in found.changes], [s.text for s in found.delivered_sentences], checks,
        [said(part) for part in found.parts],
    ]  # fmt: skip


def test_verdicts_are_as_recorded(traces):
    lines = {}
    for seed, trace in enumerate(traces):
        preset = random_preset(seed)
        found, step = verdict(trace, preset), next_step(trace, preset)
        digest = hashlib.sha256(json.dumps(said(found)).encode()).hexdigest()[:12]
        lines[str(seed)] = f"{step.action} {found.route} {found.primary_reason or '-'} {digest}"
    if os.environ.get("RECORD"):
        FILE.write_text(json.dumps(lines, indent=0) + "\n", encoding="utf-8")
    recorded = json.loads(FILE.read_text(encoding="utf-8"))
    assert {seed: line for seed, line in lines.items() if line != recorded[seed]} == {}


def test_a_set_ends_where_each_of_its_questions_does_alone(traces):
    preset = random_preset(7)
    measured = MeasuredSet.of(traces)
    routes = Decided(measured, Limits(preset)).joint_routes[measured.wholes, 0]
    alone = [next_step(trace, preset).action for trace in traces]
    assert ["measure" if code == NOWHERE else ROUTES[code] for code in routes] == alone
    some = measured.some(np.array([5, 3, 3, 200]))
    assert Decided(some, Limits(preset)).joint_routes[some.wholes, 0].tolist() == routes[[5, 3, 3, 200]].tolist()
