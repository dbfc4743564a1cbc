"""The speed of deciding a whole bank again: after a slider move, along every slider, and at thousands of settings."""

import json
import statistics
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from core.banks.open_bank import OpenBank
from core.case import Round, Trace
from core.check import Check
from core.checks import all_checks, all_thresholds
from core.decide import next_step
from core.decide.measured import MeasuredSet
from core.decide.points import Limits
from core.decide.results import codes
from core.decide.routes import FIRST
from core.evaluation.cases import LabelledCase
from core.lab.bench.figure import Figure, beside, seconds
from core.lab.bench.memory import megabytes, resident
from core.lab.bench.samples import CASES, measured_bank, sample_explorer, sample_questions, sample_traces
from core.presets import preset, values
from core.thresholds import Preset, Threshold

SETTINGS, _SOME = 20_000, 1000
_RUNS = 3
_LOOPED = 200
"""Number of cases in a run of the plain loop; its time per case does not depend on it."""
_LOOP = "a plain loop over next_step"
_NOTE = f"{CASES} cases, measured on the sample library and moved at random"
_CASES, _POINTS = 200, 21


def bank_slider(folder: Path) -> Figure:
    """Milliseconds until every case is decided again after a slider moves by one step; the median of all sliders."""
    bank = measured_bank(sample_traces(folder))
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


def bank_sweeps(folder: Path) -> Figure:
    """Cases decided per second along the whole grid of every slider, one slider after the other."""
    bank = measured_bank(sample_traces(folder))
    sweep, base = OpenBank.of(bank), preset("default")
    sweep.decide(Limits(base=base))
    keys = list(all_thresholds())
    duration = statistics.median(
        seconds(lambda: [sweep.decide(Limits.along(base, key)) for key in keys]) for _ in range(_RUNS)
    )
    decided = len(bank) * sum(len(t.grid()) for t in all_thresholds().values())
    return Figure(
        value=decided / duration, unit="cases/s", baseline=_LOOP, baseline_value=1 / _loop(bank), n=decided,
        higher_is_better=True, note=f"{_NOTE}; all {len(keys)} sliders together take {duration:.2f} s",
    )  # fmt: skip


def bank_search(folder: Path) -> Figure:
    """Cases decided per second at thousands of random settings of all thresholds."""
    bank = measured_bank(sample_traces(folder))
    sweep, base = OpenBank.of(bank), preset("default")
    sweep.decide(Limits(base=base))
    duration = seconds(lambda: _decide_at_random(sweep))
    return Figure(
        value=SETTINGS * len(bank) / duration, unit="cases/s", baseline=_LOOP, baseline_value=1 / _loop(bank),
        n=SETTINGS * len(bank), higher_is_better=True, note=f"{_NOTE}; {SETTINGS:,} settings take {duration:.1f} s",
    )  # fmt: skip


def bank_memory(folder: Path) -> Figure:
    """Peak resident megabytes of deciding the bank at thousands of settings, compared with the bank alone."""
    stored = folder / "traces.json"
    stored.write_text(json.dumps(sample_traces(folder)), encoding="utf-8")
    idle, peak = megabytes(_decide_stored, str(stored))
    return Figure(
        value=peak, unit="MB", baseline="the same cases in memory, nothing decided", baseline_value=idle,
        n=SETTINGS * CASES, note=f"{_NOTE}; {SETTINGS:,} settings, peak of the process",
    )  # fmt: skip


def _decide_stored(path: str) -> None:
    """Decide the stored traces at SETTINGS settings; print the resident megabytes before that."""
    bank = measured_bank(tuple(json.loads(Path(path).read_text(encoding="utf-8"))))
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


def sweep_decisions(folder: Path) -> Figure:
    """Decisions per second over a grid of every threshold, compared with a plain loop over the same decisions."""
    explorer = sample_explorer(folder)
    round_list = [explorer.ask(q, Preset())[0].rounds[0] for q in sample_questions(explorer, 20)]
    rounds = (round_list * _CASES)[:_CASES]
    total = _POINTS * _CASES * len(_limits())
    pieces = [partial(_one_by_one, rounds, _limits()[n::_RUNS]) for n in range(_RUNS)]
    ours, loop = beside(lambda: _together(rounds), pieces)
    return Figure(
        value=total / ours, unit="decisions/s", baseline="a plain loop over decide", baseline_value=total / loop,
        n=total, higher_is_better=True,
        note=f"{_CASES} cases from {len(round_list)} questions, {_POINTS} points each; {_RUNS} runs beside one loop",
    )  # fmt: skip


def _together(rounds: list[Round]) -> None:
    measured = MeasuredSet.of([Trace(question=r.case.question, rounds=(r,)) for r in rounds])
    moves = [(t.key, n * _POINTS + np.arange(_POINTS), t.grid(_POINTS)) for n, (_, t) in enumerate(_limits())]
    columns = Limits.of_moves(Preset(), moves, len(moves) * _POINTS)
    for check in all_checks():
        codes(measured.rounds[FIRST], check, columns.cells(check))


def _one_by_one(rounds: list[Round], limits: list[tuple[Check, Threshold]]) -> None:
    for check, threshold in limits:
        for value in threshold.grid(_POINTS):
            moved_preset = Preset(thresholds={threshold.key: float(value)})
            for round_ in rounds:
                if check.name in round_.signals:
                    _ = float(check.decision(round_.signals[check.name], moved_preset).margin)


def _limits() -> list[tuple[Check, Threshold]]:
    """Every threshold that a check itself uses, with the check; the flow uses the others, such as switches."""
    return [(check, t) for check in all_checks() for t in check.thresholds().values() if t.stricter != "neither"]
