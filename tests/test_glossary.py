"""The glossary names what the code has: its terms exist, and no name of a kind is missing."""

import re
from pathlib import Path
from pkgutil import resolve_name

import pytest

from core.checks import all_checks
from core.checks.fact_grounding import TIERS
from core.decide import SEARCHES
from core.decide.routes import ROUTES
from core.presets import presets
from core.settings import WRITERS
from core.thresholds import MODES
from core.words import REASONS

PAGE = (Path(__file__).parents[1] / "core" / "README.md").read_text(encoding="utf-8")
GLOSSARY, AVOIDED = PAGE.split("## Words that we avoid")
ROWS = re.findall(r"^\| ([^|`]+) \| ([^|]+) \| `(core[\w.]+)` \|$", GLOSSARY, re.MULTILINE)


def test_every_row_is_read():
    lines = [line for line in GLOSSARY.splitlines() if line.startswith("| ")]
    assert len(ROWS) == len(lines) - GLOSSARY.count("|---|---|---|") > 50


@pytest.mark.parametrize("path", sorted({path for _, _, path in ROWS}))
def test_what_it_names_in_code_is_there(path):
    assert resolve_name(path)


def test_no_term_is_defined_twice_and_none_is_a_word_to_avoid():
    terms = [term for term, _, _ in ROWS]
    assert len(terms) == len(set(terms))
    avoided = re.findall(r"^\| (\w+) \| .+ \| .+ \|$", AVOIDED, re.MULTILINE)
    assert len(avoided) > 10 and not set(avoided) & set(terms)


@pytest.mark.parametrize(
    "names",
    [[check.name for check in all_checks()], REASONS, ROUTES, MODES, TIERS, WRITERS, SEARCHES],
    ids=["checks", "reasons", "routes", "modes", "tiers", "writers", "rounds"],
)
def test_every_name_of_a_kind_is_in_it(names):
    assert not [name for name in names if f"`{name}`" not in GLOSSARY]


def test_every_preset_is_in_it():
    listed = {f"seed_{letter}" for letter in "abcde"} | set(re.findall(r"`(\w+)`", GLOSSARY))
    assert set(presets()) <= listed


def test_every_package_says_what_it_holds():
    packages = dict(re.findall(r"^\| `core\.(\w+)` \| (.*) \|$", PAGE, re.MULTILINE))
    assert len(packages) > 10 and all(packages.values())
