"""Which sentences of the evidence answer the question: what several models say of each, weighed together by one fit,
and the writer that picks the best of them."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import accumulate, takewhile
from math import log1p
from typing import Any

import numpy as np

from core.case import Draft, Evidence, Passage, Sentence
from core.jobs import TURNS
from core.text.answer_sentences import echoes, points_back, told, with_marks
from core.text.lists import list_openers, without_list_marker
from core.text.small_talk import in_lexicon
from core.text.verifiable_facts import defined
from core.text.words import content, words

SHORTLIST = 10
"""Sentences that are read alone: what a sentence says without its neighbours is the slowest to learn."""


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A sentence that may answer: its passage, its place there, and its text."""

    passage: int
    place: int
    text: str


@dataclass(frozen=True, kw_only=True)
class SentenceWeights:
    """What each hint weighs in the logit of P(the sentence answers); fitted by core.workshop.training.calibrate_reader.

    cosine: with the question. passage: P(its passage answers), from the reranker. defines: it says the meaning of the
    very term asked for, or opens what stands under it as a heading. located: P(the passage answers, and the answer
    starts in this sentence), from the reader. alone, reranked: P(the sentence alone answers), from the reader and from
    the reranker. named: how much of what is asked about it names, with its heading and the sentence before it; rare
    words count for more.
    """

    cosine: float = 1.0
    passage: float = 1.0
    defines: float = 1.0
    located: float = 2.0
    alone: float = 2.0
    reranked: float = 1.0
    named: float = 1.0
    offset: float = -4.0

    def __call__(self, hints: np.ndarray) -> np.ndarray:
        """P(each sentence answers) from hints of shape (sentences, HINTS): shape (sentences,)."""
        logits = hints @ np.array([getattr(self, name) for name in HINTS]) + self.offset
        return 1 / (1 + np.exp(-logits))


HINTS = tuple(f.name for f in fields(SentenceWeights) if f.name != "offset")


def shortlisted(
    query: str, candidates: list[Candidate], evidence: tuple[Evidence, ...], models: Any
) -> list[Candidate]:
    """The SHORTLIST candidates that are likeliest to answer by what is quickly known of all of them, best first."""
    likely = _cosine(query, candidates, models.embedder) + _located(query, candidates, evidence, models.reader)
    return [candidates[n] for n in np.argsort(-likely, kind="stable")[:SHORTLIST]]


def hints_of(query: str, candidates: list[Candidate], evidence: tuple[Evidence, ...], models: Any) -> np.ndarray:
    """What several models say of each candidate as an answer to `query`: shape (candidates, HINTS)."""
    texts = [c.text for c in candidates]
    alone = np.array([found.probability for found in models.reader.read(query, texts)])
    said = {
        "cosine": _cosine(query, candidates, models.embedder),
        "passage": np.array([evidence[c.passage].answers for c in candidates]),
        "defines": np.array([float(_defines(c, evidence[c.passage].passage, query)) for c in candidates]),
        "located": _located(query, candidates, evidence, models.reader),
        "alone": alone,
        "reranked": alone if models.reranker is None else models.reranker.probabilities(query, texts),
        "named": _named(query, candidates, evidence),
    }
    return np.stack([said[name] for name in HINTS], -1)


def _cosine(query: str, candidates: list[Candidate], embedder: Any) -> np.ndarray:
    vectors = embedder.encode([query, *(c.text for c in candidates)])
    return vectors[1:] @ vectors[0]


def _located(query: str, candidates: list[Candidate], evidence: tuple[Evidence, ...], reader: Any) -> np.ndarray:
    """P(the passage of each candidate answers, and the answer starts in it): shape (candidates,)."""
    said = {p: told(evidence[p].passage.sentences) for p in sorted({c.passage for c in candidates})}
    said = {p: texts for p, texts in said.items() if any(texts)}  # one that only asks answers nothing
    found = dict(zip(said, reader.read(query, [" ".join(texts) for texts in said.values()]), strict=True))
    starts = {p: [0, *accumulate(len(s) + 1 for s in texts)] for p, texts in said.items()}
    return np.array(
        [
            found[c.passage].probability * found[c.passage].share(*starts[c.passage][c.place : c.place + 2])
            if c.passage in said else 0.0
            for c in candidates
        ]
    )  # fmt: skip


def _defines(candidate: Candidate, passage: Passage, query: str) -> bool:
    """True when the sentence says the meaning of just what is asked for, or opens what stands under that heading.

    Its heading may say the rest of it: under "Power of accommodation" a sentence tells what accommodation is.
    """
    asked = content(query)
    if not asked:
        return False  # nor do a bare number or letter as a heading say what "What is it?" asks for
    terms = [set(content(term)) for _, term in defined(candidate.text)]
    if any(term and term <= set(asked) <= term | set(content(passage.section)) for term in terms):
        return True
    lines = takewhile(lambda line: line[-1] not in ".!", reversed(passage.sentences[: candidate.place]))
    headings = [*lines] if candidate.place else [passage.section]
    return any([w for w in content(h) if len(w) > 1 and not w[0].isdigit()] == asked for h in headings)


def _named(query: str, candidates: list[Candidate], evidence: tuple[Evidence, ...]) -> np.ndarray:
    """How much of what the question asks about each candidate names, in [0, 1]; a word weighs as it is rare here."""
    wanted = set(content(query)) - in_lexicon("request") - in_lexicon("pointing")
    size, held = len(evidence), Counter(word for e in evidence for word in set(content(e.passage.text)))
    rarity = {word: log1p((size - held[word] + 0.5) / (held[word] + 0.5)) for word in wanted}
    everything = sum(rarity.values()) or 1.0
    shares = []
    for c in candidates:
        passage = evidence[c.passage].passage
        told = set(content(" ".join([passage.section, *passage.sentences[max(0, c.place - 1) : c.place], c.text])))
        shares.append(sum(rarity[word] for word in wanted & told) / everything)
    return np.array(shares)


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
    said, openers = told(found.passage.sentences), list_openers(found.passage.sentences)
    return frozenset(
        i for i in found.kept
        if said[i] and (_states(said[i]) or (openers[i] is not None and _names(said[i])))
        and said[i] not in found.passage.section
    )  # fmt: skip


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


def _names(item: str) -> bool:
    """True for an item of a list that says something together with the sentence that opens the list: 2 to 60 words
    that ask, order and leave nothing out."""
    text = without_list_marker(item)
    start = text.lower()
    silent = _BLANK.search(text) or "?" in text or start.startswith(_ASKS) or _INSTRUCTS.match(start)
    return not silent and 2 <= len(words(text)) <= 60


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


def _reaching_back(last: int, found: Evidence) -> Sequence[int]:
    """From the sentence that the one at `last` points back to, be it through others, up to itself; an item of a list
    behind the sentence that opens the list.

    Only itself when the passage does not state what it points to, or does so more than MOST_BEFORE before it.
    """
    opener = list_openers(found.passage.sentences)[last]
    if opener is not None and opener not in found.passage.broken:
        return opener, last
    stating, first = _stating(found), last
    while first in stating and points_back(found.passage.sentences[first]):
        first -= 1
    return range(first if first in stating and last - first <= MOST_BEFORE else last, last + 1)
