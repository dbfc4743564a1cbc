"""How fast a bank is decided again when a threshold moves."""

from collections.abc import Iterator
from pathlib import Path

from core.case import Round
from core.checks import all_checks
from core.sweep.check_batches import stacked, swept
from core.thresholds import Preset
from core.workshop.bench.figure import Figure, alternating
from core.workshop.bench.samples import sample_explorer, sample_questions

_CASES, _POINTS, _RUNS = 200, 21, 3


def sweep_decisions(folder: Path) -> Figure:
    """Decisions a second over a whole grid of every threshold, beside a plain loop over the same decisions."""
    explorer = sample_explorer(folder)
    measured = [explorer.ask(q, Preset())[0].rounds[0] for q in sample_questions(explorer, 20)]
    rounds = (measured * _CASES)[:_CASES]
    total = sum(_POINTS * _CASES for c in all_checks() for _ in c.thresholds())
    ours, loop = alternating(lambda: _together(rounds), lambda: list(_one_by_one(rounds)), _RUNS)
    return Figure(
        value=total / ours, unit="decisions/s", baseline="a plain loop over decide", baseline_value=total / loop,
        n=total, higher_is_better=True, note=f"{_CASES} cases from {len(measured)} questions, {_POINTS} points each",
    )  # fmt: skip


def _together(rounds: list[Round]) -> None:
    for check in all_checks():
        batch = stacked(check, rounds)
        for threshold in check.thresholds().values():
            swept(batch, threshold, Preset(), threshold.grid(_POINTS))


def _one_by_one(rounds: list[Round]) -> Iterator[float]:
    for check in all_checks():
        for threshold in check.thresholds().values():
            for value in threshold.grid(_POINTS):
                under = Preset(thresholds={threshold.key: float(value)})
                for measured in rounds:
                    if check.name in measured.signals:
                        yield float(check.decision(measured.signals[check.name], under).margin)
