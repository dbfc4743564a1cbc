"""Counts, on the reporting half, what each check of the default preset refuses if no other check blocks:
python -m core.lab.figures.checks_alone --store DIR --home DIR.

Each row is measured as far as the presets of the table need it, and its trace is stored in --store. An interrupted run
loses only the current row. A stored trace that lacks a round is completed, not measured anew. To share the work between
two processes, run one with --part 1/2 and one with --part 2/2, each with its own --home. --out FILE.json counts the
stored rows.
"""

import argparse
import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.banks import REPORTING, read_bank
from core.checks import all_checks
from core.evaluation.cases import LabelledCase
from core.graph import Explorer
from core.graph.startup import open_explorer
from core.lab.docs.sample_bank import NOTHING, group_of, isolate_check, stored_row
from core.lab.figures.trace_files import keep, read_trace
from core.library import load_sample
from core.presets import preset
from core.reply.serialization import question_of
from core.thresholds import Preset


def rows() -> list[Mapping[str, Any]]:
    """The rows of the reporting half that are counted."""
    return [row for row in read_bank(REPORTING, report=True) if group_of(row)]


def needed(base: Preset) -> list[Preset]:
    """The presets of the table: one in which no check blocks, one for each check in which only that check blocks, and
    `base` itself."""
    return [*(isolate_check(base, name) for name in (NOTHING, *(c.name for c in all_checks()))), base]


def measure_part(store: Path, explorer: Explorer, part: int, of: int) -> Iterator[str]:
    """Measure every `of`-th row from row number `part` (from 1), store its trace, and yield its id.

    A trace that is already stored is completed with the rounds that it lacks.
    """
    for row in rows()[part - 1 :: of]:
        path = _path(store, row)
        first, *more = needed(preset("default"))
        trace = read_trace(path) if path.exists() else explorer.ask(question_of(dict(row)), first)[0]
        for one in more:
            trace = explorer.complete(trace, one)
        keep(path, trace)
        yield row["id"]


def cases(store: Path) -> list[LabelledCase]:
    """The stored cases, in the order of the bank."""
    return [LabelledCase(row=row, trace=read_trace(_path(store, row))) for row in rows() if _path(store, row).exists()]


def _path(store: Path, row: Mapping[str, Any]) -> Path:
    return store / f"{row['id']}.json.gz"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path, required=True, metavar="DIR", help="where what is measured is kept")
    parser.add_argument("--home", type=Path, metavar="DIR", help="a run-time folder; without it nothing is measured")
    parser.add_argument("--part", default="1/1", metavar="N/OF", help="the part of the rows to measure")
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="where the counts are written")
    options = parser.parse_args()
    if options.home:
        explorer = open_explorer(options.home)
        load_sample(explorer.library)
        for name in measure_part(options.store, explorer, *map(int, options.part.split("/"))):
            print(name, flush=True)
    if options.out:
        row = stored_row(cases(options.store), preset("default"), time.strftime("%Y-%m-%d"))
        options.out.write_text(json.dumps(row, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
