"""What more passages, more rows and more people cost, stored as curves that the Guide page draws.

    python -m core.lab.load.cost_curves passages 1000 10000 100000 1000000
    python -m core.lab.load.cost_curves rows 100 1000 10000 100000
    python -m core.lab.load.cost_curves people 1 5 20 50 --seconds 300

Each point replaces the one of the same count in data/measured/cost_curves.json as soon as it is measured, so that large
counts may be measured at another time. Passages: searches in a Chroma server. Rows: moves of a slider over a question
set. People: answers to a pasted answer, with moves of a slider in between.
"""

import argparse
import asyncio
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.lab.bench.app_in_browser import served
from core.lab.load import bank_size, library_size
from core.lab.load.users import figures, run_users
from core.platform.atomic_write import write_whole
from core.reports.evaluation_report import MEASUREMENTS, FiguresError, read_measurement

NAME = "cost_curves"
CURVES = ("passages", "rows", "people")
_WARM = 1.0
"""Seconds for which one user runs first, so that the models are loaded."""


def points(curve: str, counts: Sequence[int], seconds: float) -> Iterator[dict[str, Any]]:
    """The figures of each count, in ascending order. seconds: how long people use the app."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if curve == "passages":
            yield from library_size.of_server(Path(folder), counts)
        elif curve == "rows":
            yield from bank_size.of_bank(Path(folder), sorted(counts))
        else:
            with served("app.py", Path(folder)) as address:
                asyncio.run(run_users(address, 1, _WARM))
                first = 1
                for count in sorted(counts):
                    yield figures(asyncio.run(run_users(address, count, seconds, first)))
                    first += count


def store(curve: str, point: dict[str, Any], folder: Path = MEASUREMENTS) -> None:
    """Add a point to its curve with today's date, the processors and their load; it replaces one of the same count."""
    curves = {name: [] for name in CURVES}
    with suppress(FiguresError):  # the first point of all
        curves |= read_measurement(NAME, folder)
    rounded = {name: round(value, 2) if isinstance(value, float) else value for name, value in point.items()}
    conditions = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}", "cores": os.cpu_count(), "load": round(os.getloadavg()[0], 1),
    }  # fmt: skip
    others = [other for other in curves[curve] if other["count"] != point["count"]]
    curves[curve] = sorted([*others, rounded | conditions], key=lambda p: p["count"])
    write_whole(folder / f"{NAME}.json", [f"{json.dumps(curves, indent=1)}\n".encode()])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("curve", choices=CURVES)
    parser.add_argument("counts", type=int, nargs="+")
    parser.add_argument("--seconds", type=float, default=300, help="for which people use the app")
    options = parser.parse_args()
    for point in points(options.curve, options.counts, options.seconds):
        store(options.curve, point)
        print(json.dumps(point), flush=True)


if __name__ == "__main__":
    main()
