"""A bank of labelled cases: each is measured once, decided any number of times, and counted."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.case import Trace
from core.chain import Verdict, verdict
from core.chain.serialization import question_of
from core.check import mode_of
from core.checks import all_checks
from core.evaluation.outcomes import Outcome, outcome, unreadable
from core.question import unknown_documents
from core.thresholds import Preset

log = logging.getLogger(__name__)

Measuring = Callable[[Iterable[Mapping[str, Any]], Any, Sequence[Preset]], Iterator[Trace | Exception]]
"""A function that measures rows: `measured` below, or its counterpart on a cluster."""


@dataclass(frozen=True, kw_only=True)
class LabelledCase:
    """One measured row of a bank. `row` includes its labels: expected, kind, pair, reference, absent."""

    row: Mapping[str, Any]
    trace: Trace


def measure(rows: Iterable[Mapping[str, Any]], explorer: Any, presets: Sequence[Preset]) -> Iterator[LabelledCase]:
    """Measure each row with every round that any of `presets` needs.

    Without presets, every round that any preset could need is measured, which takes many times as long.
    """
    for row in rows:
        trace, _ = explorer.ask(question_of(dict(row)), presets[0] if presets else Preset())
        trace = explorer.deepen(trace) if not presets else trace
        for preset in presets[1:]:
            trace = explorer.complete(trace, preset)
        yield LabelledCase(row=row, trace=trace)


def measured(
    rows: Iterable[Mapping[str, Any]], explorer: Any, presets: Sequence[Preset]
) -> Iterator[Trace | Exception]:
    """Like `measure`, but yields the exception of a row that fails and goes on with the next."""
    for row in rows:
        started = time.perf_counter()
        try:
            result = next(measure([row], explorer, presets)).trace
            result = replace(result, seconds=time.perf_counter() - started)
        except Exception as error:
            if not isinstance(error, ValueError):  # all errors of this project derive from ValueError
                log.exception("a row could not be measured")
            result = error
        yield result


def evaluated(
    rows: Sequence[Mapping[str, Any]], explorer: Any, presets: Sequence[Preset], measuring: Measuring = measured
) -> Iterator[tuple[Outcome, LabelledCase | None]]:
    """Yield the outcome of each row under the first preset, in order, and its measurement for all of `presets`.

    The measurement is None for a row that cannot be asked; its outcome gives the reason.
    """
    for row, result in zip(rows, measuring(rows, explorer, presets), strict=True):
        if isinstance(result, ValueError):
            yield unreadable(row, result), None
        elif isinstance(result, Exception):
            raise result
        else:
            yield outcome(row, verdict(result, presets[0])), LabelledCase(row=row, trace=result)


def watching_in_turn(preset: Preset) -> list[Preset]:
    """Variants of `preset` in which one blocking check at a time only watches: what does that check alone decide?"""
    names = [c.name for c in all_checks() if mode_of(c, preset) == "blocks"]
    return [preset.with_values({}, {name: "watches"}) for name in names]


def blocking_alone(preset: Preset, name: str = "") -> Preset:
    """`preset` with every check set to watch except the one called `name`; without a name nothing blocks."""
    return preset.with_values({}, {c.name: "blocks" if c.name == name else "watches" for c in all_checks()})


def missing_documents(rows: Iterable[Mapping[str, Any]], held: Iterable[str]) -> list[str]:
    """The documents that `rows` name as the source of their facts and that are not among `held`, sorted.

    Rows with contexts of their own need no library and are skipped.
    """
    library_rows = [row for row in rows if row.get("contexts") is None]
    named = {row.get(label) for row in library_rows for label in ("document", "other_document")}
    return sorted(unknown_documents((name for name in named if isinstance(name, str) and name), held))


def decide(cases: Sequence[LabelledCase], preset: Preset) -> list[Verdict]:
    """The verdict on every case under `preset`, without running a model."""
    return [verdict(case.trace, preset) for case in cases]
