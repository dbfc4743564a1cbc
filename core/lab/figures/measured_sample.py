"""Measures the sample questions and writes the file that comes with the app: `python -m
core.lab.figures.measured_sample`.

It works in a run-time folder of its own, continues an interrupted run, and writes the file when every question is
measured.
"""

import argparse
import tempfile
from pathlib import Path

from core.banks.background_measuring import Background
from core.banks.measured_bank import FILE, MeasuredBank, StoredTraces, write_traces
from core.banks.saved import SAMPLE, SavedBanks, rows_of
from core.evaluation.conditions import conditions_of
from core.graph import Explorer
from core.graph.startup import open_explorer
from core.library import load_sample
from core.settings import Settings
from core.writers.auto_writer import for_many_questions

MOST_BYTES = 5_000_000
"""Maximum size of the file."""


def measure(home: Path) -> Explorer:
    """Measure every sample question in `home`, with the bundled models on the sample chapters alone."""
    explorer = open_explorer(home, settings=for_many_questions(Settings()))
    load_sample(explorer.library)
    banks = SavedBanks(home)
    banks.replace(SAMPLE, rows_of(banks, SAMPLE))
    run = Background(home).start(SAMPLE, explorer)
    while not run.ended.wait(30):
        print(f"{run.done} of {run.count} measured", flush=True)
    if run.sentence:
        raise SystemExit(run.sentence)
    return explorer


def write(home: Path, explorer: Explorer, path: Path = FILE) -> int:
    """Write the measurements of the sample in `home` to `path`; return the size of the file. Exits if a question is not
    measured."""
    conditions = conditions_of(explorer)
    bank = MeasuredBank(home, SavedBanks(home).rows(SAMPLE), conditions)
    if missing := len(bank.missing_rows()):
        raise SystemExit(f"{missing} of {len(bank.rows)} questions could not be measured; see {home}.")
    questions = tuple(dict.fromkeys(bank.questions))
    traces = StoredTraces(home).traces(conditions.key, questions)
    size = write_traces(path, vars(conditions), dict(zip(questions, traces, strict=True)))
    if size > MOST_BYTES:
        raise SystemExit(f"{path.name} has {size:,} bytes, at most {MOST_BYTES:,} are shipped.")
    return size


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--home", type=Path, metavar="DIR", help="a run-time folder that lasts, to go on later")
    with tempfile.TemporaryDirectory() as folder:
        chosen = options.parse_args().home or Path(folder)
        print(f"{FILE.name}: {write(chosen, measure(chosen)):,} bytes")
