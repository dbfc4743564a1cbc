"""A family of rules is left out by its places in the program, is back afterwards, and is known to fire or not."""

import ast
import json
from collections import defaultdict
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pytest

from core.lab.figures import ablation
from core.lab.figures.ablation import ALL, families_table, main
from core.lab.figures.ablation_families import (
    _SLOW_TO_READ,
    FAMILIES,
    forget_texts,
    place_of,
    replaced,
    watched,
)
from core.lab.figures.ablation_rows import Row
from core.text.quantities import quantities
from core.text.words import frequency

CORE = Path(import_module("core.case").__file__).parent
SWITCHES = [switch for switches in FAMILIES.values() for switch in switches]
TWO_UNITS = {"two units": FAMILIES["two units"]}
READ_ONCE = ("core.pdf", "core.library")
"""Packages that read books, which the ablation does not read anew."""


@pytest.mark.parametrize("switch", SWITCHES, ids=[f"{module}.{name}" for module, name, _ in SWITCHES])
def test_each_rule_that_is_left_out_exists_and_comes_back(switch):
    module, name, _ = switch
    kept = attrgetter(name)(import_module(module))
    with replaced((switch,)):
        assert attrgetter(name)(import_module(module)) is not kept
    assert attrgetter(name)(import_module(module)) is kept


def test_what_was_replaced_comes_back_when_a_later_place_does_not_exist():
    kept = quantities("1 hour 30 minutes")
    with pytest.raises(AttributeError), replaced((*FAMILIES["two units"], ("core.text.quantities", "no_such", None))):
        pass
    assert quantities("1 hour 30 minutes") == kept


def users_of_functions():
    """{(module, function): the modules that call it by its own name, which import it or define it}."""
    found = defaultdict(set)
    for path in CORE.rglob("*.py"):
        parts = path.relative_to(CORE.parent).with_suffix("").parts
        module = ".".join(parts).removesuffix(".__init__")
        if "lab" in parts:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    found[node.module, alias.name].add(module)
            elif isinstance(node, ast.Name):
                found[module, node.id].add(module)
    return found


def test_a_rule_is_left_out_wherever_it_is_used():
    users = users_of_functions()
    places = {(module, name) for module, name, _ in SWITCHES}
    assert len(places) > len(FAMILIES)
    for module, name in sorted(places):
        home = getattr(*place_of(module, name)).__module__
        used_by = {user for user in users[home, name] if not user.startswith(READ_ONCE)}
        missing = {user for user in used_by if (user, name) not in places}
        assert not missing, f"{name} is used in {missing} too"


def test_a_rule_that_is_left_out_reads_nothing():
    with replaced(FAMILIES["two units"]):
        assert len(quantities("1 hour 30 minutes")) == 2
    assert len(quantities("1 hour 30 minutes")) == 1


def test_results_on_texts_are_forgotten_and_slow_data_of_the_program_is_kept():
    quantities("1 hour 30 minutes")
    frequency("hour")
    kept = [attrgetter(name.rpartition(".")[2])(import_module(name.rpartition(".")[0])) for name in _SLOW_TO_READ]
    forget_texts()
    assert quantities.cache_info().currsize == 0
    assert all(function.cache_info().currsize for function in kept)


def test_a_family_fires_on_a_text_that_it_reads_in_another_way():
    with watched(TWO_UNITS) as fired:
        forget_texts()
        assert len(quantities("1 hour and 3 cats")) == 2 and not fired
        assert len(quantities("1 hour 30 minutes")) == 1 and fired == {"two units"}


class Counting:
    """Stands for an explorer, and counts its questions."""

    asked = 0


def ask(row, explorer):
    """The result of a row whose answer is the number of quantities in its question, of which one is right."""
    explorer.asked += 1
    count = str(len(quantities(row.question["query"])))
    return {"grade": "own right" if count == "1" else "own wrong", "answer": count}


@pytest.fixture
def explorer(monkeypatch):
    monkeypatch.setattr(Row, "ask", ask)
    monkeypatch.setattr(ablation, "FAMILIES", TWO_UNITS)
    return Counting()


def rows():
    return [Row(f"some-{n}", {"query": query}, str) for n, query in enumerate(("1 hour 30 minutes", "7 cats"))]


def test_only_a_row_on_which_a_family_fires_is_asked_without_it(explorer):
    table = families_table([(explorer, rows())])
    assert explorer.asked == 3
    assert table["sets"] == {"some": 2} and table[ALL] == {"own right": 2}
    assert table["without"] == {"two units": {"fires": 1, "changed": 1, "own right": 1, "own wrong": 1}}


def test_a_part_that_is_not_measured_keeps_its_figures_and_its_date(tmp_path):
    file = tmp_path / "ablation.json"
    file.write_text(json.dumps({"families": {"date": "2026-01-02", ALL: {}}}), encoding="utf-8")
    main(["--out", str(tmp_path)])
    stored = json.loads(file.read_text(encoding="utf-8"))
    assert stored["families"]["date"] == "2026-01-02" < stored["support"]["date"] and "date" not in stored
