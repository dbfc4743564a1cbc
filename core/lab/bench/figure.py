"""One measured figure and its baseline."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A measured value beside that of a baseline, both in `unit` and from the same run.

    n: number of measured items. baseline: what the baseline is, in words. note: a remark in words. higher_is_better:
    True if a higher `value` is better; used for the ratio, so that more than 1 is better than the baseline.
    """

    value: float
    unit: str
    baseline: str
    baseline_value: float
    n: int
    note: str
    higher_is_better: bool = False

    def row(self) -> dict[str, Any]:
        """The figure as the command line prints it."""
        up, down = (self.value, self.baseline_value) if self.higher_is_better else (self.baseline_value, self.value)
        return {
            "value": self.value, "unit": self.unit, "baseline": self.baseline, "baseline_value": self.baseline_value,
            "ratio": up / down if down else None, "n": self.n, "note": self.note,
        }  # fmt: skip


def not_measured(error: Exception) -> dict[str, Any]:
    """The row of a figure that could not be measured: no value, and the error in its note."""
    empty = dict.fromkeys(("value", "baseline_value", "ratio"))
    return empty | {"unit": "", "baseline": "", "n": 0, "note": f"not measured: {type(error).__name__}: {error}"}


def alternating(one: Callable[[], Any], other: Callable[[], Any], times: int) -> tuple[float, float]:
    """Median seconds of two functions, run alternately so that noise affects both."""
    pairs = [(seconds(one), seconds(other)) for _ in range(times)]
    return statistics.median(mine for mine, _ in pairs), statistics.median(its for _, its in pairs)


def beside(ours: Callable[[], Any], pieces: Sequence[Callable[[], Any]]) -> tuple[float, float]:
    """Return (median seconds of `ours`, which runs before each piece of a baseline; total seconds of all pieces).

    A slow baseline runs only once, in pieces, so that noise affects both.
    """
    runs, whole = [], 0.0
    for piece in pieces:
        runs.append(seconds(ours))
        whole += seconds(piece)
    return statistics.median(runs), whole


def seconds(work: Callable[[], Any]) -> float:
    """Seconds that `work` takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
