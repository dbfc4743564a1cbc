"""Stores traces in files, one a row, so that an interrupted command goes on where it stopped."""

import gzip
from pathlib import Path

from core.case import Trace
from core.platform.atomic_write import write_whole
from core.reply.serialization import dumps, loads


def read_trace(path: Path) -> Trace:
    """The trace stored at `path`."""
    return loads(gzip.decompress(path.read_bytes()).decode())


def keep(path: Path, trace: Trace) -> None:
    """Store a trace at `path`, completely or not at all; its folder is made if it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, gzip.compress(dumps(trace).encode(), 6, mtime=0))
