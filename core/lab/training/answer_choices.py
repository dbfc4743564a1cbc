"""What a writer chooses from for questions whose answers are known, and the fit that weighs the hints on stretches."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.case import Evidence, Passage, Scope
from core.lab.training.fitting import area, logistic
from core.lab.training.school_pages import SchoolPage
from core.lab.training.teacher_questions import TeacherQuestion
from core.library.library import Library
from core.models.answer_hints import HINTS, hints_of, stretches_for
from core.models.profile import Models
from core.models.stretches import Stretch
from core.retrieval.retriever import Retriever
from core.retrieval.scoring import Lexical, score_passages

_PASSAGES = 8
"""Passages that a question of our own is asked of, as in the app."""
_RIDGE = 0.5
_NO_ANSWER = -20.0
"""The weight of a condition that a stretch says otherwise: its logit is far below that of any other."""
_A_QUESTION = 10
"""What the stretches of one question weigh together in the fit."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The stretches that a writer chooses from for one question: their hints, shape (stretches, HINTS), and which of
    them are a full answer, shape (stretches,)."""

    hints: np.ndarray
    right: np.ndarray


class Shelf:
    """All our own pages as passages: a question is asked of those that a search finds."""

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
        self._lexical = Lexical([p.text for p in self._passages])
        self._vectors = models.embedder.encode([p.text for p in self._passages])

    def evidence(self, query: str, without: SchoolPage | None = None) -> tuple[Evidence, ...]:
        """The passages found for a question, best first; without those of one page, where it is given."""
        cosine = self._vectors @ self.models.embedder.encode([query])[0]
        order = np.argsort(-(cosine + self._lexical.shares(query)), kind="stable").tolist()
        chosen = [n for n in order if self._halves[n][0] is not without][:_PASSAGES]
        found = score_passages(query, [self._passages[n] for n in chosen], self.models)
        return tuple(sorted(found, key=lambda e: -e.answers))

    def places(self, stretch: Stretch, evidence: Sequence[Evidence], page: SchoolPage) -> set[int]:
        """The places on `page` of the sentences of a stretch that stand there."""
        halves = [self._halves[int(evidence[p].passage.id)] for p, _ in stretch.places]
        return {half.start + n for (_, n), (of, half) in zip(stretch.places, halves, strict=True) if of is page}


def _halves(page: SchoolPage) -> tuple[range, range]:
    middle = len(page.sentences) // 2
    return range(middle), range(middle, len(page.sentences))


def choices_on_pages(pages: Sequence[SchoolPage], shelf: Shelf) -> list[Choice]:
    """What a writer chooses from for each question on `pages`; also for those that their page does not answer, and for
    every third one with its page gone: what a writer meets whose books lack it."""
    found = []
    for page in pages:
        for asked in page.asked:
            found.append(_choice_on_page(asked.query, set(asked.places), page, shelf, shelf.evidence(asked.query)))
        for asked in page.asked[::3]:
            gone = shelf.evidence(asked.query, without=page)
            found.append(_choice_on_page(asked.query, set(), page, shelf, gone))
        for open_ in page.open:
            found.append(_choice_on_page(open_.query, set(), page, shelf, shelf.evidence(open_.query)))
    return [choice for choice in found if choice is not None]


def _choice_on_page(
    query: str, gold: set[int], page: SchoolPage, shelf: Shelf, evidence: tuple[Evidence, ...]
) -> Choice | None:
    """gold: the places on `page` of all sentences of a full answer; empty where there is none."""

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


def choices_of_teacher(asked: Sequence[TeacherQuestion], data: Path, models: Models) -> list[Choice]:
    """What a writer chooses from for each of a teacher's questions on real chapters, all of them in one library."""
    found = []
    with tempfile.TemporaryDirectory() as home:
        library = Library(Path(home), models.embedder)
        for chapter in sorted({q.chapter for q in asked}):
            library.ingest((data / "ncert" / f"{chapter}.pdf").read_bytes(), f"{chapter}.pdf")
        retriever = Retriever(library, models)
        for question in asked:
            evidence = retriever.search(question.query, Scope(), _PASSAGES).evidence
            found.append(_choice(question.query, evidence, models, lambda s, q=question: q.is_right(s.text)))
    return [choice for choice in found if choice is not None]


def answer_weights(choices: Sequence[Choice]) -> dict[str, float]:
    """What each hint weighs, so that the stretch picked for each question answers as often as it is given to.

    First the stretches are told apart, every question weighing the same, then a slope and an offset make the score of
    the best one a probability. What says something else than a condition of the question is no answer, whatever the
    models say: that weight is not fitted.
    """
    choices = [_without_mismatches(choice) for choice in choices]
    hints = np.concatenate([c.hints for c in choices])
    right = np.concatenate([c.right for c in choices])
    weights = np.concatenate([np.full(len(c.right), _A_QUESTION / len(c.right)) for c in choices])
    *column, offset = logistic(hints, right, weights, ridge=_RIDGE)
    scores = [c.hints @ np.array(column) + offset for c in choices]
    picked = np.array([c.right[np.argmax(s)] for s, c in zip(scores, choices, strict=True)])
    slope, moved = logistic(np.array([[s.max()] for s in scores]), picked, np.ones(len(picked)))
    beta = [*(slope * np.array(column)), slope * offset + moved]
    return dict(zip((*HINTS, "offset"), np.round(beta, 4).tolist(), strict=True)) | {"other": _NO_ANSWER}


def _without_mismatches(choice: Choice) -> Choice:
    """The stretches that say nothing else than a condition of the question; all where each of them does."""
    fits = choice.hints[:, HINTS.index("other")] == 0
    return Choice(hints=choice.hints[fits], right=choice.right[fits]) if fits.any() else choice


def choice_figures(choices: Sequence[Choice], weights: dict[str, float]) -> dict[str, float]:
    """Of questions that some stretch answers: how often the best one does; and of all: the area under the curve of its
    probability, over whether it answers."""
    column = np.array([weights[name] for name in HINTS])
    scores = [c.hints @ column + weights["offset"] for c in choices]
    picked = np.array([c.right[np.argmax(s)] > 0 for s, c in zip(scores, choices, strict=True)])
    best = np.array([s.max() for s in scores])
    could = np.array([c.right.any() for c in choices])
    return {
        "picked": round(float(picked[could].mean()), 4), "n_answerable": int(could.sum()),
        "area": round(area(best[picked], best[~picked]), 4), "n": len(choices),
    }  # fmt: skip
