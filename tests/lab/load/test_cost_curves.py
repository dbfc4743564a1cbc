"""The cost curves are stored point by point: a count that is measured again replaces its point, others stay."""

from core.lab.load.cost_curves import store
from core.reports.evaluation_report import read_measurement


def stored(folder):
    return read_measurement("cost_curves", folder)


def test_a_point_replaces_that_of_its_count_and_points_are_in_order(tmp_path):
    for count, median in ((1000, 1.234), (100, 1.0), (1000, 2.0)):
        store("rows", {"count": count, "n": 3, "median_ms": median}, tmp_path)
    assert [(p["count"], p["median_ms"]) for p in stored(tmp_path)["rows"]] == [(100, 1.0), (1000, 2.0)]
    store("people", {"count": 1, "n": 2, "median_s": 1.2345}, tmp_path)
    assert len(stored(tmp_path)["rows"]) == 2 and stored(tmp_path)["people"][0]["median_s"] == 1.23
    assert {"date", "cores", "load"} < set(stored(tmp_path)["people"][0])
