"""Files on their way into the library, in threads of their own: no redraw of a page loses or doubles one."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.library import Cancelled, Progress, clashes, safe_name
from core.platform.access import on_behalf
from core.platform.jobs import Wait
from pages.components.shared.safe_display import ERRORS

if TYPE_CHECKING:
    from core.library import Ingested

log = logging.getLogger(__name__)

WORKERS = 2
"""Drops that are read at the same time; the files of one drop come one after the other."""
REMEMBERED = 500
"""Files that have ended and can still be told about."""
_RECENT = 20
ENDED = ("added", "held", "refused", "stopped")


@dataclass(kw_only=True, eq=False)
class Upload:
    """One file. state: waiting, running, then one of ENDED; held: the library had it already."""

    number: int
    name: str
    data: bytes = field(repr=False)
    about: dict[str, Any]
    state: str = "waiting"
    progress: Progress | None = None
    outcome: "Ingested | None" = None
    sentence: str = ""
    stopping: threading.Event = field(default_factory=threading.Event)

    @property
    def ended(self) -> bool:
        return self.state in ENDED

    def end(self, state: str, sentence: str = "") -> None:
        self.sentence, self.state, self.data = sentence, state, b""

    def listen(self, progress: Progress) -> None:
        self.progress = progress


class Intake:
    """Takes drops of files from every session, and tells how each file comes along."""

    def __init__(self) -> None:
        self._numbers = count()
        self._uploads: dict[int, Upload] = {}
        self._drops: deque[tuple[Callable[..., Ingested], deque[Upload]]] = deque()
        self._under_way: list[deque[Upload]] = []
        self._took: deque[float] = deque(maxlen=_RECENT)
        self._changing = threading.Lock()
        self._more = threading.Condition(self._changing)
        for _ in range(WORKERS):
            threading.Thread(target=self._work, daemon=True).start()

    def add(self, library: Any, files: Sequence[tuple[str, bytes]], **about: Any) -> list[int]:
        """Files by name and bytes, to be read in this order; returns the number of each."""
        new = [Upload(number=next(self._numbers), name=safe_name(name), data=data, about=about) for name, data in files]
        for place, sentence in clashes([u.name for u in new], lambda n: new[n].data).items():
            new[place].end("refused", sentence)
        with self._changing:
            self._uploads |= {upload.number: upload for upload in new}
            self._forget_oldest()
            if new:
                self._drops.append((on_behalf(library.ingest), deque(new)))
                self._more.notify()
        return [upload.number for upload in new]

    def refuse(self, name: str, sentence: str) -> int:
        """A file that never came this far is told about like the others; returns its number."""
        refused = Upload(number=next(self._numbers), name=safe_name(name), data=b"", about={})
        refused.end("refused", sentence)
        with self._changing:
            self._uploads[refused.number] = refused
            self._forget_oldest()
        return refused.number

    def uploads(self) -> tuple[Upload, ...]:
        with self._changing:
            return tuple(self._uploads.values())

    @property
    def busy(self) -> bool:
        return not all(upload.ended for upload in self.uploads())

    def wait(self, upload: Upload) -> Wait | None:
        """Where a file stands in line, each drop having its turn; None for one that does not wait."""
        with self._changing:
            drops = [[u for u in drop if not u.ended] for drop in (*(d for _, d in self._drops), *self._under_way)]
            mine = next((n for n, drop in enumerate(drops) if upload in drop), None)
            if mine is None:
                return None
            rounds = drops[mine].index(upload)
            place = 1 + sum(min(len(drop), rounds + (n < mine)) for n, drop in enumerate(drops))
            each = sorted(self._took)[len(self._took) // 2] if self._took else None
        return Wait(place=place, seconds=None if each is None else each * place / WORKERS)

    def stop(self, *numbers: int) -> None:
        """End these files: one that waits at once, one that is read as soon as the library can let go of it."""
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
                self._under_way.append(drop)
            started = time.monotonic()
            self._ingest(ingest, upload)
            with self._more:
                self._took.append(time.monotonic() - started)
                self._under_way = [one for one in self._under_way if one is not drop]
                if drop:
                    self._drops.append((ingest, drop))  # to the end: other drops have their turn
                    self._more.notify()

    def _ingest(self, ingest: Callable[..., "Ingested"], upload: Upload) -> None:
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
        except ERRORS as error:
            upload.end("refused", str(error))
        except Exception as error:  # the edge of a thread: nobody above would hear of it
            log.exception("%s could not be added", upload.name)
            upload.end("refused", f"{upload.name} could not be added ({type(error).__name__}); try it once more.")
        else:
            upload.outcome = outcome
            upload.end("added" if outcome.added else "held")

    def _forget_oldest(self) -> None:
        ended = [n for n, upload in self._uploads.items() if upload.ended]
        for n in ended[: max(0, len(ended) - REMEMBERED)]:
            del self._uploads[n]


@st.cache_resource(show_spinner=False)
def shared_intake(home: str) -> Intake:  # noqa: ARG001 - each run-time folder has its own
    return Intake()
