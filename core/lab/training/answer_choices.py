"""Fits the weights by which the extractive writer chooses among stretches, on labelled questions.

A hint is a number that suggests how likely a stretch answers the question; HINTS in core/models/stretches.py names
them.
"""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.case import Evidence, Passage, Scope
from core.lab.bench.samples import library_of
from core.lab.training.calibration_samples import TOP, Shelf
from core.lab.training.fitting import area, logistic
from core.lab.training.school_pages import SchoolPage
from core.lab.training.teacher_questions import TeacherQuestion
from core.models.profile import Models
from core.models.stretches import HINTS, Stretch, hints_of, stretches_for
from core.retrieval.retriever import Retriever
from core.retrieval.scoring import score_passages

_RIDGE = 0.5
_A_QUESTION = 10
"""The total weight of the stretches of one question in the fit."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The stretches among which the writer chooses for one question.

    hints: the hints of each stretch, shape (stretches, number of HINTS). right: 1 for a stretch that answers in full,
    else 0, shape (stretches,).
    """

    hints: np.ndarray
    right: np.ndarray


class PageShelf:
    """A searchable collection of the project's own school pages, each page divided into two passages."""

    def __init__(self, pages: Sequence[SchoolPage], models: Models) -> None:
        self.models = models
        self._halves = [(page, half) for page in pages for half in _halves(page)]
        self._passages = [
            Passage(
                id=str(n), sentences=page.sentences[half.start : half.stop], pages=(1,) * len(half),
                section=page.heading,
            )
            for n, (page, half) in enumerate(self._halves)
        ]  # fmt: skip
        texts, pages_of_texts = [p.text for p in self._passages], [page for page, _ in self._halves]
        self._shelf = Shelf(texts, pages_of_texts, models.embedder)

    def evidence(self, query: str, without: SchoolPage | None = None) -> tuple[Evidence, ...]:
        """The passages found for a question, best first; without those of the page `without`."""
        found = self._shelf.top(query, self.models.embedder.encode([query])[0], frozenset({without}))
        evidence = score_passages(query, [self._passages[n] for n, _, _ in found], self.models)
        return tuple(sorted(evidence, key=lambda e: -e.answers))

    def places(self, stretch: Stretch, evidence: Sequence[Evidence], page: SchoolPage) -> set[int]:
        """The indices on `page` of those sentences of a stretch that are on this page."""
        halves = [self._halves[int(evidence[p].passage.id)] for p, _ in stretch.indices]
        return {half.start + n for (_, n), (of, half) in zip(stretch.indices, halves, strict=True) if of is page}


def _halves(page: SchoolPage) -> tuple[range, range]:
    middle = len(page.sentences) // 2
    return range(middle), range(middle, len(page.sentences))


def choices_on_pages(pages: Sequence[SchoolPage], shelf: PageShelf) -> list[Choice]:
    """The choices for the questions on `pages`, both for those that their page answers and for those that it does not.

    Every third answerable question is there twice: once more with its page left out of the search, as if the books
    lacked it, so that no stretch is right.
    """
    choices = []
    for page in pages:
        for question in page.answerable:
            choices.append(
                _choice_on_page(question.query, set(question.places), page, shelf, shelf.evidence(question.query))
            )
        for question in page.answerable[::3]:
            evidence_without_page = shelf.evidence(question.query, without=page)
            choices.append(_choice_on_page(question.query, set(), page, shelf, evidence_without_page))
        for open_ in page.unanswerable:
            choices.append(_choice_on_page(open_.query, set(), page, shelf, shelf.evidence(open_.query)))
    return [choice for choice in choices if choice is not None]


def _choice_on_page(
    query: str, gold: set[int], page: SchoolPage, shelf: PageShelf, evidence: tuple[Evidence, ...]
) -> Choice | None:
    """The choice for one question; None if there are no stretches.

    gold: the indices of the sentences on `page` that make up a full answer; empty if nothing answers.
    """

    def is_right(stretch: Stretch) -> bool:
        return bool(gold) and gold <= shelf.places(stretch, evidence, page)

    return _choice(query, evidence, shelf.models, is_right)


def _choice(
    query: str, evidence: tuple[Evidence, ...], models: Models, is_right: Callable[[Stretch], bool]
) -> Choice | None:
    stretches = stretches_for(query, evidence, models)
    if not stretches:
        return None
    right = np.array([is_right(stretch) for stretch in stretches], dtype=float)
    return Choice(hints=hints_of(query, stretches, evidence, models), right=right)


def choices_of_teacher(questions: Sequence[TeacherQuestion], data: Path, models: Models) -> list[Choice]:
    """The choices for each of a teacher's questions on real chapters, with all chapters in one library."""
    choices = []
    with tempfile.TemporaryDirectory() as home:
        files = [data / "ncert" / f"{chapter}.pdf" for chapter in sorted({q.chapter for q in questions})]
        retriever = Retriever(library_of(Path(home), files, models.embedder), models)
        for question in questions:
            evidence = retriever.search(question.query, Scope(), TOP).evidence
            choices.append(_choice(question.query, evidence, models, lambda s, q=question: q.is_right(s.text)))
    return [choice for choice in choices if choice is not None]


def answer_weights(choices: Sequence[Choice]) -> dict[str, float]:
    """The weight of each hint and an offset, such that a sigmoid of a stretch's weighted hints is the probability that
    the question's best stretch answers.

    First, a fit separates right stretches from others, with equal weight for every question; then a slope and an offset
    turn the score of the best stretch into a probability.
    """
    hints = np.concatenate([c.hints for c in choices])
    right = np.concatenate([c.right for c in choices])
    weights = np.concatenate([np.full(len(c.right), _A_QUESTION / len(c.right)) for c in choices])
    *column, offset = logistic(hints, right, weights, ridge=_RIDGE)
    scores = [c.hints @ np.array(column) + offset for c in choices]
    picked = np.array([c.right[np.argmax(s)] for s, c in zip(scores, choices, strict=True)])
    slope, moved = logistic(np.array([[s.max()] for s in scores]), picked, np.ones(len(picked)))
    beta = [*(slope * np.array(column)), slope * offset + moved]
    return dict(zip((*HINTS, "offset"), np.round(beta, 4).tolist(), strict=True))


def choice_figures(choices: Sequence[Choice], weights: dict[str, float]) -> dict[str, float]:
    """How well the stretch with the highest score answers, under these weights.

    "picked": the share of questions for which it is right, among the "n_answerable" questions that have a right
    stretch. "area": how well its score separates right from wrong choices, over all "n" questions (area under the
    curve).
    """
    column = np.array([weights[name] for name in HINTS])
    scores = [c.hints @ column + weights["offset"] for c in choices]
    picked = np.array([c.right[np.argmax(s)] > 0 for s, c in zip(scores, choices, strict=True)])
    best = np.array([s.max() for s in scores])
    could = np.array([c.right.any() for c in choices])
    return {
        "picked": round(float(picked[could].mean()), 4), "n_answerable": int(could.sum()),
        "area": round(area(best[picked], best[~picked]), 4), "n": len(choices),
    }  # fmt: skip
