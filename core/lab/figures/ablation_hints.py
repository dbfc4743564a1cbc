"""Leaves out one hint of a fitted model after the other, fits the model again on stored signals or choices, and measures
how well it separates."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from core.banks import TUNING, read_bank
from core.banks.measured_bank import shipped_traces
from core.banks.row import question_digest
from core.case import Round
from core.checks import check_of
from core.judgements import MAX_COUNT
from core.lab.training.answer_choices import Choice, PageShelf, answer_weights, choices_of_teacher, choices_on_pages
from core.lab.training.calibrate_support import ALTERED_OUT, held_out_scores
from core.lab.training.fitting import area
from core.lab.training.school_pages import school_pages
from core.lab.training.support_pairs import JudgedAnswer
from core.lab.training.teacher_questions import teacher_questions
from core.models.profile import Models
from core.models.stretches import HINTS as WRITER_HINTS
from core.models.support_hints import HINTS, logit
from core.presets import preset
from core.reply.serialization import question_of

SUPPORT_HINTS: Mapping[str, tuple[str, Callable[[float], float]]] = {
    "near": ("says", logit), "against": ("denies", logit), "claims": ("weakest", logit),
    "unheld": ("unheld", lambda count: min(count, MAX_COUNT)), "shared": ("shared", float),
    "differs": ("differs", float),
}  # fmt: skip
"""Each of HINTS -> the stored signal of `support` that it is made of, and how."""


def stored_pairs() -> list[tuple[dict[str, Any], Round]]:
    """The sample's pairs of the tuning half, each row with its stored first round."""
    rows, shipped = read_bank(TUNING / "pairs.jsonl"), shipped_traces()
    digests = [question_digest(question_of(dict(row))) for row in rows]
    traces = shipped.traces(digests) if shipped else {}
    return [(row, traces[digest].rounds[0]) for row, digest in zip(rows, digests, strict=True) if digest in traces]


def support_table(pairs: Sequence[tuple[Mapping[str, Any], Round]]) -> dict[str, Any]:
    """For "all hints" and for each hint left out: area under the curve, and how many supported answers pass at the
    limit that lets 3.5 % of the altered ones pass. "fires": answers for which the hint is above 0, by their label.
    """
    answers = _judged_answers(pairs)
    good = np.array([answer.supported for answer in answers])
    table: dict[str, Any] = {"n": {"supported": int(good.sum()), "altered": int((~good).sum())}}
    for left_out in ("", *HINTS):
        kept = np.array([name != left_out for name in HINTS])  # a hint that is 0 everywhere gets no weight
        scores = held_out_scores([replace(answer, hints=answer.hints * kept) for answer in answers])
        limit = np.sort(scores[~good])[::-1][int(ALTERED_OUT * (~good).sum())]
        row = {"area": round(area(scores[good], scores[~good]), 4), "supported_pass": int((scores[good] > limit).sum())}
        if left_out:
            fires = np.array([(answer.hints[:, ~kept] > 0).any() for answer in answers])
            row["fires"] = {"supported": int(fires[good].sum()), "altered": int(fires[~good].sum())}
        table[left_out or "all hints"] = row
    return table


def _judged_answers(pairs: Sequence[tuple[Mapping[str, Any], Round]]) -> list[JudgedAnswer]:
    """The answers whose round has signals of `support`, with the hints that these were made of."""
    measured = [(row, r) for row, r in pairs if "support" in r.signals]
    twins = {row["pair"]: {s.text for s in r.case.sentences} for row, r in measured if row["expected"] == "supported"}
    answers = []
    for row, r in measured:
        hints = [[make(float(value)) for value in r.signals["support"][name]] for name, make in SUPPORT_HINTS.values()]
        is_good = row["expected"] == "supported"
        counts = [is_good or s.text not in twins[row["pair"]] for s in r.case.sentences]
        answers.append(
            JudgedAnswer(pair=row["pair"], supported=is_good, hints=np.array(hints).T, counts=np.array(counts))
        )
    return answers


def choices(models: Models, data: Path) -> dict[str, list[Choice]]:
    """The stretches among which the writer chooses, for the questions on the project's pages and for a teacher's:
    "choose", on which the weights are fitted, and "report"."""
    pages = {part: school_pages(part) for part in ("train", "choose", "report")}
    shelf = PageShelf([page for some in pages.values() for page in some], models)
    return {
        part: choices_on_pages(pages[part], shelf) + choices_of_teacher(teacher_questions(data, part), data, models)
        for part in ("choose", "report")
    }


def writer_table(choices: Mapping[str, Sequence[Choice]]) -> dict[str, Any]:
    """For "all hints" and for each hint left out, with weights fitted on "choose" without it, the questions of "report"
    by what the writer's best stretch does at the limit of the check `answer_relevance`.

    "picked": the best stretch is right, of the "answerable" questions that have a right one. "right", "wrong",
    "refused": of these, at the limit. "absent_answered": of the others. "changed": questions with another best stretch.
    """
    limit = check_of("answer_relevance").bind(preset("default")).min_answer_relevance
    could = np.array([choice.right.any() for choice in choices["report"]])
    table: dict[str, Any] = {"n": {"answerable": int(could.sum()), "absent": int((~could).sum())}}
    usual = np.zeros(0)
    for left_out in ("", *WRITER_HINTS):
        kept = np.array([name != left_out for name in WRITER_HINTS])
        weights = answer_weights([Choice(hints=c.hints * kept, right=c.right) for c in choices["choose"]])
        column = np.array([weights[name] for name in WRITER_HINTS]) * kept
        scores = [c.hints @ column + weights["offset"] for c in choices["report"]]
        best = np.array([int(np.argmax(one)) for one in scores])
        out = np.array([1 / (1 + np.exp(-one.max())) >= limit for one in scores])
        picked = np.array([c.right[n] > 0 for c, n in zip(choices["report"], best, strict=True)])
        usual = usual if left_out else best
        counts = {
            "picked": picked, "right": out & picked, "wrong": out & ~picked & could, "refused": ~out & could,
            "absent_answered": out & ~could, "changed": best != usual,
        }  # fmt: skip
        table[left_out or "all hints"] = {name: int(mask.sum()) for name, mask in counts.items()}
    return table
