"""Rules that hold for every check. A new check is tested the moment its file exists."""

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.check import Bound
from core.checks import all_checks
from core.thresholds import Preset
from tests.support.decisions import decision
from tests.support.plans import OFTEN

CHECKS = list(all_checks())
EVERY = pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.name)
OWN_PRESETS = {
    check.name: st.fixed_dictionaries(
        {}, optional={t.key: st.sampled_from(t.grid().tolist()) for t in check.thresholds().values()}
    ).map(lambda values: Preset(thresholds=values))
    for check in CHECKS
}
"""For each check, the presets that move its sliders."""
SIZES = {"sentence": 4, "passage": 5}
BEYOND = 1e-6
"""A limit this much beyond a score is beyond it."""


def fake_signals(check, cases, seed=0):
    """Random signals as declared, shape (cases, items...); items of a case are cut off alike in all its signals."""
    rng = np.random.default_rng(seed)
    counts = {axis: rng.integers(1, size + 1, cases) for axis, size in SIZES.items()}
    out = {}
    for name, signal in check.signals().items():
        high = min(signal.high, 3 if signal.whole else signal.high, 400)
        values = rng.uniform(signal.low, high, (cases, *(SIZES[a] for a in signal.items)))
        values = np.round(values) if signal.whole else values
        for place, axis in enumerate(signal.items, 1):
            beyond = np.arange(SIZES[axis]) >= counts[axis][:, None]
            shape = (cases, *(SIZES[a] if n == place else 1 for n, a in enumerate(signal.items, 1)))
            values = np.where(beyond.reshape(shape), np.nan, values)
        out[name] = values
    return out


def alone(batch, case):
    """One case of a batch as it is measured live: without padding."""
    out = {}
    for name, values in batch.items():
        one = values[case]
        for axis in range(one.ndim):
            other = tuple(a for a in range(one.ndim) if a != axis)
            one = np.compress(~np.isnan(one).all(axis=other) if other else ~np.isnan(one), one, axis=axis)
        out[name] = one
    return out


def few_faults(check, signals, seed):
    """These signals of one case with most counts at 0: where every sentence has a fault, no limit decides."""
    rng = np.random.default_rng(seed)
    whole = {name for name, signal in check.signals().items() if signal.whole}
    return {n: v * (rng.random(v.shape) < rng.choice([0.1, 0.3, 1.0])) if n in whole else v for n, v in signals.items()}


def swept(check, threshold, batch, points=9, preset=Preset()):
    """Decisions of a batch over a grid of one threshold: (points, cases)."""
    bound = check.bind(preset)
    setattr(bound, threshold.key.split(".")[1], threshold.grid(points)[:, None])
    return check.decide(SimpleNamespace(**batch), bound)


@pytest.fixture(params=CHECKS, ids=lambda c: c.name)
def check(request):
    return request.param


def test_is_documented(check):
    prose = " ".join(check.doc().split())
    assert "Catches" in prose and "Blind to" in prose
    assert check.plain and check.source_document in {"A", "B", "C", "D", "E", "ours"}
    for t in check.thresholds().values():
        assert t.help.endswith(".") and t.unit and t.label and t.key.startswith(check.name + ".")
    for signal in check.signals().values():
        assert signal.help.endswith(".") and signal.unit


def test_docstring_holds_no_number_that_could_drift(check):
    assert not any(character.isdigit() for character in check.doc())


def test_batch_agrees_with_one_at_a_time(check):
    batch = fake_signals(check, 40)
    together = decision(check, batch, Preset())
    for case in range(40):
        one = decision(check, alone(batch, case), Preset())
        for part in ("value", "limit", "margin"):
            np.testing.assert_allclose(getattr(together, part)[case], getattr(one, part), err_msg=part)


def test_stricter_never_lets_more_through(check):
    batch = fake_signals(check, 200)
    for t in check.thresholds().values():
        if t.stricter == "neither":
            continue
        blocked = swept(check, t, batch).failed.astype(int)
        assert blocked.shape == (9, 200)
        steps = np.diff(blocked, axis=0)
        assert (steps >= 0).all() if t.stricter == "higher" else (steps <= 0).all(), t.key


