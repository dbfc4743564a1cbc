"""Supported answers against the same with one fact altered: python -m tests.models.paired --home DIR --nli A B.

Every sentence is read as the entailment check reads it. An answer is delivered when its least supported sentence
reaches a limit. The limit is chosen on the tuning half of the sample's pairs, for at most a tenth of the supported
answers refused; the outcomes are those of the reporting half. --home: where the sample library is, or is built.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from core.banks import REPORTING, TUNING, read_bank
from core.case import Case
from core.check import Bound
from core.checks.entailment import sentence_probabilities
from core.draft import given_draft
from core.evaluate import pair_outcomes
from core.library import Library, load_sample
from core.models.entailer import Entailer
from core.models.profile import load, place_of
from core.reading import Reading
from core.record import question_of
from core.retrieval.retriever import Retriever
from core.settings import Settings

Halves = Mapping[str, tuple[list[dict[str, Any]], list[Case]]]
"""The rows of "tuning" and of "reporting", and a case for each."""
MOST_REFUSED = 0.1
"""Largest share of supported answers that the limit may refuse, on the half where it is chosen."""


def cases_of(rows: Sequence[Mapping[str, Any]], retriever: Retriever) -> list[Case]:
    """Each row's answer with the passages that its question finds."""
    found = []
    for row in rows:
        question = question_of(dict(row))
        evidence = retriever.search(question.query, question.scope, Settings().passages_fetched).evidence
        found.append(Case(question=question, query=question.query, evidence=evidence, draft=given_draft(question)))
    return found


def scores(cases: Sequence[Case], entailer: Entailer) -> np.ndarray:
    """P(entailment) of each answer's least supported sentence: shape (cases,); 0 where nothing was found."""
    models = SimpleNamespace(entailer=entailer)
    return np.array([_least(Reading(case, models)) if case.evidence else 0.0 for case in cases])


def _least(reading: Reading) -> float:
    return float(sentence_probabilities(Bound(**reading.entailment_signals()))[:, 0].min())


def limit_of(found: np.ndarray, supported: np.ndarray) -> float:
    """The highest limit that refuses at most MOST_REFUSED of the supported answers."""
    ordered = np.sort(found[supported])
    return float(ordered[int(MOST_REFUSED * len(ordered) + 1e-9)])


def outcomes(name: str, found: Halves) -> dict[str, Any]:
    """The limit that the NLI model `name` gets on the tuning half, and what it does on the reporting half, by kind."""
    entailer = Entailer(*place_of(name))
    scored = {half: scores(cases, entailer) for half, (_, cases) in found.items()}
    supported = np.array([row["expected"] == "supported" for row in found["tuning"][0]])
    limit = limit_of(scored["tuning"], supported)
    rows = [{"kind": row["alteration"], "expected": row["expected"]} for row in found["reporting"][0]]
    return {"limit": round(limit, 4), "outcomes": pair_outcomes(rows, (scored["reporting"] >= limit).tolist())}


def halves(home: Path) -> Halves:
    """Both halves of the sample's pairs, each answer with what its question finds in the sample library."""
    models = load()
    library = Library(home, models.embedder)
    load_sample(library)
    retriever, found = Retriever(library, models), {}
    for name, folder in (("tuning", TUNING), ("reporting", REPORTING)):
        rows = read_bank(folder / "pairs.jsonl", report=True)
        found[name] = (rows, cases_of(rows, retriever))
    library.close()
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="a run-time folder for the sample library")
    parser.add_argument("--nli", nargs="+", required=True, help="folders or hub names of NLI models")
    options = parser.parse_args(arguments)
    found = halves(options.home)
    for name in options.nli:
        print(json.dumps({"nli": Path(name).name} | outcomes(name, found), indent=1), flush=True)


if __name__ == "__main__":
    main()
