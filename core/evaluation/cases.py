"""What becomes of a bank of labelled cases: each measured once, decided as often as one likes, and counted."""

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
"""How rows are measured: `measured` below, or the same by processes elsewhere."""


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """One measured row of a bank. `row` keeps its labels: expected, kind, pair, reference, absent."""

    row: Mapping[str, Any]
    trace: Trace


def measure(rows: Iterable[Mapping[str, Any]], explorer: Any, presets: Sequence[Preset]) -> Iterator[Labelled]:
    """Each row, with every round that any of `presets` needs, so that none of them has to be measured again.

    Without presets every round that any preset at all could ask for is measured, which takes many times as long.
    """
    for row in rows:
        trace, _ = explorer.ask(question_of(dict(row)), presets[0] if presets else Preset())
        trace = explorer.deepen(trace) if not presets else trace
        for preset in presets[1:]:
            trace = explorer.complete(trace, preset)
        yield Labelled(row=row, trace=trace)


def measured(
    rows: Iterable[Mapping[str, Any]], explorer: Any, presets: Sequence[Preset]
) -> Iterator[Trace | Exception]:
    """`measure` of rows of which any may be bad: what stands in the way of one does not end the others."""
    for row in rows:
        started = time.perf_counter()
        try:
            found = next(measure([row], explorer, presets)).trace
            found = replace(found, seconds=time.perf_counter() - started)
        except Exception as error:
            if not isinstance(error, ValueError):  # every error of this project is one
                log.exception("a row could not be measured")
            found = error
        yield found


def evaluated(
    rows: Sequence[Mapping[str, Any]], explorer: Any, presets: Sequence[Preset], measuring: Measuring = measured
) -> Iterator[tuple[Outcome, Labelled | None]]:
    """What becomes of each row under the first preset, in order, and what was measured for all of `presets`.

    A row that cannot be asked says why, and was not measured.
    """
    for row, found in zip(rows, measuring(rows, explorer, presets), strict=True):
        if isinstance(found, ValueError):
            yield unreadable(row, found), None
        elif isinstance(found, Exception):
            raise found
        else:
            yield outcome(row, verdict(found, presets[0])), Labelled(row=row, trace=found)


def watching_in_turn(preset: Preset) -> list[Preset]:
    """`preset` with each check that blocks let to watch only, one at a time: what that check alone decides."""
    names = [c.name for c in all_checks() if mode_of(c, preset) == "blocks"]
    return [preset.with_values({}, {name: "watches"}) for name in names]


def blocking_alone(preset: Preset, name: str = "") -> Preset:
    """`preset` with every check only watching but the one of this name; without a name nothing blocks."""
    return preset.with_values({}, {c.name: "blocks" if c.name == name else "watches" for c in all_checks()})


def missing_documents(rows: Iterable[Mapping[str, Any]], held: Iterable[str]) -> list[str]:
    """The documents that `rows` say their facts stand in and that are not among `held`, sorted.

    Rows that bring their contexts ask nothing of a library.
    """
    asking = [row for row in rows if row.get("contexts") is None]
    named = {row.get(label) for row in asking for label in ("document", "other_document")}
    return sorted(unknown_documents((name for name in named if isinstance(name, str) and name), held))


def decide(cases: Sequence[Labelled], preset: Preset) -> list[Verdict]:
    """The verdict on every case under `preset`; no model is asked."""
    return [verdict(case.trace, preset) for case in cases]
