"""Stores what the models say of each input in a file, so that a text is read by a model once, also across runs."""

import hashlib
import io
import sqlite3
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.models import Memory
from core.models.profile import Models
from core.models.reader import Answer

_CAPACITY = 200_000
_ANSWER, _ARRAY = b"a", b"n"


class StoredMemory(Memory):
    """The cache of one model over a table of the file. name: of the model, with its digest."""

    def __init__(self, database: sqlite3.Connection, name: str) -> None:
        super().__init__(_CAPACITY)
        self._database, self._name = database, name

    def outputs(self, inputs: Sequence[Hashable], measure: Callable[[list], Iterable[Any]]) -> list[Any]:
        return super().outputs(inputs, lambda missing: self._stored_or_measured(missing, measure))

    def _stored_or_measured(self, inputs: list, measure: Callable[[list], Iterable[Any]]) -> list[Any]:
        keys = [hashlib.blake2b(repr((self._name, one)).encode(), digest_size=16).digest() for one in inputs]
        found = [self._database.execute("SELECT output FROM outputs WHERE key = ?", (key,)).fetchone() for key in keys]
        outputs = [row and _from_bytes(row[0]) for row in found]
        if unread := [n for n, row in enumerate(found) if row is None]:
            for n, output in zip(unread, measure([inputs[n] for n in unread]), strict=True):
                outputs[n] = output
            rows = [(keys[n], _to_bytes(outputs[n])) for n in unread]
            self._database.executemany("INSERT OR IGNORE INTO outputs VALUES (?, ?)", rows)
            self._database.commit()
        return outputs


def use_store(models: Models, path: Path) -> None:
    """Let `models` look up and store their outputs in the SQLite file `path`, which is made if it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(path, timeout=120, check_same_thread=False)
    database.execute("CREATE TABLE IF NOT EXISTS outputs (key BLOB PRIMARY KEY, output BLOB) WITHOUT ROWID")
    for name, model in models.each().items():
        model.memory = StoredMemory(database, f"{name} {model.digest}")


def _to_bytes(output: Any) -> bytes:
    """The reader's answer as one row of numbers behind its sign, any other output as an array."""
    is_answer = isinstance(output, Answer)
    if is_answer:
        head = (output.probability, output.answered, output.margin, *output.span)
        output = np.array([*head, *output.at, *output.starts])
    file = io.BytesIO()
    np.save(file, np.asarray(output), allow_pickle=False)
    return (_ANSWER if is_answer else _ARRAY) + file.getvalue()


def _from_bytes(stored: bytes) -> Any:
    output = np.load(io.BytesIO(stored[1:]), allow_pickle=False)
    if stored[:1] == _ARRAY:
        return output if output.ndim else output[()]
    (probability, answered, margin, first, last), tokens = output[:5].tolist(), output[5:]
    at, starts = np.split(tokens, 2)
    return Answer(
        probability=probability, answered=answered, margin=margin, span=(int(first), int(last)),
        at=tuple(at.astype(int).tolist()), starts=tuple(starts.tolist()),
    )  # fmt: skip
