"""Runs (sentences of an answer that are read together), and the probability that each run answers the question, by the
reader.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from core.case import Case, Passage
from core.judgements import LABELS
from core.models.stretches import SentenceIndex, Stretch, hints_of
from core.text.answer_sentences import has_back_reference
from core.text.lists import list_openers
from core.text.non_answers import denies, echoes, gives_other_value, lacks_items
from core.text.questions import account_topic, side_questions
from core.text.small_talk import in_lexicon
from core.text.words import content, overlap, words


@dataclass(frozen=True, kw_only=True)
class AnswerRun:
    """Sentences of an answer that are read together.

    indices: of these sentences in the answer. text: the sentences as one text. stretches: the sentences of the passages
    that hold the run. If the passages hold all its sentences, that is one stretch; else, for a run of one sentence,
    each passage sentence that contains it; () if no passage does.
    """

    indices: tuple[int, ...]
    text: str
    stretches: tuple[Stretch, ...] = ()


def answer_runs(texts: Sequence[str], passages: Sequence[Passage]) -> list[AnswerRun]:
    """Every run of an answer: each sentence together with the one that it refers back to; each group of consecutive
    sentences quoted from one passage; and the whole answer.
    """
    book = [((p, n), text) for p, passage in enumerate(passages) for n, text in enumerate(passage.sentences)]
    positions = {text: position for position, text in book}
    groups: list[tuple[int, ...]] = []
    for n, opener in enumerate(list_openers(texts)):
        before = n - 1 if n and has_back_reference(texts[n]) else opener
        groups.append((n,) if before is None else (before, n))
    groups += [*_quotations(texts, positions), tuple(range(len(texts)))]
    return [_run(indices, texts, book, positions) for indices in dict.fromkeys(groups) if indices]


def _quotations(texts: Sequence[str], positions: dict[str, SentenceIndex]) -> list[tuple[int, ...]]:
    """Runs of consecutive sentences of the answer that one passage holds in the same order."""
    runs: list[tuple[int, ...]] = []
    for n, text in enumerate(texts):
        last = positions.get(texts[runs[-1][-1]]) if runs else None
        here = positions.get(text)
        if last and here and runs[-1][-1] == n - 1 and here[0] == last[0] and here[1] > last[1]:
            runs[-1] = (*runs[-1], n)
        elif here:
            runs.append((n,))
    return runs


def _run(
    indices: tuple[int, ...],
    texts: Sequence[str],
    book: Sequence[tuple[SentenceIndex, str]],
    positions: dict[str, SentenceIndex],
) -> AnswerRun:
    """The run of the answer sentences at `indices`. book: index and text of each passage sentence. positions: index of
    each passage sentence by its text.
    """
    run_text = " ".join(texts[n] for n in indices)
    book_indices = [positions.get(texts[n]) for n in indices]
    if all(book_indices):
        stretches = tuple(Stretch(indices=tuple(book_indices), core=core, text=run_text) for core in book_indices)
    elif len(indices) == 1:
        whole = _sentences_with(run_text, book)
        stretches = tuple(Stretch(indices=(position,), core=position, text=text) for position, text in whole)
    else:
        stretches = ()
    return AnswerRun(indices=indices, text=run_text, stretches=stretches)


def _sentences_with(text: str, book: Sequence[tuple[SentenceIndex, str]]) -> list[tuple[SentenceIndex, str]]:
    """(index, text) of each passage sentence that contains all words of `text` in a row; [] for a bare yes or no."""
    if not set(content(text)) - in_lexicon("affirming"):
        return []
    part = f" {' '.join(words(text))} "
    return [(position, sentence) for position, sentence in book if part in f" {' '.join(words(sentence))} "]


def answer_probabilities(case: Case, models: Any, by_evidence: Callable[[int], float] = lambda _: 0.0) -> list[float]:
    """For each sentence, P(it answers the question): the highest P(run answers the question) over the runs (see
    `answer_runs`) that contain it; 0 for a sentence that only repeats the question or gives another value than it asks,
    and for every sentence of half a list. A sentence that denies what the question takes for granted answers it.

    If the question orders an account, a run that does not only repeat it answers by the share of the topic's words
    that it has.

    If the question asks for a difference, explaining both sides also answers it: that probability is the lower one of
    the two sides. by_evidence: a function from the index of a sentence to P(it gives the answer that its evidence
    gives). It is called for sentences that no passage sentence contains, because "That is done by the cochlea" answers
    "Which part makes the signals?" only for a reader who has read the book.
    """
    texts, query = [s.text for s in case.sentences], case.query
    book = [((p, n), text) for p, passage in enumerate(case.passages) for n, text in enumerate(passage.sentences)]
    if lacks_items(query, texts, [text for _, text in book]):
        return [0.0] * len(texts)
    runs = answer_runs(texts, case.passages)
    by_run = _run_probabilities(query, runs, case, models)
    if topic := account_topic(case.question.query) or account_topic(query):
        adds = [set(content(run.text)) - set(content(query)) for run in runs]
        by_run = [max(sure, overlap(topic, run.text) if new else 0.0)
                  for sure, run, new in zip(by_run, runs, adds, strict=True)]  # fmt: skip
    sides = [max(_run_probabilities(question, runs, case, models), default=0.0) for question in side_questions(query)]
    both = min(sides, default=0.0)
    best = [max([both, *(sure for sure, run in zip(by_run, runs, strict=True) if n in run.indices)])
            for n in range(len(texts))]  # fmt: skip
    best = [sure if _sentences_with(text, book) else max(sure, by_evidence(n))
            for n, (text, sure) in enumerate(zip(texts, best, strict=True))]  # fmt: skip
    everything = " ".join(text for _, text in book)
    best = [1.0 if denies(query, text) else sure for text, sure in zip(texts, best, strict=True)]
    return [
        0.0 if echoes(query, text) or gives_other_value(query, text, everything, everything) else sure
        for text, sure in zip(texts, best, strict=True)
    ]


def answer_held(case: Case, sentence: int, evidence: Sequence[str], models: Any) -> float:
    """P(the sentence gives the answer that its evidence gives), in [0, 1]; 0 without evidence.

    It is P(the evidence answers the question), by the reader, times a measure of how surely the sentence contains the
    words of that answer. The measure is the share of these words that the sentence contains, or P(question and draft
    together entail these words) if that gives more.
    sentence: index of the sentence. evidence: the texts that support it.
    """
    texts, question = list(dict.fromkeys(evidence)), case.question.standalone
    if not texts:
        return 0.0
    spans = models.reader.read(question, texts)
    answers = [text[slice(*span.span)] for text, span in zip(texts, spans, strict=True)]
    probabilities = [
        span.probability * overlap(answer, case.sentences[sentence].text)
        for span, answer in zip(spans, answers, strict=True)
    ]
    best = max(range(len(texts)), key=lambda n: spans[n].probability)
    context = " ".join([question, *(s.text for s in case.sentences)])
    entailed = models.entailer.probabilities([(context, answers[best])])[0, LABELS.index("entailment")]
    return max(*probabilities, spans[best].probability * float(entailed))


def _run_probabilities(query: str, runs: Sequence[AnswerRun], case: Case, models: Any) -> list[float]:
    """P(run answers `query`) for each run: for a run with stretches, from the hints on them; for any other run, by the
    reader alone.
    """
    answers = [span.probability for span in models.reader.read(query, [run.text for run in runs])]
    stretches = [(n, stretch) for n, run in enumerate(runs) for stretch in run.stretches]
    if not stretches:
        return answers
    hints = hints_of(query, [stretch for _, stretch in stretches], case.evidence, models)
    best: dict[int, float] = {}
    for (n, _), sure in zip(stretches, models.reader.weights(hints).tolist(), strict=True):
        best[n] = max(sure, best.get(n, 0.0))
    return [best.get(n, alone) for n, alone in enumerate(answers)]
