"""Opens the measured rows of a bank from a file of stacked signals, which is faster than reading their traces.

The name of a file is a hash of the measurements in it. If there is no file for a bank, for example because it has new
rows, a new one is made from the most recently used file and the traces that this file lacks. All files can be deleted
at any time.
"""

import hashlib
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from filelock import FileLock

from core.banks.measured_bank import MeasuredBank
from core.banks.scored_bank import ValuedBank
from core.case import CaseError, Trace
from core.evaluation.cases import LabelledCase, StoredCases
from core.evaluation.set_rows import selected
from core.platform.mapped_arrays import ArraysError
from core.platform.program import program_digest
from core.sweep.bank_sweep import BankSweep
from core.sweep.stored import StoredSet, concatenate

log = logging.getLogger(__name__)

_MOST_FILES = 6
"""Maximum number of files on the disk; the least recently used ones are deleted."""
_BLOCK = 100
"""Maximum number of traces in memory while a file is made."""


def open_bank(measured: MeasuredBank, on_progress: Callable[[float], None] | None = None) -> ValuedBank:
    """The measured rows of a bank, ready to be decided; an empty bank if no row is measured.

    on_progress: called with the share of the missing traces that has been read, 0 to 1; an exception that it raises
    ends the reading.
    """
    ids = measured.identities()
    indices = [n for n, id_ in enumerate(ids) if id_]
    wanted_ids = [ids[n] for n in indices]
    stacked_set = _Files(measured).load(wanted_ids, indices, on_progress or (lambda _: None)) if wanted_ids else None
    if stacked_set is None:
        return ValuedBank([])
    in_file = set(stacked_set.ids.tolist())
    indices = [n for n in indices if ids[n] in in_file]  # a damaged trace is in no file
    rows = measured.rows if len(indices) == len(ids) else selected(measured.rows, indices)
    cases = StoredCases(rows, lambda own: _read(measured, [indices[n] for n in own]))
    return ValuedBank(cases, BankSweep(rows, stacked_set.measured, stacked_set.outcomes(rows)))


def _read(measured: MeasuredBank, indices: Sequence[int]) -> Iterator[Trace]:
    """The traces of these rows. Raises CaseError if one was deleted since the set was opened."""
    for trace in measured.traces(indices):
        if trace is None:
            raise CaseError("The measurement of a question was deleted meanwhile; open the set again.")
        yield trace


class _Files:
    """The files of stacked signals for the conditions of one measured bank."""

    def __init__(self, measured: MeasuredBank) -> None:
        self._measured = measured
        self._folder = measured.stored_traces.path.parent / "stacked"
        self._conditions = hashlib.sha256(f"{measured.conditions.key} {program_digest()}".encode()).hexdigest()[:16]

    def load(
        self, wanted_ids: Sequence[bytes], indices: Sequence[int], on_progress: Callable[[float], None]
    ) -> StoredSet | None:
        """The stacked traces of these measurements, in this order; None if none of them is readable.

        wanted_ids: the identity of each measurement (`MeasuredBank.identities`). indices: the index of the row of each.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._path(wanted_ids)
        with FileLock(self._folder / "lock"):
            try:
                stacked_set = StoredSet.read(path)
            except ArraysError:
                stacked_set = self._build(wanted_ids, indices, on_progress)
            else:
                os.utime(path)
            return stacked_set

    def _build(
        self, wanted_ids: Sequence[bytes], indices: Sequence[int], on_progress: Callable[[float], None]
    ) -> StoredSet | None:
        """Make the file from the most recently used one and the traces that are not yet in that file."""
        last, last_path = self._last()
        stored_ids = set(last.ids.tolist()) if last else set()
        index_by_id = {id_: index for id_, index in zip(wanted_ids, indices, strict=True) if id_ not in stored_ids}
        blocks = self._blocks(index_by_id, on_progress)
        sets = [s for s in (last, *blocks) if s is not None]
        if not sets:
            return None
        all_ids = np.concatenate([s.ids for s in sets]).tolist()
        position = {id_: n for n, id_ in enumerate(all_ids)}
        selected = [id_ for id_ in wanted_ids if id_ in position]
        stacked_set = concatenate(sets).some(np.array([position[id_] for id_ in selected], dtype=np.int64))
        if last_path and stored_ids <= set(selected):
            last_path.unlink(missing_ok=True)  # the new file holds all of it
        return self._store(stacked_set, self._path(selected))

    def _store(self, stacked_set: StoredSet, path: Path) -> StoredSet:
        """Store the set in a file and return it; if the file cannot be written, return the set that is in memory."""
        try:
            stacked_set.write(path)
        except OSError as error:
            log.warning("%s cannot be written (%s); the set has to be stacked again when it is opened", path, error)
            return stacked_set
        for block in self._folder.glob("*.block"):
            block.unlink()
        for old in self._newest()[_MOST_FILES:]:
            old.unlink(missing_ok=True)
        return StoredSet.read(path)

    def _blocks(self, index_by_id: dict[bytes, int], on_progress: Callable[[float], None]) -> list[StoredSet]:
        """Stack the traces of these rows in blocks of _BLOCK traces. If there are several blocks, each is stored in a
        file.
        """
        ids, blocks = list(index_by_id), []
        for first in range(0, len(ids), _BLOCK):
            own = ids[first : first + _BLOCK]
            rows = [index_by_id[id_] for id_ in own]
            traces = zip(own, rows, self._measured.traces(rows), strict=True)
            read = [(id_, LabelledCase(row=self._measured.rows[n], trace=t)) for id_, n, t in traces if t and t.rounds]
            if read:
                block = StoredSet.of([case for _, case in read], [id_ for id_, _ in read])
                blocks.append(self._on_disk(block, first) if len(ids) > _BLOCK else block)
            on_progress(min(1.0, (first + _BLOCK) / len(ids)))
        return blocks

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
