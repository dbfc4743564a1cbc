"""Processes of the app that share a home, behind the proxy of .deploy/nginx.conf; and the processor time of each."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil

from core.lab.bench.app_in_browser import ROOT, BrowserError, free_port, start_app, wait_for_app

CONFIG = ROOT / ".deploy" / "nginx.conf"


class ProxyError(RuntimeError):
    """The proxy cannot be started; the message says why."""


@contextmanager
def proxy(folder: Path, ports: list[int]) -> Iterator[tuple[str, subprocess.Popen]]:
    """Within the block, run nginx with the project's file, on a free port, before processes on these `ports`; yields its
    address and its process.

    folder: for its files. Raises ProxyError if it is not installed or does not start.
    """
    program = nginx()
    if program is None:
        raise ProxyError("No nginx is installed; install Debian's package nginx-light.")
    listening, config, log_path = free_port(), folder / "nginx.conf", folder / "nginx.log"
    config.write_text(on_ports(CONFIG.read_text(), listening, ports))
    command = [program, "-p", folder, "-c", config, "-e", "stderr", "-g", "daemon off;"]
    with log_path.open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        try:
            wait_for_app(listening, process)
        except BrowserError as error:
            raise ProxyError(f"nginx did not start: {log_path.read_text()[-500:]}") from error
        yield f"http://localhost:{listening}", process
    finally:
        process.terminate()
        process.wait()


class Served:
    """The app at `address`, in one process for each of `ports`; with several of them, behind the proxy."""

    def __init__(self, home: Path, ports: list[int]) -> None:
        self.home, self.ports, self.address = home, ports, f"http://localhost:{ports[0]}"
        self.proxy: subprocess.Popen | None = None
        self._apps = [start_app("app.py", home, port) for port in ports]
        self._dead_seconds = 0.0

    def wait(self) -> None:
        """Wait until every process answers."""
        for port, process in zip(self.ports, self._apps, strict=True):
            wait_for_app(port, process)

    def replace_process(self, index: int) -> None:
        """Kill a process, and start it again as whatever watches over it does."""
        self._dead_seconds += cpu_seconds(self._apps[index])
        self._apps[index].kill()
        self._apps[index].wait()
        self._apps[index] = start_app("app.py", self.home, self.ports[index])

    def cpu_seconds(self) -> dict[str, float]:
        """Seconds of a processor since the start: of the processes of the app together, and of the proxy."""
        apps = self._dead_seconds + sum(cpu_seconds(process) for process in self._apps)
        return {"the app": apps} | ({"the proxy": cpu_seconds(self.proxy)} if self.proxy else {})

    def end(self) -> None:
        for process in self._apps:
            process.terminate()
            process.wait()


@contextmanager
def served_by(count: int, home: Path) -> Iterator[Served]:
    """Within the block, run the app in `count` processes that share `home`; with more than one, behind the proxy."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        served = Served(home, [free_port() for _ in range(count)])
        stack.callback(served.end)
        served.wait()
        if count > 1:
            served.address, served.proxy = stack.enter_context(proxy(Path(folder), served.ports))
        yield served


def nginx() -> str | None:
    """The path of nginx, which Debian puts where only root looks; None if it is not installed."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def on_ports(config: str, listening: int, ports: list[int]) -> str:
    """The proxy's file with other ports. Raises ProxyError unless it names as many processes as there are ports."""
    named = sorted(set(re.findall(r"server 127\.0\.0\.1:(\d+)", config)))
    if len(named) != len(ports):
        raise ProxyError(f"{CONFIG.name} names {len(named)} processes, not {len(ports)}; choose 1 or {len(named)}.")
    new = dict(zip(named, map(str, ports), strict=True))
    config = re.sub(r"listen \d+", f"listen 127.0.0.1:{listening}", config)
    return re.sub("|".join(named), lambda port: new[port[0]], config)


def cpu_seconds(process: subprocess.Popen) -> float:
    """Seconds that a process and its children have had of a processor; 0 if it has ended."""
    try:
        first = psutil.Process(process.pid)
        return sum(sum(one.cpu_times()[:2]) for one in (first, *first.children(recursive=True)))
    except psutil.NoSuchProcess:
        return 0.0
