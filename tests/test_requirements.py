"""What the app imports is in the app's lock, and what tests and training add to it is in theirs."""

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


def locked(*names: str) -> set[str]:
    """The packages of these locks, and torch, which no lock names."""
    lines = [line for name in names for line in (ROOT / ".ci" / f"{name}.lock").read_text("utf-8").splitlines()]
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


PRODUCT = [path for path in files("core", "pages") if not path.is_relative_to(LABORATORY)]
EVERYTHING = files("core", "pages", "tests", "data")


@pytest.mark.parametrize(
    ("paths", "locks"),
    [(PRODUCT, ("requirements",)), (EVERYTHING, ("requirements", "tests", "training"))],
    ids=["the app", "everything"],
)
def test_every_import_is_locked(paths, locks):
    there = locked(*locks)
    missing = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in paths
        for name in imported(path)
        if not packages().get(name, frozenset()) & there
    }
    assert not missing
