"""Chroma's own server as a process on this computer, started for one test."""

import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest

_WITHIN = 120
"""Seconds within which the server must answer, else `Server.start` raises TimeoutError."""


class Server:
    """`chroma run` on a folder, as a process that can be restarted on the same port."""

    def __init__(self, folder: Path) -> None:
        with closing(socket.create_server(("127.0.0.1", 0))) as probe:
            self.port = probe.getsockname()[1]
        self.folder, self.address = folder, f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        chroma = Path(sys.executable).with_name("chroma")
        command = [chroma, "run", "--path", self.folder, "--port", str(self.port), "--host", "127.0.0.1"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + _WITHIN
        while time.monotonic() < end:
            try:
                httpx.get(f"{self.address}/api/v2/heartbeat").raise_for_status()
                return
            except httpx.HTTPError:
                time.sleep(0.1)
        raise TimeoutError("chroma run does not answer")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def server(tmp_path):
    chroma = Server(tmp_path / "server")
    chroma.start()
    yield chroma
    chroma.kill()
