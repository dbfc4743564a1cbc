"""The time of a slider move, from the key press to the changed verdict or picture on the screen."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from core.banks.measured_bank import StoredTraces, conditions_of, question_names
from core.banks.saved import SAMPLE, SavedBanks
from core.evaluation.cases import LabelledCase
from core.lab.bench.app_in_browser import SETTLED, STARTS_WITHIN, browser, served
from core.lab.bench.figure import Figure
from core.lab.bench.samples import CASES, measured_bank, sample_explorer, sample_home, sample_traces

BLOCK = 5
"""Number of moves in one direction on one page, before the next page gets as many."""
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
REDRAWN = "pages/components/bench/redraw_app.py"
_REST = 20
"""Milliseconds after a move in which the page can paint."""
_BANK, _MOVES = SAMPLE, 60
"""The set that is open for a new visitor to the Tune page, and the number of moves on it."""
_SLIDER, _CHANGES = "Evidence confidence", ".st-key-picture-outcomes .barlayer"


@dataclass(frozen=True, kw_only=True)
class Timed:
    """A page on which slider moves are timed.

    script: of the app. slider: start of the slider's label. changes: selector of the text that changes. example: label
    of a button to click first, or "". path: of the page in the app, after the address.
    """

    script: str
    slider: str
    changes: str
    example: str = ""
    path: str = ""


PAGES = {
    "app": Timed(
        script="app.py", slider="Evidence confidence", changes=".st-key-verdict .scale",
        example="What is photosynthesis?",
    ),
    "redraw": Timed(
        script=REDRAWN, slider="Evidence confidence",
        changes=".st-key-verdict .scale",
    ),
    "empty": Timed(script=REDRAWN, slider="One number", changes=".st-key-watched", path="/empty"),
}  # fmt: skip
"""The app, the same page redrawn from stored verdicts, and a nearly empty page as the minimum of Streamlit."""


def slider_to_verdict(home: Path, moves: int = 100, pages: Mapping[str, Timed] = PAGES) -> dict[str, Any]:
    """p95 and median milliseconds of `moves` moves on each page, alternating between pages so that noise affects all.

    home: the app's run-time folder with the sample. Raises BrowserError without Chromium.
    """
    with ExitStack() as open_:
        chromium = open_.enter_context(browser())
        scripts = dict.fromkeys(timed.script for timed in pages.values())
        urls = {script: open_.enter_context(served(script, home)) for script in scripts}
        open_pages = {name: _opened(chromium, urls[timed.script], timed) for name, timed in pages.items()}
        for name, page in open_pages.items():  # the servers load the models side by side
            _ready(page, pages[name])
        for turn in range(1 + -(-moves // BLOCK)):  # the first turn only warms up
            for page in open_pages.values():
                _move(page, "ArrowRight" if turn % 2 else "ArrowLeft", keep=turn > 0)
        milliseconds = {name: np.array(page.evaluate("window.kept")[:moves]) for name, page in open_pages.items()}
    return {
        name: {"p95": float(np.percentile(ms, 95)), "median": float(np.median(ms)), "n": len(ms)}
        for name, ms in milliseconds.items()
    }


def slider_to_verdict_p95(home: Path) -> Figure:
    """The 95th percentile of 100 moves in the app, compared with the page redrawn from stored verdicts."""
    pages = slider_to_verdict(sample_home(home))
    app, redraw, empty = (pages[name] for name in ("app", "redraw", "empty"))
    return Figure(
        value=app["p95"], unit="ms", baseline="the same page redrawn from a stored verdict, p95",
        baseline_value=redraw["p95"], n=app["n"],
        note=(
            f"key press to changed text in Chromium; medians {app['median']:.0f} and {redraw['median']:.0f} ms; "
            f"an empty fragment: p95 {empty['p95']:.0f}, median {empty['median']:.0f} ms"
        ),
    )  # fmt: skip


def _opened(browser: Any, url: str, timed: Timed) -> Any:
    """Open the page of `timed`."""
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    page.set_default_timeout(1000 * STARTS_WITHIN)
    page.goto(url + timed.path)
    return page


def _ready(page: Any, timed: Timed) -> None:
    """Wait until the page is loaded, start its clock, and focus its slider."""
    if timed.example:
        page.get_by_role("button", name=timed.example).click()
        page.get_by_role("button", name="New conversation").wait_for()  # the prepared case is gone
    page.wait_for_selector(timed.changes)
    page.wait_for_function(SETTLED)
    page.evaluate(_CLOCK, timed.changes)
    page.evaluate("window.kept = []")
    page.locator(f"input[type=range][aria-label^='{timed.slider}']").focus()


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


TUNE_PAGES = {
    "app": Timed(script="app.py", slider=_SLIDER, changes=_CHANGES, path="/tune"),
    "redraw": Timed(script=REDRAWN, slider=_SLIDER, changes=_CHANGES, path="/tune"),
}
"""The Tune page, and the same page drawn from stored counts. The numbers in the bars of outcomes change with them."""


def tune_slider(home: Path) -> Figure:
    """The 95th percentile of moves on the Tune page, compared with the page redrawn from stored counts."""
    prepare(home)
    pages = slider_to_verdict(home, _MOVES, TUNE_PAGES)
    app, redraw = pages["app"], pages["redraw"]
    return Figure(
        value=app["p95"], unit="ms", baseline="the same page redrawn from stored counts, p95",
        baseline_value=redraw["p95"], n=app["n"],
        note=(
            f"{CASES} cases; key press to changed text in Chromium; medians {app['median']:.0f} and "
            f"{redraw['median']:.0f} ms"
        ),
    )  # fmt: skip


def prepare(home: Path) -> None:
    """Store a bank of measured cases in `home` like a user's bank, under the conditions of its library."""
    traces, explorer = sample_traces(home), sample_explorer(home)
    cases = [_unique(case, n) for n, case in enumerate(measured_bank(traces))]
    conditions, stored_traces, banks = conditions_of(explorer), StoredTraces(home), SavedBanks(home)
    banks.replace(_BANK, [case.row for case in cases])
    stored_traces.use(conditions.key, vars(conditions))
    for question, case in zip(question_names(banks.rows(_BANK)), cases, strict=True):
        stored_traces.store(conditions.key, question, case.trace)


def _unique(case: LabelledCase, n: int) -> LabelledCase:
    """`case` with a unique question, as a row that can be asked."""
    query = f"{case.trace.question.query} ({n})"
    question = replace(case.trace.question, query=query)
    return LabelledCase(row=case.row | {"id": str(n), "query": query}, trace=replace(case.trace, question=question))
