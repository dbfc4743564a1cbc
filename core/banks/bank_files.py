"""Opens a measured bank from one file with the signals of all rows: a hundred thousand traces take minutes to read.

The name of the file is a hash of the measurements in it. If there is no file for a bank, for example because it has new
rows, one is made from the most recently used file and the traces that this file lacks. All files can be deleted at any
time.
"""

import hashlib
import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from filelock import FileLock

from core.banks.measured_bank import MeasuredBank
from core.banks.open_bank import OpenBank
from core.banks.stored_set import StoredSet, concatenate
from core.case import CaseError, Trace
from core.evaluation.cases import LabelledCase
from core.evaluation.set_rows import selected
from core.platform.mapped_arrays import ArraysError
from core.platform.program import program_digest

log = logging.getLogger(__name__)

_MOST_FILES = 6
"""Maximum number of files on the disk; the least recently used ones are deleted."""
_BLOCK = 100
"""Maximum number of traces in memory while a file is made."""


def open_bank(measured: MeasuredBank, on_progress: Callable[[float], None] = lambda _: None) -> OpenBank:
    """The measured rows of a bank, ready to be decided; an empty bank if no row is measured.

    on_progress: called with the share of the missing traces that has been read, 0 to 1; an exception that it raises
    ends the reading.
    """
    ids = measured.identities()
    index_by_id = {id_: n for n, id_ in enumerate(ids) if id_}
    indices = [n for n, id_ in enumerate(ids) if id_]
    stored = _BankFiles(measured).load([ids[n] for n in indices], index_by_id, on_progress) if indices else None
    if stored is None:
        return OpenBank.of([])
    in_file = set(stored.ids.tolist())
    indices = [n for n in indices if ids[n] in in_file]  # a damaged trace is in no file
    rows = measured.rows if len(indices) == len(ids) else selected(measured.rows, indices)
    return OpenBank(
        rows, stored.measured, lambda own: _read(measured, [indices[n] for n in own]), stored.outcomes(rows)
    )


def _read(measured: MeasuredBank, indices: Sequence[int]) -> Iterator[Trace]:
    """The traces of these rows. Raises CaseError if one was deleted since the bank was opened."""
    for trace in measured.traces(indices):
        if trace is None:
            raise CaseError("The measurement of a question was deleted meanwhile; open the set again.")
        yield trace


class _BankFiles:
    """The files of arrays for the conditions of one measured bank."""

    def __init__(self, measured: MeasuredBank) -> None:
        self._measured = measured
        self._folder = measured.stored_traces.path.parent / "stacked"
        self._conditions = hashlib.sha256(f"{measured.conditions.key} {program_digest()}".encode()).hexdigest()[:16]

    def load(
        self, ids: Sequence[bytes], index_by_id: Mapping[bytes, int], on_progress: Callable[[float], None]
    ) -> StoredSet | None:
        """The measurements `ids` (`MeasuredBank.identities`), in this order; None if none of them is readable.

        index_by_id: the index of a row with each of them.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._path(ids)
        with FileLock(self._folder / "lock"):
            try:
                stored = StoredSet.read(path)
            except ArraysError:
                return self._build(ids, index_by_id, on_progress)
            os.utime(path)
            return stored

    def _build(
        self, ids: Sequence[bytes], index_by_id: Mapping[bytes, int], on_progress: Callable[[float], None]
    ) -> StoredSet | None:
        """Make the file from the most recently used one and the traces that are not yet in that file."""
        last, last_path = self._last()
        known = set(last.ids.tolist()) if last else set()
        missing = {id_: index for id_, index in index_by_id.items() if id_ not in known}
        sets = [s for s in (last, *self._blocks(missing, on_progress)) if s is not None]
        if not sets:
            return None
        position = {id_: n for n, id_ in enumerate(id_ for s in sets for id_ in s.ids.tolist())}
        present = [id_ for id_ in ids if id_ in position]
        stored = concatenate(sets).some(np.array([position[id_] for id_ in present], dtype=np.int64))
        if last_path and known <= set(present):
            last_path.unlink(missing_ok=True)  # the new file holds all of it
        return self._store(stored, self._path(present))

    def _store(self, stored: StoredSet, path: Path) -> StoredSet:
        """Store the set in a file and return it; if the file cannot be written, return the set that is in memory."""
        try:
            stored.write(path)
        except OSError as error:
            log.warning("%s cannot be written (%s); the set has to be stacked again when it is opened", path, error)
            return stored
        for block in self._folder.glob("*.block"):
            block.unlink()
        for old in self._newest()[_MOST_FILES:]:
            old.unlink(missing_ok=True)
        return StoredSet.read(path)

    def _blocks(self, missing: Mapping[bytes, int], on_progress: Callable[[float], None]) -> Iterator[StoredSet]:
        """Stack the traces of these rows in blocks of _BLOCK traces, each in a file if there are several."""
        ids = list(missing)
        for first in range(0, len(ids), _BLOCK):
            own = ids[first : first + _BLOCK]
            rows = [missing[id_] for id_ in own]
            traces = zip(own, rows, self._measured.traces(rows), strict=True)
            read = [(id_, LabelledCase(row=self._measured.rows[n], trace=t)) for id_, n, t in traces if t and t.rounds]
            if read:
                block = StoredSet.of([case for _, case in read], [id_ for id_, _ in read])
                yield self._on_disk(block, first) if len(ids) > _BLOCK else block
            on_progress(min(1.0, (first + _BLOCK) / len(ids)))

    def _on_disk(self, block: StoredSet, number: int) -> StoredSet:
        path = self._folder / f"{number}.block"
        block.write(path)
        return StoredSet.read(path)

    def _last(self) -> tuple[StoredSet | None, Path | None]:
        """The most recently used file of these conditions, opened, and its path; (None, None) if there is none."""
        for path in self._newest():
            if path.name.startswith(self._conditions):
                try:
                    return StoredSet.read(path), path
                except ArraysError:
                    path.unlink(missing_ok=True)
        return None, None

    def _newest(self) -> list[Path]:
        return sorted(self._folder.glob("*.arrays"), key=lambda path: -path.stat().st_mtime_ns)

    def _path(self, ids: Sequence[bytes]) -> Path:
        return self._folder / f"{self._conditions}-{hashlib.sha256(b' '.join(ids)).hexdigest()[:16]}.arrays"
