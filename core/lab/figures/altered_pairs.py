"""Measures how well NLI models separate supported answers from the same answers with one fact altered, for
core.lab.figures.models.

Every sentence is read as the entailment check reads it. An answer is delivered if its least supported sentence reaches
a limit, alone or where the numbers check passes as well. The limit is chosen on the tuning half of the sample's pairs,
so that at most a tenth of the supported answers are refused; the outcomes are those of the reporting half.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from core.banks import REPORTING, TUNING, read_bank
from core.case import Case
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


@dataclass(frozen=True, kw_only=True)
class Half:
    """The tuning or the reporting half of the sample's pairs of answers.

    rows: the rows of the bank. cases: one case per row. all_supported: True where the numbers check passes, shape
    (rows,). embedder: the model by which the premises of a claim are chosen.
    """

    rows: list[dict[str, Any]]
    cases: list[Case]
    all_supported: np.ndarray
    embedder: Any

    @property
    def supported(self) -> np.ndarray:
        return np.array([row["expected"] == "supported" for row in self.rows])


def half_of(rows: list[dict[str, Any]], retriever: Retriever, models: Models) -> Half:
    """A Half with a case for each of `rows`: its answer, and the evidence found for its question."""
    cases = [case_with_answer(row, retriever) for row in rows]
    all_supported = [not any(CaseFeatures(case, models).unheld) for case in cases]
    return Half(rows=rows, cases=cases, all_supported=np.array(all_supported), embedder=models.embedder)


def scores(half: Half, entailer: Entailer) -> np.ndarray:
    """P(entailment) of each answer's least supported sentence, shape (cases,); 0 without evidence."""
    models = SimpleNamespace(entailer=entailer, embedder=half.embedder)
    return np.array([_least(CaseFeatures(case, models)) if case.evidence else 0.0 for case in half.cases])


def _least(reading: CaseFeatures) -> float:
    return float(sentence_probabilities(Bound(**reading.entailment_signals()))[:, 0].min())


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
    scores_by_half = {which: scores(half, entailer) for which, half in halves.items()}
    both = {which: np.where(half.all_supported, scores_by_half[which], REFUSED) for which, half in halves.items()}
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
        which: half_of(read_bank(folder / "pairs.jsonl", report=True), retriever, models)
        for which, folder in folders.items()
    }
    library.close()
    return halves
