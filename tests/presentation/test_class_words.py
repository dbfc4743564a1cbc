"""Limits of classes in words, and the table of them that people edit."""

import pytest

from core.presentation.class_words import (
    COLUMNS,
    entries_of,
    limit_names,
    moves_text,
    own_limits_text,
    set_sentence,
    table_columns,
    uncovered_sentence,
)
from core.presets.by_class import ClassLimits
from core.presets.saved import PresetError

KEY = "confidence.min_confidence"
ENTRIES = [
    ClassLimits(class_number=10, thresholds={KEY: 60, "support.min_support": 0.655}, modes={"numbers": "watches"}),
    ClassLimits(class_number=10, subject="Science", thresholds={KEY: 70}),
    ClassLimits(subject="History", modes={"hedging": "off"}),
]


def rows(by_class):
    columns = table_columns(by_class)
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def row(*cells):
    return dict(zip(COLUMNS, cells, strict=True))


def test_a_table_that_nobody_edits_gives_the_entries_again():
    assert [tuple(r.values()) for r in rows(ENTRIES)] == [
        (10, None, KEY, "60"), (10, None, "support.min_support", "0.655"), (10, None, "numbers.mode", "Monitor"),
        (10, "Science", KEY, "70"), (None, "History", "hedging.mode", "Off"),
    ]  # fmt: skip
    assert entries_of(rows(ENTRIES)) == ENTRIES and {r["Limit"] for r in rows(ENTRIES)} <= set(limit_names())


def test_empty_rows_do_not_count_and_rows_of_one_class_are_one_entry():
    edited = [row(None, None, None, None), row(9.0, " Social  Science ", KEY, " 55 "), row(None, "", None, "")]
    edited.append(row(9, "Social Science", "numbers.mode", "off"))
    assert entries_of(edited) == [
        ClassLimits(class_number=9, subject="Social Science", thresholds={KEY: 55}, modes={"numbers": "off"})
    ]


@pytest.mark.parametrize(("cells", "why"), [
    ((None, " ", KEY, "60"), "names neither a class nor a subject"), ((10, None, None, "60"), "needs a limit and its"),
    ((10, None, KEY, None), "needs a limit and its value"), ((10, None, KEY, "much"), "needs a number for confidence"),
    ((10, None, "numbers.mode", "perhaps"), "allowed are Block, Monitor, Off"),
])  # fmt: skip
def test_a_row_that_cannot_be_read_is_named_in_one_sentence(cells, why):
    with pytest.raises(PresetError, match=f"^Row 2 .*{why}"):
        entries_of([row(7, None, KEY, "50"), row(*cells)])


def test_a_limit_that_is_set_twice_for_a_class_is_refused():
    with pytest.raises(PresetError, match=r"Row 2 sets confidence\.min_confidence a second time"):
        entries_of([row(10, None, KEY, "60"), row(10, "", KEY, "70")])


def test_the_sentences_name_classes_and_subjects():
    assert own_limits_text(ENTRIES[:1]) == "Class 10 has limits of its own"
    assert own_limits_text(ENTRIES) == "Class 10, Science in class 10 and History have limits of their own"
    assert uncovered_sentence(ENTRIES[:1]) == "It does not cover class 10, which has limits of its own."
    assert uncovered_sentence(()) == set_sentence(()) == ""
    assert set_sentence(ENTRIES[2:]).startswith("History has limits of its own; here the sliders decide every question")
    assert moves_text([KEY]) == "1 slider" and moves_text([KEY, "numbers.mode"]) == "1 slider and 1 mode"
