"""Where the named packages do their work: which module imports each, and at which step of a question it is loaded."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.pdfs import pdf

ROOT = Path(__file__).parents[1]
HEAVY = ("streamlit", "plotly", "chromadb", "sentence_transformers", "transformers", "torch", "pypdf", "pytest")
WHERE = {
    "streamlit": ("app", "pages"),  # every screen
    "plotly": ("pages.components",),  # a picture is drawn
    "chromadb": ("core.library",),  # passages and their vectors are stored and found
    "sentence_transformers": ("core.models.networks",),  # the five networks are loaded
    "transformers": ("core.models.networks",),  # their configurations
    "torch": ("core.models",),  # their outputs
    "pypdf": ("core.pdf", "core.reading"),  # a file is opened
    "pytest": (),  # only the tests
}
"""Package -> the rooms or modules of the product that import it, and nothing else does."""
STEPS = """
import json, sys
from pathlib import Path
loaded = lambda: [p for p in {heavy} if p in sys.modules]
found = {{}}
import core.__main__, core.safety
found["a command begins"] = loaded()
from core.graph.startup import open_explorer
from core.question import Question
from core.thresholds import Preset
found["a page or a command imports what asks"] = loaded()
explorer = open_explorer(Path(sys.argv[1]))
found["library and models are opened"] = loaded()
explorer.library.ingest(Path(sys.argv[2]).read_bytes(), "sound.pdf")
explorer.ask(Question(query="What does sound need?"), Preset())
found["a file is read and a question is answered"] = loaded()
print(json.dumps(found))
"""


def users(name):
    """The modules of the product that import a package, wherever in a file the import stands."""
    line = re.compile(rf"^\s*(import|from) {name}\b", re.MULTILINE)
    files = [ROOT / "app.py", *(p for room in ("core", "pages") for p in (ROOT / room).rglob("*.py"))]
    found = [path.relative_to(ROOT).with_suffix("") for path in files if line.search(path.read_text(encoding="utf-8"))]
    return {".".join(path.parts) for path in found if path.parts[:2] != ("core", "lab")}


@pytest.mark.parametrize("name", WHERE)
def test_a_package_is_imported_where_it_works(name):
    found = users(name)
    assert bool(found) == bool(WHERE[name])
    assert not [module for module in found if not f"{module}.".startswith(tuple(f"{room}." for room in WHERE[name]))]


@pytest.mark.models
def test_a_package_is_loaded_at_its_step_and_not_before(tmp_path):
    file = tmp_path / "sound.pdf"
    file.write_bytes(pdf("Sound needs a medium to travel. It cannot travel through a vacuum."))
    command = [sys.executable, "-c", STEPS.format(heavy=HEAVY), str(tmp_path / "home"), str(file)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    steps = json.loads(done.stdout.splitlines()[-1])
    assert steps["a command begins"] == []
    assert set(steps["a page or a command imports what asks"]) <= {"chromadb"}
    networks = {"sentence_transformers", "transformers", "torch"}
    assert set(steps["library and models are opened"]) == {"chromadb"} | networks
    assert not {"streamlit", "plotly", "pytest"} & set(steps["a file is read and a question is answered"])
