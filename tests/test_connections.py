"""Nothing leaves the computer: every connection and every name that a command asks for is traced, in all its processes,
and in libraries that are no Python.

So is all that the app asks for under the tests in a browser, at whose end it is looked at (tests/browser/conftest.py).
"""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from core.pdf.sandbox import Limits, printed_lines
from core.writers.qwen import missing
from tests.support.connections import ROOT
from tests.support.pdfs import make_pdf
from tests.support.preloaded import NONE


def run(*command):
    subprocess.run([sys.executable, *command], cwd=ROOT, check=True, capture_output=True)


@pytest.mark.parametrize("call", [
    "socket.getaddrinfo('books.invalid', 80)", "socket.socket(2, 2).connect(('192.0.2.1', 9))",
    pytest.param(
        "ctypes.CDLL(None).getaddrinfo(b'books.invalid', None, None, ctypes.byref(ctypes.c_void_p()))",
        marks=pytest.mark.skipif(bool(NONE), reason=NONE),
    ),
])  # fmt: skip
def test_the_trace_sees_a_connection(outside, call):
    run("-c", f"import contextlib, ctypes, socket\nwith contextlib.suppress(OSError): {call}")
    assert len(outside()) == 1


def test_the_trace_sees_a_connection_of_a_reader_of_pdfs(outside):
    list(printed_lines(b"", [("tests.pdf.programs", {"deed": "call"})], Limits()))
    assert len(outside()) == 1


@pytest.mark.parametrize("library", [
    "core.models.openvino_runtime",
    pytest.param(
        "core.lab.training.export, nncf",
        marks=pytest.mark.skipif(find_spec("nncf") is None, reason="nncf comes with .ci/training.txt"),
    ),
    pytest.param(
        "core.models.openvino_runtime, openvino_genai",
        marks=pytest.mark.skipif(missing(Path("none")) != "", reason=missing(Path("none"))),
    ),
])  # fmt: skip
def test_openvino_is_imported_without_a_word_to_its_makers(outside, library):
    run("-c", f"import {library}; import threading; [t.join(5) for t in threading.enumerate()[1:]]")
    assert outside() == []


@pytest.mark.models
def test_a_command_that_reads_asks_and_judges_stays_at_home(outside, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "sound.pdf").write_bytes(make_pdf("Sound needs a medium to travel. It cannot travel through a vacuum."))
    rows, home = tmp_path / "rows.jsonl", str(tmp_path / "home")
    rows.write_text(json.dumps({"query": "What does sound need?", "answer": "Sound needs a medium."}))
    commands = (
        ["ingest", str(tmp_path / "sound.pdf")], ["ask", "What does sound need?"],
        ["judge", "--in", str(rows), "--out", str(tmp_path / "out.jsonl")],
    )  # fmt: skip
    run("-c", f"from core.__main__ import main\nfor c in {commands!r}: assert main([*c, '--home', {home!r}]) == 0")
    assert outside() == []
    assert not (tmp_path / "cache").exists()  # ONNX Runtime makes no id of this computer there to post under
