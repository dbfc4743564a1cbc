"""An answer said again in the words of its passages alone (seed E's correction). Pure: it reads signals, never limits.

A sentence is put in the book's own words where one of the book says the same of the same thing: it meets the conditions
of the question that the sentence meets, names all that the question and the sentence name, and differs in a number and
one more word at most. A sound sentence stays where the book says less about it. Where the passages say nothing like a
sentence, neither it nor the answer can be corrected. The passages' own answer to the question may then replace the
judged answer (core/graph/rounds.py). A sentence that says that there is no answer is never replaced, nor is an answer
that is computed from numbers of the question.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from core.case import Draft, Evidence, Round, Sentence
from core.checks.entailment import said_by_passages
from core.text.abstentions import abstention_flags
from core.text.answer_sentences import is_self_contained, points_back, with_marks
from core.text.conditions import ALIKE, may_replace, mismatches, speaks_of_another
from core.text.held_quantities import unstated
from core.text.lists import list_openers
from core.text.quantities import without_numbers
from core.text.words import content

CORRECTION = "correction"
"""Who writes what is said again in the words of the passages alone."""
_OTHER = 1
"""Words that it may hold another in the place of, beside numbers: more, and it would speak of another thing."""
_FAULTS = (
    ("numbers", "missing"),
    ("grounding", "invented"),
    ("hedging", "hits"),
    ("citations", "invalid"),
    ("citations", "unreadable"),
)
"""Counts of what is wrong with each sentence; none of them is above 0 in a sound one."""


@dataclass(frozen=True, kw_only=True)
class Rewrite:
    """What becomes of one sentence of an answer. `after` is None where the book says nothing like it."""

    before: Sentence
    after: Sentence | None


def correction(measured: Round) -> Draft:
    """The answer of one round in the words of its passages; an empty draft where that cannot be done, and for one that
    is computed, in whose place another's result would stand."""
    rewrites = rewritten(measured)
    said = tuple(dict.fromkeys(r.after for r in rewrites if r.after))
    hopeless = any(r.after is None and not sound for r, sound in zip(rewrites, _sound(measured), strict=True))
    if hopeless or is_computed(measured) or said == tuple(r.before for r in rewrites):
        said = ()
    return Draft(text=with_marks(said), sentences=said, writer=CORRECTION)


def abstentions(measured: Round) -> np.ndarray:
    """For each sentence of the answer whether it belongs to an abstention, which nothing may replace: (sentence,)."""
    return np.array(abstention_flags([s.text for s in measured.case.sentences]), dtype=bool)


def is_computed(measured: Round) -> bool:
    """True where a sentence gives a number that is computed from the question, and that nobody checked."""
    signals = measured.signals.get("numbers")
    return signals is not None and bool((signals["unchecked"] > 0).any())


def that_answers(measured: Round, draft: Draft) -> Draft:
    """The sentences of `draft` that may stand in the place of the judged answer; none where together they do not meet
    the conditions of the question (core/text/conditions.py), and where the judged answer is computed."""
    question, judged = measured.case.question.standalone, [s.text for s in measured.case.sentences]

    def fits(sentence: Sentence) -> bool:
        around = _around(measured, sentence)
        other = any(speaks_of_another(question, text, sentence.text, around) for text in judged)
        return not other and not mismatches(question, sentence.text, around)

    sentences = tuple(sentence for sentence in draft.sentences if fits(sentence))
    around = "\n".join(_around(measured, sentence) for sentence in sentences)
    told = " ".join(s.text for s in sentences)
    if is_computed(measured) or not may_replace(question, " ".join(judged), told, around):
        sentences = ()
    if sentences == draft.sentences:
        return draft
    return replace(draft, text=with_marks(sentences), sentences=sentences)


def _around(measured: Round, sentence: Sentence) -> str:
    """The text around a sentence in the passages that it cites; of one that points nowhere only their headings."""
    cited = [measured.case.passages[c - 1] for c in sentence.citations if 0 < c <= len(measured.case.passages)]
    points = points_back(sentence.text)
    places = [p.sentences.index(sentence.text) if points and sentence.text in p.sentences else None for p in cited]
    return "\n".join(passage.around(place) for passage, place in zip(cited, places, strict=True))


def rewritten(measured: Round) -> tuple[Rewrite, ...]:
    """For each sentence of the answer the sentence of the passages that says it; a sound one may stay as it is, and
    one that belongs to an abstention does."""
    question, book = measured.case.question.standalone, _book(measured)
    found = []
    for sentence, sound, nothing in zip(measured.case.sentences, _sound(measured), abstentions(measured), strict=True):
        if nothing:
            found.append(Rewrite(before=sentence, after=sentence))
            continue
        fit = [(s, held) for s, held in book if may_replace(question, sentence.text, s.text, _around(measured, s))]
        again = _said_again(sentence, fit, set(content(question)), whole=sound)
        found.append(Rewrite(before=sentence, after=again or (sentence if sound else None)))
    return tuple(found)


def _book(measured: Round) -> list[tuple[Sentence, set[str]]]:
    """Every statement that the passages keep for the question, cited, with its content words."""
    found = ((n, text) for n, e in enumerate(measured.case.evidence, 1) for text in _statements(e))
    return [(Sentence(text=t, citations=(n,)), set(content(t))) for n, t in found if is_self_contained(t)]


def _statements(evidence: Evidence) -> Iterator[str]:
    """The sentences that bear on the question; an item of a list behind the sentence that opens the list."""
    sentences = evidence.passage.sentences
    openers = list_openers(sentences)
    for i in evidence.kept:
        opener = openers[i]
        yield sentences[i] if opener is None else f"{sentences[opener]} {sentences[i]}"


def _said_again(
    sentence: Sentence, book: list[tuple[Sentence, set[str]]], asked: set[str], *, whole: bool
) -> Sentence | None:
    """The statement of the book most like `sentence`, the best passage's among equals; None without one.

    whole: it must say all that `sentence` says, else all of it that the question, with the words `asked`, names too.
    """
    wanted, other_than_numbers = set(content(sentence.text)), set(content(without_numbers(sentence.text)))

    def says_the_same(statement: Sentence, held: set[str]) -> bool:
        missing = other_than_numbers - held
        if whole or missing & asked or len(wanted & held) < ALIKE * len(wanted):
            return not missing and not unstated(sentence.text, statement.text)
        return len(missing) <= _OTHER

    alike = [(s, held) for s, held in book if wanted and says_the_same(s, held)]
    return max(alike, key=lambda one: 2 * len(wanted & one[1]) / (len(wanted) + len(one[1])), default=(None, 0))[0]


def _sound(measured: Round) -> list[bool]:
    """For each sentence whether its passages say it and nothing is wrong with it, by the labels and counts alone."""
    faults = [measured.signals[c][n] for c, n in _FAULTS if c in measured.signals]
    return [bool(said) and not any(f[n] for f in faults) for n, said in enumerate(said_by_passages(measured))]
