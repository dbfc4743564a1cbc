"""A bank with what was measured of it: which questions are, which are not yet, and what has changed since."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.banks.rows import question_digest
from core.banks.trace_store import KeptTraces
from core.case import CaseError
from core.checks import all_checks
from core.evaluation.cases import Labelled
from core.json_rows import question_of
from core.trace_json import FORMAT

if TYPE_CHECKING:
    from core.graph import Explorer

SAID: Mapping[str, str] = {
    "library": "the library", "models": "the models", "settings": "a setting", "program": "this program",
}  # fmt: skip
"""What a measurement depends on, in plain words."""
_MEASURES_AS = 4
"""Counts up when the same question would get another draft or other signals: what was kept is then measured again."""


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """All that a measurement depends on beside the question, each as a text that differs when it does."""

    library: str
    models: str
    settings: str
    program: str

    @property
    def key(self) -> str:
        """A name for these conditions; 16 hexadecimal digits."""
        return hashlib.sha256(json.dumps(asdict(self)).encode()).hexdigest()[:16]


def conditions_of(explorer: "Explorer") -> Conditions:
    """What `explorer` would measure with now: the documents with their passages, models, settings, checks."""
    signals = {check.name: sorted(check.signals()) for check in all_checks()}
    return Conditions(
        library=explorer.library.version,
        models=json.dumps([explorer.models.names, asdict(explorer.models.calibration)], sort_keys=True),
        settings=json.dumps(asdict(explorer.settings), sort_keys=True),
        program=json.dumps([FORMAT, _MEASURES_AS, signals], sort_keys=True),
    )


def require_unchanged(explorer: "Explorer", conditions: Conditions) -> None:
    """CaseError when `explorer` would now measure something else: what it measured meanwhile belongs to neither."""
    if conditions_of(explorer) != conditions:
        raise CaseError("The library changed while the bank was measured; measure it again with what it holds now.")


class MeasuredBank:
    """Rows of any bank, beside what is kept of them under `home` for these conditions. Asked anew each time."""

    def __init__(self, home: Path, rows: Sequence[Mapping[str, Any]], conditions: Conditions) -> None:
        self.rows, self.conditions, self.kept = tuple(rows), conditions, KeptTraces(home)

    def cases(self) -> list[Labelled]:
        """The rows that are measured, in their order, each with its trace to full depth."""
        traces = self.kept.traces(self.conditions.key, self.questions)
        return [Labelled(row=row, trace=trace) for row, trace in zip(self.rows, traces, strict=True) if trace]

    def missing(self) -> int:
        """How many rows are not measured under these conditions."""
        known = self.kept.known(self.conditions.key)
        return sum(q not in known for q in self.questions)

    def states(self) -> list[str]:
        """For each row "measured", "" when it is not yet, else the sentence that says why it could not be."""
        known, failures = self.kept.known(self.conditions.key), self.kept.failures(self.conditions.key)
        return ["measured" if q in known else failures.get(q, "") for q in self.questions]

    def stale(self) -> str:
        """What has changed since rows were measured that have to be measured again, in one sentence; "" if nothing."""
        known = self.kept.known(self.conditions.key)
        missing = frozenset(self.questions) - known
        for key, said in self.kept.conditions() if missing else ():
            before = len(missing & self.kept.known(key)) if key != self.conditions.key else 0
            if before:
                now = asdict(self.conditions)
                changed = [words for part, words in SAID.items() if said.get(part) != now[part]]
                return (
                    f"{before:,} of {len(self.rows):,} questions were measured before {' and '.join(changed)} changed; "
                    "measure them again, since they may be answered otherwise now."
                )
        return ""

    @property
    def state(self) -> str:
        """A text that changes when `cases` would give something else."""
        known = self.kept.known(self.conditions.key)
        about = [self.conditions.key, [dict(row) for row in self.rows], [q in known for q in self.questions]]
        return hashlib.sha256(json.dumps(about).encode()).hexdigest()[:16]

    @cached_property
    def questions(self) -> tuple[str, ...]:
        """The name of what is asked in each row."""
        return question_names(self.rows)


def question_names(rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """What names all of each row that is measured."""
    return tuple(question_digest(question_of(dict(row))) for row in rows)
