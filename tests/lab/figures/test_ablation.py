"""A rule is left out by its place in the program, and is back afterwards."""

from importlib import import_module

import pytest

from core.lab.figures.ablation import FAMILIES, NUMBERS, numbers_table, without
from core.text.quantities import quantities

SWITCHES = [*NUMBERS.values(), *(switch for switches in FAMILIES.values() for switch in switches)]


@pytest.mark.parametrize("switch", SWITCHES, ids=[f"{module}.{name}" for module, name, _ in SWITCHES])
def test_each_rule_that_is_left_out_exists_and_comes_back(switch):
    module, name, replacement = switch
    kept = getattr(import_module(module), name)
    with without((switch,)):
        assert getattr(import_module(module), name) is replacement
    assert getattr(import_module(module), name) is kept


def test_a_rule_that_is_left_out_reads_nothing():
    quantities.cache_clear()
    with without((NUMBERS["two units"],)):
        assert len(quantities("1 hour 30 minutes")) == 2
    quantities.cache_clear()
    assert len(quantities("1 hour 30 minutes")) == 1


def test_without_a_measured_answer_nothing_is_counted():
    assert numbers_table([])["all rules"] == {"supported": 0, "altered": 0}
