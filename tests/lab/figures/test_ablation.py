"""A family of rules is left out by its place in the program, is back afterwards, and is known to fire or not."""

from importlib import import_module
from operator import attrgetter

import pytest

from core.lab.figures import ablation
from core.lab.figures.ablation import ALL, families_table
from core.lab.figures.ablation_families import FAMILIES, forget_texts, watched, without
from core.lab.figures.ablation_rows import Row
from core.text.quantities import quantities

SWITCHES = [switch for switches in FAMILIES.values() for switch in switches]
TWO_UNITS = {"two units": FAMILIES["two units"]}


@pytest.mark.parametrize("switch", SWITCHES, ids=[f"{module}.{name}" for module, name, _ in SWITCHES])
def test_each_rule_that_is_left_out_exists_and_comes_back(switch):
    module, name, _ = switch
    kept = attrgetter(name)(import_module(module))
    with without((switch,)):
        assert attrgetter(name)(import_module(module)) is not kept
    assert attrgetter(name)(import_module(module)) is kept


def test_a_rule_that_is_left_out_reads_nothing():
    with without(FAMILIES["two units"]):
        assert len(quantities("1 hour 30 minutes")) == 2
    assert len(quantities("1 hour 30 minutes")) == 1


def test_a_family_fires_on_a_text_that_it_reads_in_another_way():
    with watched(TWO_UNITS) as fired:
        forget_texts()
        assert len(quantities("1 hour and 3 cats")) == 2 and not fired
        assert len(quantities("1 hour 30 minutes")) == 1 and fired == {"two units"}


class Counting:
    """Stands for an explorer: answers with the number of quantities in the question."""

    asked = 0


def ask(row, explorer):
    explorer.asked += 1
    count = str(len(quantities(row.question["query"])))
    return {"grade": "own right" if count == "1" else "own wrong", "answer": count}


def test_only_a_row_on_which_a_family_fires_is_asked_without_it_and_none_twice(monkeypatch, tmp_path):
    monkeypatch.setattr(Row, "ask", ask)
    monkeypatch.setattr(ablation, "FAMILIES", TWO_UNITS)
    rows = [Row(str(n), {"query": query}, str) for n, query in enumerate(("1 hour 30 minutes", "7 cats"))]
    explorer = Counting()
    for _ in range(2):  # the second time everything is stored
        table = families_table([(explorer, rows)], tmp_path)
        assert explorer.asked == 3
    assert table[ALL] == {"own right": 2}
    assert table["two units"] == {"fires": 1, "changed": 1, "own right": 1, "own wrong": 1}
