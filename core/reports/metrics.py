"""How many rows of a bank end well: of all, by class, subject and kind, and held against the limits of a build; and the
stored figures of the sample banks beside what was asked for."""

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


MEASURED = Path(__file__).parents[2] / "data" / "measured"


class FiguresError(ValueError):
    """A table is asked for whose figures no command has stored."""


def measured(name: str, folder: Path | None = None) -> Any:
    """What a command stored under this name, in another folder when one is given; FiguresError when it has not run."""
    path = (folder or MEASURED) / f"{name}.json"
    if not path.is_file():
        raise FiguresError(f"{path.name} has not been measured; run the command that the README names for it.")
    return json.loads(path.read_text(encoding="utf-8"))


def share(rate: Mapping[str, Any]) -> str:
    """A rate as people read it: "12 of 60 (20 %, 12-32)", the interval at 95 %."""
    return Rate(count=rate["count"], n=rate["n"]).said


def sample_marks() -> tuple[str, str]:
    """What was measured of the sample banks, and the table of its marks; both empty, or an error, as `sample_table`."""
    stored = sample_counts()
    return (about_sample(stored), marks_table(stored)) if stored else ("", "")


def sample_counts() -> Any:
    """The counts of the sample banks, None when there are none; FiguresError when they are of something else."""
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
    asked, judged = (stored[group]["all"]["n"] for group in ("questions", "answers"))
    return (
        f"The {stored['bank']}: {asked} questions and {judged} answers to judge, preset {stored['preset']}, "
        f"{stored['profile']} models, measured on {stored['date']}."
    )


def marks_table(stored: Mapping[str, Any]) -> str:
    """What was asked for beside what was measured."""
    rows = ["| mark | asked for | measured | |", "|---|---|---|---|"]
    for name, least, most, rate in marks(stored["questions"]["kinds"], stored["answers"]["kinds"]):
        if rate.share is None or (least, most) == (0, 1):
            asked, met = "as it is", ""
        else:
            asked = f"at least {100 * least:.0f} %" if least else f"at most {100 * most:.0f} %"
            met = "met" if least <= rate.share <= most else "**missed**"
        rows.append(f"| {name} | {asked} | {share(rate.row())} | {met} |")
    return "\n".join(rows)


def marks(asked: Mapping[str, Any], judged: Mapping[str, Any]) -> list[tuple[str, float, float, Rate]]:
    """(what is counted, least share, largest share, its rate) of every mark that the banks are measured against."""
    off_topic, vague = asked["off_topic"]["refused"]["all"], asked["vague"]["clarified"]["all"]
    answerable, pairs = asked["answerable"]["answered"]["all"], judged["pair"]
    return [
        ("off-topic questions answered", 0, 0, _together(off_topic, "wrong_answer")),
        ("vague questions asked back or refused", 0.9, 1, _together(vague, "clarified", "right_refusal")),
        ("answerable questions answered with the fact", 0.8, 1, _together(answerable, "right_answer")),
        ("altered answers delivered", 0, 1, _together(pairs["altered"]["all"], "delivered")),
        ("altered answers given out with what is false in them", 0, 1, _together(pairs["altered"]["all"], "falsehood")),
        ("supported answers refused", 0, 1, _together(pairs["supported"]["all"], "refused")),
    ]


def _together(counted: Mapping[str, Any], *names: str) -> Rate:
    """How many became any of `names`."""
    return Rate(count=sum(counted[name]["count"] for name in names), n=counted["n"])
