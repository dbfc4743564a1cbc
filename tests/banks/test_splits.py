"""Reading banks, and the half of them that nothing which fits, trains, tunes or calibrates may open."""

import ast
import json
from pathlib import Path

import pytest

from core.banks import BANKS, REPORTING, TUNING, read_bank
from core.banks.project import for_fitting
from core.case import CaseError

ROOT = Path(__file__).parents[2]
MAY_COUNT = {
    "core/banks/__init__.py", "core/banks/project.py", "core/command/commands.py",
    "tests/banks/test_splits.py", "core/lab/docs/sample_bank.py", "tests/lab/docs/test_check_alone.py", "core/lab/figures/checks_alone.py", "tests/banks/test_quality.py",
    "core/lab/figures/altered_pairs.py", "tests/command/test_tune.py", "core/lab/figures/writers.py",
    "core/lab/training/judge_figures.py", "core/lab/figures/ablation_rows.py",
}  # fmt: skip
"""The only files that may name the reporting half: its reader, the commands that count it, and what tests both."""
FILES = sorted(p for folder in ("core", "pages", "tests", "data") for p in (ROOT / folder).rglob("*.py"))


def names_the_reporting_half(source):
    """True when code imports or names the reporting half, spells its folder, or asks the reader for it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name | ast.alias) and "REPORTING" in (
            getattr(node, "id", ""),
            getattr(node, "name", ""),
        ):
            return True
        if isinstance(node, ast.Attribute) and node.attr == "REPORTING":
            return True
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and is_its_folder(node.value):
            return True
        if isinstance(node, ast.Call) and any(k.arg in ("report", None) for k in node.keywords) and reads(node.func):
            return True
    return False


def is_its_folder(text):
    return "reporting" in text.lower().replace("\\", "/").split("/")


def reads(function):
    return getattr(function, "id", getattr(function, "attr", "")) == "read_bank"


def test_only_what_counts_may_open_the_reporting_half():
    found = {p.relative_to(ROOT).as_posix() for p in FILES if names_the_reporting_half(p.read_text(encoding="utf-8"))}
    assert found <= MAY_COUNT


@pytest.mark.parametrize("source", [
    "from core.banks import REPORTING", "import core.banks as b\nb.REPORTING", 'open("data/banks/reporting/x.jsonl")',
    'folder = BANKS / "reporting"', "read_bank(path, report=True)", "b.read_bank(path, **options)",
])  # fmt: skip
def test_each_way_to_it_is_seen(source):
    assert names_the_reporting_half(source)


@pytest.mark.parametrize("path", [REPORTING, REPORTING / "pairs.jsonl", TUNING / ".." / "reporting" / "pairs.jsonl"])
def test_the_reader_refuses_the_reporting_half(path):
    with pytest.raises(CaseError, match="only counted; read tuning/ instead"):
        read_bank(path)


def test_a_link_to_the_reporting_half_is_refused_too(tmp_path):
    link = tmp_path / "mine.jsonl"
    link.symlink_to(REPORTING / "vague.jsonl")
    with pytest.raises(CaseError, match="only counted"):
        read_bank(link)


def test_the_tuning_half_and_other_banks_are_open():
    assert read_bank(TUNING)
    assert len(read_bank(BANKS / "chapter_pairs.jsonl")) == 120
    assert len(read_bank(BANKS)) == sum(len(read_bank(file)) for file in BANKS.glob("*.jsonl")) > 120


def test_halves_are_those_of_the_training():
    questions = [f"What is question {n}?" for n in range(50)]
    assert {for_fitting(q) for q in questions} == {True, False}


@pytest.mark.parametrize(("row", "said"), [
    ({"query": 7}, "query"), ({"query": "Q?", "expected": "maybe"}, "expected must be one of answered, part"),
    ({"query": "Q?", "facts": "red"}, "facts must be a list of texts"), ({"query": "Q?", "facts": [""]}, "not empty"),
    ({"query": "Q?", "false_facts": [3]}, "false_facts must be"),
])  # fmt: skip
def test_a_row_that_cannot_be_read_names_its_line(tmp_path, row, said):
    bank = tmp_path / "bank.jsonl"
    bank.write_text('{"query": "What is sound?"}\n\n' + json.dumps(row))
    with pytest.raises(CaseError, match=rf"line 3 of bank\.jsonl .*{said}"):
        read_bank(bank)


def test_what_is_no_bank_is_one_sentence(tmp_path):
    with pytest.raises(CaseError, match="holds no bank"):
        read_bank(tmp_path)
    with pytest.raises(CaseError, match=r"none\.jsonl cannot be read .*name a file of rows"):
        read_bank(tmp_path / "none.jsonl")
