"""Counts outcomes, the one way: by name, by worth, or by any mask; each share has its n and its 95 % interval."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from core.evaluation.outcomes import ANSWERS, FAIR, OVER_REFUSED, QUESTIONS, RIGHT, UNSAID, WRONG, Outcome, is_due

Z = 1.959963984540054
"""Quantile of the normal distribution for 95 % intervals."""


@dataclass(frozen=True, kw_only=True)
class Rate:
    """`count` of `n` cases, with the 95 % interval of the share. Share and interval are None if there are no cases."""

    count: int
    n: int

    @property
    def share(self) -> float | None:
        return self.count / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Lower and upper bound of the share by Wilson's method, both in [0, 1]."""
        if not self.n:
            return None
        p, z2 = self.count / self.n, Z * Z
        center = p + z2 / (2 * self.n)
        margin = Z * math.sqrt(p * (1 - p) / self.n + z2 / (4 * self.n * self.n))
        scale = 1 + z2 / self.n
        return max(0.0, (center - margin) / scale), min(1.0, (center + margin) / scale)

    @property
    def text(self) -> str:
        """The rate as text: "12 of 60 (20 %, 12-32)", with the interval in percent."""
        return self.text_with_decimals(0)

    def text_with_decimals(self, decimals: int) -> str:
        """Like `text`, with this number of decimals in the share, for display beside a limit."""
        if self.share is None:
            return "none of this kind"
        low, high = (100 * x for x in self.interval)
        return f"{self.count} of {self.n} ({100 * self.share:.{decimals}f} %, {low:.0f}-{high:.0f})"

    def row(self) -> dict[str, int | float | list[float] | None]:
        """The rate for storage, with shares rounded to four decimals."""
        share, interval = self.share, self.interval
        return {
            "count": self.count, "n": self.n, "share": share if share is None else round(share, 4),
            "interval": interval and [round(x, 4) for x in interval],
        }  # fmt: skip


def as_row(counted: Any) -> Any:
    """Counts for storage: nested dicts, with each rate in them as its row."""
    if isinstance(counted, Mapping):
        return {name: as_row(part) for name, part in counted.items()}
    return counted.row() if isinstance(counted, Rate) else counted


def rate(hits: Sequence[bool] | np.ndarray, among: np.ndarray | bool = True) -> Rate:
    """The rate of True in `hits`, among the cases of the mask `among` if one is given: (cases,) each."""
    return rates(np.asarray(hits, dtype=bool)[None], among)[0]


def rates(hits: np.ndarray, among: np.ndarray | bool) -> tuple[Rate, ...]:
    """At each point the rate of True in `hits` among the cases of the mask `among`: (points, cases) each."""
    hits, among = np.broadcast_arrays(hits, among)
    counts = zip((hits & among).sum(1).tolist(), among.sum(1).tolist(), strict=True)
    return tuple(Rate(count=count, n=n) for count, n in counts)


@dataclass(frozen=True, kw_only=True)
class Counts:
    """Counts of cases under one preset.

    due: cases that should be answered. others: cases that should not be.
    right, fair, wrong, over_refused: due cases by the worth of their outcome; fair is acceptable, such as an answer
    with half of the facts.
    held, not_due_fair, not_due_wrong: the other cases by the worth of their outcome: as it should be; acceptable,
    such as refused instead of asked back; wrong, since an answer goes out.
    unsaid: cases in no other count, because this preset needs a round that was never measured, or the row is
    unreadable.
    """

    due: int
    right: int
    fair: int
    wrong: int
    over_refused: int
    others: int
    held: int
    not_due_fair: int
    not_due_wrong: int
    unsaid: int

    @property
    def n(self) -> int:
        return self.due + self.others

    @property
    def over_refusal(self) -> Rate:
        """Over-refused cases as a share of the cases that should be answered."""
        return Rate(count=self.over_refused, n=self.due)

    @property
    def wrong_answer(self) -> Rate:
        """Wrong answers as a share of all cases, whether or not the case should be answered."""
        return Rate(count=self.wrong + self.not_due_wrong, n=self.n)

    @property
    def as_it_should_be(self) -> Rate:
        """Right or acceptable outcomes as a share of all cases."""
        return Rate(count=self.right + self.fair + self.held + self.not_due_fair, n=self.n)

    def row(self) -> dict[str, Any]:
        """A JSON row: n, the counts, and each share with its 95 % interval. The top-level "interval" is that of the
        share `as_it_should_be`.
        """
        good = self.as_it_should_be.row()
        return {
            "n": self.n, "interval": good["interval"], "counts": asdict(self), "as_it_should_be": good,
            "wrong_answers": self.wrong_answer.row(), "over_refusals": self.over_refusal.row(),
        }  # fmt: skip


