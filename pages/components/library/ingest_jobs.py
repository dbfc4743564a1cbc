"""Ingestion of files in background threads, so that a redraw of a page cannot lose or repeat one."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.errors import UserError
from core.library import Cancelled, Progress, clashes, safe_name
from core.platform.access import on_behalf
from core.platform.jobs import Wait

if TYPE_CHECKING:
    from core.library import IngestionOutcome

log = logging.getLogger(__name__)

WORKERS = 2
"""Number of drops that are ingested at the same time; the files of one drop run one after the other."""
MAX_UPLOADS = 500
"""Maximum files whose outcome is stored after they have ended; older ones are forgotten."""
_RECENT = 20
"""Number of recent files whose durations give the estimate of the waiting time."""
END_STATES = ("added", "held", "refused", "stopped")
"""The final states of a file; "held" means that the library already had it."""


@dataclass(kw_only=True, eq=False)
class Upload:
    """One uploaded file.

    number: identifies it. name, data: of the file; data is emptied at the end. about: the class number and subject for
    the ingestion. state: "waiting", "running", or one of END_STATES. progress: the last progress report. outcome: the
    result of the ingestion; None before its end. sentence: why the file was refused or stopped. stopping: set when the
    ingestion should stop.
    """

    number: int
    name: str
    data: bytes = field(repr=False)
    about: dict[str, Any]
    state: str = "waiting"
    progress: Progress | None = None
    outcome: "IngestionOutcome | None" = None
    sentence: str = ""
    stopping: threading.Event = field(default_factory=threading.Event)

    @property
    def ended(self) -> bool:
        return self.state in END_STATES

    def end(self, state: str, sentence: str = "") -> None:
        self.sentence, self.state, self.data = sentence, state, b""

    def listen(self, progress: Progress) -> None:
        self.progress = progress


class Intake:
    """The queue of dropped files of all sessions, with the state of each file."""

    def __init__(self) -> None:
        self._numbers = count()
        self._uploads: dict[int, Upload] = {}
        self._drops: deque[tuple[Callable[..., IngestionOutcome], deque[Upload]]] = deque()
        self._active: list[deque[Upload]] = []
        self._durations: deque[float] = deque(maxlen=_RECENT)
        self._changing = threading.Lock()
        self._more = threading.Condition(self._changing)
        for _ in range(WORKERS):
            threading.Thread(target=self._work, daemon=True).start()

    def add(self, library: Any, files: Sequence[tuple[str, bytes]], **about: Any) -> list[int]:
        """Queue a drop of files (name and bytes) in this order; return the number of each.

        about: class number and subject, passed to the ingestion.
        """
        new = [Upload(number=next(self._numbers), name=safe_name(name), data=data, about=about) for name, data in files]
        for index, sentence in clashes([u.name for u in new], lambda n: new[n].data).items():
            new[index].end("refused", sentence)
        self._list(*new)
        with self._more:
            if new:
                self._drops.append((on_behalf(library.ingest), deque(new)))
                self._more.notify()
        return [upload.number for upload in new]

    def refuse(self, name: str, sentence: str) -> int:
        """Record a file that was refused before it was queued, so that it is listed; return its number."""
        upload = Upload(number=next(self._numbers), name=safe_name(name), data=b"", about={})
        upload.end("refused", sentence)
        self._list(upload)
        return upload.number

    def _list(self, *new: Upload) -> None:
        """List these files after all others, and forget the oldest of those that have ended."""
        with self._changing:
            self._uploads |= {upload.number: upload for upload in new}
            ended = [n for n, upload in self._uploads.items() if upload.ended]
            for n in ended[: max(0, len(ended) - MAX_UPLOADS)]:
                del self._uploads[n]

    def uploads(self) -> tuple[Upload, ...]:
        with self._changing:
            return tuple(self._uploads.values())

    @property
    def busy(self) -> bool:
        return not all(upload.ended for upload in self.uploads())

    def wait(self, upload: Upload) -> Wait | None:
        """The position of a file in the queue and the estimated waiting time; None if the file does not wait. The drops
        in the queue take turns, one file each."""
        with self._changing:
            drops = [[u for u in drop if not u.ended] for drop in (*(d for _, d in self._drops), *self._active)]
            own_drop = next((n for n, drop in enumerate(drops) if upload in drop), None)
            if own_drop is None:
                return None
            rounds = drops[own_drop].index(upload)
            position = 1 + sum(min(len(drop), rounds + (n < own_drop)) for n, drop in enumerate(drops))
            median = sorted(self._durations)[len(self._durations) // 2] if self._durations else None
        return Wait(place=position, seconds=None if median is None else median * position / WORKERS)

    def stop(self, *numbers: int) -> None:
        """Stop these files. A waiting file ends at once; a running one ends when its ingestion next checks
        `stopping`."""
        with self._changing:
            for upload in (self._uploads[n] for n in numbers if n in self._uploads):
                upload.stopping.set()
                if upload.state == "waiting":
                    upload.end("stopped", f"{upload.name} was stopped before it was read.")

    def _work(self) -> None:
        while True:
            with self._more:
                self._more.wait_for(lambda: self._drops)
                ingest, drop = self._drops.popleft()
                upload = drop.popleft()
                self._active.append(drop)
            started = time.monotonic()
            self._ingest(ingest, upload)
            with self._more:
                self._durations.append(time.monotonic() - started)
                self._active = [active for active in self._active if active is not drop]
                if drop:
                    self._drops.append((ingest, drop))  # at the end, so that other drops take their turn
                    self._more.notify()

    def _ingest(self, ingest: Callable[..., "IngestionOutcome"], upload: Upload) -> None:
        with self._changing:
            if upload.ended:
                return
            upload.state = "running"
        try:
            outcome = ingest(
                upload.data, upload.name, **upload.about, progress=upload.listen, cancelled=upload.stopping.is_set
            )
        except Cancelled as error:
            upload.end("stopped", str(error))
        except UserError as error:
            upload.end("refused", str(error))
        except Exception as error:  # nothing above this thread would report it
            log.exception("%s could not be added", upload.name)
            upload.end("refused", f"{upload.name} could not be added ({type(error).__name__}); try it once more.")
        else:
            upload.outcome = outcome
            upload.end("added" if outcome.added else "held")


@st.cache_resource(show_spinner=False)
def shared_intake(home: str) -> Intake:  # noqa: ARG001 - the cache key: one intake for each run-time folder
    """The intake of the run-time folder `home`."""
    return Intake()
