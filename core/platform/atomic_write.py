"""Files that are written completely or not at all, and survive a power cut."""

import os
from collections.abc import Iterable
from pathlib import Path

_TRIAL_BYTES = 2**20
"""Bytes that a disk must accept before a file that cannot be opened counts as broken."""


def write_whole(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Replace the file at `path` by `data`; on failure the old file stays and nothing else is left. Raises OSError.

    An iterable is streamed; if it raises, the old file stays.
    """
    part = path.with_suffix(".part")
    try:
        with part.open("wb") as file:
            file.writelines([data] if isinstance(data, bytes) else data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Write a folder's file names to the disk; without this, a power cut may undo the replacement of a file."""
    if os.name == "posix":  # Windows cannot open folders and syncs names itself
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def require_room(folder: Path) -> None:
    """Raise OSError if the disk of `folder` is full: a file that cannot be opened there may well be intact."""
    path = folder / "room"
    write_whole(path, bytes(_TRIAL_BYTES))
    path.unlink()
