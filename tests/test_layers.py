"""Imports point down: pages -> graph, sweep, evaluate -> chain -> checks -> check -> thresholds."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = [p for folder in ("core", "pages") for p in (ROOT / folder).rglob("*.py")] + [ROOT / "app.py"]
HEAVY = {"torch", "transformers", "sentence_transformers", "chromadb", "pypdf", "openai", "httpx2"}
OWNERS = {
    "torch": "core/models", "transformers": "core/models", "sentence_transformers": "core/models",
    "chromadb": "core/library", "pypdf": "core/library", "pypdfium2": "core/pdf",
    "openai": "core/models", "httpx2": "core/models", "onnxruntime": "core/models", "openvino": "core/models",
}  # fmt: skip
BELOW = {
    "core/thresholds.py": {"core"},
    "core/case.py": {"core"},
    "core/check.py": {
        "core.chain",
        "core.graph",
        "core.engine",
        "core.presets",
        "core.models",
        "core.library",
        "core.retrieval",
    },
    "core/checks": {
        "core.chain",
        "core.graph",
        "core.engine",
        "core.presets",
        "core.models",
        "core.library",
        "core.retrieval",
    },
    **{
        part: {"core.graph", "core.engine", "core.models", "core.library", "core.retrieval", "core.sweep", "core.tuning"}
        for part in ("core/chain.py", "core/deciding")
    },
    "core/moves": {"core.graph", "core.engine", "core.models", "core.library", "core.retrieval"},
    "core/english": {"core.chain", "core.graph", "core.check", "core.deciding", "core.models", "core.library"},
    "core/engine.py": {"core.chain", "core.graph", "core.models", "core.library", "core.retrieval"},
    "core/retrieval": {
        "core.chain",
        "core.graph",
        "core.engine",
        "core.check",
        "core.models",
        "core.library",
    },
    "core/models": {"core.chain", "core.graph", "core.engine", "core.check"},
    "core/library": {"core.chain", "core.graph", "core.engine", "core.check", "core.models"},
}
"""For each part, what it must not import at run time."""


def imported(path):
    """Modules that a file imports at run time, wherever in it; imports for type checkers only are left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_down(path):
    name = path.relative_to(ROOT).as_posix()
    modules = set(imported(path))
    tops = {m.split(".")[0] for m in modules}
    if name.startswith("core"):
        assert not tops & {"streamlit", "pages"}
    assert not {m for m in tops & HEAVY if not name.startswith(OWNERS[m])}
    for part, forbidden in BELOW.items():
        if (name == part or name.startswith(part + "/")) and not name.startswith("core/models/training"):
            assert not {m for m in modules for f in forbidden if m == f or m.startswith(f + ".")}


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_stay_short(path):
    lines = len(path.read_text(encoding="utf-8").splitlines())
    name = path.relative_to(ROOT).as_posix()
    limit = 40 if name == "app.py" else 90 if path.parent.name == "pages" else 300
    assert lines <= limit


def test_only_the_agreed_names_stand_at_the_top():
    import subprocess

    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    tops = {name.split("/")[0] for name in listed if name}
    allowed = {"app.py", "pages", "core", "data", "tests", "requirements.txt", "README.md", "LICENSE"}
    assert {t for t in tops if not t.startswith(".")} <= allowed
