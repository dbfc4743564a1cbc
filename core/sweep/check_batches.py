"""Many cases at many thresholds at once: the same `decide`, with longer arrays."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.case import Round, Signals, Trace
from core.chain import next_step
from core.chain.routing import ROUTES
from core.check import Bound, Check, Decision
from core.thresholds import Preset, Threshold

NOT_MEASURED = "not measured yet"
"""The column of the cases whose route needs a round that was never measured."""


@dataclass(frozen=True, kw_only=True)
class Batch:
    """The signals of one check over many cases: (cases, items...), NaN where a case has fewer items.

    measured: (cases,), False where the check has no signals at all, so that it decides nothing there.
    """

    check: Check
    signals: Signals
    measured: np.ndarray


def stacked(check: Check, rounds: Sequence[Round]) -> Batch:
    """One check's signals of many rounds, ready to be swept."""
    found = [r.signals.get(check.name) for r in rounds]
    signals = {n: _padded([m and m[n] for m in found], len(s.items)) for n, s in check.signals().items()}
    return Batch(check=check, signals=signals, measured=np.array([m is not None for m in found]))


def swept(batch: Batch, threshold: Threshold, preset: Preset, values: np.ndarray) -> Decision:
    """Decisions of every case at every value of one threshold, the others as in `preset`: (points, cases).

    values: shape (points,), each validated. A case without signals has a NaN margin, and passes nowhere.
    """
    bound = batch.check.bind(preset)
    column = np.array([threshold.validate(float(v)) for v in values])[:, None]
    setattr(bound, threshold.key.partition(".")[2], column)
    decision = batch.check.decide(Bound(**batch.signals), bound)
    margin = np.where(batch.measured, decision.margin, np.nan)
    shape = np.broadcast_shapes(margin.shape, (len(values), len(batch.measured)))
    return Decision(*(np.broadcast_to(a, shape) for a in (decision.value, decision.limit, margin)), decision.by)


def routes(traces: Sequence[Trace], threshold: Threshold, preset: Preset, values: np.ndarray) -> dict[str, np.ndarray]:
    """How many traces take each route at every value of one threshold, the others as in `preset`: name -> (points,).

    A trace whose route needs a round that is missing counts as NOT_MEASURED and as nothing else. No model is asked.
    """
    found = {name: np.zeros(len(values), dtype=int) for name in (*ROUTES, NOT_MEASURED)}
    for point, value in enumerate(values):
        under = preset.with_values({threshold.key: threshold.validate(float(value))})
        for trace in traces:
            action = next_step(trace, under).action
            found[NOT_MEASURED if action == "measure" else action][point] += 1
    return found


def _padded(arrays: list[np.ndarray | None], axes: int) -> np.ndarray:
    """Arrays of different lengths in one, NaN behind the shorter ones: (cases, longest...)."""
    shapes = [a.shape for a in arrays if a is not None]
    longest = tuple(max((s[axis] for s in shapes), default=0) for axis in range(axes))
    out = np.full((len(arrays), *longest), np.nan)
    for row, array in enumerate(arrays):
        if array is not None:
            out[(row, *(slice(0, n) for n in array.shape))] = array
    return out
