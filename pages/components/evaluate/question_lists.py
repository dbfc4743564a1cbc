"""Lists of questions, pasted or uploaded, asked in a background thread so that a redraw cannot lose or repeat one."""

import logging
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.banks.files import listed
from core.banks.question_lists import MOST, ListedQuestion, ask_all, pasted, result_row, unmeasured
from core.platform.access import on_behalf
from core.platform.jobs import PEOPLE, StoppedWaiting, Wait, in_line, telling, time_left
from core.platform.quotas import QUOTAS, Usage
from core.settings import Settings
from core.thresholds import Preset
from pages.components.shared.safe_display import ERRORS, counted, show
from pages.components.shared.session import fresh, notes, renew, usage, value

if TYPE_CHECKING:
    from core.graph import Explorer

log = logging.getLogger(__name__)
PASTED, UPLOADED = "pasted list", "uploaded list"
MEGABYTES = 1
"""Largest file; one list has far fewer questions."""


@dataclass(eq=False, kw_only=True)
class Run:
    """A list that is being asked. done: the results so far; it only grows. sentence: the error that ended the list.

    waiting: the place in line of its next question; None while a question is being asked. held_up: seconds until the
    quota of this user allows the next question.
    """

    rows: Sequence[Mapping[str, Any]]
    using: tuple[str, Settings]
    usage: Usage = field(default_factory=Usage)
    done: list[ListedQuestion] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    started: float = field(default_factory=time.monotonic)
    sentence: str = ""
    waiting: Wait | None = None
    held_up: float = 0.0
    _lines: tuple[Preset | None, list[dict[str, Any]]] = (None, [])

    def begin(self, explorer: "Explorer", preset: Preset) -> None:
        """Start the background thread."""
        threading.Thread(target=on_behalf(self.work), args=(explorer, preset), daemon=True).start()

    def work(self, explorer: "Explorer", preset: Preset) -> None:
        """Ask the questions one after the other, until the end or until the list is stopped."""
        try:
            with PEOPLE.asking(), telling(self._set_waiting):
                for result in ask_all(self._in_time(), explorer, preset):
                    self.done.append(result)
                    if self.stopping.is_set():
                        break
        except StoppedWaiting:
            log.info("a list was stopped while it waited")
        except Exception as error:  # nothing above this thread would report it
            log.exception("a list of questions broke")
            self.sentence = f"The list broke at question {len(self.done) + 1} ({error}); ask it again."
        finally:
            self.ended.set()

    def _in_time(self) -> Iterator[Mapping[str, Any]]:
        """The rows, each as soon as the quota of this user allows it: the quota delays a list, it never refuses it."""
        for row in self.rows:
            while shortage := self.usage.lacking(questions=1):
                self.held_up = shortage["questions"]
                if self.stopping.wait(min(1.0, self.held_up)):
                    return
            self.held_up = 0.0
            yield row

    def _set_waiting(self, wait: Wait | None) -> None:
        """Record the place in line; raise StoppedWaiting once the list is stopped."""
        self.waiting = wait
        if self.stopping.is_set():
            raise StoppedWaiting

    def lines(self, preset: Preset) -> list[dict[str, Any]]:
        """The result of each question so far under `preset`, as `told` returns it; each is decided once."""
        decided_under, lines = self._lines
        if decided_under != preset:
            lines = []
        lines = [*lines, *(result_row(listed, preset) for listed in self.done[len(lines) :])]
        self._lines = preset, lines
        return lines

    def unmeasured(self, preset: Preset) -> int:
        """The number of questions that need another search under `preset`."""
        return sum(unmeasured(listed, preset) for listed in self.done)

    @property
    def seconds_left(self) -> float | None:
        """The estimate from the mean time of the questions so far; None before the first."""
        elapsed = time.monotonic() - self.started
        return elapsed / len(self.done) * (len(self.rows) - len(self.done)) if self.done else None


def run_of() -> Run | None:
    """The list that this user asked last; None if there is none."""
    return notes("list")[-1] if notes("list") else None


def list_form(explorer: "Explorer", using: tuple[str, Settings], preset: Preset) -> None:
    """Draw the fields to paste or upload a list, which is measured as far as `preset` needs it.

    They are disabled while a list runs.
    """
    run = run_of()
    busy = run is not None and not run.ended.is_set()
    paste, upload = st.columns([3, 2], gap="medium")
    with paste:
        st.text_area(
            f"Questions, one a line, at most {MOST}", key=fresh(PASTED), height=150,
            placeholder="What is an acid?\nHow fast does sound travel in steel?",
        )  # fmt: skip
        st.button(
            "Ask them all", type="primary", key="ask list", disabled=busy, on_click=_begin,
            args=(PASTED, explorer, using, preset),
        )  # fmt: skip
    with upload:
        st.file_uploader(
            "Or a file", type=["csv", "txt", "jsonl", "json", "parquet"],
            key=fresh(UPLOADED), max_upload_size=MEGABYTES, disabled=busy,
            on_change=_begin, args=(UPLOADED, explorer, using, preset),
            help="Its column question or query, else its first one; class and subject, where there are such columns, "
            "limit the search. Rows of Ragas, DeepEval and Hugging Face are read against the contexts that they bring.",
        )  # fmt: skip
    for error in notes("list refused"):
        show(error)


def _begin(source: str, explorer: "Explorer", using: tuple[str, Settings], preset: Preset) -> None:
    """Start the pasted or uploaded list in the background; a callback."""
    notes("list refused").clear()
    entry = value(fresh(source))
    try:
        if source == UPLOADED and entry:
            usage().take(files=1, megabytes=entry.size / 1e6)
        rows = pasted(entry) if source == PASTED else listed(*((entry.getvalue(), entry.name) if entry else (b"", "")))
    except ERRORS as error:
        notes("list refused").append(error)
        return
    finally:
        if source == UPLOADED:
            renew(UPLOADED)
    if (previous := run_of()) is not None:
        previous.stopping.set()
    run = Run(rows=rows, using=using, usage=usage())
    notes("list")[:] = [run]
    run.begin(explorer, preset)


def progress(run: Run) -> None:
    """Draw the progress of a list, with the time left and a Stop button; once it has ended, the number asked."""
    done, count = len(run.done), len(run.rows)
    if run.ended.is_set():
        stopped = done < count and not run.sentence
        st.markdown(f"**{counted(done, 'question')} asked**" + (f", stopped before the last {count - done}" * stopped))
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.progress(done / count, text=f"{done} of {counted(count, 'question')} asked, {left(run)}")
        st.button("Stop", key="stop list", icon=":material/stop_circle:", on_click=run.stopping.set)


def left(run: Run) -> str:
    """The time left in words, or what the list waits for."""
    if run.stopping.is_set():
        return "stopping after this one …"
    if run.waiting:
        return f"the next one is {in_line(run.waiting)}"
    if run.held_up:
        return f"going on in {run.held_up:.0f} s: at most {QUOTAS['questions'].most:g} questions a minute are taken"
    seconds = run.seconds_left
    if seconds is None:
        return "the first one is being read …"
    return time_left(seconds)
