"""Measured figures as the README draws them."""

import pytest

from core.bench.figure import Figure
from core.figures import bench_table, calibration_table, kinds_table, pairs_table, questions_table, share
from core.intervals import rate


def test_a_share_stands_with_its_count_and_interval():
    assert share(rate([True] * 3 + [False] * 7).row()) == "3 of 10 (30 %, 11-60)"
    assert share(rate([]).row()) == "none of this kind"


@pytest.mark.parametrize("table", [questions_table, pairs_table, kinds_table, calibration_table, bench_table])
def test_every_table_has_been_measured(table):
    rows = table().splitlines()
    assert len(rows) > 2 and len({row.count("|") for row in rows}) == 1


@pytest.mark.parametrize(("higher", "ratio"), [(True, 0.5), (False, 2.0)])
def test_a_ratio_above_one_is_better_whatever_the_unit(higher, ratio):
    figure = Figure(value=10, unit="x", baseline="y", baseline_value=20, n=1, note="", higher_is_better=higher)
    assert figure.row()["ratio"] == ratio
    assert set(figure.row()) == {"value", "unit", "baseline", "baseline_value", "ratio", "n", "note"}
