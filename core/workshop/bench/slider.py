"""How long does a slider move take, from the key press to the changed verdict on the screen?"""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import numpy as np

from core.workshop.bench.figure import Figure

ROOT = Path(__file__).parents[3]
CHROMIUM = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
BLOCK = 5
"""Moves in one direction before another page has its turn."""
_STARTS_WITHIN = 120
SETTLED = "() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"
_CLOCK = """selector => {
    const text = () => document.querySelector(selector)?.textContent;
    window.moves = [];
    let start = null, before = null;
    addEventListener('keydown', () => { before = text(); start = performance.now(); }, true);
    new MutationObserver(() => {
        if (start === null || text() === before) return;
        window.moves.push(performance.now() - start);
        start = null;
    }).observe(document.body, {subtree: true, childList: true, characterData: true});
}"""
"""Measures inside the page: from the key press until the text under `selector` is another."""


class SliderError(ValueError):
    """The slider cannot be timed here; the message says what is missing."""


@dataclass(frozen=True, kw_only=True)
class Timed:
    """A page to time: its script, the label with which its slider begins, and where the changed text appears.

    path: of the page in the app, after the address.
    """

    script: str
    slider: str
    changes: str
    example: str = ""
    path: str = ""


PAGES = {
    "app": Timed(
        script="app.py", slider="Evidence confidence", changes=".st-key-card_confidence",
        example="What is photosynthesis?",
    ),
    "redraw": Timed(
        script="pages/components/bench/redraw_app.py", slider="Evidence confidence",
        changes=".st-key-card_confidence",
    ),
    "empty": Timed(script="pages/components/bench/empty_app.py", slider="One number", changes=".st-key-watched"),
}  # fmt: skip
"""The app, the same page redrawn from stored verdicts, and the least that Streamlit can do."""


def slider_to_verdict(home: Path, moves: int = 100, pages: Mapping[str, Timed] = PAGES) -> dict[str, Any]:
    """p95 and median milliseconds of `moves` moves on each page, taken in turns so that noise hits all alike.

    `home`: the run-time folder of the app, which puts its sample there when it is empty. SliderError without Chromium.
    """
    with ExitStack() as open_:
        chromium = open_.enter_context(browser())
        opened = {name: _opened(open_, chromium, home, timed) for name, timed in pages.items()}
        for turn in range(1 + -(-moves // BLOCK)):  # the first turn only warms up
            for page in opened.values():
                _move(page, "ArrowRight" if turn % 2 else "ArrowLeft", keep=turn > 0)
        taken = {name: np.array(page.evaluate("window.kept")[:moves]) for name, page in opened.items()}
    return {
        name: {"p95": float(np.percentile(ms, 95)), "median": float(np.median(ms)), "n": len(ms)}
        for name, ms in taken.items()
    }


def slider_to_verdict_p95(home: Path) -> Figure:
    """The 95th percentile of 100 moves in the app, beside that of the same page redrawn from stored verdicts."""
    pages = slider_to_verdict(home)
    app, redraw, empty = (pages[name] for name in ("app", "redraw", "empty"))
    return Figure(
        value=app["p95"], unit="ms", baseline="the same page redrawn from a stored verdict, p95",
        baseline_value=redraw["p95"], n=app["n"],
        note=(
            f"key press to changed text in Chromium; medians {app['median']:.0f} and {redraw['median']:.0f} ms; "
            f"an empty fragment: p95 {empty['p95']:.0f}, median {empty['median']:.0f} ms"
        ),
    )  # fmt: skip


def _opened(open_: ExitStack, browser: Any, home: Path, timed: Timed) -> Any:
    """The page of `timed`, served, loaded, its slider focused and its clock set."""
    url = open_.enter_context(served(timed.script, home))
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    page.set_default_timeout(1000 * _STARTS_WITHIN)
    page.goto(url + timed.path)
    if timed.example:
        page.get_by_role("button", name=timed.example).click()
    page.wait_for_selector(timed.changes)
    page.wait_for_function(SETTLED)
    page.evaluate(_CLOCK, timed.changes)
    page.evaluate("window.kept = []")
    page.locator(f"input[type=range][aria-label^='{timed.slider}']").focus()
    return page


def _move(page: Any, key: str, *, keep: bool) -> None:
    """BLOCK moves, each begun when the one before it is drawn and the script has ended."""
    page.evaluate("window.moves.length = 0")
    for n in range(BLOCK):
        page.keyboard.press(key)
        page.wait_for_function(f"window.moves.length > {n}")
        page.wait_for_function(SETTLED)
        page.wait_for_timeout(50)
    if keep:
        page.evaluate("window.kept.push(...window.moves)")


@contextmanager
def served(script: str, home: Path) -> Iterator[str]:
    """The address of `script` under Streamlit, with `home` as its run-time folder; ended with the block."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    options = ["--server.port", str(port), "--server.headless", "true"]
    command = [sys.executable, "-m", "streamlit", "run", script, *options]
    environment = {**os.environ, "GUARDRAIL_HOME": str(home), "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        _wait(f"http://localhost:{port}/_stcore/health", process)
        yield f"http://localhost:{port}"
    finally:
        process.terminate()
        process.wait()


def _wait(url: str, process: subprocess.Popen) -> None:
    """Until the server answers; SliderError when it has ended or takes too long."""
    end = time.monotonic() + _STARTS_WITHIN
    while process.poll() is None and time.monotonic() < end:
        try:
            urlopen(url, timeout=5).close()
            return
        except (URLError, TimeoutError, ConnectionError):
            time.sleep(0.2)
    raise SliderError("Streamlit did not start; run `streamlit run app.py` to see why.")


@contextmanager
def browser() -> Iterator[Any]:
    """Debian's Chromium under Playwright; SliderError in one sentence when one of them is missing."""
    path = shutil.which("chromium")
    if path is None:
        raise SliderError("No chromium is on the PATH; install Debian's package chromium to time the slider.")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise SliderError("Playwright is not installed; install the packages of requirements.txt.") from error
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM))
        yield launched
        launched.close()
