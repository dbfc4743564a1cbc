"""The cost of opening a set of many measured rows as the Tune page does, of moving its sliders, and its memory.

    python -m core.lab.load.bank_size 1000 10000 100000

The rows are the measured sample questions with their labels, again and again under new ids. Each count is measured in a
process of its own, on the set's stacked file and its index, which is made beforehand. A move of a slider is decided,
then counted as the tab Results draws it. Times are those of a processor, which a busy machine does not lengthen.
"""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from core.banks.measured_bank import question_names
from core.banks.saved import SAMPLE, SavedBanks, rows_of
from core.banks.scored_bank import ValuedBank
from core.banks.shipped_traces import shipped_traces
from core.checks import all_thresholds
from core.evaluation.cases import LabelledCase, StoredCases
from core.lab.load.throughput import megabytes
from core.platform.atomic_write import write_whole
from core.presentation.set_counts import counts_of
from core.presets import preset
from core.sweep.bank_sweep import BankSweep
from core.sweep.stacked_set import StackedSet

_BASE = preset("default")


def of_bank(home: Path, counts: Sequence[int]) -> None:
    """Measure each count in a process of its own."""
    rows, stacked, stacking = _sample(home)
    print(f"{len(rows)} real rows; a new row is stacked in {1000 * stacking / len(rows):.1f} ms", flush=True)
    for count in counts:
        name, indices = f"set_{count}", np.arange(count) % len(rows)
        repeated = (rows[index] | {"id": f"row-{n}"} for n, index in enumerate(indices))
        SavedBanks(home).folder.mkdir(parents=True, exist_ok=True)
        write_whole(SavedBanks(home).path(name), (f"{json.dumps(row)}\n".encode() for row in repeated))
        path = home / f"{name}.arrays"
        stacked.some(indices).write(path)
        alone = get_context("spawn").Process(target=_opened, args=(home, name, path))
        alone.start()
        alone.join()
        path.unlink()


def _sample(home: Path) -> tuple[list[dict[str, Any]], StackedSet, float]:
    """The measured sample questions, stacked in a file, and the seconds that reading and stacking them took."""
    shipped, rows = shipped_traces(), rows_of(SavedBanks(home), SAMPLE)
    questions = question_names(rows)

    def stack() -> StackedSet:
        traces = shipped.traces(questions)
        return StackedSet.of(
            [LabelledCase(row=row, trace=traces[q]) for row, q in zip(rows, questions, strict=True)],
            [q.encode() for q in questions],
        )  # fmt: skip

    stacked, seconds = _timed(stack)
    stacked.write(home / "sample.arrays")
    return rows, StackedSet.read(home / "sample.arrays"), seconds


def _opened(home: Path, name: str, path: Path) -> None:
    banks = SavedBanks(home)
    _, indexing = _timed(lambda: banks.rows(name))
    before = megabytes(os.getpid())
    rows, reading = _timed(lambda: banks.rows(name))
    _, naming = _timed(lambda: question_names(rows))
    bank, opening = _timed(lambda: _bank(path, rows))
    _, deciding = _timed(lambda: bank.tally(_BASE))
    presets = [
        _BASE.with_values({key: float(value)})
        for key, threshold in all_thresholds().items() for value in threshold.grid(5)[1:4:2]
    ]  # fmt: skip
    pairs = [[_timed(lambda p=p: bank.tally(p))[1], _timed(lambda p=p: counts_of(bank, p, _BASE))[1]] for p in presets]
    moves, counts = np.sort(np.array(pairs).T)
    size, memory = path.stat().st_size / 2**20, megabytes(os.getpid()) - before
    print(
        f"{len(rows)} rows, {size:.0f} MB on the disk: opened in {reading + naming + opening + deciding:.1f} s (rows "
        f"{reading + naming:.1f}, file {opening:.1f}, first decision {deciding:.1f}); a move takes "
        f"{1000 * float(np.median(moves)):.0f} ms in the median, {1000 * moves[int(0.95 * len(moves))]:.0f} at 95 %, "
        f"{1000 * moves[-1]:.0f} at most, its counts {1000 * float(np.median(counts)):.0f} and "
        f"{1000 * counts[-1]:.0f} at most (n={len(moves)}); indexed once in {indexing:.1f} s; {memory:.0f} MB of memory; "
        f"load {os.getloadavg()[0]:.0f}",
        flush=True,
    )  # fmt: skip


def _bank(path: Path, rows: Sequence[dict[str, Any]]) -> ValuedBank:
    stacked = StackedSet.read(path)
    return ValuedBank(StoredCases(rows, lambda _: ()), BankSweep(rows, stacked.bank, stacked.outcomes(rows)))


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = time.process_time()
    result = work()
    return result, time.process_time() - started


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("counts", type=int, nargs="+")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        of_bank(Path(folder), options.parse_args().counts)


if __name__ == "__main__":
    main()
