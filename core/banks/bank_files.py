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
    stamps = measured.stamps()
    ids = [f"{question} {stamps[question]}".encode() if question in stamps else b"" for question in measured.questions]
    stored = _load(measured, ids, on_progress) if any(ids) else None
    if stored is None:
        return OpenBank.of([])
    in_file = set(stored.ids.tolist())
    indices = [n for n, id_ in enumerate(ids) if id_ in in_file]  # a damaged trace is in no file
    rows = measured.rows if len(indices) == len(ids) else measured.rows.some(indices)

    def read(cases: Sequence[int]) -> Iterator[Trace]:
        for trace in measured.traces([indices[n] for n in cases]):
            if trace is None:
                raise CaseError("The measurement of a question was deleted meanwhile; open the set again.")
            yield trace

    return OpenBank(rows, stored.measured, read, stored.outcomes(rows))


def _load(measured: MeasuredBank, ids: Sequence[bytes], on_progress: Callable[[float], None]) -> StoredSet | None:
    """The measurements of a bank in the order of its rows, from their file; without one it is made. If it cannot be
    written, they are in memory. None if none of them is readable.

    ids: for each row what identifies its measurement; b"" for a row that is not measured.
    """
    folder = measured.stored_traces.path.parent / "stacked"
    folder.mkdir(parents=True, exist_ok=True)
    conditions = hashlib.sha256(f"{measured.conditions.key} {program_digest()}".encode()).hexdigest()[:16]

    def path_of(ids: Sequence[bytes]) -> Path:
        return folder / f"{conditions}-{hashlib.sha256(b' '.join(ids)).hexdigest()[:16]}.arrays"

    def files(name: str) -> list[Path]:
        """The files whose names begin so, the most recently used one first."""
        return sorted(folder.glob(f"{name}*.arrays"), key=lambda path: -path.stat().st_mtime_ns)

    with FileLock(folder / "lock"):
        own, known, sets = path_of([id_ for id_ in ids if id_]), set(), []
        for path in (own, *files(conditions)):
            try:
                sets = [StoredSet.read(path)]
            except ArraysError:
                path.unlink(missing_ok=True)
                continue
            if path == own:
                os.utime(path)
                return sets[0]
            known = set(sets[0].ids.tolist())
            break
        missing = {id_: n for n, id_ in enumerate(ids) if id_ and id_ not in known}
        sets += _blocks(measured, missing, folder, on_progress)
        position = {id_: n for n, id_ in enumerate(id_ for s in sets for id_ in s.ids.tolist())}
        present = [id_ for id_ in ids if id_ in position]
        if not present:
            return None
        stored = concatenate(sets).some(np.array([position[id_] for id_ in present], dtype=np.int64))
        if known and known <= set(present):
            path.unlink(missing_ok=True)  # the new file holds all of it
        new = path_of(present)
        try:
            stored.write(new)
        except OSError as error:
            log.warning("%s cannot be written (%s); the set has to be stacked again when it is opened", new, error)
            return stored
        for useless in (*folder.glob("*.block"), *files("")[_MOST_FILES:]):
            useless.unlink(missing_ok=True)
        return StoredSet.read(new)


def _blocks(
    measured: MeasuredBank, missing: Mapping[bytes, int], folder: Path, on_progress: Callable[[float], None]
) -> Iterator[StoredSet]:
    """Stack the traces of these rows in blocks of _BLOCK traces, each in a file if there are several. missing: the
    index of each row, by what identifies its measurement."""
    ids = list(missing)
    for first in range(0, len(ids), _BLOCK):
        own = ids[first : first + _BLOCK]
        rows = [missing[id_] for id_ in own]
        read = zip(own, measured.rows.some(rows), measured.traces(rows), strict=True)
        cases = {id_: LabelledCase(row=row, trace=trace) for id_, row, trace in read if trace and trace.rounds}
        if cases:
            block = StoredSet.of([*cases.values()], [*cases])
            if len(ids) > _BLOCK:
                path = folder / f"{first}.block"
                block.write(path)
                block = StoredSet.read(path)
            yield block
        on_progress(min(1.0, (first + _BLOCK) / len(ids)))
