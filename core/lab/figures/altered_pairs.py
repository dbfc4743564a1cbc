"""Measures how well NLI models separate supported answers from the same answers with one fact altered, for
core.lab.figures.models.

Every sentence is read as the entailment check reads it. An answer is delivered if its least supported sentence reaches
a limit, alone or where the numbers check passes as well. The limit is chosen on the tuning half of the sample's pairs,
so that at most a tenth of the supported answers are refused; the outcomes are those of the reporting half.
"""

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from core.banks import REPORTING, TUNING, read_bank
from core.check import Bound
from core.checks.entailment import sentence_probabilities
from core.features.case_features import CaseFeatures
from core.lab.figures.chapter_outcomes import pair_outcomes
from core.lab.training.support_pairs import case_with_answer
from core.library import Library, load_sample
from core.models.entailer import Entailer
from core.models.profile import Models, load, place_of
from core.retrieval.retriever import Retriever

MOST_REFUSED = 0.1
"""Maximum share of supported answers that the limit may refuse, on the half where it is chosen."""
REFUSED = -1.0
"""The score of an answer that the numbers check refuses: below every limit."""


class Half:
    """The tuning or the reporting half of the sample's pairs of answers.

    rows: the rows of the bank. cases: one case per row. supported: True for a supported answer, and all_held: True where
    the numbers check passes; both of shape (rows,).
    """

    def __init__(self, rows: list[dict[str, Any]], retriever: Retriever, models: Models) -> None:
        self.rows, self._embedder = rows, models.embedder
        self.cases = [case_with_answer(row, retriever) for row in rows]
        self.supported = np.array([row["expected"] == "supported" for row in rows])
        self.all_held = np.array([not any(CaseFeatures(case, models).unheld) for case in self.cases])

    def scores(self, entailer: Entailer) -> np.ndarray:
        """P(entailment) of each answer's least supported sentence, shape (rows,); 0 without evidence."""
        models = SimpleNamespace(entailer=entailer, embedder=self._embedder)
        readings = [CaseFeatures(case, models).entailment_signals() if case.evidence else None for case in self.cases]
        return np.array([sentence_probabilities(Bound(**r))[:, 0].min() if r else 0.0 for r in readings], dtype=float)


def limit_of(scores: np.ndarray, supported: np.ndarray) -> float:
    """The highest limit in [0, 1] at which at most MOST_REFUSED of the supported answers are refused; 0 if there is no
    such limit. supported: True for the scores of supported answers."""
    ascending = np.sort(scores[supported])
    return max(0.0, float(ascending[int(MOST_REFUSED * len(ascending) + 1e-9)]))


def outcomes(name: str, halves: Mapping[str, Half]) -> dict[str, Any]:
    """The limit chosen on the tuning half for the NLI model `name`, and the outcomes of the reporting half by kind of
    alteration.

    The top level is entailment alone; under "with_numbers" an answer must pass the numbers check as well.
    """
    entailer = Entailer(*place_of(name))
    scores_by_half = {which: half.scores(entailer) for which, half in halves.items()}
    both = {which: np.where(half.all_held, scores_by_half[which], REFUSED) for which, half in halves.items()}
    return _outcomes(scores_by_half, halves) | {"with_numbers": _outcomes(both, halves)}


def _outcomes(scores_by_half: Mapping[str, np.ndarray], halves: Mapping[str, Half]) -> dict[str, Any]:
    limit = limit_of(scores_by_half["tuning"], halves["tuning"].supported)
    rows = [{"kind": row["alteration"], "expected": row["expected"]} for row in halves["reporting"].rows]
    return {"limit": round(limit, 4), "outcomes": pair_outcomes(rows, (scores_by_half["reporting"] >= limit).tolist())}


def both_halves(home: Path) -> dict[str, Half]:
    """The "tuning" and the "reporting" half of the sample's pairs, with evidence from the library."""
    models = load()
    library = Library(home, models.embedder)
    load_sample(library)
    retriever = Retriever(library, models)
    folders = {"tuning": TUNING, "reporting": REPORTING}
    halves = {
        which: Half(read_bank(folder / "pairs.jsonl", report=True), retriever, models)
        for which, folder in folders.items()
    }
    library.close()
    return halves
