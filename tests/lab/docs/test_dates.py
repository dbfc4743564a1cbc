"""Every table of measured figures says when it was measured, and what has changed since."""

import json

import pytest

from core.lab.docs import measurements
from core.lab.docs.measurements import CHANGES, SOURCES, changes_since, date_sentence
from core.lab.docs.tables import BLOCKS, ROOT, blocks_of, refreshed
from core.lab.figure_files import dated, without_date

PAGE = ROOT / "data" / "measured" / "README.md"
OF_THEIR_OWN = {
    "sample_bank": "measured on 2", "writers": "* on 2", "alone": "counted on 2",
    "spliced": "| 2", "ablation": "measured on 2",
}  # fmt: skip
"""Tables that say their dates themselves, and the words in front of a date."""


@pytest.mark.parametrize("name", blocks_of(PAGE.read_text(encoding="utf-8")))
def test_each_table_is_dated(name):
    if name in OF_THEIR_OWN:
        assert OF_THEIR_OWN[name] in BLOCKS[name]() and date_sentence(name) == ""
    else:
        assert date_sentence(name).startswith("Measured on 2") or name == "bench"  # which its own command dates


def test_a_change_is_told_where_the_table_depends_on_it_and_is_older():
    day, text = CHANGES["reading"]
    assert changes_since("2026-01-01", ("reading",)) == f" Since then: {text}."
    assert changes_since(day, ("reading",)) == changes_since("2026-01-01", ()) == ""
    assert changes_since("2026-01-01", tuple(CHANGES)).count("; ") == len(CHANGES) - 1


@pytest.fixture
def stored(tmp_path, monkeypatch):
    monkeypatch.setattr(measurements, "MEASUREMENTS", tmp_path)

    def store(name, figures):
        (tmp_path / f"{name}.json").write_text(json.dumps(figures))

    return store


def test_the_date_is_that_of_the_file_or_of_its_part(stored):
    stored("models", {"nli": {"date": "2026-01-02"}, "paired": {"date": "2026-01-03"}})
    stored("bench", {"ask_warm": {}})
    assert date_sentence("nli") == "Measured on 2026-01-02."
    since = "; ".join(CHANGES[part][1] for part in ("reading", "facts"))
    assert date_sentence("paired") == f"Measured on 2026-01-03. Since then: {since}."
    assert date_sentence("bench") == "Its date was not stored."
    assert date_sentence("judge") == date_sentence("checks") == ""


def test_figures_are_dated_anew_whenever_they_are_stored():
    assert without_date(dated({"date": "2026-01-02", "n": 3})) == {"n": 3}
    assert dated({"date": "2026-01-02"})["date"] > "2026-11-27"


def test_the_sentence_stands_above_its_table():
    page = refreshed("<!-- words:start -->\n<!-- words:end -->")
    assert page == f"<!-- words:start -->\n{date_sentence('words')}\n\n{BLOCKS['words']()}\n<!-- words:end -->"


def test_every_source_is_a_table_and_depends_on_parts_that_change():
    assert set(SOURCES) < set(BLOCKS) and {topic for _, topics in SOURCES.values() for topic in topics} <= set(CHANGES)
