"""Who writes a draft from the evidence."""

import re
from typing import Any

import numpy as np

from core.case import Draft, Evidence, Sentence
from core.jobs import TURNS
from core.models.sentence_ranking import Candidate, hints_of, shortlisted
from core.text.answer_sentences import echoes, points_back, told, with_marks
from core.text.terms import defined
from core.text.words import content, words

MAX_SENTENCES = 3
"""Longest answer of the extractive writer."""
MOST_BEFORE = 2
"""Most sentences that one brings along because it points back to them."""
ALSO = 0.75
"""A further sentence joins when it answers at least this probably."""
_STARTS = re.compile(r"(?:[-–•]\s?)?[\"'“‘]?(?:[A-Z][a-z]*\b|[A-Z]{2,5}s? [a-z])")
"""A word with a capital letter, or a short name in capitals that a sentence goes on behind; a list's mark before it."""
_BLANK = re.compile(r"_{2,}|\.{4,}|\([a-d]\)")
_FORMULA = re.compile(r"[A-Za-z][^=.?!]*=[^=?!]+(?:=[^=?!]+)?")
"""What has a name, or a clause, on the left; it ends without a full stop, or in the number of its equation."""
_ASKS = (
    "exercise", "let us", "try ", "suppose", "discuss", "find ", "calculate ", "consider ", "draw ", "explain ",
    "imagine ", "look at ", "observe ", "recall ", "write ",
)  # fmt: skip
_INSTRUCTS = re.compile(
    r"(?:add|arrange|boil|bring|burn|choose|clean|collect|compare|connect|count|cover|cut|dip|divide|drop|fill|get|hang|"
    r"heat|hold|keep|light|make|measure|mix|multiply|pick|place|pour|prepare|press|put|record|remove|repeat|rub|shake|"
    r"stretch|subtract|take|tie|touch|use|verify|wash|weigh) (?:the|an?|some|about|it|them|this|that|these|those|your|"
    r"each|every|one|two|three|four|few|any|another|all|both) "
)
"""What an activity has its reader do: a verb, and what is to be taken."""
_LABELS = ("activity", "example", "figure", "fig.")
"""What follows one of these is a task or a caption, unless it says what a word means."""


class ExtractiveWriter:
    """Picks the sentences of the evidence that answer, each cited, the one that answers best first; never invents.

    A sentence that points back follows what it points to, where its passage holds that. It depends on signals only:
    no threshold decides what it writes.
    """

    name = "extractive"

    def __init__(self, models: Any) -> None:
        self.models = models

    def write(self, query: str, evidence: tuple[Evidence, ...]) -> Draft:
        """A draft of at most MAX_SENTENCES sentences; an empty one when no sentence states something."""
        found = [
            Candidate(passage=p, place=i, text=e.passage.sentences[i])
            for p, e in enumerate(evidence) for i in sorted(_stating(e)) if not echoes(query, e.passage.sentences[i])
        ]  # fmt: skip
        if not found:
            return Draft(text="", sentences=(), writer=self.name)
        with TURNS.taken():
            candidates = shortlisted(query, found, evidence, self.models)
            answers = self.models.reader.weights(hints_of(query, candidates, evidence, self.models))
        order = np.argsort(-answers, kind="stable")
        chosen = [candidates[n] for k, n in enumerate(order) if k == 0 or answers[n] >= ALSO]
        sentences = tuple(
            Sentence(text=evidence[p].passage.sentences[i], citations=(p + 1,))
            for p, i in _picked(_distinct(chosen), evidence)
        )
        return Draft(text=with_marks(sentences), sentences=sentences, writer=self.name)


def _stating(found: Evidence) -> frozenset[int]:
    """The places of its kept sentences that state something."""
    said = told(found.passage.sentences)
    return frozenset(i for i in found.kept if said[i] and _states(said[i]) and said[i] not in found.passage.section)


def _states(sentence: str) -> bool:
    """True for a whole sentence of 5 to 60 words that states something, and for a formula of at most so many.

    A fragment of a list, a gap to fill, a question, an instruction, a caption and a heading state nothing.
    """
    start = sentence.lower()
    if _BLANK.search(sentence) or "?" in sentence or start.startswith(_ASKS) or _INSTRUCTS.match(start):
        return False
    if start.startswith(_LABELS) and not defined(sentence):
        return False
    if _FORMULA.fullmatch(sentence):
        return len(words(sentence)) <= 60
    return bool(_STARTS.match(sentence)) and sentence[-1] in ".!" and 5 <= len(words(sentence)) <= 60


def _distinct(order: list[Candidate]) -> list[Candidate]:
    """`order` without sentences that say again what an earlier one said (most content words shared)."""
    kept: list[Candidate] = []
    seen: list[set[str]] = []
    for candidate in order:
        held = set(content(candidate.text))
        if not any(len(held & other) > 0.7 * min(len(held), len(other)) for other in seen):
            kept.append(candidate)
            seen.append(held)
    return kept


def _picked(order: list[Candidate], evidence: tuple[Evidence, ...]) -> list[tuple[int, int]]:
    """(passage, place) of the candidates that fit into MAX_SENTENCES with all that they need, the best first."""
    picked: list[tuple[int, int]] = []
    for candidate in order:
        places = [(candidate.passage, i) for i in _reaching_back(candidate.place, evidence[candidate.passage])]
        more = [place for place in places if place not in picked]
        picked += more if len(picked) + len(more) <= MAX_SENTENCES else []
    return picked


def _reaching_back(last: int, found: Evidence) -> range:
    """From the sentence that the one at `last` points back to, be it through others, up to itself.

    Only itself when the passage does not state what it points to, or does so more than MOST_BEFORE before it.
    """
    stating, first = _stating(found), last
    while first in stating and points_back(found.passage.sentences[first]):
        first -= 1
    return range(first if first in stating and last - first <= MOST_BEFORE else last, last + 1)
