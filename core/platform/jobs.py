"""Scheduling on one computer: a queue for measuring, waiting times, and background work that yields to users."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from typing import TypeVar

T = TypeVar("T")

QUIET = 0.5
"""Seconds without a redraw of any page before background work resumes."""
REPORT_SECONDS = 0.5
"""Seconds between two reports to a waiting user; the first report comes sooner."""
_FIRST_REPORT = 0.1
_RECENT_COUNT = 20
_POLL_SECONDS = 0.05


@dataclass(frozen=True, kw_only=True)
class Wait:
    """A position in the queue. place: 1 is next. seconds: estimated wait from recent durations; None if unknown."""

    place: int
    seconds: float | None


def time_left(seconds: float) -> str:
    """The remaining time as text: "about 4 s left", "about 3 min left", "about 2 h left" or "almost done"."""
    if seconds < 1:
        return "almost done"
    if seconds < 90:
        return f"about {seconds:.0f} s left"
    return f"about {seconds / 60:.0f} min left" if seconds < 5400 else f"about {seconds / 3600:.0f} h left"


def in_line(wait: Wait) -> str:
    """A position in the queue as text, such as "1st in line, about 4 s left until its turn" for a waiting user."""
    ending = "th" if wait.place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(wait.place % 10, "th")
    if wait.seconds is None:
        left = "waiting time not known yet"
    else:
        left = "its turn comes at once" if wait.seconds < 1 else f"{time_left(wait.seconds)} until its turn"
    return f"{wait.place}{ending} in line, {left}"


WaitListener = Callable[[Wait | None], None]
"""A listener: called with a Wait repeatedly, and with None when the turn comes. Raising an exception ends the wait."""


class StoppedWaiting(BaseException):
    """Raised by a listener when nobody waits for the result any more. Error handlers do not catch it: it is no
    Exception."""


@dataclass(eq=False)
class _Work:
    """A piece of work: its arrival number, and for each queue the seconds that its turns in this queue have taken."""

    arrival: int
    seconds_by_queue: dict["Turns", float] = field(default_factory=dict)


@dataclass(eq=False)
class _Turn:
    work: _Work
    size: int
    began: float | None = None


_arrivals = count()
_current_work: ContextVar[_Work | None] = ContextVar("work", default=None)
_listener: ContextVar[WaitListener | None] = ContextVar("listener", default=None)
_pause: ContextVar[Callable[[], None] | None] = ContextVar("pause", default=None)
_in_turn: ContextVar[bool] = ContextVar("in a turn", default=False)


@contextmanager
def within(variable: ContextVar[T], value: T) -> Iterator[None]:
    """Within the block, `variable` has this value in this thread."""
    before = variable.set(value)
    try:
        yield
    finally:
        variable.reset(before)


def report_waits(listener: WaitListener) -> AbstractContextManager[None]:
    """Within the block, report every wait of this thread to `listener`."""
    return within(_listener, listener)


def use_pause(pause: Callable[[], None]) -> AbstractContextManager[None]:
    """Within the block, call `pause` wherever this thread's work may yield to others."""
    return within(_pause, pause)


def yield_to_users() -> None:
    """Pause background work while a user's request runs.

    Never call this inside a cached_property: Python 3.11 holds its lock meanwhile, and the user's request may need it.
    """
    if pause := _pause.get():
        pause()


@contextmanager
def one_job() -> Iterator[None]:
    """Context manager: all that this thread does inside waits in the queue once, at the position of its
    first request."""
    if _current_work.get():
        yield
        return
    work = _Work(next(_arrivals))
    try:
        with within(_current_work, work):
            yield
    finally:
        for turns, seconds in work.seconds_by_queue.items():
            turns.took.append(seconds)


