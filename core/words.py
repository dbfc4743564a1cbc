"""The words for reasons, routes, states and outcomes, read from data/words.json, the only place that has them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_TABLE = json.loads((Path(__file__).parents[1] / "data" / "words.json").read_text(encoding="utf-8"))


@dataclass(frozen=True, kw_only=True)
class Reason:
    """Why an answer does not go out as it is.

    short: a few words, for a column or a chart. sentence: for the user. objection: why one sentence is left out of an
    answer, never empty. supported: replaces `sentence` if the passages support each single sentence of the answer; ""
    if `sentence` does not contradict that.
    """

    short: str
    sentence: str
    objection: str
    supported: str = ""


@dataclass(frozen=True, kw_only=True)
class Sign:
    """A route or a state: its words, and a sign so that no colour is needed."""

    sign: str
    title: str

    @property
    def words(self) -> str:
        """The title inside a sentence."""
        return self.title.lower()

    def __str__(self) -> str:
        return f"{self.sign} {self.title}"


REASONS: Mapping[str, Reason] = {
    name: Reason(**{"objection": row["sentence"]} | row) for name, row in _TABLE["reasons"].items()
}
"""Every reason by name. The first that applies is the primary reason.

Their order: failures, and answers out of scope; questions in another language or too vague to search for; questions off
the topics of the library or outside the scope; weak passages; an answer that abstains; an answer that the passages
do not support; an answer beside the question, or one that hedges.
"""
ROUTES: Mapping[str, Sign] = {name: Sign(**row) for name, row in _TABLE["routes"].items()}
STATES: Mapping[str, Sign] = {name: Sign(**row) for name, row in _TABLE["states"].items()}
"""The states of a check."""
CAUSES: Mapping[str, str] = _TABLE["causes"]
"""Why a check did not run."""
OUTCOMES: Mapping[str, str] = _TABLE["outcomes"]
"""What became of a labelled question, in two or three words."""
EXPECTED: Mapping[str, str] = _TABLE["expected"]
"""What is expected of a question, by its label."""
SHOULD: Mapping[str, str] = _TABLE["should"]
"""What a wrong decision should have been, by the label of its question."""
VIOLATIONS: Mapping[str, str] = _TABLE["violations"]
"""What an answer does against the interest of the house, by the name that stage 1 gives it."""
LAYERS: Mapping[str, str] = _TABLE["layers"]
"""Why source document C abstains, by the name that it gives the reason."""
PRINTED: Mapping[str, str] = _TABLE["printed"]
"""Outcomes in the words of the source documents, except for reasons and violations."""


def reason_text(name: str | None) -> str:
    """A reason in a few words; "no reason" for None and "". An unknown name, of an older version, stays as it is."""
    return REASONS[name].short if name in REASONS else name or "no reason"


def route_text(name: str) -> str:
    """Sign and words of a route: "✓ Answered". An unknown name, of an older version, stays as it is."""
    return str(ROUTES[name]) if name in ROUTES else name


def count_of(number: int, noun: str) -> str:
    """ "1 question", "2 questions", "1,200 questions"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def joined(names: Sequence[str], word: str) -> str:
    """Names as a list in a sentence: "a, b or c". word: before the last one."""
    return f" {word} ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
