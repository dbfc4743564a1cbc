"""A bank decided at once says of every case, at every setting, what that case says alone."""

from dataclasses import replace
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.banks.open_bank import NOT_MEASURED, OUTCOMES, REASON_NAMES, ROUTE_NAMES, OpenBank
from core.banks.stored_set import StoredSet, concatenate
from core.case import Absence
from core.checks import all_checks, all_thresholds
from core.decide import next_step, verdict
from core.decide.points import Limits
from core.evaluation.cases import LabelledCase
from core.evaluation.outcomes import outcome
from core.presets import modes_of, values
from core.thresholds import Preset
from tests.support.plans import OFTEN, PARTS, PLANS, presets, world

ROWS = (
    {"expected": "answered", "facts": ["list of numbers"]},
    {"expected": "answered", "facts": ["list of numbers", "common difference"], "false_facts": ["not a list"]},
    {"expected": "part", "facts": ["list of numbers"]}, {"expected": "refused"}, {"expected": "clarified"}, {},
    {"answer": "Given.", "expected": "supported"}, {"answer": "Given.", "expected": "altered"},
    {"answer": "Given.", "expected": "altered", "facts": ["7", "bananas"]}, {"answer": "Given."},
)  # fmt: skip
NAMES = [c.name for c in all_checks()]
KEY = "retrieval_confidence.min_retrieval_confidence"


@st.composite
def cases(draw):
    """A measured case with labels: whole or in parts, rounds missing, checks broken, silent or newer than the round."""
    trace = _torn(draw, world(draw(PLANS), draw(PARTS)))
    trace = replace(trace, parts=tuple(_torn(draw, part) for part in trace.parts))
    return LabelledCase(row=draw(st.sampled_from(ROWS)), trace=trace)


def _torn(draw, trace):
    gone = draw(st.sets(st.integers(0, 11), max_size=4) | st.just(set()))
    rounds = [r for n, r in enumerate(trace.rounds) if n not in gone]
    name, how = draw(st.sampled_from(NAMES)), draw(st.sampled_from(["", "", "", "error", "not applicable", "older"]))
    which = draw(st.integers(0, 11))
    return replace(trace, rounds=tuple(_broken(r, name, how) if n == which else r for n, r in enumerate(rounds)))


def _broken(measured, name, how):
    if not how:
        return measured
    absent = measured.absent if how == "older" else {**measured.absent, name: Absence(cause=how, why="it is so")}
    return replace(measured, signals={n: s for n, s in measured.signals.items() if n != name}, absent=absent)


def points_of(presets):
    """Any presets side by side."""
    return Limits(
        values={key: np.array([values(p)[key] for p in presets]) for key in all_thresholds()},
        modes={name: [modes_of(p)[name] for p in presets] for name in NAMES},
    )


def alone(case, preset):
    """(route, primary reason, outcome, worth) of one case by itself."""
    if next_step(case.trace, preset).action == "measure":
        return NOT_MEASURED, "", NOT_MEASURED, -2
    found = verdict(case.trace, preset)
    became = outcome(case.row, found)
    return found.route, found.primary_reason or "", became.name, became.worth


def together(decided, point):
    """The same of every case of a bank."""
    return [
        (ROUTE_NAMES[route], REASON_NAMES[reason], OUTCOMES[name], int(worth))
        for route, reason, name, worth in zip(
            decided.routes[point], decided.reasons[point], decided.outcomes[point], decided.worths[point],
            strict=True,
        )
    ]  # fmt: skip


@OFTEN
@given(data=st.data(), presets=st.lists(presets(), min_size=1, max_size=4), at_once=st.integers(1, 40))
def test_any_settings_give_each_case_what_it_says_alone_however_many_are_decided_at_a_time(data, presets, at_once):
    bank = data.draw(st.lists(cases(), min_size=2, max_size=5))
    opened, chosen = OpenBank.of(bank), [1, 0, 1]
    with mock.patch("core.banks.open_bank._CELLS", at_once):
        found, of_chosen = opened.decide(points_of(presets)), opened.some(np.array(chosen)).decide(points_of(presets))
    for point, preset in enumerate(presets):
        expected = [alone(case, preset) for case in bank]
        assert together(found, point) == expected
        assert together(of_chosen, point) == [expected[n] for n in chosen]


def stacked_file(folder, bank):
    """The cases of `bank` in a file: stacked one by one, joined in reverse, put in order again, written and mapped."""
    ones = [StoredSet.of([case], [b"%d" % n]) for n, case in enumerate(bank)]
    path = folder / "set.arrays"
    concatenate(ones[::-1]).some(np.arange(len(bank))[::-1]).write(path)
    return StoredSet.read(path)


