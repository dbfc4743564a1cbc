"""Drift in words, for a page and a terminal: whether questions are still like those of the set of a certificate."""

from collections.abc import Mapping

from core.tuning.drift import ERROR, FEWEST, SCORES, Comparison, Drift
from core.words import ROUTES, reason_text

NAMES: Mapping[str, str] = {
    "outcomes": "outcomes and reasons", "subjects": "subjects", "evidence": "evidence score", "topic": "topic match",
}  # fmt: skip
"""The plain name of each comparison."""
DIFFERENT = "These questions are no longer like those of the set"
_REMEDY = (
    "The guarantee holds only for questions like those of its set: add recent questions to the set, run it, and ask "
    "for the guarantee again."
)


def drift_sentences(result: Drift) -> list[str]:
    """The finding, what was compared, and what to do; a sentence each."""
    if result.state == "not checked":
        return [f"Not checked whether questions are still like those of the set: {result.cause}."]
    compared = (
        f"Questions {result.first:,} to {result.last:,} since the guarantee are compared with the {result.set_n:,} of "
        f"the set; the next comparison is after {result.following:,} questions."
    )
    if result.state == "alike":
        tested = [c for c in result.comparisons if c.p is not None]
        finding = f"There is no significant difference from the questions of the set in {_listed(tested)}."
        return [finding, compared, *_missing(result)]
    differing = [c for c in result.comparisons if c.differs]
    return [f"{DIFFERENT}: they differ in {_listed(differing)}.", compared, *_missing(result), _REMEDY]


def _listed(comparisons: list[Comparison]) -> str:
    names = [NAMES[c.name] for c in comparisons]
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]])) or "anything that could be compared"


def _missing(result: Drift) -> list[str]:
    return [f"Not compared: {NAMES[c.name]}, {c.missing}." for c in result.comparisons if c.missing]


def category(comparison: Comparison, name: str) -> str:
    """A category of a comparison in words: "Refused: topic not in the library", "Science", "from 40"."""
    if comparison.name in SCORES:
        return f"from {name}"
    if comparison.name == "subjects":
        return name
    route, _, reason = name.partition(" ")
    title = ROUTES[route].title if route in ROUTES else route
    return f"{title}: {reason_text(reason)}" if reason else title


def shares(comparison: Comparison) -> list[tuple[str, float, float]]:
    """(category in words, share in the set, share in the journal) of each category, shares in percent.

    Scores keep their order; categories begin with the largest change.
    """
    totals = max(1, sum(comparison.set.values())), max(1, sum(comparison.journal.values()))
    names = list(dict.fromkeys((*comparison.set, *comparison.journal)))
    sides = comparison.set, comparison.journal
    rows = [
        (category(comparison, n), *(100 * c.get(n, 0) / t for c, t in zip(sides, totals, strict=True))) for n in names
    ]
    return rows if comparison.name in SCORES else sorted(rows, key=lambda row: -abs(row[2] - row[1]))


def drift_title(result: Drift, comparison: Comparison) -> str:
    """The title of the chart of one comparison; it states whether the questions differ."""
    name, count = NAMES[comparison.name], result.last - result.first + 1
    if not comparison.differs:
        return f"No significant difference between the {name} of the last {count:,} questions and those of the set"
    verb = "differs" if comparison.name in SCORES else "differ"
    return f"The {name} of the last {count:,} questions {verb} from the set"


ABOUT = (
    f"The questions are compared after the first {FEWEST}, and again each time their number has doubled. Over all "
    f"comparisons, the probability of a false alarm is at most {100 * ERROR:g} %."
)
"""A sentence on how often drift is tested and how likely a false alarm is."""
