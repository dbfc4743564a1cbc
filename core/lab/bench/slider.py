"""The time of a slider move, from the key press to the changed verdict on the screen."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from core.lab.bench.app_in_browser import SETTLED, STARTS_WITHIN, browser, served
from core.lab.bench.figure import Figure
from core.lab.bench.samples import sample_home

MOVES, BLOCK = 100, 5
"""Number of moves on each page, and of those in one direction before the next page gets as many."""
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
"""Script that times moves inside the page, in milliseconds: from a key press until the text at `selector` changes."""
_EMPTY = """
import streamlit as st
@st.fragment
def empty():
    number = st.slider("One number", 0.0, 1.0, 0.6, 0.01)
    with st.container(key="watched"):
        st.text(f"The number is {number:.2f}.")
empty()
"""
"""An app of one slider and a line of text: the least time that Streamlit takes for a move."""
_REST = 20
"""Milliseconds after a move in which the page can paint."""


PAGES = {"app": ("Evidence confidence", ".st-key-verdict .scale"), "empty": ("One number", ".st-key-watched")}
"""The pages on which moves are timed: the start of the slider's label, and the selector of the text that changes."""
_EXAMPLE = "What is photosynthesis?"


def slider_to_verdict_p95(home: Path) -> Figure:
    """The 95th percentile of MOVES moves in the app, compared with an app of one slider; both in turn, so that noise
    affects both.

    Raises BrowserError without Chromium.
    """
    scripts = {"app": "app.py", "empty": str(home / "empty_app.py")}
    folder = sample_home(home / "home")
    Path(scripts["empty"]).write_text(_EMPTY)
    with ExitStack() as open_:
        chromium = open_.enter_context(browser())
        urls = {name: open_.enter_context(served(script, folder)) for name, script in scripts.items()}
        open_pages = {name: _opened(chromium, url) for name, url in urls.items()}
        _ask_example(open_pages["app"])
        for name, page in open_pages.items():
            _ready(page, *PAGES[name])
        for turn in range(1 + -(-MOVES // BLOCK)):  # the first turn only warms up
            for page in open_pages.values():
                _move(page, "ArrowRight" if turn % 2 else "ArrowLeft", keep=turn > 0)
        app, empty = (np.array(page.evaluate("window.kept")[:MOVES]) for page in open_pages.values())
    return Figure(
        value=float(np.percentile(app, 95)), unit="ms", baseline="an app of one slider and a line of text, p95",
        baseline_value=float(np.percentile(empty, 95)), n=len(app),
        note=f"key press to changed text in Chromium; medians {np.median(app):.0f} and {np.median(empty):.0f} ms",
    )  # fmt: skip


def _opened(browser: Any, url: str) -> Any:
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    page.set_default_timeout(1000 * STARTS_WITHIN)
    page.goto(url)
    return page


def _ask_example(page: Any) -> None:
    page.get_by_role("button", name="Ask your own").click()
    page.get_by_role("button", name=_EXAMPLE).click()
    page.get_by_role("button", name="New conversation").wait_for()  # the prepared case is gone


def _ready(page: Any, slider: str, changes: str) -> None:
    """Wait until the page is loaded, start its clock, and focus its slider."""
    page.wait_for_selector(changes)
    page.wait_for_function(SETTLED)
    page.evaluate(_CLOCK, changes)
    page.evaluate("window.kept = []")
    page.locator(f"input[type=range][aria-label^='{slider}']").focus()


def _move(page: Any, key: str, *, keep: bool) -> None:
    """Do BLOCK moves, each after the one before is drawn and the script has ended; store their times if `keep`."""
    page.evaluate("window.moves.length = 0")
    for n in range(BLOCK):
        page.keyboard.press(key)
        page.wait_for_function(f"window.moves.length > {n}")
        page.wait_for_function(SETTLED)
        page.wait_for_timeout(_REST)
    if keep:
        page.evaluate("window.kept.push(...window.moves)")