@OFTEN
@given(data=st.data(), presets=st.lists(presets(), min_size=1, max_size=3))
def test_a_stacked_file_decides_as_its_traces_alone(data, presets, tmp_path_factory):
    bank = data.draw(st.lists(cases(), min_size=1, max_size=4))
    stacked = stacked_file(tmp_path_factory.mktemp("stacked"), bank)
    labelled = [case.row | data.draw(st.sampled_from([{}, {"expected": "altered"}])) for case in bank]
    found = OpenBank(labelled, stacked.measured, lambda _: (), stacked.outcomes(labelled)).decide(points_of(presets))
    for point, preset in enumerate(presets):
        expected = [alone(replace(case, row=row), preset) for case, row in zip(bank, labelled, strict=True)]
        assert together(found, point) == expected
    assert stacked.ids.tolist() == [b"%d" % n for n in range(len(bank))]


@OFTEN
@given(data=st.data(), base=presets(), key=st.sampled_from(sorted(all_thresholds())))
def test_along_a_slider_each_case_says_what_it_says_alone(data, base, key):
    bank = data.draw(st.lists(cases(), min_size=1, max_size=3))
    values = all_thresholds()[key].grid(5)
    found = OpenBank.of(bank).decide(Limits.along(base, key, values))
    for point, value in enumerate(values):
        under = base.with_values({key: float(value)})
        assert together(found, point) == [alone(case, under) for case in bank]


@OFTEN
@given(data=st.data(), base=presets(), other=presets())
def test_what_is_remembered_of_one_preset_is_never_taken_for_another(data, base, other):
    bank = data.draw(st.lists(cases(), min_size=1, max_size=3))
    opened = OpenBank.of(bank)
    first, second = ([alone(case, preset) for case in bank] for preset in (base, other))
    for preset, expected in ((base, first), (other, second), (base, first)):
        assert together(opened.decided_at(preset), 0) == expected


@pytest.fixture
def bank():
    """Eight plain questions of rising scores, half of which the books should not answer."""
    true = "An arithmetic progression is a list of numbers."
    plans = [(true, ((s, s),) * 3, "question", False) for s in (0.2, 0.35, 0.45, 0.55, 0.62, 0.7, 0.8, 0.9)]
    rows = ({"expected": "answered", "facts": ["list of numbers"]}, {"expected": "refused"})
    return [LabelledCase(row=rows[n % 2], trace=world(plan, [])) for n, plan in enumerate(plans)]


def test_a_slider_along_its_grid_trades_wrong_answers_for_over_refusals(bank):
    opened = OpenBank.of(bank)
    found = opened.decide(Limits.along(Preset(), KEY))
    counts = {name: (found.outcomes == OUTCOMES.index(name)).sum(1) for name in OUTCOMES}
    assert len(found.routes) == 101 and sum(counts.values()).tolist() == [8] * 101
    assert (np.diff(counts["wrong_answer"]) <= 0).all() and (np.diff(counts["over_refusal"]) >= 0).all()
    assert counts["wrong_answer"][0] == 3 and counts["over_refusal"][-1] == 4  # what the other checks leave
    of_low_confidence = []
    for point in (0, -1):
        limit = float(Limits.along(Preset(), KEY).value(KEY)[point])
        own = opened.decided_at(Preset(thresholds={KEY: limit}))
        refused, early = own.refusals(np.full(8, True)), own.refusals(np.arange(8) < 4)
        assert sum(refused.values()) == (found.routes[point] == ROUTE_NAMES.index("refuse")).sum()
        assert all(early[name] <= refused[name] for name in early)
        of_low_confidence.append(refused.get("low_confidence", 0))
    assert sum(early.values()) == 4 and of_low_confidence[1] > of_low_confidence[0]


def test_two_sliders_make_a_grid_whose_edges_are_those_of_each(bank):
    opened, keys = OpenBank.of(bank), ("retrieval_confidence.min_retrieval_confidence", "confidence.min_confidence")
    limits = Limits.over(Preset(), *keys, values=(0.0, 0.6, 1.0), others=(0, 40, 70, 100))
    grid = opened.decide(limits).outcomes.reshape(3, 4, len(bank))
    for row, value in enumerate((0.0, 0.6, 1.0)):
        along = Limits.along(Preset(thresholds={keys[0]: value}), keys[1], (0, 40, 70, 100))
        assert grid[row].tolist() == opened.decide(along).outcomes.tolist()


def test_what_a_move_changes_is_named_and_which_way(bank):
    opened = OpenBank.of(bank)
    strict = Preset(thresholds={"retrieval_confidence.min_retrieval_confidence": 0.75})
    before, after = opened.decided_at(Preset()), opened.decided_at(strict)
    changed = np.flatnonzero(after.differs(before)[0]).tolist()
    ends = [(OUTCOMES[before.outcomes[0, case]], OUTCOMES[after.outcomes[0, case]]) for case in changed]
    assert changed == [4, 5] and ends == [("right_answer", "over_refusal"), ("wrong_answer", "right_refusal")]
    assert np.sign(after.worths - before.worths)[0, changed].tolist() == [-1, 1]
    assert after.differs(before).sum() == 2 and not before.differs(before).any()


def test_a_value_out_of_bounds_is_refused():
    key = "retrieval_score.min_retrieval_score"
    with pytest.raises(ValueError, match=key):
        Limits.along(Preset(), key, np.array([0.5, 1.5]))
