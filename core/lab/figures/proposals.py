"""Measures proposals of limits on random halves of the sample bank:
python -m core.lab.figures.proposals --out FILE.json

Limits are proposed from one half, and their outcomes are counted on the other. The measurements are those that come
with the app. Halves are drawn by question, so that one question is never in both.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.banks import TUNING, read_bank
from core.banks.measured_bank import MeasuredBank, conditions_in
from core.banks.open_bank import OpenBank
from core.evaluation.cases import LabelledCase
from core.lab.figure_files import dated, store_figures
from core.presets import preset
from core.settings import Settings
from core.tuning.proposals import Aim, Proposal, propose
from core.writers.auto_writer import for_many_questions

SPLITS = 20
AIMS = {"cost 5": Aim(), "cost 1": Aim(wrong_cost=1.0), "over-refusals under 0.1": Aim(max_over_refusal=0.1)}
_RESAMPLED = 4_000


def cases() -> list[LabelledCase]:
    """The sample questions without an answer to judge, as they come with the app: measured to full depth. Exits if one
    of them was not measured with the present models, checks and chapters."""
    rows = [row for row in read_bank(TUNING) if row.get("answer") is None]
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        bank = MeasuredBank(home, rows, conditions_in(home, "bundled", for_many_questions(Settings())))
        if missing := len(bank.missing_rows()):
            raise SystemExit(
                f"{missing} of {len(rows)} questions are not measured on what ships; run "
                "core.lab.figures.measured_sample first."
            )
        traces = bank.traces(range(len(rows)))
        return [LabelledCase(row=row, trace=trace) for row, trace in zip(rows, traces, strict=True)]


def figures(bank: Sequence[LabelledCase], splits: int = SPLITS) -> dict[str, Any]:
    """For each aim, the mean costs on the halves that the search did not see, under the default preset and under the
    proposed limits, and an interval of their difference. splits: number of random splits."""
    figures_by_aim: dict[str, Any] = {"n": len(bank), "splits": splits, "default": "default"}
    valued = OpenBank.of(bank)
    for name, aim in AIMS.items():
        runs = [propose(valued, preset("default"), aim, tuning=_side(bank, seed)) for seed in range(splits)]
        figures_by_aim[name] = runs_summary(runs)
    return figures_by_aim


def runs_summary(runs: Sequence[Proposal]) -> dict[str, Any]:
    """The mean figures of the runs of one aim, each counted on the half that its search did not see."""
    halves = [run.held_out for run in runs]
    saved = np.array([half.base_cost - half.cost for half in halves])
    rng = np.random.default_rng(0)
    means = saved[rng.integers(0, len(saved), (_RESAMPLED, len(saved)))].mean(1)
    refused = [half.proposed.over_refusal.share for half in halves], [half.base.over_refusal.share for half in halves]
    wrong = [half.proposed.wrong_answer.share for half in halves], [half.base.wrong_answer.share for half in halves]
    return {
        "mean_cost": _mean([h.cost for h in halves]), "default_mean_cost": _mean([h.base_cost for h in halves]),
        "saved": _mean(saved), "interval": [round(float(x), 4) for x in np.percentile(means, [2.5, 97.5])],
        "splits_that_cost_more": int((saved < 0).sum()), "splits_without_a_proposal": sum(not r.moves for r in runs),
        "over_refused": _mean(refused[0]), "default_over_refused": _mean(refused[1]),
        "wrong": _mean(wrong[0]), "default_wrong": _mean(wrong[1]),
    }  # fmt: skip


def _side(bank: Sequence[LabelledCase], seed: int) -> np.ndarray:
    queries = sorted({case.row["query"] for case in bank})
    chosen_queries = {queries[n] for n in np.random.default_rng(seed).permutation(len(queries))[: len(queries) // 2]}
    return np.array([case.row["query"] in chosen_queries for case in bank])


def _mean(values: Sequence[float] | np.ndarray) -> float:
    return round(float(np.mean(values)), 4)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, required=True, metavar="FILE.json")
    choices = options.parse_args()
    store_figures(choices.out, dated(figures(cases())))
    print(choices.out.read_text(encoding="utf-8"))
