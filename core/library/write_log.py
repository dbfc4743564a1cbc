"""Whose turn it was to write into a library last, and whether that turn has ended."""

import json
from pathlib import Path
from typing import Any

from core.platform.atomic_write import write_whole


class WriteLog:
    """A small file with the number of the last turn, and whether it has ended. Used under a lock between processes.

    index: the folder in which Chroma keeps its index. seen: the turn after which this process last looked there,
    0 before it has looked at all.
    """

    def __init__(self, path: Path, index: Path) -> None:
        self._path, self._index = path, index
        self.seen = 0

    @property
    def stopped(self) -> bool:
        """Did the last writer stop in the middle of its turn?"""
        return self._read()["writing"]

    def others_wrote(self) -> bool:
        """Has there been a turn since this process last looked?"""
        return self._read()["turn"] != self.seen

    def index_is_whole(self) -> bool:
        """False when the last writer stopped after it had begun to change Chroma's index."""
        last = self._read()
        return not last["writing"] or last["index"] == self._files()

    def follow(self) -> None:
        """This process has seen what there is."""
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
        except ValueError:  # a disk that forgets: nothing is known of the index then
            return {"turn": 1, "writing": True, "index": None}

    def _write(self, **turn: Any) -> None:
        write_whole(self._path, json.dumps(turn).encode())

    def _files(self) -> list[list[Any]]:
        """Name, size and time of every file of the index; its database keeps itself whole."""
        found = [(path, path.stat()) for path in sorted(self._index.glob("*/*"))]
        return [[path.name, status.st_size, status.st_mtime_ns] for path, status in found]
