"""What app and tests import comes with requirements.txt, and what training adds to it with its own list."""

import ast
import sys
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LABORATORY = next((ROOT / "core").glob("*/training/export.py")).parents[1]
OWN = {"app", "core", "pages", "tests", "data"}
ON_REQUEST = {"longtracer", "openvino_genai", "ray"}
"""Modules that are installed by a command of their own and imported only after it was run."""


def listed(*names: str) -> set[str]:
    """The packages of these lists, and torch, which the constraints do not name."""
    lines = [line for name in names for line in (ROOT / ".ci" / f"{name}.txt").read_text("utf-8").splitlines()]
    return {canonicalize_name(line.partition("==")[0]) for line in lines if line[:1].isalpha()} | {"torch"}


@cache
def packages() -> dict[str, frozenset[str]]:
    """Module -> the installed packages that bring it. It reads the lists of files of all packages, which takes seconds."""
    return {module: frozenset(map(canonicalize_name, names)) for module, names in packages_distributions().items()}


def files(*folders: str) -> list[Path]:
    return [ROOT / "app.py", *(path for folder in folders for path in (ROOT / folder).rglob("*.py"))]


def imported(path: Path) -> set[str]:
    """The outermost names of all modules of others that a file imports, wherever in it."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
    return {name.split(".")[0] for name in names} - OWN - ON_REQUEST - set(sys.stdlib_module_names)


TRAINING = [path for path in files("core", "tests") if path.is_relative_to(LABORATORY) or "lab" in path.parts]
APP_AND_TESTS = [path for path in files("core", "pages", "tests", "data") if path not in TRAINING]


@pytest.mark.parametrize(
    ("paths", "lists"),
    [(APP_AND_TESTS, ("constraints",)), (TRAINING, ("constraints", "training"))],
    ids=["app and tests", "training"],
)
def test_every_import_is_listed(paths, lists):
    there = listed(*lists)
    missing = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in paths
        for name in imported(path)
        if not packages().get(name, {canonicalize_name(name)}) & there
    }
    assert not missing
