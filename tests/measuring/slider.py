"""A slider move on the Ask page, idle and while a bank is measured behind it: `python -m tests.measuring.slider`.

Each move is made a second after the one before it, when the measuring has gone on again: what gives way while
somebody moves is then caught in full swing.
"""

import argparse
import os
import sqlite3
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import numpy as np

from core.workshop.bench import slider
from core.workshop.bench.browser import SETTLED
from core.workshop.bench.browser import browser as chromium
from tests.measuring import fast

SCRIPT = slider.Timed(
    script="tests/measuring/busy_app.py", slider="Evidence confidence",
    changes=".st-key-band", example="What is photosynthesis?",
)  # fmt: skip
PAUSE = 1000
"""Milliseconds between two moves; the measuring goes on after half of them."""


def timed(home: Path, moves: int, kinds: tuple[str, ...]) -> dict[str, Any]:
    """Milliseconds of `moves` moves on each app, taken in turns; and how many rows were measured meanwhile."""
    with ExitStack() as open_:
        browser = open_.enter_context(chromium())
        pages = {kind: _opened(open_, browser, home / (kind or "idle"), kind) for kind in kinds}
        before, started = {kind: rows(home / kind) for kind in kinds if kind}, time.monotonic()
        for turn in range(moves + 2):
            for page in pages.values():
                _moved(page, "ArrowRight" if turn % 10 < 5 else "ArrowLeft", keep=turn > 1)
        minutes = (time.monotonic() - started) / 60
        found = {kind or "idle": np.array(page.evaluate("window.kept")) for kind, page in pages.items()}
        gained = {kind: (rows(home / kind) - was) / minutes for kind, was in before.items()}
    return {"ms": found, "rows a minute": gained}


def rows(home: Path) -> int:
    """How many rows are measured in a run-time folder, in whichever of the two places."""
    count = 0
    for path in (home / "banks" / "measured.sqlite", home / "fake" / "banks" / "measured.sqlite"):
        if path.exists():
            with closing(sqlite3.connect(path)) as base:
                count += base.execute("SELECT count(*) FROM traces").fetchone()[0]
    return count


def _opened(open_: ExitStack, browser: Any, home: Path, kind: str) -> Any:
    home.mkdir()
    os.environ["BUSY"] = kind
    if kind == "fake":
        fast.explorer(home / "fake").library.close()
    return slider._opened(open_, browser, home, SCRIPT)


def _moved(page: Any, key: str, *, keep: bool) -> None:
    page.wait_for_timeout(PAUSE)
    page.evaluate("window.moves.length = 0")
    page.keyboard.press(key)
    page.wait_for_function("window.moves.length > 0")
    page.wait_for_function(SETTLED)
    if keep:
        page.evaluate("window.kept.push(...window.moves)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--kinds", nargs="+", default=["fake", "real"], choices=["fake", "real"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        found = timed(Path(folder), options.moves, ("", *options.kinds))
    for kind, ms in found["ms"].items():
        gained = f", {found['rows a minute'][kind]:.1f} rows a minute" if kind in found["rows a minute"] else ""
        print(f"{kind}: median {np.median(ms):.0f} ms, p95 {np.percentile(ms, 95):.0f} ms, n {len(ms)}{gained}")


if __name__ == "__main__":
    main()
