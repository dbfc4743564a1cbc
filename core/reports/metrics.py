"""How many rows of a bank end well: of all, by class, subject and kind, and held against the limits of a build."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from core.banks.scored_bank import UNSAID, Tally, is_due, tally, worth_of
from core.case import CaseError
from core.chain.number_format import decimals_for
from core.evaluation.outcomes import Outcome, Rate
from core.reports.seed_tables import Table

METRICS: Mapping[str, tuple[str, Callable[[Tally], Rate]]] = {
    "right": ("ended as it should, of all", lambda t: Rate(count=t.right + t.held, n=t.n)),
    "acceptable": ("right, or less than that and not wrong, of all", lambda t: t.as_it_should_be),
    "wrong": ("a wrong answer went out, of all", lambda t: t.wrong_answer),
    "over_refused": ("got no answer, of what should be answered", lambda t: t.over_refusal),
}  # fmt: skip
"""What may be held against a limit, in plain words."""
_GROUPS: Mapping[str, Callable[[Outcome], Any]] = {
    "class": lambda o: o.row.get("class_number"), "subject": lambda o: o.row.get("subject"), "kind": lambda o: o.kind,
}  # fmt: skip
Bound = Literal["under", "over"]


@dataclass(frozen=True, kw_only=True)
class Gate:
    """A limit of a build: it fails when the share of a metric is under it, or over it. At the limit it passes."""

    metric: str
    bound: Bound
    limit: float

    def passes(self, found: Rate) -> bool:
        """False too where no row says anything: what was not measured is no pass."""
        if found.share is None:
            return False
        margin = found.share - self.limit if self.bound == "under" else self.limit - found.share
        return margin >= -1e-9

    def said(self, found: Rate) -> str:
        """What was found beside the limit, in one sentence."""
        if found.share is None:
            return f"{self.metric} cannot be told, since no row has a label that says what is right; label some."
        share = 100 * found.share
        drawn = f"{share:.{decimals_for(share, (100 * self.limit,), 1)}f} % ({found.count} of n {found.n})"
        where = "within" if self.passes(found) else self.bound
        return f"{self.metric} is {drawn}, {where} the limit of {100 * self.limit:g} %."


def gates(under: Sequence[str], over: Sequence[str]) -> tuple[Gate, ...]:
    """Limits as a command line names them, "right=0.8"; CaseError in one sentence for what is none."""
    both: tuple[tuple[Bound, Sequence[str]], ...] = (("under", under), ("over", over))
    return tuple(_gate(bound, text) for bound, texts in both for text in texts)


def _gate(bound: Bound, text: str) -> Gate:
    metric, _, share = text.partition("=")
    if metric not in METRICS:
        raise CaseError(
            f"--fail-{bound} names no metric {metric!r:.60}; allowed are {', '.join(METRICS)}, as right=0.8."
        )
    try:
        limit = float(share)
    except ValueError:
        limit = -1.0
    if not 0 <= limit <= 1:
        raise CaseError(f"--fail-{bound} {metric} needs a share from 0 to 1, got {share!r:.60}; 0.8 stands for 80 %.")
    return Gate(metric=metric, bound=bound, limit=limit)


@dataclass(frozen=True, kw_only=True)
class Metrics:
    """The metrics of all rows, and of each group of them: by class, subject and kind, then by the group's name."""

    all: Tally
    groups: Mapping[str, Mapping[str, Tally]]

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> "Metrics":
        groups = {by: _grouped(outcomes, label) for by, label in _GROUPS.items()}
        return cls(all=_tally(outcomes), groups={by: {n: _tally(o) for n, o in g.items()} for by, g in groups.items()})

    def rate(self, metric: str) -> Rate:
        return METRICS[metric][1](self.all)

    def row(self) -> dict[str, Any]:
        """All of it as JSON: each share with its count, n and 95 % interval."""
        groups = {by: {name: _row(t) for name, t in some.items()} for by, some in self.groups.items()}
        return {"all": _row(self.all), **groups}

    def table(self) -> Table:
        """A line for all rows and for each group; a grouping into one says nothing and has none."""
        lines = [("all", self.all)]
        for by, some in self.groups.items():
            lines += [(f"{by} {name}", t) for name, t in some.items()] if len(some) > 1 else []
        meaning = "; ".join(f"{name.replace('_', ' ')}: {words}" for name, (words, _) in METRICS.items())
        unsaid = f" {self.all.unsaid} rows are in no count: no label says what is right." if self.all.unsaid else ""
        return Table(
            title="By class, subject and kind", note=f"{meaning}.{unsaid}",
            heads=("rows", *(name.replace("_", " ") for name in METRICS)),
            rows=tuple((name, *(rate(t).said for _, rate in METRICS.values())) for name, t in lines),
        )  # fmt: skip


def _row(found: Tally) -> dict[str, Any]:
    return {"n": found.n, "unsaid": found.unsaid} | {name: rate(found).row() for name, (_, rate) in METRICS.items()}


def _grouped(outcomes: Sequence[Outcome], label: Callable[[Outcome], Any]) -> dict[str, list[Outcome]]:
    """The outcomes by a label, in the order of its names; those without one last."""
    found: dict[str, list[Outcome]] = {}
    for o in sorted(outcomes, key=lambda o: (label(o) in (None, ""), str(label(o)).zfill(3))):
        found.setdefault(str(label(o) or "not given"), []).append(o)
    return found


def _tally(outcomes: Sequence[Outcome]) -> Tally:
    """A row that cannot be asked says nothing."""
    worths = [UNSAID if o.name == "unreadable" else worth_of(o) for o in outcomes]
    return tally(np.array(worths, dtype=int), np.array([is_due(o.row) for o in outcomes], dtype=bool))
