"""Rewrites a failed answer with sentences of its passages alone: the correction of source document E. Pure: it reads
signals, never limits.

A passage sentence may replace a sentence of the answer if it states the same about the same subject:
- It meets each condition of the question that the sentence of the answer meets (core/text/conditions.py).
- It has all content words of the sentence of the answer. Numbers and one more word may be missing, but no word of the
  question.

A sentence of the answer is sound if the passages entail it and no check counts a fault in it. A sound sentence is
replaced only by a passage sentence with all its content words and facts; otherwise it stays. If a sentence that is not
sound has no replacement, the answer is not corrected; core/graph/rounds.py may then quote an answer to the question
from the passages instead. A sentence of an abstention is never replaced, and neither is an answer that is computed from
numbers of the question.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.case import Draft, Round, Sentence, with_marks
from core.checks.entailment import said_by_passages
from core.text.answer_sentences import has_back_reference, is_self_contained
from core.text.conditions import ALIKE, may_replace, mismatches, speaks_of_another
from core.text.held_quantities import unstated_facts
from core.text.lists import list_openers
from core.text.quantities import without_numbers
from core.text.words import content

_OTHER = 1
"""Maximum number of content words, besides numbers, that a replacement may lack: with more, it would state something
else.
"""
_FAULTS = (
    ("numbers", "missing"),
    ("grounding", "invented"),
    ("hedging", "hits"),
    ("citations", "invalid"),
    ("citations", "unreadable"),
)
"""(check, signal) of each count of faults per sentence; in a sound sentence all of them are 0."""


def correction(measured_round: Round) -> Draft:
    """The answer of one round rewritten with sentences of its passages.

    The draft is empty in three cases: a sentence that is not sound has no replacement; nothing would change; or the
    answer is computed, since the passages could only give the result of another computation.
    """
    sentences = measured_round.case.sentences
    after = [s if facts.stays else facts.replacement for s, facts in zip(sentences, measured_round.facts, strict=True)]
    statements = tuple(dict.fromkeys(s for s in after if s))
    if None in after or is_computed(measured_round) or statements == sentences:
        statements = ()
    return Draft(text=with_marks(statements), sentences=statements, writer="correction")


def is_computed(measured_round: Round) -> bool:
    """True if a sentence gives a number that is computed from the question and that nothing has verified."""
    signals = measured_round.signals.get("numbers")
    return signals is not None and bool((signals["unchecked"] > 0).any())


def answering_sentences(measured_round: Round, draft: Draft) -> Draft:
    """Return `draft` with only the sentences that may replace the judged answer.

    The result is empty if these sentences together do not meet the conditions of the question
    (core/text/conditions.py), or if the judged answer is computed.
    """
    question, texts = measured_round.case.question.standalone, [s.text for s in measured_round.case.sentences]

    def fits(sentence: Sentence) -> bool:
        around = _around(measured_round, sentence)
        other = any(speaks_of_another(question, text, sentence.text, around) for text in texts)
        return not other and not mismatches(question, sentence.text, around)

    sentences = tuple(sentence for sentence in draft.sentences if fits(sentence))
    around = "\n".join(_around(measured_round, sentence) for sentence in sentences)
    answer = " ".join(s.text for s in sentences)
    if is_computed(measured_round) or not may_replace(question, " ".join(texts), answer, around):
        sentences = ()
    if sentences == draft.sentences:
        return draft
    return replace(draft, text=with_marks(sentences), sentences=sentences)


def _around(measured_round: Round, sentence: Sentence) -> str:
    """The texts around a sentence in the passages that it cites: their section headings, and the sentence before it if
    it refers back.
    """
    passages = [
        measured_round.case.passages[c - 1] for c in sentence.citations if 0 < c <= len(measured_round.case.passages)
    ]
    points = has_back_reference(sentence.text)
    indices = [p.sentences.index(sentence.text) if points and sentence.text in p.sentences else None for p in passages]
    return "\n".join(passage.around(index) for passage, index in zip(passages, indices, strict=True))


def replacements(measured_round: Round, abstains: Sequence[bool]) -> list[tuple[bool, Sentence | None]]:
    """(stays, replacement) of each sentence of the answer, as in `SentenceFacts`. The replacement is the most similar
    passage sentence that states the same.

    A sound sentence without a replacement stays. A sentence that belongs to an abstention always stays. abstains: True
    for each sentence that does.
    """
    question, book = measured_round.case.question.standalone, _book(measured_round)
    found = []
    for sentence, sound, nothing in zip(measured_round.case.sentences, _sound(measured_round), abstains, strict=True):
        statement = None
        if not nothing:
            fit = [
                (s, stems)
                for s, stems in book
                if may_replace(question, sentence.text, s.text, _around(measured_round, s))
            ]
            statement = _most_similar(sentence, fit, set(content(question)), whole=sound)
        stays = statement == sentence or (statement is None and (nothing or sound))
        found.append((stays, None if stays else statement))
    return found


def _book(measured_round: Round) -> list[tuple[Sentence, set[str]]]:
    """Every statement that the passages keep for the question, with its citation and its content words. An item of a
    list is behind the sentence that opens the list."""
    book = []
    for n, evidence in enumerate(measured_round.case.evidence, 1):
        sentences = evidence.passage.sentences
        openers = list_openers(sentences)
        texts = [
            sentences[i] if openers[i] is None else f"{sentences[openers[i]]} {sentences[i]}" for i in evidence.kept
        ]
        book += [(Sentence(text=t, citations=(n,)), set(content(t))) for t in texts if is_self_contained(t)]
    return book


def _most_similar(
    sentence: Sentence, book: list[tuple[Sentence, set[str]]], question_stems: set[str], *, whole: bool
) -> Sentence | None:
    """The statement in `book` most similar to `sentence`, of equals the first; None if no statement states the same.

    whole: True if the statement must have all content words and facts of `sentence`. If False, numbers and _OTHER words
    may be missing in the statement, but no word of `question_stems`, the stems of the question.
    """
    stems, other_than_numbers = set(content(sentence.text)), set(content(without_numbers(sentence.text)))

    def says_the_same(statement: Sentence, statement_stems: set[str]) -> bool:
        missing = other_than_numbers - statement_stems
        if whole or missing & question_stems or len(stems & statement_stems) < ALIKE * len(stems):
            return not missing and not unstated_facts(sentence.text, statement.text)
        return len(missing) <= _OTHER

    candidates = [(s, statement_stems) for s, statement_stems in book if stems and says_the_same(s, statement_stems)]
    return max(candidates, key=lambda one: 2 * len(stems & one[1]) / (len(stems) + len(one[1])), default=(None, 0))[0]


def _sound(measured_round: Round) -> list[bool]:
    """True for each sound sentence: its NLI label is entailment, and none of the counts in _FAULTS is above 0."""
    faults = [measured_round.signals[c][n] for c, n in _FAULTS if c in measured_round.signals]
    return [
        bool(is_said) and not any(f[n] for f in faults) for n, is_said in enumerate(said_by_passages(measured_round))
    ]
