"""The app under Streamlit in a real Chromium, for figures that are measured on the screen, and for the picture on the
front page: python -m core.lab.bench.app_in_browser [--home DIR]."""

import argparse
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from core.errors import UserError

ROOT = Path(__file__).parents[3]
CHROMIUM = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
STARTS_WITHIN = 120
"""Seconds until the app must answer."""
_PATIENCE = 300_000
"""Timeout of a page in milliseconds; with a new run-time folder, the app reads the sample chapters first."""
SCREEN = ROOT / "data" / "screens" / "ask.png"
SETTLED = "() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"


class BrowserError(UserError):
    """The app cannot be measured here; the message says what is missing."""


@contextmanager
def served(script: str, home: Path) -> Iterator[str]:
    """Within the block, run `script` under Streamlit with the run-time folder `home`; yields its address."""
    port = free_port()
    process = start_app(script, home, port)
    try:
        wait_for_app(port, process)
        yield f"http://localhost:{port}"
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    """A port of this computer that nothing listens to."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return probe.getsockname()[1]


def start_app(script: str, home: Path, port: int) -> subprocess.Popen:
    """Start `script` under Streamlit with the run-time folder `home`; it may take a while until it answers."""
    options = ["--server.port", str(port), "--server.headless", "true"]
    command = [sys.executable, "-m", "streamlit", "run", script, *options]
    python_path = os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH"), str(ROOT))))
    environment = {**os.environ, "GUARDRAIL_HOME": str(home), "PYTHONPATH": python_path}
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def wait_for_app(port: int, process: subprocess.Popen) -> None:
    """Wait until the server answers. Raises BrowserError if it exits or takes too long."""
    end = time.monotonic() + STARTS_WITHIN
    while process.poll() is None and time.monotonic() < end:
        try:
            urlopen(f"http://localhost:{port}/_stcore/health", timeout=5).close()
            return
        except (URLError, TimeoutError, ConnectionError):
            time.sleep(0.2)
    raise BrowserError("Streamlit did not start; run `streamlit run app.py` to see why.")


@contextmanager
def browser() -> Iterator[Any]:
    """Debian's Chromium under Playwright. Raises BrowserError if either is missing."""
    path = shutil.which("chromium")
    if path is None:
        raise BrowserError("No chromium is on the PATH; install Debian's package chromium to time the slider.")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise BrowserError("Playwright is not installed; install the packages of requirements.txt.") from error
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM))
        yield chromium
        chromium.close()


def screenshot(home: Path, out: Path) -> None:
    """Write a screenshot of the Ask page as it opens, with its prepared case, 1440x900, to `out`.

    Raises BrowserError without Chromium.
    """
    with served("app.py", home) as url, browser() as chromium:
        page = chromium.new_page(viewport={"width": 1440, "height": 900}, color_scheme="light")
        page.set_default_timeout(_PATIENCE)
        page.goto(url)
        page.locator(".st-key-verdict").get_by_role("heading").first.wait_for()
        page.wait_for_function(SETTLED)
        page.wait_for_timeout(1_000)  # until animations have ended
        out.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="a run-time folder; a new one when none is given")
    parser.add_argument("--out", type=Path, default=SCREEN)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as empty:
        screenshot(options.home or Path(empty), options.out)


if __name__ == "__main__":
    main()
