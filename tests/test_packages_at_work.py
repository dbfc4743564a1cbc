"""At which step of a question the named packages are loaded; which module imports each, tests/test_layers.py says."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.pdfs import make_pdf

ROOT = Path(__file__).parents[1]
HEAVY = ("streamlit", "plotly", "chromadb", "sentence_transformers", "transformers", "torch", "pypdf", "pytest")
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


@pytest.mark.models
def test_a_package_is_loaded_at_its_step_and_not_before(tmp_path):
    file = tmp_path / "sound.pdf"
    file.write_bytes(make_pdf("Sound needs a medium to travel. It cannot travel through a vacuum."))
    command = [sys.executable, "-c", STEPS.format(heavy=HEAVY), str(tmp_path / "home"), str(file)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    steps = json.loads(done.stdout.splitlines()[-1])
    assert steps["a command begins"] == []
    assert set(steps["a page or a command imports what asks"]) <= {"chromadb"}
    networks = {"sentence_transformers", "transformers", "torch"}
    assert set(steps["library and models are opened"]) == {"chromadb"} | networks
    assert not {"streamlit", "plotly", "pytest"} & set(steps["a file is read and a question is answered"])
