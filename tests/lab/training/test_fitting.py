"""Sigmoids find the curve that made the labels, and reliability is what one counts by hand."""

import numpy as np
import pytest

from core.lab.training.fitting import Platt, corrected_platt, curve, platt, reliability, temperature


def test_the_fit_finds_the_curve_that_made_the_labels():
    scores = np.repeat(np.linspace(0, 1, 21), 2)
    truth = Platt(slope=9.0, offset=-4.0)
    labels, weights = np.tile([1.0, 0.0], 21), np.where(np.tile([True, False], 21), truth(scores), 1 - truth(scores))
    found = platt(scores, labels, weights)
    assert (found.slope, found.offset) == pytest.approx((9.0, -4.0), abs=1e-4)


def test_a_weight_counts_as_that_many_rows():
    scores, labels = np.array([0.1, 0.4, 0.6, 0.9]), np.array([0.0, 1.0, 0.0, 1.0])
    twice = platt(np.append(scores, 0.4), np.append(labels, 1.0), np.ones(5))
    assert platt(scores, labels, np.array([1.0, 2.0, 1.0, 1.0])).slope == pytest.approx(twice.slope)


def test_reliability_of_four_labels_counted_by_hand():
    found = reliability(np.array([0.15, 0.15, 0.85, 0.85]), np.array([0.0, 1.0, 1.0, 1.0]), np.ones(4))
    assert found == {
        "n": 4, "base_rate": 0.75, "mean": 0.5, "brier": 0.1975, "ece": 0.25,
        "log_loss": round(-(3 * np.log(0.85) + np.log(0.15)) / 4, 4),
    }  # fmt: skip


def test_a_temperature_undoes_too_much_certainty():
    random = np.random.default_rng(0)
    honest = random.normal(size=(4_000, 3))
    chances = np.exp(honest) / np.exp(honest).sum(1, keepdims=True)
    targets = np.array([random.choice(3, p=p) for p in chances])
    assert temperature(3 * honest, targets, np.ones(4_000)) == pytest.approx(3, rel=0.1)


def test_labels_that_only_hint_give_the_sigmoid_of_the_truth():
    random = np.random.default_rng(0)
    scores = random.normal(size=20_000)
    truth = random.random(20_000) < 1 / (1 + np.exp(-(3 * scores - 1)))
    seen = np.where(truth, random.random(20_000) < 0.7, random.random(20_000) < 0.2).astype(float)
    ones = np.ones(20_000)
    corrected = corrected_platt(scores, seen, ones, 0.7 * ones, 0.2 * ones)
    assert (corrected.slope, corrected.offset) == (pytest.approx(3, rel=0.15), pytest.approx(-1, rel=0.2))
    assert platt(scores, seen, ones)(2.0) < 0.85 < corrected(2.0)


def test_a_reliability_curve_has_a_point_for_each_tenth_with_rows():
    drawn = curve(np.array([0.05, 0.08, 0.95]), np.array([0.0, 1.0, 1.0]), np.ones(3))
    assert drawn == [{"said": 0.065, "true": 0.5, "n": 2}, {"said": 0.95, "true": 1.0, "n": 1}]
