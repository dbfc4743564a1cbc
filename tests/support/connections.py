"""The network connections of all processes that a test starts, whatever language they are written in."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).parents[2]
_MADE = TemporaryDirectory(ignore_cleanup_errors=True)
NONE = "" if shutil.which("cc") else "there is no cc here, which makes what stands between a program and the system"
"""Why none can be made, "" where they can."""
LOOPBACK = ("127.", "::1", "localhost", "/", "\0")
"""How an address of this computer begins; a path is that of a socket on it."""
HUSHED = ("ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS", "CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD")
"""Variables under which ONNX Runtime keeps quiet: what is traced has to see to that itself."""
_SECOND = "TRACED_BY_ITS_STARTER"
"""The variable by which a program knows that it is the second process of `run_traced`."""
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
    int log = open("$LOG", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
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
"""Notes in $LOG whom a process asks, or whose name: a library that is no Python calls out past all that Python could tell."""
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


@cache
def preloaded(source: str) -> str:
    """What LD_PRELOAD has to name for a program that is started."""
    library_path = Path(_MADE.name) / f"{len(list(Path(_MADE.name).iterdir()))}.so"
    command = ["cc", "-shared", "-fPIC", "-O2", "-x", "c", "-", "-o", library_path]
    subprocess.run(command, input=source.encode(), check=True, capture_output=True)
    return str(library_path)


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
        monkeypatch.setenv("LD_PRELOAD", preloaded(_C.replace("$LOG", str(log))))
    return lambda: [n for n in log.read_text().splitlines() if not n.split(" ", 1)[1].startswith((*LOOPBACK, "None"))]


def run_traced(main: Callable[[], None]) -> None:
    """Runs `main` by the same command in a second process, and says at its end which connections that and all that it
    started made to anything but this computer."""
    if os.environ.get(_SECOND):
        return main()
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as environment:
        outside = traced(Path(folder), environment)
        environment.setenv(_SECOND, "1")
        code, found = subprocess.call(sys.orig_argv), outside()
    print(f"connections to other machines {len(found)}", *found, sep="\n")
    sys.exit(code or bool(found))


@pytest.fixture
def outside(tmp_path, monkeypatch):
    (tmp_path / "tracer").mkdir()
    return traced(tmp_path / "tracer", monkeypatch)
