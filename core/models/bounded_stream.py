"""What a server sends, up to a limit: an answer may neither go on for ever nor fill the memory."""

import time
from collections.abc import Iterator
from typing import Any

import httpx2

from core.models.errors import ModelError

MOST_BYTES = 4_000_000
"""Far more than any answer needs, with all that the protocol wraps around its words."""


class Bounded(httpx2.SyncByteStream):
    """The bytes of a response until MOST_BYTES or the moment `until` (of time.monotonic); then a ModelError."""

    def __init__(self, stream: Any, until: float, late: str) -> None:
        self._stream, self._until, self._late = stream, until, late

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for part in self._stream:
            size += len(part)
            if size > MOST_BYTES:
                raise ModelError(f"The server sent over {MOST_BYTES:,} bytes for one answer; use another server.")
            if time.monotonic() > self._until:
                raise ModelError(self._late)
            yield part

    def close(self) -> None:
        self._stream.close()
