"""The cost of opening a set of many measured rows as the Tune page does, of moving its sliders, and its memory.

The rows are the measured sample questions with their labels, again and again under new ids. Each count is measured in a
process of its own, on the signals in its store. A move of a slider is decided,
then counted as the bench of Tune draws it. Times are those of a processor, which a busy machine does not lengthen.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from core.banks.bank_counts import compare
from core.banks.bank_files import open_bank
from core.banks.measured_bank import Conditions, MeasuredBank, StoredTraces, question_names
from core.banks.saved import SAMPLE, SavedBanks, rows_of
from core.banks.shipped_traces import shipped_traces
from core.banks.stored_signals import encode
from core.checks import all_thresholds
from core.lab.bench.memory import resident
from core.presets import preset

_BASE = preset("default")
_CONDITIONS = Conditions(library="repeated sample", models="", settings="", program="")


def of_bank(home: Path, counts: Sequence[int]) -> Iterator[dict[str, Any]]:
    """For each count of rows, in a process of its own: seconds until it is open, times of moves, memory and disk use."""
    rows = rows_of(SavedBanks(home), SAMPLE)
    shipped, store = shipped_traces(), StoredTraces(home)
    traces = shipped.traces(question_names(rows))
    encoded, encoding = _timed(lambda: [encode(r, traces[q]) for r, q in zip(rows, question_names(rows), strict=True)])
    store.use(_CONDITIONS.key, vars(_CONDITIONS))
    for count in counts:
        name, indices = f"set_{count}", np.arange(count) % len(rows)
        repeated = [rows[n] | {"id": f"row-{k}", "query": f"{rows[n]['query']} {k}"} for k, n in enumerate(indices)]
        SavedBanks(home).add(name, repeated)
        bank = MeasuredBank(home, SavedBanks(home).rows(name), _CONDITIONS)
        with store.writing() as base:
            base.executemany("INSERT INTO traces VALUES (?, ?, x'00')", [(_CONDITIONS.key, q) for q in bank.questions])
        store.store_signals({id_: encoded[n] for id_, n in zip(bank.identities(), indices, strict=True)})
        with get_context("spawn").Pool(1) as alone:
            yield alone.apply(_opened, (home, name)) | {"stacking_ms": 1000 * encoding / len(rows)}
        store.forget(bank.questions)


def _opened(home: Path, name: str) -> dict[str, Any]:
    banks = SavedBanks(home)
    before = resident()
    rows, reading = _timed(lambda: banks.rows(name))
    bank, opening = _timed(lambda: open_bank(MeasuredBank(home, rows, _CONDITIONS)))
    _, deciding = _timed(lambda: bank.counts(_BASE))
    presets = [
        _BASE.with_values({key: float(value)})
        for key, threshold in all_thresholds().items() for value in threshold.grid(5)[1:4:2]
    ]  # fmt: skip
    pairs = [[_timed(lambda p=p: bank.counts(p))[1], _timed(lambda p=p: compare(bank, _BASE, p))[1]] for p in presets]
    moves, counts = np.sort(1000 * np.array(pairs).T)
    return {
        "count": len(rows), "n": len(moves), "median_ms": float(np.median(moves)),
        "p95_ms": float(moves[int(0.95 * len(moves))]), "most_ms": float(moves[-1]),
        "counts_median_ms": float(np.median(counts)), "counts_most_ms": float(counts[-1]),
        "rows_s": reading, "file_s": opening, "first_decision_s": deciding,
        "memory_mb": resident() - before, "disk_mb": StoredTraces(home).path.stat().st_size / 2**20,
    }  # fmt: skip


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = time.process_time()
    result = work()
    return result, time.process_time() - started
