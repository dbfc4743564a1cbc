"""Imports point down, no package imports in a circle, and what is heavy has one owner."""

import ast
import re
import subprocess
from collections import defaultdict
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = [p for folder in ("core", "pages") for p in (ROOT / folder).rglob("*.py")] + [ROOT / "app.py"]
OWNERS = {
    "torch": "core.models", "transformers": "core.models.networks", "sentence_transformers": "core.models.networks",
    "openvino": "core.models", "openvino_genai": "core.models", "onnxruntime": "core.models", "nncf": "", "onnx": "",
    "openai": "core.writers", "httpx2": "core.writers", "chromadb": "core.library", "ray": "core.command",
    "pypdf": "core.pdf", "pypdfium2": "core.pdf", "langgraph": "core.graph", "fastapi": "core.service",
    "jinja2": "core.reports", "streamlit": "app pages", "plotly": "pages.components", "pytest": "",
}  # fmt: skip
"""The only rooms or modules of the product that import each heavy library; "" where only the laboratory or the tests do."""
LAB_OWNERS = {
    "torch": "core.lab.training", "transformers": "core.lab.training core.lab.bench.pipeline",
    "onnxruntime": "core.lab.training.export", "onnx": "core.lab.training.export", "nncf": "core.lab.training.export",
    "pypdf": "core.lab.plain_text", "streamlit": "core.lab.load.page_socket",
}  # fmt: skip
"""The same for the laboratory; it imports no other heavy library."""
LAB_ROOMS = {
    "commands": "bench docs figure_files", "printed_examples": "figure_files", "sample": "", "load": "bench",
    "docs": "figures training figure_files", "figures": "training bench figure_files plain_text",
    "training": "bench figure_files plain_text", "bench": "plain_text", "figure_files": "", "plain_text": "",
}  # fmt: skip
"""The rooms of the laboratory, and for each the others that it imports."""
LAYERS = (
    ("core.__main__",),
    ("core.lab",),
    ("app", "pages", "core.command"),
    ("core.home", "core.service"),
    ("core.reports", "core.journal"),
    ("core.presentation",),
    ("core.tuning", "core.banks"),
    ("core.graph", "core.safety", "core.evaluation", "core.chapter"),
    ("core.reply",),
    ("core.presets", "core.features"),
    ("core.decide",),
    ("core.checks",),
    ("core.check",),
    ("core.writers",),
    ("core.models",),
    ("core.retrieval", "core.library"),
    ("core.pdf",),
    ("core.text", "core.settings", "core.book_titles"),
    ("core.case", "core.decision", "core.thresholds"),
    ("core.question", "core.judgements"),
    ("core.platform", "core.words"),
    ("core.errors",),
)
"""From the top to the bottom: a package imports from its own layer and from those below."""


