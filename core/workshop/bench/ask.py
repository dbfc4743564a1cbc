"""How long a warm question takes, and how much of that is not models."""

import statistics
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.graph import Explorer
from core.presets import preset
from core.workshop.bench.figure import Figure
from core.workshop.bench.samples import sample_explorer, sample_questions

_QUESTIONS = 20
_ASKED = {"encode", "probabilities", "read"}
"""What a model is asked by."""


class Timed:
    """A model whose calls are timed; `seconds` adds them up."""

    def __init__(self, model: Any) -> None:
        self._model, self.seconds = model, 0.0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._model, name)
        return self._timing(found) if name in _ASKED else found

    def _timing(self, call: Any) -> Any:
        def timed(*arguments: Any) -> Any:
            started = time.perf_counter()
            try:
                return call(*arguments)
            finally:
                self.seconds += time.perf_counter() - started

        return timed


def ask_warm(folder: Path) -> Figure:
    """Milliseconds of a new question with all checks on, beside what its model calls alone take, step by step."""
    plain = sample_explorer(folder)
    models = plain.models
    timed = {name: Timed(model) for name, model in models.each().items()}
    explorer = Explorer(plain.library, replace(models, **timed))
    first, *questions = sample_questions(explorer, _QUESTIONS + 1)
    explorer.ask(first, preset("default"))
    whole, asked, steps = [], [], []
    for question in questions:
        before, started = _spent(timed), time.perf_counter()
        trace, _ = explorer.ask(question, preset("default"))
        whole.append(1000 * (time.perf_counter() - started))
        spent = {name: 1000 * (seconds - before[name]) for name, seconds in _spent(timed).items()}
        asked.append(sum(spent.values()))
        checking = 1000 * sum(r.checking for r in trace.rounds)
        steps.append({"search and writer": whole[-1] - checking, "checks": checking, **spent})
    medians = {name: statistics.median(step[name] for step in steps) for name in steps[0]}
    return Figure(
        value=statistics.median(whole), unit="ms", baseline="its model calls alone",
        baseline_value=statistics.median(asked), n=len(whole),
        note="extractive writer, all checks, sample library; medians: "
        + ", ".join(f"{name} {ms:.0f} ms" for name, ms in medians.items()),
    )  # fmt: skip


def _spent(timed: Mapping[str, Timed]) -> dict[str, float]:
    """Seconds in each model so far."""
    return {name: model.seconds for name, model in timed.items()}