class Turns:
    """A queue of threads. The first `at_once` of them may run; the others wait in order of arrival.

    took: durations of the latest pieces of work, in seconds.
    """

    def __init__(self, at_once: int) -> None:
        self._at_once, self._line, self._change = at_once, [], threading.Condition()
        self.took: deque[float] = deque(maxlen=_RECENT_COUNT)

    @contextmanager
    def take_turn(self, size: int = 1) -> Iterator[None]:
        """Wait for this thread's turn, reporting to its listener, and hold it within the block. Not reentrant: a second
        turn waits for the first.

        size: how many of the `at_once` slots it takes. A turn larger than all slots runs alone.
        """
        with one_job():
            turn, listener, has_reported = _Turn(_current_work.get(), size), _listener.get(), False
            with self._change:
                self._line.append(turn)
                self._order_line()
            try:
                while True:
                    timeout = None if not listener else REPORT_SECONDS if has_reported else _FIRST_REPORT
                    with self._change:
                        if self._change.wait_for(lambda: self._fits(turn), timeout):
                            turn.began = time.monotonic()
                            self._order_line()
                            break
                        wait = self._wait(turn)
                    listener(wait)
                    has_reported = True
                if has_reported:
                    listener(None)
                yield
            finally:
                with self._change:
                    if turn.began is not None:
                        turn.work.seconds_by_queue[self] = self._work_seconds(turn)
                    self._line.remove(turn)
                    self._change.notify_all()

    def _order_line(self) -> None:
        """Sort the queue: running turns first, then the waiting ones in order of arrival."""
        self._line.sort(key=lambda turn: (turn.began is None, turn.work.arrival))

    def _fits(self, turn: _Turn) -> bool:
        ahead = self._line[: self._line.index(turn)]
        return not ahead or sum(t.size for t in ahead) + turn.size <= self._at_once

    def _wait(self, turn: _Turn) -> Wait:
        ahead = self._line[: self._line.index(turn)]
        position = 1 + sum(t.began is None for t in ahead)
        if not self.took:
            return Wait(place=position, seconds=None)
        typical = sorted(self.took)[len(self.took) // 2]
        total = sum(t.size * max(0.0, typical - self._work_seconds(t)) for t in ahead)
        return Wait(place=position, seconds=total / self._at_once)

    def _work_seconds(self, turn: _Turn) -> float:
        """Seconds that this queue has worked for the turn's piece of work, including earlier turns."""
        current = 0.0 if turn.began is None else time.monotonic() - turn.began
        return turn.work.seconds_by_queue.get(self, 0.0) + current


TURNS = Turns(1)
"""The queue of this process for work with models. One piece of work at a time: a model answers one call at a time and
uses every processor, so that two pieces would compete with the pages for Python, and both finish late."""
_BACKGROUND_TURNS = Turns(1)


@contextmanager
def turn_at_models() -> Iterator[None]:
    """This thread's turn to use models, in TURNS. A turn within a turn is the same one.

    Background work has a queue of its own, because it pauses within its turn while users wait for theirs.
    """
    if _in_turn.get():
        yield
        return
    with (_BACKGROUND_TURNS if _pause.get() else TURNS).take_turn(), within(_in_turn, True):
        yield


class People:
    """Tracks whether anyone is using the app in this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asking_count = 0
        self._last_activity = float("-inf")

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Within the block, count a user who waits for models, so that `busy` is True."""
        with self._lock:
            self._asking_count += 1
        try:
            yield
        finally:
            with self._lock:
                self._asking_count -= 1
                self._last_activity = time.monotonic()

    def record_activity(self) -> None:
        """Record that a user has just changed or opened something, so that a page is being drawn."""
        self._last_activity = time.monotonic()

    @property
    def busy(self) -> bool:
        return self._asking_count > 0 or time.monotonic() - self._last_activity < QUIET

    def wait(self, ended: Callable[[], bool] = lambda: False) -> float:
        """Wait until no user is active, or until `ended` returns True. Return the seconds waited."""
        started = time.monotonic()
        while self.busy and not ended():
            time.sleep(_POLL_SECONDS)
        return time.monotonic() - started


PEOPLE = People()
"""The one instance of this process."""
