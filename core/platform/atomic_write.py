"""Files that are written completely or not at all, and survive a power cut."""

import os
from collections.abc import Iterable
from pathlib import Path

_TRIAL_BYTES = 2**20
"""Number of bytes that `require_room` writes as a trial; a disk that does not accept them is full."""


def write_whole(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Replace the file at `path` by `data`. On failure (OSError) the old file stays, and no partial file is left.

    An iterable is written piece by piece; if it raises, the old file stays too.
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
    """Raise OSError if `folder` has no room for 1 MiB.

    Called before a file that cannot be opened is treated as broken: on a full disk it may well be intact.
    """
    path = folder / "room"
    write_whole(path, bytes(_TRIAL_BYTES))
    path.unlink()
