"""Nothing leaves the computer: every connection and every name that a command asks for is traced, in all its processes.

So is all that the app asks for under the tests in a browser, at whose end it is looked at (tests/browser/conftest.py).
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.models.qwen import missing
from tests.pdfs import pdf

ROOT = Path(__file__).parents[1]
LOOPBACK = ("127.", "::1", "localhost", "/", "\0")
"""How an address of this computer begins; a path is that of a socket on it."""
TRACER = """
import sys
from pathlib import Path

TRACED = ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname")

def note(event, arguments):
    if event in TRACED:
        address = arguments[0 if event.startswith("socket.get") else 1]
        host = address[0] if isinstance(address, tuple) else address
        host = host.decode(errors="replace") if isinstance(host, bytes) else host
        with Path(__file__).with_name("connections").open("a") as log:
            log.write(f"{event} {host}\\n")

sys.addaudithook(note)
"""


def traced(folder, monkeypatch):
    """Traces all processes that are started from now on; gives their connections so far to anything but this computer."""
    (folder / "sitecustomize.py").write_text(TRACER)
    log = folder / "connections"
    log.touch()
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{ROOT}")
    return lambda: [n for n in log.read_text().splitlines() if not n.split(" ", 1)[1].startswith((*LOOPBACK, "None"))]


@pytest.fixture
def outside(tmp_path, monkeypatch):
    (tmp_path / "tracer").mkdir()
    return traced(tmp_path / "tracer", monkeypatch)


def run(*command):
    subprocess.run([sys.executable, *command], cwd=ROOT, check=True, capture_output=True)


@pytest.mark.parametrize("event", ["getaddrinfo('books.invalid', 80)", "socket(2, 2).connect(('192.0.2.1', 9))"])
def test_the_trace_sees_a_connection(outside, event):
    run("-c", f"import socket, contextlib\nwith contextlib.suppress(OSError): socket.{event}")
    assert len(outside()) == 1


@pytest.mark.parametrize("library", [
    "core.models.openvino_runtime", "core.workshop.training.export, nncf",
    pytest.param(
        "core.models.openvino_runtime, openvino_genai",
        marks=pytest.mark.skipif(missing(Path("none")) != "", reason=missing(Path("none"))),
    ),
])  # fmt: skip
def test_openvino_is_imported_without_a_word_to_its_makers(outside, library):
    run("-c", f"import {library}; import threading; [t.join(5) for t in threading.enumerate()[1:]]")
    assert outside() == []


@pytest.mark.models
def test_a_command_that_reads_asks_and_judges_stays_at_home(outside, tmp_path):
    (tmp_path / "sound.pdf").write_bytes(pdf("Sound needs a medium to travel. It cannot travel through a vacuum."))
    rows, home = tmp_path / "rows.jsonl", str(tmp_path / "home")
    rows.write_text(json.dumps({"query": "What does sound need?", "answer": "Sound needs a medium."}))
    commands = (
        ["ingest", str(tmp_path / "sound.pdf")], ["ask", "What does sound need?"],
        ["judge", "--in", str(rows), "--out", str(tmp_path / "out.jsonl")],
    )  # fmt: skip
    run("-c", f"from core.__main__ import main\nfor c in {commands!r}: assert main([*c, '--home', {home!r}]) == 0")
    assert outside() == []
