"""Fits what the reader's numbers mean, and tells how well it reads:

python -m core.workshop.training.calibrate_reader --model DIR --data DIR.
"""

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.case import Evidence, Passage, Scope
from core.library.library import Library
from core.models.answer_hints import HINTS, hints_of, stretches_for
from core.models.calibration import FILE
from core.models.profile import Models, load
from core.models.reader import Answer, Reader
from core.models.stretches import Stretch
from core.retrieval.retriever import Retriever
from core.retrieval.scoring import Lexical, score_passages
from core.workshop.training.fitting import area, logistic, reliability
from core.workshop.training.nli_datasets import rows
from core.workshop.training.qa_datasets import OWN, Block, own, part_of, sentence_with
from core.workshop.training.school_pages import SchoolPage, school_pages
from core.workshop.training.teacher_questions import TeacherQuestion, teacher_questions

_MOST = 1_200
"""Questions of a public set that are read."""
_PASSAGES = 8
"""Passages that a question of our own is asked of, as in the app."""
_RIDGE = 0.5
_NO_ANSWER = -20.0
"""The weight of a condition that a stretch says otherwise: its logit is far below that of any other."""
_A_QUESTION = 10
"""What the stretches of one question weigh together in the fit."""


class Read:
    """What a reader says of questions and texts, beside whether the text answers; all of shape (n,)."""

    def __init__(self, reader: Reader, pairs: Sequence[tuple[str, str]], truth: Sequence[bool]) -> None:
        self.found: list[Answer] = [reader.read(question, [text])[0] for question, text in pairs]
        self.answered = np.array([a.answered for a in self.found])
        self.span = np.array([a.margin for a in self.found])
        self.probability = np.array([a.probability for a in self.found])
        self.truth = np.array(truth, dtype=bool)

    @property
    def area(self) -> float:
        """P(a text that answers is given more than one that does not)."""
        return area(self.probability[self.truth], self.probability[~self.truth])


def own_pairs(blocks: Sequence[Block]) -> tuple[list[tuple[str, str]], list[bool]]:
    """Questions of our own with their passage, what nearly answers, and echoes: pairs, and whether the text answers."""
    pairs, truth = [], []
    for block in blocks:
        passage = block.group.passage
        for place, (question, answer) in enumerate(block.asked):
            pairs += [(question, passage), (question, sentence_with(answer, passage))]
            truth += [True, True]
            if place:
                pairs.append((question, block.echoes[place - 1]))
                truth.append(False)
        pairs += [(question, passage) for question in (*block.near, block.group.open)]
        truth += [False] * (1 + len(block.near))
    return pairs, truth


def squad(data: Path, part: str) -> list[dict[str, Any]]:
    """Questions of SQuAD 2.0's dev set whose passage is of this part."""
    return [r for r in rows(data, "reading/squad2_dev_rest") if part_of(r["context"]) == part][:_MOST]


def f1_at_best(read: Read, asked: Sequence[dict[str, Any]]) -> float:
    """Mean F1 in percent where texts below the best threshold are taken for no answer (SQuAD 2.0's own measure)."""
    each = np.array([_f1(a, r) for a, r in zip(read.found, asked, strict=True)])
    none = (~read.truth).astype(float)
    order = np.argsort(-read.probability, kind="stable")
    gained = np.concatenate([[0.0], np.cumsum(each[order] - none[order])])
    return 100 * float((none.sum() + gained.max()) / len(each))


def _f1(found: Answer, row: dict[str, Any]) -> float:
    said = _normal(row["context"][slice(*found.span)])
    return max((_overlap(said, _normal(answer)) for answer in row["answers"]), default=0.0)


def _normal(text: str) -> list[str]:
    return [w for w in re.sub(r"[^\w\s]", "", text.lower()).split() if w not in ("a", "an", "the")]


def _overlap(said: list[str], right: list[str]) -> float:
    shared = sum((Counter(said) & Counter(right)).values())
    return 2 * shared / (len(said) + len(right)) if shared else 0.0


def answered_map(read: Sequence[Read]) -> dict[str, float]:
    """The sigmoid of both logits, every set of questions weighing the same, and both labels in it."""
    features = np.concatenate([np.stack([r.answered, r.span], -1) for r in read])
    truth = np.concatenate([r.truth for r in read])
    weights = np.concatenate([np.where(r.truth, 1 / r.truth.sum(), 1 / (~r.truth).sum()) for r in read])
    found = logistic(features, truth.astype(float), 1_000 * weights / weights.sum())
    return dict(zip(("answered", "span", "offset"), np.round(found, 4).tolist(), strict=True))


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


def figures(reader: Reader, data: Path, blocks: Sequence[Block]) -> dict[str, Any]:
    """How well it reads what it never saw, with n."""
    asked = squad(data, "report")
    public = Read(reader, [(r["question"], r["context"]) for r in asked], [r["answerable"] for r in asked])
    ours = Read(reader, *own_pairs(blocks))
    told = {n: reliability(r.probability, r.truth.astype(float), np.ones(len(r.truth))).rounded()
            for n, r in (("squad2", public), ("own", ours))}  # fmt: skip
    return {
        "squad2": {"f1": round(f1_at_best(public, asked), 2), "area": round(public.area, 4), "n": len(asked)},
        "own": {"area": round(ours.area, 4), "n": len(ours.truth)}, "reliability": told,
    }  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="the folder of the reader")
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    options = parser.parse_args(arguments)
    folder = options.model.resolve()
    fitting, testing = [b for b in own(OWN) if b.group.held_out], own(OWN, "test")
    reader = Reader(folder, "fitting")
    asked = squad(options.data, "choose")
    public = Read(reader, [(r["question"], r["context"]) for r in asked], [r["answerable"] for r in asked])
    found = {"answered": answered_map([public, Read(reader, *own_pairs(fitting))])}
    _write(folder, found)
    models = load()
    pages = {part: school_pages(part) for part in ("train", "choose", "report")}
    shelf = Shelf([page for some in pages.values() for page in some], models)
    choices = choices_on_pages(pages["choose"], shelf)
    choices += choices_of_teacher(teacher_questions(options.data, "choose"), options.data, models)
    found["stretches"] = answer_weights(choices)
    _write(folder, found)
    told = figures(Reader(folder, "fitted"), options.data, testing)
    reported = choices_on_pages(pages["report"], shelf)
    told["right_stretch"] = {"together": choice_figures(reported, found["stretches"])} | {
        name: choice_figures(reported, {h: float(h == name) for h in HINTS} | {"offset": 0.0}) for name in HINTS
    }
    (folder / "figures.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found | told, indent=1))


def _write(folder: Path, found: dict[str, Any]) -> None:
    (folder / FILE).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
