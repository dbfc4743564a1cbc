"""Nothing leaves the computer: every connection and every name that a command asks for is traced, in all its processes,
and in libraries that are no Python.

So is all that the app asks for under the tests in a browser, at whose end it is looked at (tests/browser/conftest.py).
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.writers.qwen import missing
from tests.support.pdfs import pdf
from tests.support.preloaded import NONE, preloaded

ROOT = Path(__file__).parents[1]
LOOPBACK = ("127.", "::1", "localhost", "/", "\0")
"""How an address of this computer begins; a path is that of a socket on it."""
HUSHED = ("ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS", "CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD")
"""Variables under which ONNX Runtime keeps quiet: what is traced has to see to that itself."""
_C = r"""
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void note(const char *event, const char *host) {
    char line[400];
    int length = snprintf(line, sizeof line, "%s %s\n", event, host);
    int log = open(getenv("CONNECTIONS"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (log < 0 || write(log, line, length) != length) abort();
    close(log);
}
static void note_address(const char *event, const struct sockaddr *to) {
    char host[INET6_ADDRSTRLEN];
    if (to && to->sa_family == AF_INET)
        note(event, inet_ntop(AF_INET, &((struct sockaddr_in *)to)->sin_addr, host, sizeof host));
    if (to && to->sa_family == AF_INET6)
        note(event, inet_ntop(AF_INET6, &((struct sockaddr_in6 *)to)->sin6_addr, host, sizeof host));
}
int connect(int fd, const struct sockaddr *to, socklen_t size) {
    int (*next)(int, const struct sockaddr *, socklen_t) = dlsym(RTLD_NEXT, "connect");
    note_address("connect", to);
    return next(fd, to, size);
}
ssize_t sendto(int fd, const void *data, size_t length, int flags, const struct sockaddr *to, socklen_t size) {
    ssize_t (*next)(int, const void *, size_t, int, const struct sockaddr *, socklen_t) = dlsym(RTLD_NEXT, "sendto");
    note_address("sendto", to);
    return next(fd, data, length, flags, to, size);
}
ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    ssize_t (*next)(int, const struct msghdr *, int) = dlsym(RTLD_NEXT, "sendmsg");
    note_address("sendmsg", message->msg_name);
    return next(fd, message, flags);
}
int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
    int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, "getaddrinfo");
    if (host) note("getaddrinfo", host);
    return next(host, service, hints, found);
}
"""
"""Notes whom a process asks, or whose name: a library that is no Python calls out past all that Python could tell."""

_PYTHON = """
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
"""The same where there is no cc: what Python asks for, and nothing else."""


def traced(folder, monkeypatch):
    """Traces all processes that are started from now on; gives their connections so far to anything but this computer."""
    log = folder / "connections"
    log.touch()
    for name in HUSHED:
        monkeypatch.delenv(name, raising=False)
    if NONE:
        (folder / "sitecustomize.py").write_text(_PYTHON)
        monkeypatch.setenv("PYTHONPATH", f"{folder}:{ROOT}")
    else:
        monkeypatch.setenv("LD_PRELOAD", preloaded(_C))
        monkeypatch.setenv("CONNECTIONS", str(log))
    return lambda: [n for n in log.read_text().splitlines() if not n.split(" ", 1)[1].startswith((*LOOPBACK, "None"))]


@pytest.fixture
def outside(tmp_path, monkeypatch):
    (tmp_path / "tracer").mkdir()
    return traced(tmp_path / "tracer", monkeypatch)


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


@pytest.mark.models
def test_onnx_runtime_makes_no_id_of_this_computer_to_post_under(outside, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    run("-c", "from core.models.profile import load; load()")
    assert outside() == [] and not (tmp_path / "cache").exists()


@pytest.mark.parametrize("library", [
    "core.models.openvino_runtime", "core.lab.training.export, nncf",
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
