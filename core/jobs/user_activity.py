"""Work in the background lets people go first: it waits while anybody asks, and while anybody moves something."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

QUIET = 0.5
"""Seconds without a redraw of any page before the background goes on."""
_LOOK = 0.05


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
