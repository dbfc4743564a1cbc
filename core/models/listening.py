"""What a model tells while it writes is heard in the thread that asked for it, where a page draws."""

import math
import queue
import threading
import time
from collections.abc import Callable
from typing import TypeVar

Given = TypeVar("Given")
Listen = Callable[[str], None]
"""Told what there is to show, whole each time: why nothing is written yet, then the text so far. What it raises ends
the writing."""
_AGAIN = 0.25
"""Seconds after which a listener hears the same once more, so that it can end what has nothing new to tell."""


class Stopped(Exception):  # noqa: N818 - what a person wanted, no fault
    """Raised where something is told that nobody waits for any more."""


def heard(write: Callable[[Listen], Given], listen: Listen | None = None, until: float = math.inf) -> Given:
    """What `write` gives, which runs in a thread of its own; `listen` hears in this one what it tells.

    What `listen` raises is raised here at once, and ends `write` when it tells something next. So does the moment
    `until` of time.monotonic(), with a TimeoutError.
    """
    told: queue.SimpleQueue[tuple[str, object]] = queue.SimpleQueue()
    over = threading.Event()

    def tell(text: str) -> None:
        if over.is_set():
            raise Stopped
        told.put(("text", text))

    def work() -> None:
        try:
            told.put(("end", write(tell)))
        except BaseException as error:  # raised where it is waited for
            told.put(("error", error))

    threading.Thread(target=work, daemon=True).start()
    so_far = ""
    try:
        while True:
            kind, found = _next(told, min(_AGAIN, until - time.monotonic())) or ("text", so_far)
            if kind == "end":
                return found
            if kind == "error":
                raise found
            if time.monotonic() > until:
                raise TimeoutError
            so_far = found
            if listen:
                listen(so_far)
    finally:
        over.set()


def _next(told: "queue.SimpleQueue[tuple[str, object]]", seconds: float) -> tuple[str, object] | None:
    """What was told next, None when that is nothing for so many seconds."""
    try:
        return told.get(timeout=max(0.0, seconds))
    except queue.Empty:
        return None
