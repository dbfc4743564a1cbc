"""Work that shares one computer: whose turn it is, and what waits while somebody asks."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

AT_ONCE = 2
"""Rounds measured at the same time. A model answers one call at a time, so more would only share Python with the pages,
and everybody would be done when the last one is. One of the two is always a person's: banks take turns of their own."""
QUIET = 0.5
"""Seconds without a redraw of any page before the background goes on."""
_LOOK = 0.05
_TELL = 0.5
"""Seconds after which who stands in a line is told again how many are before."""


class Turns:
    """A line of threads. The first `at_once` of it are let in, the others stand where they came."""

    def __init__(self, at_once: int) -> None:
        self._at_once, self._line, self._changed = at_once, [], threading.Condition()

    @contextmanager
    def taken(self, waits: Callable[[int], None] = lambda _: None) -> Iterator[None]:
        """Within the block it is this thread's turn, which it takes once: a second time it could wait for itself.

        waits: told how many are before this thread for as long as there are any; what it raises gives the place up.
        """
        place = object()
        try:
            with self._changed:
                self._line.append(place)
            while before := self._before(place):
                waits(before)  # outside the lock: it may take its time
                with self._changed:
                    self._changed.wait_for(lambda seen=before: self._before(place) != seen, timeout=_TELL)
            yield
        finally:
            with self._changed:
                self._line.remove(place)
                self._changed.notify_all()

    def _before(self, place: object) -> int:
        """How many have to be done before it is the turn of `place`; 0 when it is."""
        with self._changed:
            return max(0, self._line.index(place) + 1 - self._at_once)


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
