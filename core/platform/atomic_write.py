"""A file that is there whole or not at all, and stays there when the power goes."""

import os
from collections.abc import Iterable
from pathlib import Path

_ROOM = 2**20
"""Bytes that a disk must take before what cannot be opened on it is given up."""


def write_whole(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Put `data` at `path`, in place of what stood there; nothing is left beside it when that fails. OSError.

    Of data in pieces no two are held at once; what they raise before they end leaves what stood there, too.
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
    _keep_names(path.parent)


def _keep_names(folder: Path) -> None:
    """The names in a folder reach the disk too: without this a power cut may take a file back that was whole."""
    if os.name == "posix":  # Windows opens no folder, and keeps names by itself
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def require_room(folder: Path) -> None:
    """OSError when the disk of `folder` takes nothing: then what cannot be opened there may well be whole."""
    path = folder / "room"
    write_whole(path, bytes(_ROOM))
    path.unlink()
