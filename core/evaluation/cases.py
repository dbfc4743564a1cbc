"""Labelled cases: measures the rows of a bank once, and decides the measured cases under any preset."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.case import Trace
from core.check import mode_of
from core.checks import all_checks
from core.decide import verdict
from core.errors import FOR_PEOPLE
from core.evaluation.outcomes import Outcome, outcome, unreadable
from core.reply.serialization import question_of
from core.thresholds import Preset

log = logging.getLogger(__name__)

MeasureRows = Callable[[Iterable[Mapping[str, Any]], Any, Sequence[Preset]], Iterator[Trace | Exception]]
"""A function that measures rows: `measure_or_error` below, or its counterpart on a cluster."""


@dataclass(frozen=True, kw_only=True)
class LabelledCase:
    """One measured row of a bank, with its trace. `row` includes its labels: expected (what should become of it), kind
    (a group of similar rows), pair (the same for rows that belong together), reference (the right answer), and absent
    (True if the reference says that there is no answer).
    """

    row: Mapping[str, Any]
    trace: Trace


def measure(row: Mapping[str, Any], explorer: Any, presets: Sequence[Preset]) -> Trace:
    """The trace of a row, with every round that any of `presets` needs.

    Without presets, every round that any preset could need is measured, which takes many times as long.
    """
    trace, _ = explorer.ask(question_of(dict(row)), presets[0] if presets else Preset())
    for preset in presets[1:]:
        trace = explorer.complete(trace, preset)
    return trace if presets else explorer.deepen(trace)


def measure_or_error(
    rows: Iterable[Mapping[str, Any]], explorer: Any, presets: Sequence[Preset]
) -> Iterator[Trace | Exception]:
    """Yield the trace of each row as `measure` gives it, or the exception of a row that fails."""
    for row in rows:
        started = time.perf_counter()
        try:
            yield replace(measure(row, explorer, presets), seconds=time.perf_counter() - started)
        except Exception as error:
            if not isinstance(error, FOR_PEOPLE):
                log.exception("a row could not be measured")
            yield error


def evaluate_rows(
    rows: Sequence[Mapping[str, Any]],
    explorer: Any,
    presets: Sequence[Preset],
    measuring: MeasureRows = measure_or_error,
) -> Iterator[tuple[Outcome, LabelledCase | None]]:
    """Yield (outcome, case) for each row, in order: its outcome under the first of `presets`, and its measurement for
    all of them.

    The case is None for a row that cannot be asked; its outcome then has the error.
    """
    for row, result in zip(rows, measuring(rows, explorer, presets), strict=True):
        if isinstance(result, FOR_PEOPLE):
            yield unreadable(row, result), None
        elif isinstance(result, Exception):
            raise result
        else:
            yield outcome(row, verdict(result, presets[0])), LabelledCase(row=row, trace=result)


def single_watch_presets(preset: Preset) -> list[Preset]:
    """Variants of `preset` in which one blocking check at a time only watches, to see what that check alone decides."""
    names = [c.name for c in all_checks() if mode_of(c, preset) == "blocks"]
    return [preset.with_values({}, {name: "watches"}) for name in names]
