"""An answer said again in the words of its passages alone (seed E's correction). Pure: it reads signals, never limits.

A sentence is put in the book's own words where one of the book says the same of the same thing: it names all that the
question asks about, and differs in a number and one more word at most. One that is sound stays when only less is said
elsewhere. A sentence of which the passages say nothing like it cannot be corrected, and then neither can the answer;
what the passages themselves answer to the question may stand in its place (core/graph/rounds.py), unless the answer
was that there is none.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.case import Draft, Evidence, Round, Sentence
from core.checks.entailment import said_by_passages
from core.text.answer_sentences import points_back, stands_alone, with_marks
from core.text.hedges import declines
from core.text.held_quantities import unstated
from core.text.lists import list_openers
from core.text.quantities import without_numbers
from core.text.words import content

CORRECTION = "correction"
"""Who writes what is said again in the words of the passages alone."""
ALIKE = 0.6
"""A sentence of the book says the same thing over again when it holds at least this share of the answer's words."""
_OTHER = 1
"""Words that it may hold another in the place of, beside numbers: more, and it would speak of another thing."""
_NOTE = re.compile(r"^(?:please )?(?:note|remember|recall|observe|notice|we see|it follows) that\b", re.IGNORECASE)
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


def without_rivals(measured: Round, draft: Draft) -> Draft:
    """`draft` without sentences that say of another thing what the judged answer says of the thing asked about.

    To "Light can travel through a vacuum", "Sound cannot travel through a vacuum" is no correction: it shares most
    words, but begins with another thing than the one that question and answer name. What its passage names before it
    counts as named.
    """
    asked = set(content(measured.case.question.standalone))
    judged = [(set(content(s.text)), _subject(s.text)) for s in measured.case.sentences]

    def is_rival(sentence: Sentence) -> bool:
        held, subject = set(content(sentence.text)), _subject(sentence.text)
        return any(
            len(words & held) >= ALIKE * len(words)
            and other in asked - held - _named_before(measured, sentence)
            and subject not in asked | words
            for words, other in judged
        )

    sentences = tuple(sentence for sentence in draft.sentences if not is_rival(sentence))
    return replace(draft, text=with_marks(sentences), sentences=sentences)


def _subject(text: str) -> str:
    """The stem of the first word of a sentence that carries content, "" without one: what it speaks of, mostly."""
    return next(iter(content(_NOTE.sub("", text))), "")


def _named_before(measured: Round, sentence: Sentence) -> set[str]:
    """The content words of the headings over a quoted sentence, and of the sentence before it where it points back."""
    words: set[str] = set()
    for citation in sentence.citations:
        passage = measured.case.passages[citation - 1]
        words |= set(content(passage.section))
        if points_back(sentence.text) and sentence.text in passage.sentences[1:]:
            words |= set(content(passage.sentences[passage.sentences.index(sentence.text, 1) - 1]))
    return words


def rewritten(measured: Round) -> tuple[Rewrite, ...]:
    """For each sentence of the answer the sentence of the passages that says it; a sound one may stay as it is."""
    book, asked = _book(measured), set(content(measured.case.question.standalone))
    found = []
    for sentence, sound in zip(measured.case.sentences, _sound(measured), strict=True):
        again = _said_again(sentence, book, asked, whole=sound)
        found.append(Rewrite(before=sentence, after=again or (sentence if sound else None)))
    return tuple(found)


def _book(measured: Round) -> list[tuple[Sentence, set[str]]]:
    """Every statement that the passages keep for the question, cited, with its content words."""
    found = ((n, text) for n, e in enumerate(measured.case.evidence, 1) for text in _statements(e))
    return [(Sentence(text=t, citations=(n,)), set(content(t))) for n, t in found if stands_alone(t)]


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