def package(module):
    """The room of a module: `core.decide` of `core.decide.verdicts`, and the pages as one."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "core" else parts[0]


@cache
def imports():
    """(file, package, module that it imports at run time) of every import, wherever in a file it stands."""
    found = []
    for path in FILES:
        name = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                node.body = []
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found += [(name, package(name), alias.name) for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.append((name, package(name), node.module))
    return found


def between_packages():
    return [(name, own, package(m)) for name, own, m in imports() if m.split(".")[0] in ("core", "pages", "app")]


def module_of(path):
    return path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")


@cache
def files_imported():
    """Module -> the modules of this project that its file imports, those for type checkers only included."""
    own, graph = {module_of(path) for path in FILES}, {}
    for path in FILES:
        graph[module_of(path)] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                whole = {f"{node.module}.{alias.name}" for alias in node.names} & own
                names = [*whole, *([node.module] if len(whole) < len(node.names) else [])]
            else:
                continue
            graph[module_of(path)] |= own & set(names)
    return graph


def test_no_package_imports_in_a_circle():
    graph = defaultdict(set)
    for file, others in files_imported().items():
        graph[package(file)] |= {package(other) for other in others} - {package(file)}
    order = list(TopologicalSorter(graph).static_order())  # CycleError names the circle
    assert order.index("core.checks") < order.index("core.decide") < order.index("core.graph") < order.index("pages")


def test_no_file_imports_in_a_circle():
    assert list(TopologicalSorter(files_imported()).static_order())  # CycleError names the circle


def test_imports_point_down():
    layer = {room: n for n, rooms in enumerate(LAYERS) for room in rooms}
    assert {own for _, own, _ in imports()} <= {*layer, "core"}  # every room has its layer
    assert not [i for i in between_packages() if i[1] != "core" and layer[i[1]] > layer.get(i[2], len(LAYERS))]


def closure(module):
    """The modules of this project that a module imports, directly or not, and itself."""
    seen, todo = set(), [module]
    while todo:
        if (one := todo.pop()) not in seen:
            seen.add(one)
            todo += files_imported().get(one, ())
    return seen


def test_what_decides_knows_no_english():
    """The engine imports the case, the check and the checks; what puts a verdict together adds the words for people."""
    floor = re.compile(
        r"core\.(case|check|checks(\..*)?|decision|errors|thresholds|judgements|question|words|book_titles|decide\..*)"
    )
    assert not [name for name in closure("core.decide.engine") if not floor.fullmatch(name)]
    rules = {"core.text", "core.retrieval", "core.features", "core.models", "core.writers", "core.pdf"}
    for decider in (name for name in files_imported() if package(name) in ("core.decide", "core.check", "core.checks")):
        assert not {package(name) for name in closure(decider)} & rules, decider


def test_nothing_of_the_product_imports_the_laboratory():
    users = {own for _, own, other in between_packages() if other == "core.lab"}
    assert users <= {"core.lab", "core.__main__"}  # the command line offers its two commands, bench and docs


@pytest.mark.parametrize("library", OWNERS)
def test_what_is_heavy_is_imported_where_it_works(library):
    users = {name for name, _, other in imports() if other.split(".")[0] == library}
    in_lab = {name for name in users if package(name) == "core.lab"}
    for some, owners in ((users - in_lab, OWNERS[library]), (in_lab, LAB_OWNERS.get(library, ""))):
        prefixes = tuple(f"{owner}." for owner in owners.split())
        assert bool(some) == bool(prefixes) and not [name for name in some if not f"{name}.".startswith(prefixes)]


def test_the_rooms_of_the_laboratory_import_each_other_in_one_direction():
    found = defaultdict(set)
    for name, others in files_imported().items():
        if package(name) == "core.lab" != name:
            own = name.split(".")[2]
            found[own] |= {other.split(".")[2] for other in others if package(other) == "core.lab" != other} - {own}
    assert found == {room: set(others.split()) for room, others in LAB_ROOMS.items()}
    assert list(TopologicalSorter(found).static_order())  # CycleError names the circle


def test_one_module_accesses_the_session():
    """Pages read and set declared values, so that a mistyped name is an error and not a new key."""
    users = [p.stem for p in FILES if "session_state" in p.read_text(encoding="utf-8")]
    assert users == ["session_values"]


def test_what_takes_seconds_to_import_is_imported_by_what_needs_it():
    """torch and those that import it: only with core.models.networks, and that when a model is loaded, or every command
    and the first screen would wait for them."""
    slow = re.compile(r"(import|from) (torch|transformers|sentence_transformers|core\.models\.networks)\b")
    slow_too = re.compile(r"from core\.models import .*\bnetworks\b")
    trees = {module_of(path): ast.parse(path.read_text(encoding="utf-8")) for path in FILES}
    found = {
        name
        for name, tree in trees.items()
        for line in map(ast.unparse, tree.body)
        if not name.startswith("core.lab") and (slow.match(line) or slow_too.match(line))
    }
    assert found == {"core.models.networks"}


def test_files_stay_short():
    """One concern a file; files that must be read together are one, so that 400 lines are fine."""
    limits = {ROOT / "app.py": 40} | {p: 90 for p in FILES if p.parent == ROOT / "pages"}
    assert not [p.name for p in FILES if len(p.read_text(encoding="utf-8").splitlines()) > limits.get(p, 400)]


def test_only_the_agreed_names_stand_at_the_top():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    allowed = {
        "app.py",
        "pages",
        "core",
        "data",
        "tests",
        "requirements.txt",
        "README.md",
        "LICENSE",
    }
    assert {top for name in listed if not (top := name.split("/")[0]).startswith(".")} <= allowed


def test_no_test_imports_another_test():
    """What tests share lies in tests/support or in a file that is no test; fixtures of a conftest come by name."""
    tests = {p: ast.parse(p.read_text(encoding="utf-8")) for p in (ROOT / "tests").rglob("*.py")}
    shared = re.compile(r"(^|\.)(test_\w+|conftest)$")
    imported = {
        (path.relative_to(ROOT).as_posix(), name)
        for path, tree in tests.items()
        for node in ast.walk(tree)
        for name in module_names(node)
        if name.startswith("tests.")
    }
    assert not [(path, name) for path, name in imported if shared.search(name)]
    support = [(path, name) for path, name in imported if path.startswith("tests/support/")]
    assert not [(path, name) for path, name in support if not name.startswith("tests.support")]


def module_names(node):
    """The dotted names of all that an import statement imports: its modules, and each name that it takes from one."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


def test_tests_mirror_the_code():
    """A folder of tests is named after the package of core that it tests, or is one of these four."""
    packages = {p.parent.name for p in (ROOT / "core").glob("*/__init__.py")}
    folders = {p.parent.name for p in (ROOT / "tests").glob("*/__init__.py")}
    assert folders - packages == {"browser", "pages", "seeds", "support"}
