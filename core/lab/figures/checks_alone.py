"""Counts, on the reporting half, what each check of the default preset refuses if no other check blocks:
python -m core.lab.figures.checks_alone --store DIR --home DIR --out FILE.json.

Each row is measured as far as the presets of the table need it, and its trace is stored in --store.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.banks import REPORTING, read_bank
from core.checks import all_checks
from core.graph.startup import open_explorer
from core.lab.docs.sample_bank import NOTHING, group_of, isolate_check, stored_row
from core.lab.figure_files import dated, store_figures
from core.lab.figures.trace_files import measure_and_store
from core.library import load_sample
from core.presets import preset
from core.thresholds import Preset


def rows() -> list[Mapping[str, Any]]:
    """The rows of the reporting half that are counted."""
    return [row for row in read_bank(REPORTING, report=True) if group_of(row)]


def needed(base: Preset) -> list[Preset]:
    """The presets of the table: one in which no check blocks, one for each check in which only that check blocks, and
    `base` itself."""
    return [*(isolate_check(base, name) for name in (NOTHING, *(c.name for c in all_checks()))), base]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path, required=True, metavar="DIR", help="where what is measured is kept")
    parser.add_argument("--home", type=Path, required=True, metavar="DIR", help="a run-time folder")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.json", help="where the counts are written")
    options = parser.parse_args()
    explorer, base = open_explorer(options.home), preset("default")
    load_sample(explorer.library)
    cases = []
    for case in measure_and_store(rows(), explorer, needed(base), options.store):
        cases.append(case)
        print(case.row["id"], flush=True)
    store_figures(options.out, dated(stored_row(cases, base)))


if __name__ == "__main__":
    main()
