"""Records the number of the last write to a library, and whether it has ended."""

import json
from pathlib import Path
from typing import Any

from core.platform.atomic_write import write_whole


class WriteLog:
    """A small file with the number of the last write and whether it has ended. Use it under a lock between processes.

    index: the folder of Chroma's index. seen: the number of the write that this process has last seen, 0 for none.
    """

    def __init__(self, path: Path, index: Path) -> None:
        self._path, self._index = path, index
        self.seen = 0

    @property
    def stopped(self) -> bool:
        """Did the last writer stop before it was done?"""
        return self._read()["writing"]

    def others_wrote(self) -> bool:
        """Has there been a write since this process last looked?"""
        return self._read()["turn"] != self.seen

    def index_is_whole(self) -> bool:
        """False if the last writer stopped after it had begun to change Chroma's index."""
        last = self._read()
        return not last["writing"] or last["index"] == self._files()

    def follow(self) -> None:
        """Record that this process has seen the last write."""
        self.seen = self._read()["turn"]

    def begin(self) -> None:
        last = self._read()
        if not last["writing"]:
            self._write(turn=last["turn"] + 1, writing=True, index=self._files())

    def end(self) -> None:
        self._write(turn=self._read()["turn"], writing=False, index=[])
        self.follow()

    def _read(self) -> dict[str, Any]:
        try:
            return json.loads(self._path.read_bytes())
        except FileNotFoundError:
            return {"turn": 1, "writing": False, "index": []}
        except ValueError:  # a damaged file: nothing is known about the index
            return {"turn": 1, "writing": True, "index": None}

    def _write(self, **turn: Any) -> None:
        write_whole(self._path, json.dumps(turn).encode())

    def _files(self) -> list[list[Any]]:
        """Name, size and modification time of every index file. Chroma's database keeps itself consistent."""
        files = [(path, path.stat()) for path in sorted(self._index.glob("*/*"))]
        return [[path.name, status.st_size, status.st_mtime_ns] for path, status in files]
