"""Named arrays in one file that is mapped into memory, so that only the parts that are read are loaded.

The file holds the arrays one after the other, then their index as JSON, then the length and the digest of the index and
a format marker. Arrays with the same content are stored once.
"""

import hashlib
import json
import mmap
import struct
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from core.platform.atomic_write import write_whole

_MARK = b"ARRAYS03"
_ALIGNED = 64  # bytes
_TAIL = struct.Struct("<Q16s8s")


class ArraysError(ValueError):
    """A file of arrays is unreadable; the message says why."""


def write_arrays(path: Path, arrays: Iterable[tuple[str, np.ndarray]], about: Mapping[str, Any]) -> None:
    """Write named arrays to `path`, completely or not at all; one array at a time is held in memory. Raises OSError.

    about: a JSON object to store with the arrays.
    """
    write_whole(path, _pieces(arrays, about))


def _pieces(arrays: Iterable[tuple[str, np.ndarray]], about: Mapping[str, Any]) -> Iterator[bytes | memoryview]:
    index: dict[str, Any] = {}
    offset_by_content: dict[tuple[str, bytes], int] = {}
    end = 0
    for name, array in arrays:
        flat = np.ascontiguousarray(array)
        data = flat.reshape(-1).view(np.uint8).data
        content = flat.dtype.str, _digest(data)
        if content not in offset_by_content:
            yield bytes(-end % _ALIGNED)
            end += -end % _ALIGNED
            offset_by_content[content] = end
            yield data
            end += len(data)
        index[name] = [flat.dtype.str, list(array.shape), offset_by_content[content]]
    tail = json.dumps({"arrays": index, "about": dict(about)}).encode()
    yield tail
    yield _TAIL.pack(len(tail), _digest(tail), _MARK)


def map_arrays(path: Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """(the arrays of `path` by name, read-only and mapped, the JSON object that was stored with them). Raises
    ArraysError if the file is missing, cut off, damaged at its end or no file of arrays; the arrays themselves are not
    read.
    """
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        size, digest, mark = _TAIL.unpack(data[-_TAIL.size :])
        tail = data[-_TAIL.size - size : -_TAIL.size]
        if mark != _MARK or digest != _digest(tail):
            raise ValueError("its end is missing or damaged")
        stored = json.loads(tail)
        arrays = {
            name: np.ndarray(tuple(shape), dtype=np.dtype(dtype), buffer=data, offset=offset)
            for name, (dtype, shape, offset) in stored["arrays"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, struct.error) as error:
        raise ArraysError(f"{path.name} holds no arrays ({error}).") from error
    return arrays, stored["about"]


def _digest(data: bytes | memoryview) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()
