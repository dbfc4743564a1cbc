"""How fast a bank is decided again when a threshold moves."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from core.case import Round
from core.check import Check
from core.checks import all_checks
from core.sweep.decision_tables import table
from core.sweep.signal_batches import Stack
from core.sweep.threshold_columns import MovedColumns, reads
from core.thresholds import Preset, Threshold
from core.workshop.bench.figure import Figure, alternating
from core.workshop.bench.samples import sample_explorer, sample_questions

_CASES, _POINTS, _RUNS = 200, 21, 3


def sweep_decisions(folder: Path) -> Figure:
    """Decisions a second over a whole grid of every threshold, beside a plain loop over the same decisions."""
    explorer = sample_explorer(folder)
    measured = [explorer.ask(q, Preset())[0].rounds[0] for q in sample_questions(explorer, 20)]
    rounds = (measured * _CASES)[:_CASES]
    total = _POINTS * _CASES * len(_limits())
    ours, loop = alternating(lambda: _together(rounds), lambda: list(_one_by_one(rounds)), _RUNS)
    return Figure(
        value=total / ours, unit="decisions/s", baseline="a plain loop over decide", baseline_value=total / loop,
        n=total, higher_is_better=True, note=f"{_CASES} cases from {len(measured)} questions, {_POINTS} points each",
    )  # fmt: skip


def _together(rounds: list[Round]) -> None:
    stack = Stack(rounds, np.arange(len(rounds)), np.zeros(len(rounds), dtype=bool))
    keys = [threshold.key for _, threshold in _limits() for _ in range(_POINTS)]
    values = np.concatenate([threshold.grid(_POINTS) for _, threshold in _limits()])
    columns = MovedColumns(Preset(), keys, values, np.arange(len(keys))[:, None])
    for check in all_checks():
        table(stack, check, columns.cells(check))


def _one_by_one(rounds: list[Round]) -> Iterator[float]:
    for check, threshold in _limits():
        for value in threshold.grid(_POINTS):
            under = Preset(thresholds={threshold.key: float(value)})
            for measured in rounds:
                if check.name in measured.signals:
                    yield float(check.decision(measured.signals[check.name], under).margin)


def _limits() -> list[tuple[Check, Threshold]]:
    """Every threshold that a check compares with, and its check; the chain itself reads the others."""
    return [(check, check.thresholds()[name]) for check in all_checks() for name in reads(check)]
