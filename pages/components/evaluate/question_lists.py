"""Lists of questions: pasted or uploaded, asked in a thread of their own so that no redraw loses or doubles one."""

import logging
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.banks.files import listed
from core.banks.question_lists import MOST, Listed, asked, pasted, told, unmeasured
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
"""Largest CSV file: far more than the questions that are asked at a time."""


@dataclass(eq=False, kw_only=True)
class Run:
    """One list on its way. `done` only grows; `sentence` says what broke it, if anything did.

    waiting: where its next question stands in line; None while it is being read. held_up: seconds until this person
    may ask it.
    """

    rows: Sequence[Mapping[str, Any]]
    using: tuple[str, Settings]
    usage: Usage = field(default_factory=Usage)
    done: list[Listed] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    started: float = field(default_factory=time.monotonic)
    sentence: str = ""
    waiting: Wait | None = None
    held_up: float = 0.0
    _lines: tuple[Preset | None, list[dict[str, Any]]] = (None, [])

    def begin(self, explorer: "Explorer", preset: Preset) -> None:
        threading.Thread(target=on_behalf(self.work), args=(explorer, preset), daemon=True).start()

    def work(self, explorer: "Explorer", preset: Preset) -> None:
        """Ask one after the other, until the end or until it is stopped."""
        try:
            with PEOPLE.asking(), telling(self._told_of):
                for listed in asked(self._in_time(), explorer, preset):
                    self.done.append(listed)
                    if self.stopping.is_set():
                        break
        except StoppedWaiting:
            log.info("a list was stopped while it waited")
        except Exception as error:  # the edge of a thread: nobody above would hear of it
            log.exception("a list of questions broke")
            self.sentence = f"The list broke at question {len(self.done) + 1} ({error}); ask it again."
        finally:
            self.ended.set()

    def _in_time(self) -> Iterator[Mapping[str, Any]]:
        """The rows, each once this person may ask again: a list takes longer then, and is not refused."""
        for row in self.rows:
            while lacking := self.usage.lacking(questions=1):
                self.held_up = lacking["questions"]
                if self.stopping.wait(min(1.0, self.held_up)):
                    return
            self.held_up = 0.0
            yield row

    def _told_of(self, wait: Wait | None) -> None:
        self.waiting = wait
        if self.stopping.is_set():
            raise StoppedWaiting

    def lines(self, preset: Preset) -> list[dict[str, Any]]:
        """What became of each question so far under `preset`; each is decided once."""
        known, lines = self._lines
        if known != preset:
            lines = []
        lines = [*lines, *(told(listed, preset) for listed in self.done[len(lines) :])]
        self._lines = preset, lines
        return lines

    def unmeasured(self, preset: Preset) -> int:
        """How many questions would search again under `preset`."""
        return sum(unmeasured(listed, preset) for listed in self.done)

    @property
    def seconds_left(self) -> float | None:
        """As long as the others took, each; None before the first."""
        took = time.monotonic() - self.started
        return took / len(self.done) * (len(self.rows) - len(self.done)) if self.done else None


def run_of() -> Run | None:
    """The list that this person asked last."""
    return notes("list")[-1] if notes("list") else None


def list_form(explorer: "Explorer", using: tuple[str, Settings], preset: Preset) -> None:
    """Where a list is pasted or dropped, to be asked as `preset` needs it.

    A list that is under way has to end, or be stopped, before another.
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
    """Ask the list that was pasted or dropped, in the background; a callback."""
    notes("list refused").clear()
    given = value(fresh(source))
    try:
        if source == UPLOADED and given:
            usage().take(files=1, megabytes=given.size / 1e6)
        rows = pasted(given) if source == PASTED else listed(*((given.getvalue(), given.name) if given else (b"", "")))
    except ERRORS as error:
        notes("list refused").append(error)
        return
    finally:
        if source == UPLOADED:
            renew(UPLOADED)
    if (before := run_of()) is not None:
        before.stopping.set()
    run = Run(rows=rows, using=using, usage=usage())
    notes("list")[:] = [run]
    run.begin(explorer, preset)


def progress(run: Run) -> None:
    """How far the list has come, with the time left and a way to stop it."""
    done, count = len(run.done), len(run.rows)
    if run.ended.is_set():
        stopped = done < count and not run.sentence
        st.markdown(f"**{counted(done, 'question')} asked**" + (f", stopped before the last {count - done}" * stopped))
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.progress(done / count, text=f"{done} of {counted(count, 'question')} asked, {left(run)}")
        st.button("Stop", key="stop list", icon=":material/stop_circle:", on_click=run.stopping.set)


def left(run: Run) -> str:
    """The time left in words."""
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
