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
    # Without the names of the folder on the disk, a power cut may undo the replacement.
    if os.name == "posix":  # Windows cannot open folders and syncs names itself
        descriptor = os.open(path.parent, os.O_RDONLY)
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
