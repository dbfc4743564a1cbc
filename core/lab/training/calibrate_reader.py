"""Calibrates the reader, and measures its quality:

python -m core.lab.training.calibrate_reader --model DIR --data DIR. With --count it only measures, and fits nothing.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.lab.figure_files import dated, store_figures
from core.lab.training.answer_choices import (
    PageShelf,
    answer_weights,
    choice_figures,
    choices_of_teacher,
    choices_on_pages,
)
from core.lab.training.fitting import area, logistic, reliability
from core.lab.training.nli_datasets import rows
from core.lab.training.qa_datasets import OWN, Block, own, part_of, sentence_with
from core.lab.training.school_pages import school_pages
from core.lab.training.teacher_questions import teacher_questions
from core.models.calibration import FILE, beside
from core.models.profile import load
from core.models.reader import Answer, Reader
from core.models.stretches import HINTS

_MOST = 1_200
"""Maximum questions of a public set."""


class Read:
    """A reader's results for pairs of a question and a text; all arrays have the shape (pairs,).

    answered: the logit that the text answers. span: by how much the logit of the best span exceeds that of no answer.
    probability: P(the text answers), by the reader's calibration. truth: True if the text answers.
    """

    def __init__(self, reader: Reader, pairs: Sequence[tuple[str, str]], truth: Sequence[bool]) -> None:
        self.answers: list[Answer] = [reader.read(question, [text])[0] for question, text in pairs]
        self.answered = np.array([a.answered for a in self.answers])
        self.span = np.array([a.margin for a in self.answers])
        self.probability = np.array([a.probability for a in self.answers])
        self.truth = np.array(truth, dtype=bool)

    @property
    def area(self) -> float:
        """The area under the curve: P(a text that answers has a higher probability than one that does not)."""
        return area(self.probability[self.truth], self.probability[~self.truth])


def own_pairs(blocks: Sequence[Block]) -> tuple[list[tuple[str, str]], list[bool]]:
    """Labelled pairs from our own questions: (question, text) of each, and for each True if the text answers the
    question.

    True: a passage, and the one sentence of it that has the answer. False: a passage that only nearly answers, and an
    echo (a text that repeats the question without answering it).
    """
    pairs, truth = [], []
    for block in blocks:
        passage = block.group.passage
        for index, (question, answer) in enumerate(block.questions):
            pairs += [(question, passage), (question, sentence_with(answer, passage))]
            truth += [True, True]
            if index:
                pairs.append((question, block.echoes[index - 1]))
                truth.append(False)
        pairs += [(question, passage) for question in (*block.near, block.group.open)]
        truth += [False] * (1 + len(block.near))
    return pairs, truth


def squad(data: Path, part: str) -> list[dict[str, Any]]:
    """At most _MOST questions of SQuAD 2.0's dev set whose passage belongs to `part`, such as "choose" or "report"."""
    return [r for r in rows(data, "reading/squad2_dev_rest") if part_of(r["context"]) == part][:_MOST]


def f1_at_best(reading: Read, questions: Sequence[dict[str, Any]]) -> float:
    """The mean F1 of the answers in percent, the measure of SQuAD 2.0. A text below a threshold of probability counts
    as no answer; the threshold is the one with the best F1."""
    each = np.array([_f1(a, r) for a, r in zip(reading.answers, questions, strict=True)])
    none = (~reading.truth).astype(float)
    order = np.argsort(-reading.probability, kind="stable")
    gained = np.concatenate([[0.0], np.cumsum(each[order] - none[order])])
    return 100 * float((none.sum() + gained.max()) / len(each))


def _f1(answer_: Answer, row: dict[str, Any]) -> float:
    """The F1 of the words of an answer against the best of the row's reference answers; articles and signs are left
    out."""

    def words(text: str) -> Counter[str]:
        return Counter(w for w in re.sub(r"[^\w\s]", "", text.lower()).split() if w not in ("a", "an", "the"))

    said, best = words(row["context"][slice(*answer_.span)]), 0.0
    for reference in map(words, row["answers"]):
        if shared := (said & reference).total():
            best = max(best, 2 * shared / (said.total() + reference.total()))
    return best


def answered_map(readings: Sequence[Read]) -> dict[str, float]:
    """The weights by which a sigmoid of both logits gives P(the text answers).

    In the fit, every set of readings has the same weight, and in each set so have the texts that answer and those that
    do not.
    """
    features = np.concatenate([np.stack([r.answered, r.span], -1) for r in readings])
    truth = np.concatenate([r.truth for r in readings])
    weights = np.concatenate([np.where(r.truth, 1 / r.truth.sum(), 1 / (~r.truth).sum()) for r in readings])
    coefficients = logistic(features, truth.astype(float), 1_000 * weights / weights.sum())
    return dict(zip(("answered", "span", "offset"), np.round(coefficients, 4).tolist(), strict=True))


def figures(reader: Reader, data: Path, blocks: Sequence[Block]) -> dict[str, Any]:
    """The reader's quality on unseen questions of SQuAD 2.0 and of our own, with the numbers of questions and pairs."""
    questions = squad(data, "report")
    public = Read(reader, [(r["question"], r["context"]) for r in questions], [r["answerable"] for r in questions])
    ours = Read(reader, *own_pairs(blocks))
    reliability_by_set = {n: reliability(r.probability, r.truth.astype(float), np.ones(len(r.truth)))
            for n, r in (("squad2", public), ("own", ours))}  # fmt: skip
    return {
        "squad2": {"f1": round(f1_at_best(public, questions), 2), "area": round(public.area, 4), "n": len(questions)},
        "own": {"area": round(ours.area, 4), "n": len(ours.truth)}, "reliability": reliability_by_set,
    }  # fmt: skip


def fitted_map(folder: Path, data: Path) -> dict[str, float]:
    """The weights of `answered_map` for the reader in `folder`, fitted on SQuAD 2.0 and on our own held-out groups."""
    reader, questions = Reader(folder, "fitting"), squad(data, "choose")
    public = Read(reader, [(r["question"], r["context"]) for r in questions], [r["answerable"] for r in questions])
    fitting = [block for block in own(OWN) if block.group.held_out]
    return answered_map([public, Read(reader, *own_pairs(fitting))])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="the folder of the reader")
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--count", action="store_true", help="measure the reader as it is stored, and fit nothing")
    options = parser.parse_args(arguments)
    folder = options.model.resolve()
    calibration = beside(folder)
    if not options.count:
        calibration = {"answered": fitted_map(folder, options.data)}
        store_figures(folder / FILE, calibration)
    models = load()
    pages = {part: school_pages(part) for part in ("train", "choose", "report")}
    shelf = PageShelf([page for some in pages.values() for page in some], models)
    if not options.count:
        choices = choices_on_pages(pages["choose"], shelf)
        choices += choices_of_teacher(teacher_questions(options.data, "choose"), options.data, models)
        calibration["stretches"] = answer_weights(choices)
        store_figures(folder / FILE, calibration)
    report = figures(Reader(folder, "fitted"), options.data, own(OWN, "test"))
    report_choices = choices_on_pages(pages["report"], shelf)
    report["right_stretch"] = {"together": choice_figures(report_choices, calibration["stretches"])} | {
        name: choice_figures(report_choices, {h: float(h == name) for h in HINTS} | {"offset": 0.0}) for name in HINTS
    }
    store_figures(folder / "figures.json", dated(report))
    print(json.dumps(calibration | report, indent=1))


if __name__ == "__main__":
    main()
