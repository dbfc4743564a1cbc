"""The benchmark: figures, each with a baseline measured in the same run."""

import logging
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from core.errors import UserError
from core.lab.bench import pipeline, slider, sweep
from core.lab.bench.figure import Figure, not_measured

log = logging.getLogger(__name__)

FIGURES: dict[str, Callable[[Path], Figure]] = {
    "slider_to_verdict_p95": slider.slider_to_verdict_p95,
    "ingest_pages": pipeline.ingest_pages,
    "ask_warm": pipeline.ask_warm,
    "bank_slider": sweep.bank_slider,
    "bank_search": sweep.bank_search,
    "bank_memory": sweep.bank_memory,
    "nli_pairs": pipeline.nli_pairs,
    "verify_answer": pipeline.verify_answer,
    "peak_memory": pipeline.peak_memory,
}
"""All figures by name. Each function is called with an empty folder."""
LONG = ("bank_search", "bank_memory")
"""Figures measured on request only, since they take most of the time."""


class BenchError(UserError):
    """The requested figure does not exist."""


def run(only: Sequence[str] = (), *, everything: bool = False) -> dict[str, dict[str, Any]]:
    """Measure the usual figures, those in `only`, or every one. The row of a figure that fails says why."""
    unknown = set(only) - set(FIGURES)
    if unknown:
        raise BenchError(f"{sorted(unknown)[0]!r} is no figure; allowed are {', '.join(FIGURES)}.")
    names = only or [name for name in FIGURES if everything or name not in LONG]
    return {name: _row(FIGURES[name]) for name in names}


def _row(measure: Callable[[Path], Figure]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        try:
            return measure(Path(folder)).row()
        except Exception as error:  # one failure must not lose the other figures
            log.exception("a figure of the benchmark failed")
            return not_measured(error)
