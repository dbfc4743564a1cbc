"""The speed of deciding a whole bank again: after a slider move, and at thousands of settings."""

import statistics
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from core.banks.open_bank import OpenBank
from core.checks import all_thresholds
from core.decide import next_step
from core.decide.points import Limits
from core.evaluation.cases import LabelledCase
from core.lab.bench.figure import Figure, seconds
from core.lab.bench.memory import megabytes, resident
from core.lab.bench.samples import CASES, measured_bank
from core.presets import preset, values
from core.thresholds import Preset

SETTINGS, _SOME = 20_000, 1000
_RUNS = 3
_LOOPED = 200
"""Number of cases in a run of the plain loop; its time per case does not depend on it."""
_LOOP = "a plain loop over next_step"
_NOTE = f"{CASES} cases: the sample questions as they ship, again and again"


def bank_slider(_: Path) -> Figure:
    """Milliseconds until every case is decided again after a slider moves by one step; the median of all sliders."""
    bank = measured_bank()
    sweep = OpenBank.of(bank)
    sweep.decide(Limits(base=preset("default")))
    moves = {key: seconds(lambda p=moved: sweep.decide(Limits(base=p))) for key, moved in _moves()}
    slowest = max(moves, key=moves.__getitem__)
    sweep.decide(Limits(base=preset("default")))
    again = seconds(lambda: sweep.decide(Limits(base=dict(_moves())[slowest])))
    loop = _loop(bank)
    return Figure(
        value=1000 * statistics.median(moves.values()), unit="ms", baseline=_LOOP,
        baseline_value=1000 * len(bank) * loop, n=len(moves),
        note=(
            f"{_NOTE}; each slider for the first time; the slowest, {slowest}, takes {1000 * moves[slowest]:.0f} ms, "
            f"and {1000 * again:.0f} ms when it is moved there again"
        ),
    )  # fmt: skip


def bank_search(_: Path) -> Figure:
    """Cases decided per second at thousands of random settings of all thresholds."""
    bank = measured_bank()
    sweep, base = OpenBank.of(bank), preset("default")
    sweep.decide(Limits(base=base))
    duration = seconds(lambda: _decide_at_random(sweep))
    return Figure(
        value=SETTINGS * len(bank) / duration, unit="cases/s", baseline=_LOOP, baseline_value=1 / _loop(bank),
        n=SETTINGS * len(bank), higher_is_better=True, note=f"{_NOTE}; {SETTINGS:,} settings take {duration:.1f} s",
    )  # fmt: skip


def bank_memory(_: Path) -> Figure:
    """Peak resident megabytes of deciding the bank at thousands of settings, compared with the bank alone."""
    idle, peak = megabytes(_decide_measured)
    return Figure(
        value=peak, unit="MB", baseline="the same cases in memory, nothing decided", baseline_value=idle,
        n=SETTINGS * CASES, note=f"{_NOTE}; {SETTINGS:,} settings, peak of the process",
    )  # fmt: skip


def _decide_measured() -> None:
    """Decide the bank at SETTINGS settings; print the resident megabytes before that."""
    bank = measured_bank()
    print(resident())
    sweep, base = OpenBank.of(bank), preset("default")
    sweep.decide(Limits(base=base))
    _decide_at_random(sweep)


def _decide_at_random(bank: OpenBank) -> None:
    """Decide the bank at SETTINGS random settings, some at a time, so that the results need little memory."""
    for seed in range(SETTINGS // _SOME):
        bank.decide(random_limits(preset("default"), _SOME, seed))


def random_limits(base: Preset, count: int, random_seed: int) -> Limits:
    """`count` random presets: each threshold has a random step of its slider as its value."""
    generator = np.random.default_rng(random_seed)
    return Limits(base, {key: generator.choice(t.grid(), count) for key, t in all_thresholds().items()})


def _moves() -> Iterator[tuple[str, Preset]]:
    """Yield, for each threshold's key, the default preset with this threshold moved by one step."""
    here = values(preset("default"))
    for key, threshold in all_thresholds().items():
        up = here[key] + threshold.step
        moved = up if up <= threshold.high else here[key] - threshold.step
        yield key, preset("default").with_values({key: round(moved, 10)})


def _loop(bank: list[LabelledCase]) -> float:
    """Seconds of next_step per case, the median of several runs under presets with one slider moved."""
    presets = list(dict(_moves()).values())[:_RUNS]
    sample = bank[:_LOOPED]
    return statistics.median(
        seconds(lambda p=p: [next_step(c.trace, p) for c in sample]) / len(sample) for p in presets
    )
