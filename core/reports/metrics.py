"""Shares of good outcomes in a bank, by class, subject and kind; build limits on them; stored sample figures."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from core.banks import SAMPLE_BANKS
from core.banks.scored_bank import UNSAID, Tally, is_due, tally, worth_of
from core.case import CaseError
from core.chain.display_rounding import decimals_for
from core.evaluation.outcomes import Outcome, Rate
from core.reports.seed_tables import Table

METRICS: Mapping[str, tuple[str, Callable[[Tally], Rate]]] = {
    "right": ("ended as it should, of all", lambda t: Rate(count=t.right + t.held, n=t.n)),
    "acceptable": ("right, or less than that and not wrong, of all", lambda t: t.as_it_should_be),
    "wrong": ("a wrong answer went out, of all", lambda t: t.wrong_answer),
    "over_refused": ("got no answer, of what should be answered", lambda t: t.over_refusal),
}  # fmt: skip
"""The metrics that can be compared with a limit, in plain words."""
_GROUPS: Mapping[str, Callable[[Outcome], Any]] = {
    "class": lambda o: o.row.get("class_number"), "subject": lambda o: o.row.get("subject"), "kind": lambda o: o.kind,
}  # fmt: skip
Bound = Literal["under", "over"]


@dataclass(frozen=True, kw_only=True)
class Gate:
    """A limit for a build: it fails if the share of a metric is under it, or over it. An equal share passes."""

    metric: str
    bound: Bound
    limit: float

    def passes(self, rate: Rate) -> bool:
        """True if the rate is within the limit. False without data: an unmeasured metric does not pass."""
        if rate.share is None:
            return False
        margin = rate.share - self.limit if self.bound == "under" else self.limit - rate.share
        return margin >= -1e-9

    def text(self, rate: Rate) -> str:
        """The rate beside the limit, in one sentence."""
        if rate.share is None:
            return f"{self.metric} cannot be told, since no row has a label that says what is right; label some."
        share = 100 * rate.share
        share_text = f"{share:.{decimals_for(share, (100 * self.limit,), 1)}f} % ({rate.count} of n {rate.n})"
        position = "within" if self.passes(rate) else self.bound
        return f"{self.metric} is {share_text}, {position} the limit of {100 * self.limit:g} %."


def gates(under: Sequence[str], over: Sequence[str]) -> tuple[Gate, ...]:
    """Limits in command line form, such as "right=0.8". Raises CaseError for an invalid one."""
    texts_by_bound: tuple[tuple[Bound, Sequence[str]], ...] = (("under", under), ("over", over))
    return tuple(_gate(bound, text) for bound, texts in texts_by_bound for text in texts)


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
    """The metrics of all rows, and of each group by class, subject and kind."""

    all: Tally
    groups: Mapping[str, Mapping[str, Tally]]

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> "Metrics":
        groups = {by: _grouped(outcomes, label) for by, label in _GROUPS.items()}
        return cls(all=_tally(outcomes), groups={by: {n: _tally(o) for n, o in g.items()} for by, g in groups.items()})

    def rate(self, metric: str) -> Rate:
        return METRICS[metric][1](self.all)

    def row(self) -> dict[str, Any]:
        """All metrics as JSON: each share with its count, n and 95 % interval."""
        groups = {by: {name: _row(t) for name, t in tallies.items()} for by, tallies in self.groups.items()}
        return {"all": _row(self.all), **groups}

    def table(self) -> Table:
        """A line for all rows and for each group; a grouping with a single group is left out."""
        lines = [("all", self.all)]
        for by, tallies in self.groups.items():
            lines += [(f"{by} {name}", t) for name, t in tallies.items()] if len(tallies) > 1 else []
        meaning = "; ".join(f"{name.replace('_', ' ')}: {words}" for name, (words, _) in METRICS.items())
        unknown = f" {self.all.unsaid} rows are in no count: no label says what is right." if self.all.unsaid else ""
        return Table(
            title="By class, subject and kind", note=f"{meaning}.{unknown}",
            heads=("rows", *(name.replace("_", " ") for name in METRICS)),
            rows=tuple((name, *(rate(t).text for _, rate in METRICS.values())) for name, t in lines),
        )  # fmt: skip


def _row(counts: Tally) -> dict[str, Any]:
    return {"n": counts.n, "unsaid": counts.unsaid} | {name: rate(counts).row() for name, (_, rate) in METRICS.items()}


def _grouped(outcomes: Sequence[Outcome], label: Callable[[Outcome], Any]) -> dict[str, list[Outcome]]:
    """The outcomes grouped by a label, sorted by its name; those without a label last."""
    groups: dict[str, list[Outcome]] = {}
    for o in sorted(outcomes, key=lambda o: (label(o) in (None, ""), str(label(o)).zfill(3))):
        groups.setdefault(str(label(o) or "not given"), []).append(o)
    return groups


def _tally(outcomes: Sequence[Outcome]) -> Tally:
    """The tally of outcomes; an unreadable row counts as unknown."""
    worths = [UNSAID if o.name == "unreadable" else worth_of(o) for o in outcomes]
    return tally(np.array(worths, dtype=int), np.array([is_due(o.row) for o in outcomes], dtype=bool))


MEASURED = Path(__file__).parents[2] / "data" / "measured"


class FiguresError(ValueError):
    """A table was requested whose figures have not been stored."""


def measured(name: str, folder: Path | None = None) -> Any:
    """The stored result of a command, from `folder` if given. Raises FiguresError if it has not run."""
    path = (folder or MEASURED) / f"{name}.json"
    if not path.is_file():
        raise FiguresError(f"{path.name} has not been measured; run the command that the README names for it.")
    return json.loads(path.read_text(encoding="utf-8"))


def share(rate: Mapping[str, Any]) -> str:
    """A rate as text: "12 of 60 (20 %, 12-32)", with the 95 % interval."""
    return Rate(count=rate["count"], n=rate["n"]).text


def sample_marks() -> tuple[str, str]:
    """A sentence on the measurement of the sample banks, and the table of its targets; both "" if there is none."""
    stored = sample_counts()
    return (about_sample(stored), marks_table(stored)) if stored else ("", "")


def sample_counts() -> Any:
    """The counts of the sample banks; None if there are none. Raises FiguresError if they belong to something else."""
    if not (MEASURED / "sample_bank.json").is_file():
        return None
    stored = measured("sample_bank")
    if stored["bank"] != SAMPLE_BANKS:
        raise FiguresError(f"sample_bank.json was measured on {stored['bank']}; measure it without --bank.")
    if stored["missing_documents"]:
        raise FiguresError(
            f"sample_bank.json was measured without {', '.join(stored['missing_documents'])}; measure it with --sample."
        )
    return stored


def about_sample(stored: Mapping[str, Any]) -> str:
    counts = [stored[group]["all"]["n"] for group in ("questions", "answers")]
    return (
        f"The {stored['bank']}: {counts[0]} questions and {counts[1]} answers to judge, preset {stored['preset']}, "
        f"{stored['profile']} models, measured on {stored['date']}."
    )


def marks_table(stored: Mapping[str, Any]) -> str:
    """The targets beside the measured rates, as a Markdown table."""
    rows = ["| metric | target | measured | |", "|---|---|---|---|"]
    for name, lowest, highest, rate in marks(stored["questions"]["kinds"], stored["answers"]["kinds"]):
        if rate.share is None or (lowest, highest) == (0, 1):
            target, result = "no target", ""
        else:
            target = f"at least {100 * lowest:.0f} %" if lowest else f"at most {100 * highest:.0f} %"
            result = "met" if lowest <= rate.share <= highest else "**missed**"
        rows.append(f"| {name} | {target} | {share(rate.row())} | {result} |")
    return "\n".join(rows)


def marks(asked: Mapping[str, Any], judged: Mapping[str, Any]) -> list[tuple[str, float, float, Rate]]:
    """(what is counted, lowest share, highest share, rate) for every target of the banks."""
    off_topic, vague = asked["off_topic"]["refused"]["all"], asked["vague"]["clarified"]["all"]
    answerable, pairs = asked["answerable"]["answered"]["all"], judged["pair"]
    return [
        ("off-topic questions answered", 0, 0, _combined_rate(off_topic, "wrong_answer")),
        ("vague questions clarified or refused", 0.9, 1, _combined_rate(vague, "clarified", "right_refusal")),
        ("answerable questions answered with the fact", 0.8, 1, _combined_rate(answerable, "right_answer")),
        ("altered answers delivered", 0, 1, _combined_rate(pairs["altered"]["all"], "delivered")),
        (
            "altered answers given out with what is false in them",
            0,
            1,
            _combined_rate(pairs["altered"]["all"], "falsehood"),
        ),
        ("supported answers refused", 0, 1, _combined_rate(pairs["supported"]["all"], "refused")),
    ]


def _combined_rate(counted: Mapping[str, Any], *names: str) -> Rate:
    """The rate of any of these outcomes."""
    return Rate(count=sum(counted[name]["count"] for name in names), n=counted["n"])
