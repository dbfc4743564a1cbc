"""Many ask at once and few are measured at once: the first to come is the first to be done."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

AT_ONCE = 2
"""Rounds measured at the same time. A model answers one call at a time, so more would only share Python with the pages,
and everybody would be done when the last one is. One of the two is always a person's: banks take turns of their own."""


class Turns:
    """A line of threads. The first `at_once` of it are let in, the others stand where they came."""

    def __init__(self, at_once: int) -> None:
        self._at_once, self._line, self._changed = at_once, [], threading.Condition()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Within the block it is this thread's turn, which it takes once: a second time it could wait for itself."""
        place = object()
        try:
            with self._changed:
                self._line.append(place)
                self._changed.wait_for(lambda: place in self._line[: self._at_once])
            yield
        finally:
            with self._changed:
                self._line.remove(place)
                self._changed.notify_all()


TURNS = Turns(AT_ONCE)
"""Of this process; there is one."""
