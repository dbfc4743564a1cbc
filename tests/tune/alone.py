"""What each check of the default alone refuses, over both halves: python -m tests.tune.alone --home DIR --out FILE.json

Each row is measured once, to full depth, and kept under DIR, where `core tune` and the app find it too; a kill loses
the one under way. The reporting half is only counted.
"""

import argparse
import json
import time
from pathlib import Path

from core.banks import REPORTING, TUNING, read_bank
from core.command.tune import measured
from core.figures.alone import group_of, stored_row
from core.library import load_sample
from core.opening import open_explorer
from core.presets import preset


def rows():
    """The rows of each half that are counted."""
    halves = {"tuning": read_bank(TUNING), "reporting": read_bank(REPORTING, report=True)}
    return {half: [row for row in some if group_of(row)] for half, some in halves.items()}


def cases(home):
    """Every case of each half, those that are not kept yet measured now."""
    explorer = open_explorer(home)
    load_sample(explorer.library)
    return {half: measured(some, explorer, home) for half, some in rows().items()}


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--home", type=Path, required=True, metavar="DIR")
    options.add_argument("--out", type=Path, required=True, metavar="FILE.json")
    chosen = options.parse_args()
    found = stored_row(cases(chosen.home), preset("default"), time.strftime("%Y-%m-%d"))
    chosen.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
