"""The docs prove themselves: their tables are current, their links lead somewhere, and the Python example runs."""

import re
import runpy
from importlib.util import find_spec
from pathlib import Path

import pytest

from core.checks import all_checks
from core.command import cluster
from core.lab.docs.tables import BLOCKS, PAGES, README, blocks_of, refreshed
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


def test_a_command_of_the_laboratory_has_the_options_that_a_page_or_a_card_names():
    pages = [*PAGES, *README.parent.glob("data/models/*/CARD.md")]
    text = " ".join(word for page in pages for word in page.read_text(encoding="utf-8").split())
    commands = re.findall(r"-m (core\.lab[.\w]+)((?: (?!\.venv)[^\s`|#]+)*)", text)
    assert len(commands) >= 20
    shared = (README.parent / "core" / "lab" / "training" / "trainer.py").read_text(encoding="utf-8")
    for module, arguments in commands:
        source = Path(find_spec(module).origin).read_text(encoding="utf-8")
        assert set(re.findall(r"--[a-z-]+", arguments)) <= set(re.findall(r'"(--[a-z-]+)"', source + shared)), module


def test_the_front_page_is_one():
    rows_of_checks = tuple(f"| `{c.name}` |" for c in all_checks())  # one a check: they do not count
    lines = README.read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if not line.startswith(rows_of_checks)]) <= 130


@pytest.mark.usefixtures("bundled_models")
def test_its_python_example_runs_and_delivers(capsys, tmp_path):
    example = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL).group(1)
    script = tmp_path / "example.py"
    script.write_text(example, encoding="utf-8")
    runpy.run_path(str(script))
    assert capsys.readouterr().out.startswith("False Every check passed.")


def test_the_judge_runs_the_readmes_own_command():
    judge = (README.parent / ".ci" / "run").read_text()
    assert "test-command:start" in judge and "<!-- test-command:start -->" in README.read_text(encoding="utf-8")


def pinned(name):
    """Package -> version of a list of requirements, and the lines that begin them."""
    lines = (README.parent / name).read_text(encoding="utf-8").splitlines()
    return dict(re.fullmatch(r"([\w.-]+)==([^\s;]+).*", line.lower()).groups() for line in lines if line[:1].isalpha())


def test_its_two_commands_need_nothing_but_the_list_of_requirements():
    install = "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt && "
    text = README.read_text(encoding="utf-8")
    assert f"\n{install}.venv/bin/streamlit run app.py\n" in text
    assert f"\n{install}.venv/bin/python -m pytest\n" in text


def test_the_judge_installs_the_versions_that_are_asked_for_and_no_other_of_what_they_bring():
    asked, locked = pinned("requirements.txt"), pinned(".ci/constraints.txt")
    assert {name for name, version in asked.items() if locked.get(name) != version} == {"torch"}
    assert "PIP_CONSTRAINT=.ci/constraints.txt" in (README.parent / ".ci" / "run").read_text()


def test_every_file_of_a_package_installed_on_request_has_its_hash():
    for lock in (".ci/local-writer.lock", ".ci/ray.lock"):
        blocks = re.split(r"\n(?=\w)", (README.parent / lock).read_text(encoding="utf-8"))[1:]
        assert len(blocks) == len(pinned(lock)) and all("--hash=sha256:" in block for block in blocks)


def test_the_readme_of_the_folder_says_how_ray_is_installed():
    assert f"\n{cluster.INSTALL}\n" in (README.parent / "core" / "home" / "README.md").read_text(encoding="utf-8")
    assert list(pinned(cluster.INSTALL.split()[-1])) == ["msgpack", "ray"]


def test_the_third_command_installs_the_model_of_the_local_writer_and_what_runs_it():
    locked, openvino = pinned(".ci/local-writer.lock"), pinned("requirements.txt")["openvino"]
    assert f"\n{qwen.INSTALL}\n" in README.read_text(encoding="utf-8") and ".ci/local-writer.lock" in qwen.INSTALL
    assert {name.replace("-", "_") for name in locked} == {*qwen._RUNTIME, *(name for name, _ in qwen.PARTS)}
    assert locked["openvino-genai"] == locked["openvino-tokenizers"] == f"{openvino}.0"
