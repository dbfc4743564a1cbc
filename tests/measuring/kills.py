"""Kills processes that measure a bank, and looks at what is left: `python -m tests.measuring.kills --runs 30`."""

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from core.banks.measured_bank import MeasuredBank, conditions_of
from core.banks.saved import SavedBanks
from tests.measuring import fast

ROOT = Path(__file__).parents[2]
MEASURE = """
import sys, time
from pathlib import Path
from core.banks.background_measuring import Background
from tests.measuring import fast
explorer = fast.explorer(Path(sys.argv[1]))
run = Background(Path(sys.argv[1])).start(fast.BANK, explorer)
print("begun", flush=True)
while not run.ended.wait(0.05):
    if run.count:
        print(run.done, flush=True)
print(run.state, run.sentence, flush=True)
"""
"""A process that measures the bank until it is done, and says how far it is."""


def measuring(home: Path) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", MEASURE, str(home)], cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True
    )


def killed(home: Path, chance: random.Random, most: int) -> None:
    """One process, killed at a random moment within the rows that it is at after a random number of others."""
    with measuring(home) as process:
        said = iter(process.stdout.readline, "")
        assert next(said).strip() == "begun"
        first = int(next(said))
        wanted = first + chance.randint(0, most)
        for line in said:
            if not line.strip().isdecimal() or int(line) >= wanted:
                break
        time.sleep(chance.uniform(0, 0.3))
        os.kill(process.pid, signal.SIGKILL)


def measured(home: Path) -> dict[str, bytes]:
    """Each question that is measured with its stored trace, once the file is found whole."""
    path = home / "banks" / "measured.sqlite"
    if not path.exists():
        return {}
    with closing(sqlite3.connect(path)) as base:
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the file is damaged"
        rows = base.execute("SELECT question, trace FROM traces").fetchall()
    assert len(rows) == len({question for question, _ in rows}), "a question is measured twice"
    return dict(rows)


def survives(home: Path, rows: int, runs: int, seed: int, most: int) -> list[int]:
    """How many rows were measured after each kill. Nothing that was kept may change or go; the end is the whole bank."""
    chance, before, counts = random.Random(seed), {}, []
    opened = fast.explorer(home)
    opened.library.close()
    fast.fill(home, rows)
    for _ in range(runs):
        killed(home, chance, most)
        after = measured(home)
        assert before.items() <= after.items(), "what was measured is gone, or was measured again"
        assert [r["id"] for r in SavedBanks(home).rows(fast.BANK)] == [f"r{n}" for n in range(rows)]
        counts.append(len(after))
        before = after
        print(f"kill {len(counts)}: {len(after)} of {rows} measured, none lost", flush=True)
    return counts


def completed(home: Path, rows: int) -> float:
    """Seconds of a last run that nobody kills; every row can be opened after it."""
    before, started = measured(home), time.monotonic()
    with measuring(home) as process:
        heard = process.stdout.read().split("\n")
    assert heard[-2].startswith("done"), heard[-2]
    took, after = time.monotonic() - started, measured(home)
    assert before.items() <= after.items() and len(after) == rows
    explorer = fast.explorer(home)
    bank = MeasuredBank(home, SavedBanks(home).rows(fast.BANK), conditions_of(explorer))
    assert bank.missing() == 0 and not bank.stale()
    opened = time.monotonic()
    assert len(bank.cases()) == rows
    print(f"{rows} rows opened in {time.monotonic() - opened:.1f} s", flush=True)
    explorer.library.close()
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=20, help="rows that are measured before a kill, at most")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts = survives(Path(folder), options.rows, options.runs, options.seed, options.most)
        took = completed(Path(folder), options.rows)
        size = (Path(folder) / "banks" / "measured.sqlite").stat().st_size
    print(f"{len(counts)} kills, {counts[-1]} of {options.rows} rows measured between them, none lost, none twice;")
    print(f"the rest in {took:.0f} s; {size / options.rows / 1000:.0f} KB a row on disk")


if __name__ == "__main__":
    main()
