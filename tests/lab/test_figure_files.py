"""Figures are stored as a whole, and a file that is not there yet holds none."""

from core.lab.figure_files import dated, store_figures, stored_figures


def test_what_is_stored_is_read_again_and_other_parts_stay(tmp_path):
    path = tmp_path / "new" / "figures.json"
    assert stored_figures(path) == {}
    store_figures(path, {"nli": dated({"n": 3})})
    store_figures(path, stored_figures(path) | {"paired": {"price": "₹48"}})
    assert stored_figures(path) == {"nli": dated({"n": 3}), "paired": {"price": "₹48"}}
    assert "₹48" in path.read_text(encoding="utf-8") and [*path.parent.iterdir()] == [path]
