"""Measures the questions of the tuning half of the sample banks, each once and in all rounds, and stores their traces
in files."""

import argparse
import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

from core.banks import TUNING, read_bank
from core.case import Trace
from core.chain.serialization import dumps, loads
from core.evaluation.cases import LabelledCase, measure
from core.graph.startup import open_explorer
from core.library import load_sample


def questions() -> list[dict[str, Any]]:
    """The rows without an answer to judge, in a pseudo-random order, so that the first ones are of every kind."""
    rows = [row for row in read_bank(TUNING) if row.get("answer") is None]
    return sorted(rows, key=lambda row: hashlib.sha256(row["id"].encode()).hexdigest())


def read_trace(path: Path) -> Trace:
    """The trace stored at `path`."""
    return loads(gzip.decompress(path.read_bytes()).decode())


def keep(path: Path, trace: Trace) -> None:
    """Store a trace at `path`, completely or not at all."""
    part = path.with_suffix(".part")
    part.write_bytes(gzip.compress(dumps(trace).encode(), 6, mtime=0))
    part.replace(path)


def traces_by_name(folder: Path) -> dict[str, Path]:
    """The files of the traces measured so far, by question id."""
    return {path.name.removesuffix(".json.gz"): path for path in folder.glob("*.json.gz")}


def cases(folder: Path) -> list[LabelledCase]:
    """The measured questions with their labels, in the order of `questions`."""
    paths = traces_by_name(folder)
    return [LabelledCase(row=row, trace=read_trace(paths[row["id"]])) for row in questions() if row["id"] in paths]


def measure_some(folder: Path, home: Path, most: int) -> int:
    """Measure at most `most` of the missing questions, and return how many. If killed, only the current one is lost."""
    folder.mkdir(parents=True, exist_ok=True)
    measured_ids = traces_by_name(folder)
    missing = [row for row in questions() if row["id"] not in measured_ids][:most]
    if not missing:
        return 0
    explorer = open_explorer(home)
    load_sample(explorer.library)
    for case in measure(missing, explorer, []):
        keep(folder / f"{case.row['id']}.json.gz", case.trace)
        print(json.dumps({"id": case.row["id"], "seconds": round(case.trace.seconds, 1)}), flush=True)
    return len(missing)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--store", type=Path, required=True, metavar="DIR")
    options.add_argument("--home", type=Path, required=True, metavar="DIR")
    options.add_argument("--most", type=int, default=1_000)
    chosen = options.parse_args()
    print(measure_some(chosen.store, chosen.home, chosen.most), "measured")
