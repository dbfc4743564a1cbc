"""The cost of opening a bank of many measured rows as the Tune page does, and of moving its sliders.

    python -m core.lab.load.bank_size 5000 20000 100000

Rows are traces of the sample library at full depth, their signals moved at random; after a thousand they begin again. Times are
those of a processor, which a busy machine does not lengthen.
"""

import argparse
import os
import tempfile
import time
import zlib
from collections.abc import Callable
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from core.banks.measured_bank import Conditions, MeasuredBank, StoredTraces
from core.banks.scored_bank import ValuedBank
from core.chain.serialization import dumps
from core.lab.bench.samples import CASES, measured_bank, sample_traces
from core.lab.load.throughput import megabytes
from core.presets import preset

_CONDITIONS = Conditions(library="", models="", settings="", program="")
_SLIDER = "confidence.min_confidence"


def of_bank(home: Path, counts: list[int]) -> None:
    """Measure each count in a process of its own."""
    bank = measured_bank(sample_traces(home / "sample"), min(CASES, max(counts)))
    packed = [(case.row, zlib.compress(dumps(case.trace).encode())) for case in bank]
    print(f"a trace takes {sum(len(p) for _, p in packed) / len(packed) / 1024:.0f} kB on the disk", flush=True)
    for count in counts:
        some = [(row | {"query": f"What is {n}?"}, p) for n, (row, p) in enumerate(islice(cycle(packed), count))]
        folder = home / str(count)
        opened = MeasuredBank(folder, [row for row, _ in some], _CONDITIONS)
        named = zip(opened.questions, (p for _, p in some), strict=True)
        with opened.kept._writing() as base:
            base.executemany("INSERT INTO traces VALUES (?, ?, ?)", ((_CONDITIONS.key, *one) for one in named))
        alone = get_context("spawn").Process(target=_opened, args=(folder, [row for row, _ in some]))
        alone.start()
        alone.join()


def _opened(folder: Path, rows: list[dict[str, Any]]) -> None:
    before, under = megabytes(os.getpid()), preset("default")
    cases, reading = _timed(lambda: MeasuredBank(folder, rows, _CONDITIONS).cases())
    read = megabytes(os.getpid())
    bank, deciding = _timed(lambda: ValuedBank(cases))
    _, first = _timed(lambda: bank.at(under))
    moved = [_timed(lambda p=p: bank.at(under.with_values({_SLIDER: p})))[1] for p in (45.0, 46.0, 47.0)]
    now = megabytes(os.getpid())
    print(f"{len(rows)} rows ({len(cases)} measured, {StoredTraces(folder).path.stat().st_size / 2**20:.0f} MB on the disk): "
          f"read in {reading:.1f} s, {read - before:.0f} MB; decided in {deciding + first:.1f} s, {now - read:.0f} MB; a slider "
          f"moves in {', '.join(f'{1000 * m:.0f}' for m in moved)} ms", flush=True)  # fmt: skip


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = time.process_time()
    found = work()
    return found, time.process_time() - started


def main() -> None:
    told = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    told.add_argument("counts", type=int, nargs="+")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        of_bank(Path(folder), told.parse_args().counts)


if __name__ == "__main__":
    main()
