"""The speed of the History page with ten thousand decisions, while questions are asked."""

import itertools
import shutil
import statistics
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.case import Question
from core.graph import Explorer
from core.journal import Entry, Journal, entry_of
from core.lab.bench.app_in_browser import SETTLED, browser, served
from core.lab.bench.figure import Figure
from core.lab.bench.samples import sample_explorer, sample_questions
from core.presets import preset
from core.settings import Settings

_DECISIONS, _TURNS, _DAYS = 10_000, 12, 120
_REFUSED = ("What is the capital of {}?", "What did {} invent?", "What is the population of {}?")
_PATIENCE, _STILL = 240_000, 500
_FILTER = "[data-testid=stTextInput] input[aria-label=Words]"
_CLOCK = """() => {
    window.taken = [];
    let start = null;
    addEventListener('click', () => { start = performance.now(); }, true);
    addEventListener('keydown', event => { if (event.key === 'Enter') start = performance.now(); }, true);
    const app = document.querySelector('[data-testid=stApp]');
    new MutationObserver(() => {
        if (start === null || app.dataset.testScriptState !== 'notRunning') return;
        window.taken.push(performance.now() - start);
        start = null;
    }).observe(app, {attributes: true, attributeFilter: ['data-test-script-state']});
}"""
"""Script that times actions inside the page, in milliseconds: from a click or Enter until Streamlit has rerun."""


@dataclass
class Watched:
    """One running app, open in two browser pages: one asks questions, the other views the journal.

    load_times, filtered: milliseconds until the journal was opened, and until a filter was drawn, for each stored turn.
    """

    asker: Any
    viewer: Any
    load_times: list[float] = field(default_factory=list)
    filtered: list[float] = field(default_factory=list)

    def turn(self, question: str, words: str, *, keep: bool) -> None:
        """Open the journal and filter it while a question is asked; store the times if `keep`."""
        self.asker.get_by_label("Question", exact=True).fill(question)
        self.asker.get_by_label("Question", exact=True).press("Enter")
        self.viewer.get_by_role("link", name="History").click()
        milliseconds = self._last_milliseconds()
        self.viewer.locator(_FILTER).fill(words)
        self.viewer.locator(_FILTER).press("Enter")
        filtered = self._last_milliseconds()
        self.viewer.locator(_FILTER).fill("")
        self.viewer.locator(_FILTER).press("Enter")
        self._last_milliseconds()
        self.viewer.get_by_role("link", name="Guide").click()
        self._last_milliseconds()
        self.asker.wait_for_function(SETTLED)
        if keep:
            self.load_times.append(milliseconds)
            self.filtered.append(filtered)

    def _last_milliseconds(self) -> float:
        """The milliseconds of the last action, once the page is ready for the next one."""
        self.viewer.wait_for_function("window.taken.length > 0")
        milliseconds = self.viewer.evaluate("window.taken.splice(0).at(-1)")
        self.viewer.wait_for_timeout(_STILL)  # a page that is drawn a moment later would put an old text back
        self.viewer.wait_for_function(SETTLED)
        return milliseconds


def journal_page(folder: Path) -> Figure:
    """Milliseconds until a filter of the journal is drawn, compared with a journal that was empty at the start."""
    full, empty = folder / "full", folder / "empty"
    explorer = sample_explorer(full)
    (full / "sample_was_added").touch()
    shutil.copytree(full, empty)
    questions = [question.query for question in sample_questions(explorer, 20)]
    _fill(full, explorer, questions)
    with ExitStack() as open_:
        chromium = open_.enter_context(browser())
        many, few = (_watched(open_, chromium, home) for home in (full, empty))
        for turn in range(_TURNS + 2):  # the first two only warm up
            for app in (many, few):
                app.turn(questions[turn % len(questions)], "what", keep=turn >= 2)
    medians = [statistics.median(app.load_times) for app in (many, few)]
    return Figure(
        value=statistics.median(many.filtered), unit="ms", baseline="a journal that began empty",
        baseline_value=statistics.median(few.filtered), n=len(many.filtered),
        note=(
            f"{_DECISIONS:,} decisions, filtered by a word in Chromium while a question is asked; the page opens in "
            f"{medians[0]:.0f} ms beside {medians[1]:.0f} ms"
        ),
    )  # fmt: skip


def _watched(open_: ExitStack, chromium: Any, home: Path) -> Watched:
    url = open_.enter_context(served("app.py", home))
    pages = []
    for _ in range(2):
        page = chromium.new_page(viewport={"width": 1280, "height": 1000})
        page.set_default_timeout(_PATIENCE)
        page.goto(url)
        page.get_by_label("Question", exact=True).wait_for()
        page.wait_for_function(SETTLED)
        pages.append(page)
    pages[0].get_by_label("Question", exact=True).fill("What is sound?")  # so that no journal is wholly empty
    pages[0].get_by_label("Question", exact=True).press("Enter")
    pages[0].get_by_role("button", name="New conversation").wait_for()  # the prepared case is gone
    pages[0].wait_for_function(SETTLED)
    pages[1].evaluate(_CLOCK)
    return Watched(*pages)


def _fill(home: Path, explorer: Explorer, sample_queries: list[str]) -> None:
    """Write ten thousand decisions of the last months: real traces, repeated, a part of them on absent subjects."""
    questions = [*sample_queries, *(form.format(name) for form in _REFUSED for name in ("Zembla", "Ruritania"))]
    journal, now = Journal(home), time.time()
    with_traces = [_entry(explorer, Question(query=question)) for question in questions]
    for number, entry in enumerate(itertools.islice(_varied(with_traces), _DECISIONS)):
        at = now - _DAYS * 86_400 * (1 - number / _DECISIONS)
        journal.add(replace(entry, decision_row=replace(entry.decision_row, at=at)))
    journal.close()


def _entry(explorer: Explorer, question: Question) -> Entry:
    trace, verdict = explorer.ask(question, preset("default"))
    about = {"profile": "bundled", "settings": Settings(), "source": "app", "at": None}
    return entry_of(trace, verdict, preset("default"), **about)


def _varied(entries: list[Entry]) -> Iterator[Entry]:
    """Yield the entries again and again. A number in the questions, increased every tenth round, makes them differ."""
    for turn in itertools.count():
        for entry in entries:
            question = f"{entry.decision_row.question} ({turn // 10})"
            lacking = tuple((question, reason) for _, reason in entry.lacking)
            yield replace(entry, decision_row=replace(entry.decision_row, question=question), lacking=lacking)
