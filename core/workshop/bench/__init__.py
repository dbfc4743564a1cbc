"""The benchmark: every figure beside a baseline that was measured in the same run."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.workshop.bench import ask, bank, ingest, journal, memory, nli, slider, sweep, tune_slider
from core.workshop.bench.figure import Figure

FIGURES: dict[str, Callable[[Path], Figure]] = {
    "slider_to_verdict_p95": slider.slider_to_verdict_p95,
    "ingest_pages": ingest.ingest_pages,
    "ask_warm": ask.ask_warm,
    "sweep_decisions": sweep.sweep_decisions,
    "bank_slider": bank.bank_slider,
    "bank_sweeps": bank.bank_sweeps,
    "bank_search": bank.bank_search,
    "bank_memory": bank.bank_memory,
    "tune_slider": tune_slider.tune_slider,
    "nli_pairs": nli.nli_pairs,
    "verify_answer": nli.verify_answer,
    "journal_page": journal.journal_page,
    "peak_memory": memory.peak_memory,
}
"""What is measured, by the names of the contract; each function gets an empty folder of its own."""


class BenchError(ValueError):
    """A figure was asked for that is not measured here."""


def run(only: list[str] | None = None) -> dict[str, dict[str, Any]]:
    """Measure every figure, or those named; rows as the contract says."""
    unknown = set(only or ()) - set(FIGURES)
    if unknown:
        raise BenchError(f"{sorted(unknown)[0]!r} is no figure; allowed are {', '.join(FIGURES)}.")
    rows = {}
    for name in only or FIGURES:
        with tempfile.TemporaryDirectory() as folder:
            rows[name] = FIGURES[name](Path(folder)).row()
    return rows
