"""Rewrites a failed answer with sentences of its passages alone: the correction of source document E. Pure: it reads
signals, never limits.

A passage sentence may replace a sentence of the answer if it states the same about the same subject:
- It has all content words of the sentence of the answer. Numbers and one more word may be missing, but no word of the
  question.
- If the sentence of the answer has a number, it has every number of the question.

A sentence of the answer is sound if the passages entail it and no check counts a fault in it. A sound sentence stays,
word for word. If a sentence that is not sound has no replacement, the answer is not corrected; core/graph/rounds.py may
then quote an answer to the question from the passages instead. A sentence of an abstention is never replaced.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.case import Draft, Round, Sentence, with_marks
from core.checks.entailment import said_by_passages
from core.text.answer_sentences import has_back_reference, is_self_contained
from core.text.held_quantities import topic_stems, unstated_facts
from core.text.lists import list_openers
from core.text.quantities import quantities, without_numbers
from core.text.words import content

ALIKE = 0.6
"""Two sentences are alike if one holds at least this share of the other's content words."""
_OTHER = 1
"""Maximum number of content words, besides numbers, that a replacement may lack: with more, it would state something
else.
"""
_FAULTS = (
    ("numbers", "missing"),
    ("support", "crossed"),
    ("grounding", "invented"),
    ("hedging", "hits"),
    ("citations", "invalid"),
    ("citations", "unreadable"),
)
"""(check, signal) of each count of faults per sentence; in a sound sentence all of them are 0."""


def correction(measured_round: Round) -> Draft:
    """The answer of one round rewritten with sentences of its passages.

    The draft is empty if a sentence that is not sound has no replacement, and if nothing would change.
    """
    sentences = measured_round.case.sentences
    after = [s if facts.stays else facts.replacement for s, facts in zip(sentences, measured_round.facts, strict=True)]
    statements = tuple(dict.fromkeys(s for s in after if s))
    if None in after or statements == sentences:
        statements = ()
    return Draft(text=with_marks(statements), sentences=statements, writer="correction")


def answering_sentences(measured_round: Round, draft: Draft) -> Draft:
    """Return `draft` if it may replace the judged answer; else a draft without sentences.

    It may if it is, with the headings above it, about the same (see `is_about_the_same`), and has the numbers of the
    question (see `_has_numbers`). For a judged answer with a number in figures or with a unit, one of its sentences
    must be about the same and have a number, too.
    """
    question, judged = measured_round.case.question.standalone, " ".join(s.text for s in measured_round.case.sentences)
    texts = [f"{_around(measured_round, [s])}\n{s.text}" for s in draft.sentences]
    alike = [
        quantities(s.text) and is_about_the_same(question, judged, t)
        for s, t in zip(draft.sentences, texts, strict=True)
    ]
    text = "\n".join(texts)
    fits = is_about_the_same(question, judged, text) and _has_numbers(question, judged, text)
    gives_number = any(q.unit or judged[slice(*q.numeral)].strip()[:1].isdigit() for q in quantities(judged))
    if fits and (any(alike) or not gives_number):
        return draft
    return replace(draft, text="", sentences=())


def is_about_the_same(question: str, judged: str, text: str) -> bool:
    """True if `text` has every word that names what `question` and `judged` are both about."""
    return topic_stems(question) & topic_stems(judged) <= set(content(text))


def _has_numbers(question: str, judged: str, statement: str) -> bool:
    """True if `statement` has every number of `question`; also true if `judged` has no number, since only a number
    may depend on those of the question.
    """
    return not quantities(judged) or not unstated_facts(question, statement)


def _around(measured_round: Round, sentences: Sequence[Sentence]) -> str:
    """The section headings above the sentences in the passages that they cite, and the sentence before each that refers
    back.
    """
    passages, lines = measured_round.case.passages, []
    for sentence in sentences:
        for passage in (passages[c - 1] for c in sentence.citations if 0 < c <= len(passages)):
            points = has_back_reference(sentence.text) and sentence.text in passage.sentences
            lines.append(passage.around(passage.sentences.index(sentence.text) if points else None))
    return "\n".join(lines)


def replacements(measured_round: Round, abstains: Sequence[bool]) -> list[tuple[bool, Sentence | None]]:
    """(stays, replacement) of each sentence of the answer, as in `SentenceFacts`. The replacement is the most similar
    passage sentence that states the same.

    A sound sentence stays, and so does a sentence that belongs to an abstention. abstains: True for each sentence that
    does.
    """
    question, book = measured_round.case.question.standalone, _book(measured_round)
    said = said_by_passages(measured_round)
    faults = [measured_round.signals[check][name] for check, name in _FAULTS if check in measured_round.signals]
    found = []
    for n, (sentence, nothing) in enumerate(zip(measured_round.case.sentences, abstains, strict=True)):
        sound = bool(said[n]) and not any(counts[n] for counts in faults)
        statement = next((s for s, _ in book if sound and s.text == sentence.text), None)  # the same with its mark
        if not nothing and not sound:
            fit = [(s, stems) for s, stems in book if _has_numbers(question, sentence.text, s.text)]
            statement = _most_similar(sentence, fit, set(content(question)))
        stays = nothing or statement == sentence or (sound and statement is None)
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
    sentence: Sentence, book: list[tuple[Sentence, set[str]]], question_stems: set[str]
) -> Sentence | None:
    """The statement in `book` most similar to `sentence`, of equals the first; None if no statement states the same.

    Numbers and _OTHER words may be missing in the statement, but no word of `question_stems`, the stems of the
    question.
    """
    stems, other_than_numbers = set(content(sentence.text)), set(content(without_numbers(sentence.text)))

    def says_the_same(statement: Sentence, statement_stems: set[str]) -> bool:
        missing = other_than_numbers - statement_stems
        if missing & question_stems or len(stems & statement_stems) < ALIKE * len(stems):
            return not missing and not unstated_facts(sentence.text, statement.text)
        return len(missing) <= _OTHER

    candidates = [(s, statement_stems) for s, statement_stems in book if stems and says_the_same(s, statement_stems)]
    return max(candidates, key=lambda one: 2 * len(stems & one[1]) / (len(stems) + len(one[1])), default=(None, 0))[0]
