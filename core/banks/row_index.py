"""The rows of a bank's file, each parsed when it is used.

An index beside the file holds where each row lies, its id, the digest of its question and its labels, so that a set of
any size is opened and decided without its texts. When the file has changed, only lines that are new are parsed. An
index can be deleted at any time.
"""

import hashlib
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from filelock import FileLock

from core.banks.file_formats import json_lines, resolve_answer_column
from core.banks.files import valid_rows
from core.banks.rows import question_digest, with_id
from core.chain.serialization import question_of
from core.evaluation.stored_rows import LabelRow, Labels, StoredRows, label_digest
from core.platform.mapped_arrays import Arrays, ArraysError, map_arrays, write_arrays
from core.platform.program import program_digest

log = logging.getLogger(__name__)

_DIGEST_BYTES = 16


class _Entry(NamedTuple):
    """What the index holds of a row. line: the digest of its text. question: the digest of its question."""

    line: bytes
    id: str
    question: str
    labels: LabelRow
    label_digest: int


class FileRows(StoredRows):
    """The rows of a file. `line` gives the text of one."""

    def __init__(self, data: bytes, index: Arrays) -> None:
        self._data, self._starts, self._ends = data, index.arrays["starts"], index.arrays["ends"]
        labels = Labels(distinct=tuple(map(LabelRow, index.about["labels"])), index=index.arrays["labels"])
        super().__init__(
            self._row, index.about["ids"], _cut(index.arrays["questions"]), labels, index.arrays["label digests"]
        )

    def line(self, n: int) -> bytes:
        """The text of the row with this index, without its line break."""
        return self._data[self._starts[n] : self._ends[n]]

    def _row(self, n: int) -> dict[str, Any]:
        (line,) = resolve_answer_column(json_lines(self.line(n)))
        return {**line.row, "id": self.ids[n]}


def file_rows(path: Path) -> FileRows:
    """The rows of the bank at `path`, each with an id.

    Raises CaseError if a line is no row, and OSError if the file cannot be read.
    """
    data, index_path = path.read_bytes(), _index_path(path)
    digest, index = _digest(data).hex(), _stored(index_path)
    if index is None or index.about["file"] != digest:
        index = _made(data, path.name, {} if index is None else {entry.line: entry for entry in _entries(index)})
        index.about["file"] = digest
        _store(index_path, index)
    return FileRows(data, index)


def delete_index(path: Path) -> None:
    """Delete the index of the bank at `path`, if there is one."""
    _index_path(path).unlink(missing_ok=True)


def _index_path(path: Path) -> Path:
    return path.parent / "indexed" / f"{path.stem}.arrays"


def _stored(path: Path) -> Arrays | None:
    """The index at `path`, perhaps of an earlier state of the file; None if there is none of this program."""
    try:
        index = map_arrays(path, verified=True)
    except ArraysError:
        return None
    return index if index.about.get("program") == program_digest() else None


def _store(path: Path, index: Arrays) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock")):
            write_arrays(path, index.arrays.items(), index.about)
    except OSError as error:
        log.warning("%s cannot be written (%s); the rows have to be parsed again when they are opened", path, error)


def _made(data: bytes, name: str, known: dict[bytes, _Entry]) -> Arrays:
    """The index of a file. known: entries of lines that need not be parsed, by the digest of the line."""
    lines = data.split(b"\n")
    ends = np.cumsum([len(line) + 1 for line in lines]) - 1
    digests = [_digest(line) for line in lines]
    new = b"\n".join(b"" if digest in known else line for line, digest in zip(lines, digests, strict=True))
    entries = {number: known[digest] for number, digest in enumerate(digests, 1) if digest in known}
    for line, row in valid_rows(json_lines(new), name, writable=True):
        entries[line.number] = _entry(digests[line.number - 1], with_id(row))
    numbers = np.array(sorted(entries), dtype=np.int64)
    rows = [entries[number] for number in numbers.tolist()]
    labels = Labels.of([entry.labels for entry in rows])
    arrays = {
        "starts": ends[numbers - 1] - [len(lines[number - 1]) for number in numbers], "ends": ends[numbers - 1],
        "lines": _joined(entry.line for entry in rows),
        "questions": _joined(bytes.fromhex(entry.question) for entry in rows),
        "label digests": np.array([entry.label_digest for entry in rows], dtype=np.uint64), "labels": labels.index,
    }  # fmt: skip
    about = {"program": program_digest(), "ids": [entry.id for entry in rows], "labels": labels.distinct}
    return Arrays(arrays=arrays, about=about)


def _entry(line: bytes, row: dict[str, Any]) -> _Entry:
    return _Entry(line, row["id"], question_digest(question_of(row)), LabelRow.of(row), label_digest(row))


def _entries(index: Arrays) -> Iterator[_Entry]:
    """The entries of an index, in the order of its rows."""
    lines, labels = index.arrays["lines"].tobytes(), list(map(LabelRow, index.about["labels"]))
    columns = zip(
        index.about["ids"], _cut(index.arrays["questions"]), index.arrays["labels"].tolist(),
        index.arrays["label digests"].tolist(), strict=True,
    )  # fmt: skip
    for n, (id_, question, label, digest) in enumerate(columns):
        yield _Entry(lines[_DIGEST_BYTES * n : _DIGEST_BYTES * (n + 1)], id_, question, labels[label], digest)


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_DIGEST_BYTES).digest()


def _joined(digests: Iterator[bytes]) -> np.ndarray:
    return np.frombuffer(b"".join(digests), dtype=np.uint8)


def _cut(questions: np.ndarray) -> list[str]:
    """The question digests, as `question_digest` writes them."""
    text = questions.tobytes().hex()
    return [text[first : first + 64] for first in range(0, len(text), 64)]