@EVERY
@OFTEN
@given(seed=st.integers(0, 2**32), data=st.data())
def test_a_sweep_agrees_with_one_point_at_a_time(check, seed, data):
    preset = data.draw(OWN_PRESETS[check.name])
    batch = fake_signals(check, 20, seed)
    for t in check.thresholds().values():
        at_all = swept(check, t, batch, points=5, preset=preset)
        for n, value in enumerate(t.grid(5)):
            at_point = decision(check, batch, preset.with_values({t.key: float(value)}))
            np.testing.assert_allclose(np.broadcast_to(at_all.margin, (5, 20))[n], at_point.margin)


@EVERY
@OFTEN
@given(seed=st.integers(0, 2**32), data=st.data())
def test_a_limit_at_a_score_passes_and_only_one_beyond_it_may_fail(check, seed, data):
    preset = data.draw(OWN_PRESETS[check.name])
    signals = SimpleNamespace(**few_faults(check, alone(fake_signals(check, 1, seed), 0), seed))
    compared_values = check.compared_values(signals, check.bind(preset))
    for name, t in check.thresholds().items():
        if t.stricter == "neither" or t.switch:
            continue
        scores = np.unique(compared_values.get(name, ()))
        stricter = 1 if t.stricter == "higher" else -1
        limits = np.unique([t.low, *scores[(scores > t.low) & (scores < t.high)], t.high])[::stricter]

        def fails(value, name=name):
            bound = check.bind(preset)
            setattr(bound, name, np.asarray(value))
            return bool(check.decide(signals, bound).failed)

        for before, after in pairwise(limits):
            beyond = before + stricter * BEYOND if before in scores else before
            if (after - beyond) * stricter > BEYOND:
                assert fails(beyond) == fails(after), f"{name} changes between {before} and {after}, no score does"


def test_margin_and_state_agree_with_value_and_limit(check):
    decided = decision(check, fake_signals(check, 200), Preset())
    ran = ~np.isnan(decided.margin)
    distance = np.abs(decided.value - decided.limit)[ran]
    np.testing.assert_allclose(np.abs(decided.margin[ran]), distance, atol=1e-9)
    assert not (decided.passed & decided.failed).any()
    assert (decided.passed | decided.failed)[ran].all()


def test_every_check_decides_from_its_reduced_signals_as_from_all(check):
    s, t = Bound(**fake_signals(check, 40)), check.bind(Preset())
    whole, reduced = check.decide(s, t), check.decide_reduced(check.reduced(s), t)
    for part in ("value", "limit", "margin", "by"):
        np.testing.assert_array_equal(getattr(reduced, part), getattr(whole, part), err_msg=part)


def test_not_measured_never_passes(check):
    nothing = {k: np.full_like(v, np.nan) for k, v in fake_signals(check, 3).items()}
    assert not decision(check, nothing, Preset()).passed.any()


def test_rejects_values_out_of_bounds(check):
    for t in check.thresholds().values():
        for bad in (t.low - 1, t.high + 1, float("nan"), "0.5", True, None):
            with pytest.raises(ValueError, match=t.key):
                decision(check, fake_signals(check, 1), Preset(thresholds={t.key: bad}))


def measured(make_case, models, answer, **about):
    """A round in which every check has something to measure, those that ask a language model too."""
    from core.case import Judgement
    from core.graph.rounds import measure

    case = make_case(answer, **about)
    judgement = Judgement(by="a model", yes=(0.4,) * len(case.sentences))
    return measure("first", replace(case, judgement=judgement, drafts=(case.draft,)), models)


def test_reason_and_explanation_are_sentences_of_the_project(check, make_case, models):
    from core.words import REASONS

    answer = "Photosynthesis may be 7 km long. Perhaps it is the Largest Sentence [9]."
    found = measured(make_case, models, answer, scores=(0.2, 0.15))
    signals, bound = SimpleNamespace(**found.signals[check.name]), check.bind(Preset())
    assert check.reason(signals, bound) in REASONS
    assert check.explain(found.case, signals, bound).endswith(".")


def test_measured_signals_are_the_declared_ones(check, make_case, models):
    found = measured(make_case, models, "An arithmetic progression is a list of numbers.")
    assert set(found.signals[check.name]) == set(check.signals())
