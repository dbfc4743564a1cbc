"""P(an answer answers its question), computed over runs of its sentences."""

from collections.abc import Sequence
from typing import Any

from core.case import Case
from core.features.answer_runs import AnswerRun, answer_runs
from core.models.answer_hints import hints_of
from core.text.answer_sentences import echoes
from core.text.question_plan import side_questions


def answer_probabilities(case: Case, models: Any) -> list[float]:
    """For each sentence, the highest P(run answers the question) over the runs that hold it; 0 for a sentence that only
    repeats the question.

    `answer_runs` gives the runs. If the question asks for a difference, the answer may also explain each side: its
    probability is then that of the less probable side.
    """
    texts, query = [s.text for s in case.sentences], case.query
    runs = answer_runs(texts, case.passages)
    by_run = _by_run(query, runs, case, models)
    sides = [max(_by_run(question, runs, case, models), default=0.0) for question in side_questions(query)]
    both = min(sides, default=0.0)
    best = [max([both, *(sure for sure, run in zip(by_run, runs, strict=True) if n in run.indices)])
            for n in range(len(texts))]  # fmt: skip
    return [0.0 if echoes(query, text) else sure for text, sure in zip(texts, best, strict=True)]


def _by_run(query: str, runs: Sequence[AnswerRun], case: Case, models: Any) -> list[float]:
    """P(run answers `query`) for each run: by the hints if the passages hold the run, else by the reader alone."""
    answers = [span.probability for span in models.reader.read(query, [run.text for run in runs])]
    stretches = [(n, stretch) for n, run in enumerate(runs) for stretch in run.stretches]
    if not stretches:
        return answers
    hints = hints_of(query, [stretch for _, stretch in stretches], case.evidence, models)
    best: dict[int, float] = {}
    for (n, _), sure in zip(stretches, models.reader.weights(hints).tolist(), strict=True):
        best[n] = max(sure, best.get(n, 0.0))
    return [best.get(n, alone) for n, alone in enumerate(answers)]
