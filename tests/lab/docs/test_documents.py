"""The table of requirements names places and tests that exist, and its docs are drawn from its rows."""

import ast
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from core.decide import verdict
from core.lab.docs.documents import (
    printed_differences_table,
    printed_table,
    reply_table,
    requirements,
    requirements_table,
)
from core.presentation.printed_examples import printed_examples, printed_outcome_count
from core.presets import preset
from core.reply.reply import reply_of
from core.settings.domains import domain
from tests.support.traces import trace_of

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "data" / "documents" / "README.md"


@pytest.mark.parametrize("place", sorted({row["place"] for row in requirements()}))
def test_a_place_exists(place):
    module, _, names = place.partition(":")
    found = import_module(module)
    for name in names.split("."):
        assert hasattr(found, name) or name in getattr(found, "__annotations__", {}), place
        found = getattr(found, name, None)


@cache
def functions_of(file):
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("test", sorted({row["test"] for row in requirements()}))
def test_a_test_exists(test):
    file, _, name = test.partition("::")
    assert (ROOT / file).exists(), test
    assert not name or name in functions_of(file), test


def test_at_least_200_requirements_hold_and_the_others_say_why():
    rows = requirements()
    assert all(row["requirement"] and row["lines"] and row["document"] in "ABCDE" for row in rows)
    met = [row for row in rows if not row["difference"]]
    assert len(met) >= 200 and all(row["difference"].endswith(".") for row in rows if row not in met)


def test_the_page_holds_the_tables_as_they_are_drawn():
    page = PAGE.read_text(encoding="utf-8")
    for table in (requirements_table(), printed_table(), printed_differences_table()):
        assert table in page
    assert printed_differences_table().count("\n") == 1 + len(printed_examples()) - printed_outcome_count(
        printed_examples(), "own"
    )


def test_every_field_of_the_one_row_is_described_with_its_path(make_case, models):
    paths = dict(line.strip("| ").split(" | ", 1) for line in reply_table().splitlines()[2:])
    assert all(text.strip() for text in paths.values()) and "`checks.NAME.margin`" in paths
    trace = trace_of(models, make_case("Perhaps an arithmetic progression is a list of numbers."))
    row = reply_of(trace, verdict(trace, preset("default")), preset("default"), domain()).row()
    assert {f"`{name}`" for name in ("id", *row)} == {path for path in paths if not set(path) & set(".[")}
    assert {f"`sentences[].{name}`" for name in row["sentences"][0]} <= set(paths)
    assert {f"`guardrailLog[].{name}`" for name in row["guardrailLog"][0]} <= set(paths)
