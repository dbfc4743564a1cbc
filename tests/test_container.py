"""The container without a builder: every step of the Dockerfile in a clean root, and what compose starts of it.

Debian's packages come from its archive, Python's from where pip of this machine has them.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import psutil
import pytest

from tests.support.clean_root import TOOLS, Root, network
from tests.support.container_files import ROOT, SERVICES, STEPS

missing = [tool for tool in TOOLS if not shutil.which(tool)]
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(bool(missing), reason=f"a clean root needs {', '.join(missing)}"),
    pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root of Linux makes a clean root"),
]
TOKEN = "the-token-of-a-visitor-of-the-container"
WITHIN = 180
"""Seconds in which each service answers."""
JUDGED = {
    "query": "Can sound travel through a vacuum?", "answer": "Sound cannot travel through a vacuum.",
    "contexts": ["Sound needs a medium to travel. It cannot travel through a vacuum."],
}  # fmt: skip
ASK = (
    "import json, sys, urllib.request as r\nurl, token, data = sys.argv[1:]\n"
    "headers = {'Authorization': f'Bearer {token}', 'Content-Type': 'application/json'}\n"
    "print(r.urlopen(r.Request(url, data.encode() or None, headers), timeout=120).read().decode())"
)


class Composed:
    """The services of compose.yaml over one root, on one network, with a volume each as they name it."""

    def __init__(self, root, network, folder):
        self.root, self.network, self.folder = root, network, folder

    def command(self, service, command):
        about = SERVICES[service]
        name, at = about.get("volumes", ["nothing:/mnt"])[0].split(":")
        (self.folder / name).mkdir(exist_ok=True)
        told = {k: said(v) for k, v in (about.get("environment") or {}).items() if v is not None}
        return self.root.within(self.network, command, told, self.folder / name, at)

    def start(self, service):
        log = (self.folder / f"{service}.log").open("w")
        return subprocess.Popen(
            self.command(service, SERVICES[service].get("command", self.root.command)), stdout=log, stderr=log
        )

    def run(self, service, command):
        return subprocess.run(self.command(service, command), capture_output=True, text=True, timeout=WITHIN)

    def healthy(self, service):
        return self.run(service, SERVICES[service]["healthcheck"]["test"][1:]).returncode == 0

    def ask(self, url, data=""):
        """What a program outside of the containers gets; "" where nobody answers."""
        asking = ["nsenter", f"--net=/proc/{self.network}/ns/net", sys.executable, "-c", ASK, url, TOKEN, data]
        return subprocess.run(asking, capture_output=True, text=True).stdout

    def said(self):
        return {log.stem: log.read_text()[-1500:] for log in self.folder.glob("*.log")}


def said(value):
    """What compose makes of a variable that is not set but for the tokens."""
    value = re.sub(r"\$\{(GUARDRAIL_TOKENS:\?|RAY_AUTH_TOKEN:-)[^}]*\}", TOKEN, str(value))
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)


def ended(process):
    """The first of a service's processes takes all others with it. Ending what started it is not enough: who has become
    another user is not told of it."""
    with suppress(psutil.NoSuchProcess):  # it has ended by itself
        for first in psutil.Process(process.pid).children():
            first.kill()
    process.wait()


def until(ready, *about):
    end = time.monotonic() + WITHIN
    while not ready(*about):
        assert time.monotonic() < end, "it does not answer in time"
        time.sleep(0.5)


def test_every_step_builds_and_all_services_answer_read_only_and_as_no_root():
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="container")))
        root = Root(folder / "root", ROOT)
        for step, text in STEPS:
            root.take(step, text)
        (folder / "root/etc/hosts").write_text("127.0.0.1 localhost chroma\n")
        composed = Composed(root, stack.enter_context(network()), folder)
        try:
            for service in ("chroma", "service", "proxy", "app", "app2", "ray"):
                process = composed.start(service)
                stack.callback(ended, process)
                if service == "chroma":
                    until(composed.healthy, service)
            until(composed.ask, "http://127.0.0.1:8600/health")
            reply = json.loads(composed.ask("http://127.0.0.1:8600/judge", json.dumps(JUDGED)))
            assert (reply["route"], reply["answer"][:37]) == ("deliver", JUDGED["answer"])
            for port in (8511, 8512, 8501):
                until(lambda: composed.ask(f"http://127.0.0.1:{port}/_stcore/health").strip() == "ok")  # noqa: B023
            until(lambda: "Active:" in composed.run("ray", ["ray", "status", "--address", "127.0.0.1:6379"]).stdout)
        except BaseException:
            print(composed.said())
            raise
        assert composed.run("service", ["id", "-u"]).stdout == "10001\n"
        for place in ("/app", "/venv", "/home/guardrail", "/etc"):
            assert "Read-only" in composed.run("service", ["touch", f"{place}/mine"]).stderr
        assert composed.run("service", ["touch", "/home/guardrail/library/mine"]).returncode == 0
        assert "CapBnd:\t0000000000000000" in composed.run("service", ["cat", "/proc/self/status"]).stdout
