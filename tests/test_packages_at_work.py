"""At which step of a question the named packages are loaded, and that no step of a command asks another computer; which
module imports each package, tests/test_layers.py says."""

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
explorer.library.close()
for command in json.loads(sys.argv[3]):
    assert core.__main__.main([*command, "--home", sys.argv[1]]) == 0
print(json.dumps(found))
"""


@pytest.mark.models
def test_a_package_is_loaded_at_its_step_and_no_step_leaves_the_computer(outside, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file, rows = tmp_path / "sound.pdf", tmp_path / "rows.jsonl"
    file.write_bytes(make_pdf("Sound needs a medium to travel. It cannot travel through a vacuum."))
    rows.write_text(json.dumps({"query": "What does sound need?", "answer": "Sound needs a medium."}))
    commands = (
        ["ingest", str(file)], ["ask", "What does sound need?"],
        ["judge", "--in", str(rows), "--out", str(tmp_path / "out.jsonl")],
    )  # fmt: skip
    command = [sys.executable, "-c", STEPS.format(heavy=HEAVY), str(tmp_path / "home"), str(file), json.dumps(commands)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    assert outside() == []
    assert not (tmp_path / "cache").exists()  # ONNX Runtime makes no id of this computer there to post under
    steps = json.loads(done.stdout.splitlines()[-1])
    assert steps["a command begins"] == []
    assert set(steps["a page or a command imports what asks"]) <= {"chromadb"}
    networks = {"sentence_transformers", "transformers", "torch"}
    assert set(steps["library and models are opened"]) == {"chromadb"} | networks
    assert not {"streamlit", "plotly", "pytest"} & set(steps["a file is read and a question is answered"])
