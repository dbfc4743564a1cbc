"""Leaves out one hint of the check `support` after the other, fits the others again on stored signals, and measures how
well they separate."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from core.banks import TUNING, read_bank
from core.banks.row import question_digest
from core.banks.shipped_traces import shipped_traces
from core.case import Round
from core.judgements import MAX_COUNT
from core.lab.training.calibrate_support import ALTERED_OUT, held_out_scores
from core.lab.training.fitting import area
from core.lab.training.support_pairs import JudgedAnswer
from core.models.support_hints import HINTS, logit
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
