"""Every connection and every name that a program asks for is traced, in all its processes, and in libraries that are no
Python.

The commands are traced in tests/test_packages_at_work.py, the app under the tests in a browser (tests/browser/conftest.py).
"""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from core.pdf.sandbox import Limits, printed_lines
from core.writers.qwen import missing
from tests.support.connections import NONE, ROOT


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
