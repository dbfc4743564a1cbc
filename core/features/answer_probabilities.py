"""P(an answer answers its question), read in runs of its sentences."""

from collections.abc import Sequence
from typing import Any

from core.case import Case
from core.features.answer_runs import AnswerRun, answer_runs
from core.models.answer_hints import hints_of
from core.text.answer_sentences import echoes
from core.text.question_plan import side_questions


def answer_probabilities(case: Case, models: Any) -> list[float]:
    """For each sentence P(the answer with it answers the question): the highest over the runs of the answer that hold
    it; 0 for one that only says the question again.

    A run is a sentence with those that it points back to, sentences that follow each other in a passage, and the whole.
    An answer that says what each side of a difference is answers it as probably as it says the less probable side.
    """
    texts, query = [s.text for s in case.sentences], case.query
    runs = answer_runs(texts, case.passages)
    by_run = _by_run(query, runs, case, models)
    sides = [max(_by_run(question, runs, case, models), default=0.0) for question in side_questions(query)]
    both = min(sides, default=0.0)
    best = [max([both, *(sure for sure, run in zip(by_run, runs, strict=True) if n in run.places)])
            for n in range(len(texts))]  # fmt: skip
    return [0.0 if echoes(query, text) else sure for text, sure in zip(texts, best, strict=True)]


def _by_run(query: str, runs: Sequence[AnswerRun], case: Case, models: Any) -> list[float]:
    """P(each run answers `query`): by the hints where the passages hold it, else by the reader alone."""
    answers = [found.probability for found in models.reader.read(query, [run.text for run in runs])]
    quoted = [(n, stretch) for n, run in enumerate(runs) for stretch in run.stretches]
    if not quoted:
        return answers
    hints = hints_of(query, [stretch for _, stretch in quoted], case.evidence, models)
    best: dict[int, float] = {}
    for (n, _), sure in zip(quoted, models.reader.weights(hints).tolist(), strict=True):
        best[n] = max(sure, best.get(n, 0.0))
    return [best.get(n, alone) for n, alone in enumerate(answers)]
