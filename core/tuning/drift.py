"""Drift: are the questions of the journal still like those of the set that a certificate rests on?

A certificate holds for questions like those of its set. Four things are compared, each by a two-sample test of scipy:
the shares of outcomes with their reasons and the shares of subjects (chi-square), and the evidence confidence and the
topic match (Kolmogorov-Smirnov). The journal has no labels, so the tests of mapie for exchangeability, which need the
errors of a model, do not apply.

The journal grows, so the comparison is repeated, and each repetition (a look) may raise a false alarm. So there are few
looks: the first at FEWEST questions, the next at each doubling; each compares only the questions since the look before.
Look k (from 1) may raise a false alarm with the probability ERROR / (k (k + 1)), divided among its comparisons. All
looks together raise one with at most ERROR.
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

FEWEST = 50
"""Minimum number of questions on each side of a comparison; with fewer only a very large change would be noticed."""
ERROR = 0.05
"""The probability of a false alarm in all looks together."""
RECENT = 20
"""Number of questions before a question among which the same text makes it a repetition, which does not count again."""
MOST_COUNTED = 10**6
"""Maximum number of questions of a set that a stored certificate may count; more than any set has."""
BINS = 20
"""Equal bins of a histogram of scores."""
_FEWEST_EXPECTED = 5.0
"""Fewest expected questions of a category on either side, as the chi-square test needs; rarer ones are put together."""
SCORES: Mapping[str, tuple[float, float]] = {"evidence": (0.0, 100.0), "topic": (0.0, 1.0)}
"""The scores that are compared, each with the range of its histogram; what is beyond counts in the outermost bin."""
SHARES = ("outcomes", "subjects")
"""What is compared by shares."""


class JournalQuestion(Protocol):
    """A question as the journal lists it (core.journal.DecisionRow)."""

    question: str | None
    understood: str | None
    route: str
    reason: str | None
    subject: str
    confidence: float | None
    topic: float | None
    given: bool


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Questions in counts. n: their number. shares: SHARES -> category -> count. scores: SCORES -> count of each bin.

    A category of outcomes is a route with its primary reason, such as "refuse off_topic". A question without a subject
    or a score is in no count of these.
    """

    n: int
    shares: Mapping[str, Mapping[str, int]]
    scores: Mapping[str, Sequence[int]]

    def row(self) -> dict[str, Any]:
        """The summary as a preset file holds it."""
        scores = {name: list(counts) for name, counts in self.scores.items()}
        return {"n": self.n, "shares": {name: dict(counts) for name, counts in self.shares.items()}, "scores": scores}


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One comparison between the set and the journal. name: of SHARES or SCORES.

    set, journal: the count of each category, or of each bin. p: of the two-sample test; None if it was not run, and
    `missing` then says why. limit: the two differ if p is below it.
    """

    name: str
    set: Mapping[str, int]
    journal: Mapping[str, int]
    p: float | None
    limit: float
    missing: str = ""

    @property
    def differs(self) -> bool:
        return self.p is not None and self.p < self.limit


@dataclass(frozen=True, kw_only=True)
class Drift:
    """The result of the last comparison of the journal's questions with those of a certificate's set.

    cause: why the state is "not checked". n: number of questions in the journal since the certificate. first, last:
    the numbers, from 1, of the first and the last of these that were compared. set_n: number of questions of the set.
    following: the value of n at which the next comparison is due.
    """

    state: Literal["alike", "different", "not checked"]
    cause: str = ""
    n: int = 0
    first: int = 0
    last: int = 0
    set_n: int = 0
    following: int = FEWEST
    comparisons: tuple[Comparison, ...] = ()

    @property
    def largest(self) -> Comparison | None:
        """The comparison with the clearest difference; None if nothing was compared."""
        tested = [c for c in self.comparisons if c.p is not None]
        return min(tested, key=lambda c: c.p / c.limit, default=None)


def summary_of(questions: Iterable[JournalQuestion]) -> Summary:
    """The counts of these questions, without those that `distinct_questions` leaves out."""
    distinct = distinct_questions(questions)
    return Summary(
        n=len(distinct),
        shares={
            "outcomes": Counter(f"{q.route} {q.reason or ''}".strip() for q in distinct),
            "subjects": Counter(q.subject for q in distinct if q.subject),
        },
        scores={
            "evidence": _histogram([q.confidence for q in distinct], *SCORES["evidence"]),
            "topic": _histogram([q.topic for q in distinct], *SCORES["topic"]),
        },
    )


def distinct_questions(questions: Iterable[JournalQuestion]) -> list[JournalQuestion]:
    """The questions that show what users ask: no pasted answers, no greetings, and no repetition of one of the RECENT
    questions before it, since that is one person asking again."""
    recent, distinct = deque(maxlen=RECENT), []
    for q in questions:
        text = " ".join((q.understood or q.question).casefold().split()) if q.question else None
        is_talk = q.confidence is None and q.route.startswith("deliver")
        if not q.given and not is_talk and (text is None or text not in recent):
            distinct.append(q)
        recent.append(text)
    return distinct


def summary_in(certificate: Mapping[str, Any]) -> Summary | None:
    """The summary of the set in a stored certificate; None if an older program stored none, or it cannot be read."""
    stored = certificate.get("questions")
    try:
        n = int(stored["n"])
        shares = {name: {str(c): int(n) for c, n in stored["shares"][name].items()} for name in SHARES}
        scores = {name: [int(n) for n in stored["scores"][name]] for name in SCORES}
    except (TypeError, KeyError, ValueError, AttributeError, OverflowError):
        return None
    every_count = [*(list(counts.values()) for counts in shares.values()), *scores.values()]
    is_whole = n <= MOST_COUNTED and all(min(counts, default=0) >= 0 and sum(counts) <= n for counts in every_count)
    is_whole = is_whole and all(len(counts) == BINS for counts in scores.values())
    return Summary(n=n, shares=shares, scores=scores) if is_whole else None


def look_at(n: int) -> tuple[int, int, int] | None:
    """The latest comparison (look) that is due after `n` questions: (its number from 1, and the first and the last
    question that it compares, from 1). None before the first look."""
    if n < FEWEST:
        return None
    number = (n // FEWEST).bit_length()
    last = FEWEST << (number - 1)
    return number, 1 if number == 1 else last // 2 + 1, last


def drift(certificate: Mapping[str, Any], questions: Sequence[JournalQuestion]) -> Drift:
    """Compare the questions since a certificate, oldest first, with the set that it rests on."""
    base, distinct = summary_in(certificate), distinct_questions(questions)
    n = len(distinct)
    if base is None:
        return Drift(
            state="not checked", n=n, cause="the guarantee was saved without a summary of its set; save it again"
        )
    if base.n < FEWEST:
        cause = f"the set has {base.n} questions without an answer to judge, and {FEWEST} are needed"
        return Drift(state="not checked", n=n, set_n=base.n, cause=cause)
    look = look_at(n)
    if look is None:
        cause = f"{n} of {FEWEST} different questions have come since the guarantee"
        return Drift(state="not checked", n=n, set_n=base.n, cause=cause)
    number, first, last = look
    comparisons = compared(base, summary_of(distinct[first - 1 : last]), ERROR / (number * (number + 1)))
    return Drift(
        state="different" if any(c.differs for c in comparisons) else "alike", n=n, first=first, last=last,
        set_n=base.n, following=2 * last, comparisons=comparisons,
    )  # fmt: skip


def compared(base: Summary, now: Summary, error: float) -> tuple[Comparison, ...]:
    """Every comparison of a set with the journal. error: probability of a false alarm in all of them together."""
    limit = error / (len(SHARES) + len(SCORES))
    by_shares = [
        _comparison(name, base.shares[name], now.shares[name], limit, shares_p(base.shares[name], now.shares[name]))
        for name in SHARES
    ]
    by_scores = [
        _comparison(
            name, _named(base.scores[name], name), _named(now.scores[name], name), limit,
            scores_p(base.scores[name], now.scores[name]),
        )
        for name in SCORES
    ]  # fmt: skip
    return (*by_shares, *by_scores)


def _comparison(
    name: str, base: Mapping[str, int], now: Mapping[str, int], limit: float, p: float | None
) -> Comparison:
    counts = sum(base.values()), sum(now.values())
    missing = f"known of {counts[0]} questions of the set and {counts[1]} of the journal, {FEWEST} are needed"
    is_tested = min(counts) >= FEWEST
    return Comparison(
        name=name, set=base, journal=now, limit=limit, p=p if is_tested else None, missing="" if is_tested else missing
    )


def shares_p(base: Mapping[str, int], now: Mapping[str, int]) -> float | None:
    """The probability that shares differ this much by chance, by a chi-square test; None if a side has no question.

    Rare categories are merged. With a single category there is no difference: 1.
    """
    from scipy.stats import chi2_contingency  # slow to import and rarely needed

    names = sorted({*base, *now})
    table = np.array([[side.get(name, 0) for name in names] for side in (base, now)], dtype=float)
    if not names or not table.sum(1).all():
        return None
    smaller = table.sum(1).min() / table.sum()
    is_rare = table.sum(0) * smaller < _FEWEST_EXPECTED
    table = np.column_stack([table[:, ~is_rare], table[:, is_rare].sum(1)]) if is_rare.any() else table
    if table.shape[1] > 1 and table[:, -1].sum() * smaller < _FEWEST_EXPECTED:  # the rare ones together are still rare
        table = np.column_stack([table[:, :-2], table[:, -2:].sum(1)])
    return 1.0 if table.shape[1] == 1 else float(chi2_contingency(table, correction=False).pvalue)


def scores_p(base: Sequence[int], now: Sequence[int]) -> float | None:
    """The probability that histograms differ this much by chance, by a Kolmogorov-Smirnov test; None if one is empty.

    Scores in one bin count as equal, which makes the test more cautious.
    """
    from scipy.stats import ks_2samp  # slow to import and rarely needed

    if not sum(base) or not sum(now):
        return None
    samples = [np.repeat(np.arange(BINS), counts) for counts in (base, now)]
    return float(ks_2samp(*samples, method="asymp").pvalue)


def _histogram(values: Iterable[float | None], low: float, high: float) -> list[int]:
    numbers = np.array([v for v in values if v is not None], dtype=float)
    return np.histogram(np.clip(numbers, low, high), BINS, (low, high))[0].tolist()


def _named(counts: Sequence[int], score: str) -> dict[str, int]:
    """The count of each bin by the lower edge of the bin."""
    low, high = SCORES[score]
    return {f"{low + (high - low) * n / BINS:g}": count for n, count in enumerate(counts)}


def row(result: Drift) -> dict[str, Any]:
    """A drift as the row of the command line."""
    return {
        "state": result.state, "cause": result.cause, "questions": result.n, "set_questions": result.set_n,
        "compared": [result.first, result.last] if result.comparisons else None, "next_look_at": result.following,
        "comparisons": [
            {
                "name": c.name, "differs": c.differs, "p": c.p, "limit": c.limit, "missing": c.missing,
                "set": dict(c.set), "journal": dict(c.journal),
            }
            for c in result.comparisons
        ],
    }  # fmt: skip
