"""Prints the cost of opening a set of many measured rows as the Tune page does, of moving its sliders, and its memory:
python -m core.lab.load.bank_size 1000 100000.

The rows are the measured sample questions with their labels, again and again under new ids. Each count is measured in a
process of its own, on the set's stacked file. A move of a slider is decided,
then counted as the bench of Tune draws it. Times are those of a processor, which a busy machine does not lengthen.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from core.banks.bank_counts import compare
from core.banks.measured_bank import shipped_traces
from core.banks.open_bank import OpenBank
from core.banks.saved import SAMPLE, SavedBanks, rows_of
from core.banks.stored_set import StoredSet
from core.checks import all_thresholds
from core.evaluation.cases import LabelledCase
from core.lab.bench.memory import resident
from core.presets import preset

_BASE = preset("default")


def of_bank(home: Path, counts: Sequence[int]) -> Iterator[dict[str, Any]]:
    """For each count of rows, in a process of its own: seconds until it is open, times of moves, memory and disk use."""
    rows, stacked, stacking = _sample(home)
    for count in counts:
        name, indices = f"set_{count}", np.arange(count) % len(rows)
        repeated = (rows[index] | {"id": f"row-{n}"} for n, index in enumerate(indices))
        SavedBanks(home).add(name, repeated)
        path = home / f"{name}.arrays"
        stacked.some(indices).write(path)
        with get_context("spawn").Pool(1) as alone:
            yield alone.apply(_opened, (home, name, path)) | {"stacking_ms": 1000 * stacking / len(rows)}
        path.unlink()


def _sample(home: Path) -> tuple[list[dict[str, Any]], StoredSet, float]:
    """The rows of the sample, their stacked set as read from a file, and the CPU seconds that reading and stacking
    took."""
    shipped, rows = shipped_traces(), rows_of(SavedBanks(home), SAMPLE)
    questions = rows.questions

    def stack() -> StoredSet:
        traces = shipped.traces(questions)
        return StoredSet.of(
            [LabelledCase(row=row, trace=traces[q]) for row, q in zip(rows, questions, strict=True)],
            [q.encode() for q in questions],
        )  # fmt: skip

    stacked, seconds = _timed(stack)
    stacked.write(home / "sample.arrays")
    return rows, StoredSet.read(home / "sample.arrays"), seconds


def _opened(home: Path, name: str, path: Path) -> dict[str, Any]:
    banks = SavedBanks(home)
    before = resident()
    rows, reading = _timed(lambda: banks.rows(name))
    _, naming = _timed(lambda: rows.questions)
    bank, opening = _timed(lambda: _bank(path, rows))
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
        "rows_s": reading + naming, "file_s": opening, "first_decision_s": deciding,
        "memory_mb": resident() - before, "disk_mb": path.stat().st_size / 2**20,
    }  # fmt: skip


def _bank(path: Path, rows: Sequence[dict[str, Any]]) -> OpenBank:
    stacked = StoredSet.read(path)
    return OpenBank(rows, stacked.measured, lambda _: (), stacked.outcomes(rows))


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = time.process_time()
    result = work()
    return result, time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("counts", type=int, nargs="+", help="numbers of rows")
    counts = parser.parse_args().counts
    with tempfile.TemporaryDirectory() as folder:
        for cost in of_bank(Path(folder), counts):
            print(json.dumps(cost), flush=True)


if __name__ == "__main__":
    main()
