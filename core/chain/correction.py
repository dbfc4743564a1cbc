"""An answer said again in the words of its passages alone (seed E's correction). Pure: it reads signals, never limits.

A sentence is put in the book's own words where one of the book says the same of the same thing: it names all that the
question asks about, and differs in a number and one more word at most. One that is sound stays when only less is said
elsewhere. A sentence of which the passages say nothing like it cannot be corrected, and then neither can the answer;
what the passages themselves answer to the question may stand in its place (core/graph/rounds.py), unless the answer
was that there is none.
"""

from dataclasses import dataclass

from core.case import Draft, Round, Sentence
from core.checks.entailment import said_by_passages
from core.text.answer_sentences import stands_alone, with_marks
from core.text.hedges import declines
from core.text.words import content

CORRECTION = "correction"
"""Who writes what is said again in the words of the passages alone."""
ALIKE = 0.6
"""A sentence of the book says the same thing over again when it holds at least this share of the answer's words."""
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
    """The answer of one round in the words of its passages; an empty draft where that cannot be done."""
    rewrites = rewritten(measured)
    said = tuple(dict.fromkeys(r.after for r in rewrites if r.after))
    hopeless = any(r.after is None and not sound for r, sound in zip(rewrites, _sound(measured), strict=True))
    if hopeless or said == tuple(r.before for r in rewrites):
        said = ()
    return Draft(text=with_marks(said), sentences=said, writer=CORRECTION)


def abstains(measured: Round) -> bool:
    """Whether every sentence of the answer says that there is none: who read the passages and found nothing in them is
    not overruled by a sentence of theirs."""
    said = measured.case.sentences
    return bool(said) and all(declines(s.text) for s in said)


def rewritten(measured: Round) -> tuple[Rewrite, ...]:
    """For each sentence of the answer the sentence of the passages that says it; a sound one may stay as it is."""
    book, asked = _book(measured), set(content(measured.case.question.standalone))
    found = []
    for sentence, sound in zip(measured.case.sentences, _sound(measured), strict=True):
        again = _said_again(set(content(sentence.text)), book, asked, whole=sound)
        found.append(Rewrite(before=sentence, after=again or (sentence if sound else None)))
    return tuple(found)


def _book(measured: Round) -> list[tuple[Sentence, set[str]]]:
    """Every statement that the passages keep for the question, cited, with its content words."""
    found = ((n, e.passage.sentences[i]) for n, e in enumerate(measured.case.evidence, 1) for i in e.kept)
    return [(Sentence(text=t, citations=(n,)), set(content(t))) for n, t in found if stands_alone(t)]


def _said_again(
    wanted: set[str], book: list[tuple[Sentence, set[str]]], asked: set[str], *, whole: bool
) -> Sentence | None:
    """The statement of the book most like one with the words `wanted`, the best passage's among equals; None without.

    whole: it must hold all of these words, else all that `asked` has too.
    """

    def same(held: set[str]) -> bool:
        gone = wanted - held
        if whole or gone & asked or len(wanted & held) < ALIKE * len(wanted):
            return not gone
        return sum(not any(c.isdigit() for c in word) for word in gone) <= _OTHER

    alike = [(s, held) for s, held in book if wanted and same(held)]
    return max(alike, key=lambda one: 2 * len(wanted & one[1]) / (len(wanted) + len(one[1])), default=(None, 0))[0]


def _sound(measured: Round) -> list[bool]:
    """For each sentence whether its passages say it and nothing is wrong with it, by the labels and counts alone."""
    faults = [measured.signals[c][n] for c, n in _FAULTS if c in measured.signals]
    return [bool(said) and not any(f[n] for f in faults) for n, said in enumerate(said_by_passages(measured))]