def count_worths(worths: np.ndarray, should: np.ndarray) -> Counts:
    """Count the cases under one preset. worths: of their outcomes; should: True where an answer is due; (cases,)."""

    def by_worth(own: np.ndarray) -> dict[int, int]:
        return {worth: int((own == worth).sum()) for worth in (RIGHT, FAIR, OVER_REFUSED, WRONG, UNSAID)}

    due, others = by_worth(worths[should]), by_worth(worths[~should])
    return Counts(
        due=int(should.sum()) - due[UNSAID], right=due[RIGHT], fair=due[FAIR], wrong=due[WRONG],
        over_refused=due[OVER_REFUSED], others=int((~should).sum()) - others[UNSAID], held=others[RIGHT],
        not_due_fair=others[FAIR] + others[OVER_REFUSED], not_due_wrong=others[WRONG],
        unsaid=due[UNSAID] + others[UNSAID],
    )  # fmt: skip


def count_outcomes(outcomes: Sequence[Outcome]) -> Counts:
    worths, should = [o.worth for o in outcomes], [is_due(o.row) for o in outcomes]
    return count_worths(np.array(worths, dtype=int), np.array(should, dtype=bool))


def counts(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """{"questions", "answers"}: counts of every outcome of the rows without and with an answer to judge. Each count has
    its share with an interval.

    Both have three groupings: "all"; "expected", by the label `expected`; and "kinds": kind -> label `expected` ->
    "all" and, for altered answers, each value of the row's field "alteration" (what was altered). Rows with an answer
    also count "falsehood".
    """
    return {
        "questions": _groups([o for o in outcomes if not o.judged], QUESTIONS),
        "answers": _groups([o for o in outcomes if o.judged], ANSWERS),
    }


def _groups(outcomes: Sequence[Outcome], names: Mapping[str, str]) -> dict[str, Any]:
    def counted(own: Sequence[Outcome]) -> dict[str, Any]:
        row = {"n": len(own)} | {name: rate([o.name == name for o in own]).row() for name in names}
        return row | ({"falsehood": rate([o.falsehood for o in own]).row()} if names is ANSWERS else {})

    def by_alteration(own: Sequence[Outcome]) -> dict[str, Any]:
        altered = sorted((o for o in own if o.row.get("alteration")), key=lambda o: str(o.row["alteration"]))
        return {"all": counted(own)} | grouped(altered, lambda o: o.row["alteration"], counted)

    def by_expectation(own: Sequence[Outcome]) -> dict[str, Any]:
        return grouped(own, lambda o: o.expected, by_alteration)

    return {
        "all": counted(outcomes), "expected": grouped(outcomes, lambda o: o.expected, counted),
        "kinds": grouped(outcomes, lambda o: o.kind, by_expectation),
    }  # fmt: skip


def grouped(
    outcomes: Iterable[Outcome], label: Callable[[Outcome], Any], count: Callable[[Sequence[Outcome]], Any]
) -> dict[str, Any]:
    """The count of the outcomes with each label, by the label as text, in the order of its first occurrence."""
    groups: dict[str, list[Outcome]] = {}
    for o in outcomes:
        groups.setdefault(str(label(o)), []).append(o)
    return {name: count(own) for name, own in groups.items()}
