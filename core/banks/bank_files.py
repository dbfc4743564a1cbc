"""Opens a measured bank from the signals in the store.

Signals that the store lacks, for example those of new rows, are made from the traces and stored.
"""

import logging
import shutil
from collections.abc import Callable, Iterator, Sequence

from core.banks.measured_bank import Identity, MeasuredBank
from core.banks.open_bank import OpenBank
from core.banks.stored_signals import StoredSignals, decode, encode, trace_of
from core.case import CaseError, Trace

log = logging.getLogger(__name__)

_BLOCK = 100
"""Maximum number of traces in memory while signals are made."""


def open_bank(measured: MeasuredBank, on_progress: Callable[[float], None] = lambda _: None) -> OpenBank:
    """The measured rows of a bank, ready to be decided; an empty bank if no row is measured.

    on_progress: called with the share of the missing traces that has been read, 0 to 1; an exception that it raises
    ends the reading.
    """
    shutil.rmtree(measured.stored_traces.path.with_name("stacked"), ignore_errors=True)  # of the version before
    ids = measured.identities()
    signals = measured.stored_traces.signals(ids, "rounds, numbers")
    missing = [n for n, id_ in enumerate(ids) if id_ and not signals[n]]
    for first in range(0, len(missing), _BLOCK):
        for n, made in _made(measured, ids, missing[first : first + _BLOCK]).items():
            signals[n] = made.rounds, made.numbers
        on_progress(min(1.0, (first + _BLOCK) / len(missing)))
    indices = [n for n, found in enumerate(signals) if found]
    measured_set, codes = decode([signals[n] for n in indices])
    rows = [measured.rows[n] for n in indices]
    return OpenBank(
        rows, measured_set, lambda own: _traces(measured, [indices[n] for n in own]),
        lambda own: _texts(measured, ids, [indices[n] for n in own]), codes,
    )  # fmt: skip


def _made(measured: MeasuredBank, ids: Sequence[Identity], indices: Sequence[int]) -> dict[int, StoredSignals]:
    """The signals of these rows, by index, stored where the disk has room; without those of a damaged trace."""
    traces = zip(indices, measured.traces(indices), strict=True)
    made = {n: encode(measured.rows[n], trace) for n, trace in traces if trace and trace.rounds}
    try:
        measured.stored_traces.store_signals({ids[n]: signals for n, signals in made.items()})
    except CaseError as error:
        log.warning("the signals of a question set are not stored and have to be made again: %s", error)
    return made


def _traces(measured: MeasuredBank, indices: Sequence[int]) -> Iterator[Trace]:
    """The traces of these rows. Raises CaseError if one was deleted since the bank was opened."""
    for trace in measured.traces(indices):
        if trace is None:
            raise CaseError("The measurement of a question was deleted meanwhile; open the set again.")
        yield trace


def _texts(measured: MeasuredBank, ids: Sequence[Identity], indices: Sequence[int]) -> Iterator[Trace]:
    """The traces of these rows without their signals, from the store if they are there."""
    stored = measured.stored_traces.signals([ids[n] for n in indices], "texts")
    for n, found in zip(indices, stored, strict=True):
        yield trace_of(*found) if found else next(_traces(measured, [n]))
