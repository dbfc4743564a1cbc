"""Work that shares one computer: whose turn it is, how long the others wait, and what waits while somebody asks."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count

AT_ONCE = 2
"""Rounds measured at the same time. A model answers one call at a time, so more would only share Python with the pages,
and everybody would be done when the last one is. One of the two is always a person's: banks take turns of their own."""
QUIET = 0.5
"""Seconds without a redraw of any page before the background goes on."""
TOLD = 0.5
"""Seconds after which whoever waits is told again where they stand, and again; first of all sooner."""
_FIRST_TOLD = 0.1
_RECENT = 20
_LOOK = 0.05


@dataclass(frozen=True, kw_only=True)
class Wait:
    """Where somebody stands in a line: 1 is next. seconds: until the turn, by how long the last ones took; None while
    none has ended yet."""

    place: int
    seconds: float | None


def time_left(seconds: float) -> str:
    """ "about 4 s left", "about 3 min left", "about 2 h left"."""
    if seconds < 1:
        return "almost done"
    if seconds < 90:
        return f"about {seconds:.0f} s left"
    return f"about {seconds / 60:.0f} min left" if seconds < 5400 else f"about {seconds / 3600:.0f} h left"


def in_line(wait: Wait) -> str:
    """ "1st in line, about 4 s left until its turn"."""
    ending = "th" if wait.place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(wait.place % 10, "th")
    if wait.seconds is None:
        left = "nobody can say yet for how long"
    else:
        left = "its turn comes at once" if wait.seconds < 1 else f"{time_left(wait.seconds)} until its turn"
    return f"{wait.place}{ending} in line, {left}"


Told = Callable[[Wait | None], None]
"""Hears a Wait again and again, and None once the turn has come. What it raises ends the waiting."""


class StoppedWaiting(BaseException):
    """Whoever waited does so no longer; for a Told to raise. Nothing broke, so nothing that mends errors keeps it."""


@dataclass(eq=False)
class _Place:
    """When somebody came, and how long each line has worked for them since."""

    arrived: int
    worked: dict["Turns", float] = field(default_factory=dict)


@dataclass(eq=False)
class _Turn:
    place: _Place
    size: int
    began: float | None = None


_arrivals = count()
_place: ContextVar[_Place | None] = ContextVar("place", default=None)
_told: ContextVar[Told | None] = ContextVar("told", default=None)
_pause: ContextVar[Callable[[], None] | None] = ContextVar("pause", default=None)


@contextmanager
def telling(told: Told) -> Iterator[None]:
    """Within the block `told` hears of every wait of this thread."""
    before = _told.set(told)
    try:
        yield
    finally:
        _told.reset(before)


@contextmanager
def standing_back(pause: Callable[[], None]) -> Iterator[None]:
    """Within the block `pause` is called wherever the work of this thread may wait for others."""
    before = _pause.set(pause)
    try:
        yield
    finally:
        _pause.reset(before)


def stand_back() -> None:
    """Here the work of this thread may wait. Never within a value that is worked out once: Python 3.11 keeps all
    others from the values of that name meanwhile, and whoever is waited for could be among them."""
    if pause := _pause.get():
        pause()


@contextmanager
def one_place() -> Iterator[None]:
    """All turns taken within the block are one piece of work: it stands where it came, before all who came later."""
    if _place.get():
        yield
        return
    place = _Place(next(_arrivals))
    before = _place.set(place)
    try:
        yield
    finally:
        _place.reset(before)
        for turns, seconds in place.worked.items():
            turns.took.append(seconds)


class Turns:
    """A line of threads. The first `at_once` of it are let in, the others stand where they came.

    took: seconds of the last pieces of work.
    """

    def __init__(self, at_once: int) -> None:
        self._at_once, self._line, self._changed = at_once, [], threading.Condition()
        self.took: deque[float] = deque(maxlen=_RECENT)

    @contextmanager
    def taken(self, size: int = 1) -> Iterator[None]:
        """Within the block it is this thread's turn, which it takes once: a second time it could wait for itself.

        size: how many of `at_once` it fills; one that is larger than all of them is let in alone.
        """
        with one_place():
            turn = _Turn(_place.get(), size)
            try:
                self._stand(turn)
                yield
            finally:
                self._leave(turn)

    def _stand(self, turn: _Turn) -> None:
        """Wait for the turn, and tell whoever listens meanwhile."""
        told, heard = _told.get(), False
        with self._changed:
            self._line.append(turn)
            self._in_order()
        while (wait := self._awaited(turn, (TOLD if heard else _FIRST_TOLD) if told else None)) is not None:
            told(wait)
            heard = True
        if heard:
            told(None)

    def _awaited(self, turn: _Turn, seconds: float | None) -> Wait | None:
        """None once it is let in; after so many `seconds` where it stands."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._fits(turn), seconds):
                return self._wait(turn)
            turn.began = time.monotonic()
            self._in_order()
            return None

    def _leave(self, turn: _Turn) -> None:
        with self._changed:
            if turn.began is not None:
                turn.place.worked[self] = self._worked(turn)
            self._line.remove(turn)
            self._changed.notify_all()

    def _in_order(self) -> None:
        """Those who are in, then the others as they came."""
        self._line.sort(key=lambda turn: (turn.began is None, turn.place.arrived))

    def _fits(self, turn: _Turn) -> bool:
        before = self._line[: self._line.index(turn)]
        return not before or sum(t.size for t in before) + turn.size <= self._at_once

    def _wait(self, turn: _Turn) -> Wait:
        before = self._line[: self._line.index(turn)]
        place = 1 + sum(t.began is None for t in before)
        if not self.took:
            return Wait(place=place, seconds=None)
        each = sorted(self.took)[len(self.took) // 2]
        left = sum(t.size * max(0.0, each - self._worked(t)) for t in before)
        return Wait(place=place, seconds=left / self._at_once)

    def _worked(self, turn: _Turn) -> float:
        """Seconds of this line's work for it, in this turn and those before it."""
        now = 0.0 if turn.began is None else time.monotonic() - turn.began
        return turn.place.worked.get(self, 0.0) + now


TURNS = Turns(AT_ONCE)
"""Of this process; there is one."""


class People:
    """Who is using the app of this process."""

    def __init__(self) -> None:
        self._changing = threading.Lock()
        self._asking = 0
        self._moved = float("-inf")

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Somebody waits for models within the block."""
        with self._changing:
            self._asking += 1
        try:
            yield
        finally:
            with self._changing:
                self._asking -= 1
                self._moved = time.monotonic()

    def moved(self) -> None:
        """Somebody has just moved or opened something, and a page is drawn."""
        self._moved = time.monotonic()

    @property
    def busy(self) -> bool:
        return self._asking > 0 or time.monotonic() - self._moved < QUIET

    def wait(self, ended: Callable[[], bool] = lambda: False) -> float:
        """Wait until nobody is busy, or `ended`; the seconds that it took."""
        started = time.monotonic()
        while self.busy and not ended():
            time.sleep(_LOOK)
        return time.monotonic() - started


PEOPLE = People()
"""Of this process; there is one."""
