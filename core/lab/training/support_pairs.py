"""Sentences labelled as supported by the passages or not, with the hints of the check `support` on each.

A hint is a feature of a sentence and its passages; HINTS in core/models/support_hints.py names them.
"""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.banks.project import BANKS, for_fitting, read_bank
from core.case import Case
from core.features.case_features import CaseFeatures
from core.lab.bench.samples import library_of
from core.lab.training.calibration_samples import TOP
from core.lab.training.teacher_questions import chapters_of, teacher_rows
from core.library.library import Library
from core.models.profile import Models
from core.reply.serialization import question_of
from core.retrieval.retriever import Retriever
from core.text.answer_sentences import given_draft

CHAPTER_PAIRS = BANKS / "chapter_pairs.jsonl"


@dataclass(frozen=True, kw_only=True)
class JudgedAnswer:
    """A supported or an altered answer from a pair of such answers to one question.

    pair: the id of the pair. hints: the hints of each sentence, shape (sentences, number of HINTS). counts: True for
    the sentences that the label `supported` applies to, shape (sentences,); in an altered answer, these are the
    sentences that the supported answer of the pair does not have.
    """

    pair: str
    supported: bool
    hints: np.ndarray
    counts: np.ndarray


def case_with_answer(row: Mapping[str, Any], retriever: Retriever) -> Case:
    """The answer of a row as a case, with the evidence that a search finds for its question."""
    question = question_of(dict(row))
    evidence = retriever.search(question.standalone, question.scope, TOP).evidence
    return Case(question=question, query=question.standalone, evidence=evidence, draft=given_draft(question))


def judged_pairs(rows: Sequence[Mapping[str, Any]], retriever: Retriever, models: Models) -> list[JudgedAnswer]:
    """The answers in `rows`, supported and altered, each with the hints of its sentences on the evidence that a search
    finds.

    rows: with "pair" (an id), "expected" ("supported" or "altered"), "query" and "answer".
    """
    cases = [(row, case_with_answer(row, retriever)) for row in rows]
    return answers_of(
        (row, [sentence.text for sentence in case.sentences], [one.hints for one in CaseFeatures(case, models).support])
        for row, case in cases if case.sentences and case.evidence
    )  # fmt: skip


def answers_of(measured: Iterable[tuple[Mapping[str, Any], Sequence[str], Sequence[Any]]]) -> list[JudgedAnswer]:
    """The answers of (row, sentences, hints of each sentence)."""
    measured = list(measured)
    twins = {row["pair"]: set(sentences) for row, sentences, _ in measured if row["expected"] == "supported"}
    answers = []
    for row, sentences, hints in measured:
        is_good = row["expected"] == "supported"
        counts = np.array([is_good or sentence not in twins.get(row["pair"], ()) for sentence in sentences])
        answers.append(JudgedAnswer(pair=row["pair"], supported=is_good, hints=np.array(hints), counts=counts))
    return answers


def teacher_pairs(data: Path, part: str, models: Models) -> list[JudgedAnswer]:
    """A teacher's good (supported) and bad (altered) answers on the real chapters of one half, "choose" or "report"."""
    with teacher_judged(data, part, models) as (rows, retriever):
        return judged_pairs(rows, retriever, models)


@contextmanager
def teacher_judged(data: Path, part: str, models: Models) -> Iterator[tuple[list[dict[str, Any]], Retriever]]:
    """A context manager that yields a teacher's answers as rows, and a search in a library of all chapters. The library
    is deleted at the end of the block. part: "choose" or "report"."""
    rows, half = list(teacher_rows(data)), chapters_of(data, part)
    files = [data / "ncert" / f"{chapter}.pdf" for chapter in sorted({row["chapter"] for row in rows})]
    judged = [row for row in rows if row["chapter"] in half and row["type"] == "judge"]
    with tempfile.TemporaryDirectory() as home:
        pairs = [
            {"pair": row["id"], "query": row["query"], "answer": row[name], "expected": expected}
            for row in judged for name, expected in (("good", "supported"), ("bad", "altered"))
        ]  # fmt: skip
        yield pairs, Retriever(library_of(Path(home), files, models.embedder), models)


def bank_pairs(path: Path, library: Library, models: Models) -> list[JudgedAnswer]:
    """The pairs of a bank whose questions are in the half for fitting."""
    rows = [row for row in read_bank(path) if for_fitting(row["query"])]
    return judged_pairs(rows, Retriever(library, models), models)
