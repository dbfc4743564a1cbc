"""How well answers are judged on pairs of ours, of a teacher and of public sets, beside one reading at a half:

python -m core.lab.training.judge_figures --data DIR --chapters HOME --out data/measured/judge.json [--most N].
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.banks.files import REPORTING, for_fitting, read_bank
from core.case import Case, Question
from core.chain.serialization import question_of
from core.check import Check
from core.checks import all_checks
from core.features.case_features import CaseFeatures
from core.lab.bench.samples import sample_explorer
from core.lab.training.fitting import area
from core.lab.training.nli_datasets import rows
from core.lab.training.support_pairs import CHAPTER_PAIRS, teacher_judged
from core.library.library import Library
from core.models.profile import Models, load
from core.question import Context, Scope
from core.retrieval.retriever import Retriever, found_in
from core.text.answer_sentences import given_draft

PUBLIC = {
    "FRANK": "grounding/frank_valid", "SummEdits": "grounded/summedits", "Q2": "grounded/q2_wow",
    "FaithDial": "grounded/faithdial_audit", "CLIFF": "grounded/cliff_goyal21", "SummaC": "grounded/summac_factuality",
}  # fmt: skip
"""Public sets with labels by people, by the name that the table gives them."""
_ASKS_NOTHING = "tool_result"
"""A kind of turn without a question that a reader could look for an answer to."""
_PASSAGES = 8
_HALF = 0.5
"""What P(entailment) of one plain reading is held against."""
_MOST_CHARACTERS = 20_000
"""Letters of a text that comes with a question."""


def judged(case: Case, models: Models) -> tuple[float, float]:
    """(P(the passages bear it out) by the check `support`, P(entailment) of the whole answer by its first passage)."""
    answer = " ".join(s.text for s in case.sentences)
    plain = models.entailer.probabilities([(case.passages[0].text, answer)])[0, 0]
    return float(np.min(CaseFeatures(case, models).support_signals["probability"])), float(plain)


def public_cases(data: Path, name: str, most: int, models: Models) -> list[tuple[Case, bool]]:
    """Claims on a text of their own, `most` of them drawn evenly, and whether the text bears them out."""
    found = rows(data, name)
    cases = []
    for row in found[:: max(1, len(found) // most)][:most]:
        text = row["premise"][:_MOST_CHARACTERS]
        question = Question(query="What does the text say?", answer=row["hypothesis"], contexts=(Context(text=text),))
        evidence = found_in(question.query, Scope(), question.contexts, models).evidence
        case = Case(
            question=question, query=question.query, evidence=evidence, draft=given_draft(question), kind="tool_result"
        )
        cases.append((case, row["label"] == "supported"))
    return [(case, label) for case, label in cases if case.sentences]


def pair_cases(bank: Sequence[Mapping[str, Any]], retriever: Retriever) -> list[tuple[Case, bool]]:
    """The answers of pairs on what a search finds for their question, and whether they are supported."""
    cases = []
    for row in bank:
        question = question_of(dict(row))
        evidence = retriever.search(question.standalone, question.scope, _PASSAGES).evidence
        case = Case(question=question, query=question.standalone, evidence=evidence, draft=given_draft(question))
        cases.append((case, row["expected"] == "supported"))
    return [(case, label) for case, label in cases if case.sentences and case.evidence]


def told(cases: Sequence[tuple[Case, bool]], models: Models) -> dict[str, Any]:
    """The figures of one set: of the check at its limit, and of the plain reading at a half."""
    limit = Check.registry["support"].thresholds()["min_support"].default
    both = np.array([judged(case, models) for case, _ in cases])
    truth = np.array([label for _, label in cases])
    columns = {"support": (both[:, 0], limit), "plain": (both[:, 1], _HALF)}
    return {"n": len(cases)} | {name: _figures(said, truth, at) for name, (said, at) in columns.items()}


def _figures(said: np.ndarray, truth: np.ndarray, limit: float) -> dict[str, float]:
    good, bad = said[truth], said[~truth]
    supported, altered = float((good >= limit).mean()), float((bad >= limit).mean())
    return {
        "area": round(area(good, bad), 4), "balanced_accuracy": round((supported + 1 - altered) / 2, 4),
        "supported_passed": round(supported, 4), "altered_passed": round(altered, 4),
    }  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--chapters", type=Path, required=True, help="the library that core.lab.figures.chapters built")
    parser.add_argument("--out", type=Path, required=True, help="where the figures are written")
    parser.add_argument("--most", type=int, default=300, help="most claims of a public set")
    options = parser.parse_args(arguments)
    all_checks()
    models = load()
    found: dict[str, Any] = {}
    for name, cases in sets(options.data, options.chapters, options.most, models):
        found[name] = told(cases, models)
        options.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def sets(data: Path, chapters: Path, most: int, models: Models) -> Iterator[tuple[str, list[tuple[Case, bool]]]]:
    """Every set with its cases: pairs of ours, of a teacher, and the public ones."""
    with tempfile.TemporaryDirectory() as home:
        sample = Retriever(sample_explorer(Path(home) / "sample").library, models)
        yield "sample", pair_cases(read_bank(REPORTING / "pairs.jsonl", report=True), sample)
    pairs = [row for row in read_bank(CHAPTER_PAIRS) if not for_fitting(row["query"])]
    yield "chapters", pair_cases(pairs, Retriever(Library(chapters, models.embedder), models))
    with teacher_judged(data, "report", models) as (rows_of_teacher, retriever):
        yield "teacher", pair_cases(rows_of_teacher, retriever)
    for title, name in PUBLIC.items():
        yield title, public_cases(data, name, most, models)


if __name__ == "__main__":
    main()
