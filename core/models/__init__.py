"""Models that measure, and what they share. Only they and the writers import torch and transformers."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from core.errors import UserError


class ModelError(UserError):
    """Raised if a model cannot be loaded or used. The message says which one, why, and what to do."""


class Memory:
    """A cache of a model's outputs by its inputs. It holds the `capacity` most recently computed outputs.

    lock: held while the model runs, so that one thread at a time uses the model.
    """

    def __init__(self, capacity: int = 20_000) -> None:
        self.capacity, self.lock = capacity, threading.Lock()
        self._cache: OrderedDict[Hashable, Any] = OrderedDict()

    def outputs(self, inputs: Sequence[Hashable], measure: Callable[[list], Iterable[Any]]) -> list[Any]:
        """The output for each input, in order. `measure` is called once, for all inputs that are not cached."""
        with self.lock:
            if missing := [one for one in dict.fromkeys(inputs) if one not in self._cache]:
                self._cache.update(zip(missing, measure(missing), strict=True))
            outputs = [self._cache[one] for one in inputs]
            while len(self._cache) > self.capacity:
                self._cache.popitem(last=False)
        return outputs
