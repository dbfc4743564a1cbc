"""Measures how well the check `support` and other judges separate supported from unsupported answers, on our own pairs,
on those of a teacher, and on public sets: python -m core.lab.training.judge_figures --data DIR --chapters HOME --out
data/measured/judge.json [--sets NAME ...] [--judges NAME ...] [--most N].

The figures that are already in the file are not measured anew unless --again is given, so that an interrupted run can
continue. LongTracer (pip install --no-deps longtracer==0.3.1) and the language model of the writer local are measured
where they are installed.
"""

import argparse
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from core.banks.project import REPORTING, for_fitting, read_bank
from core.case import Case, Question
from core.check import Check
from core.checks import all_checks
from core.features.case_features import CaseFeatures
from core.lab.bench.samples import sample_explorer
from core.lab.figure_files import dated, store_figures, stored_figures
from core.lab.training.fitting import area
from core.lab.training.nli_datasets import rows
from core.lab.training.other_judges import Judge, Opinion, other_judges
from core.lab.training.support_pairs import CHAPTER_PAIRS, case_with_answer, teacher_judged
from core.library.library import Library
from core.models.profile import Models, load
from core.question import Context, Scope
from core.retrieval.retriever import Retriever, search_contexts
from core.text.answer_sentences import given_draft

PUBLIC = {
    "FaithDial": "grounded/faithdial_audit", "CLIFF": "grounded/cliff_goyal21", "SummaC": "grounded/summac_factuality",
    "SummEdits": "grounded/summedits", "FRANK": "grounding/frank_valid", "Q2": "grounded/q2_wow",
}  # fmt: skip
"""Public sets with labels by people, by the name that the table gives them."""
_REVERSED = "q2_cross_"
"""Prefix of the sources of the public set Q2 that are left out, since their labels are wrong: 599 of their pairs are in
another source of Q2 too, and all have the opposite label there. Reading the pairs confirmed it."""
_FEWEST = {"language_model": 60}
"""Maximum answers of a set for a judge that takes seconds for each."""
_SEED = 37
_MOST_CHARACTERS = 20_000
"""Maximum characters of a text that comes with a question."""

Cases = list[tuple[Case, bool]]
"""Answers with their passages, and whether the passages support them."""


def public_cases(data: Path, name: str, most: int, models: Models) -> Cases:
    """At most `most` cases of a public set, half of them supported: a claim as the answer and its text as the evidence,
    each with True if the text supports the claim."""
    cases = []
    for row in sample_rows([row for row in rows(data, name) if not row.get("src", "").startswith(_REVERSED)], most):
        text = row["premise"][:_MOST_CHARACTERS]
        question = Question(query="What does the text say?", answer=row["hypothesis"], contexts=(Context(text=text),))
        evidence = search_contexts(question.query, Scope(), question.contexts, models).evidence
        case = Case(
            question=question, query=question.query, evidence=evidence, draft=given_draft(question), kind="tool_result"
        )  # this kind of turn has no question that the reader would look for an answer to
        cases.append((case, row["label"] == "supported"))
    return [(case, label) for case, label in cases if case.sentences]


def sample_rows(labelled_rows: Sequence[Mapping[str, Any]], most: int) -> list[Mapping[str, Any]]:
    """At most `most` random rows, always the same ones, alternating between both labels."""
    mixed = list(labelled_rows)
    Random(_SEED).shuffle(mixed)
    halves = ([row for row in mixed if (row["label"] == "supported") == supported] for supported in (True, False))
    return [row for two in zip(*halves, strict=False) for row in two][:most]


def pair_cases(bank: Sequence[Mapping[str, Any]], retriever: Retriever) -> Cases:
    """The answers of pairs as cases, with the evidence found for their questions, each with True if the answer is
    supported."""
    cases = ((case_with_answer(row, retriever), row["expected"] == "supported") for row in bank)
    return [(case, label) for case, label in cases if case.sentences and case.evidence]


def by_support(case: Case, models: Models) -> Opinion:
    """The opinion of the check `support`: its score is the support of the least supported sentence; it passes from the
    built-in limit on."""
    sure = float(np.min(CaseFeatures(case, models).support_signals["probability"]))
    return Opinion(score=sure, passes=sure >= Check.registry["support"].thresholds()["min_support"].default)


def figures(cases: Cases, judge: Judge) -> dict[str, float]:
    """How well one judge separates supported from other answers: the area under the curve, the balanced accuracy, and
    the shares of supported and of altered answers that pass."""
    truth = np.array([label for _, label in cases])
    opinions = [judge(case) for case, _ in cases]
    score, passes = np.array([o.score for o in opinions]), np.array([o.passes for o in opinions])
    supported, altered = float(passes[truth].mean()), float(passes[~truth].mean())
    return {
        "n": len(cases), "area": round(area(score[truth], score[~truth]), 4),
        "balanced_accuracy": round((supported + 1 - altered) / 2, 4),
        "supported_passed": round(supported, 4), "altered_passed": round(altered, 4),
    }  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--chapters", type=Path, required=True, help="the library that core.lab.figures.chapters built")
    parser.add_argument("--out", type=Path, required=True, help="where the figures are written")
    parser.add_argument("--most", type=int, default=300, help="most claims of a public set")
    parser.add_argument("--sets", nargs="+", help="only these, by their names in the file; all unless it is given")
    parser.add_argument("--judges", nargs="+", help="only these; all that are installed unless it is given")
    parser.add_argument("--again", action="store_true", help="ask again what the file holds")
    options = parser.parse_args(arguments)
    all_checks()
    models = load()
    judges = {"support": lambda case: by_support(case, models)} | dict(other_judges(models, options.chapters))
    selected_judges = {name: judge for name, judge in judges.items() if name in (options.judges or judges)}
    stored = stored_figures(options.out)
    for title, cases_of in sets(options.data, options.chapters, options.most, models):
        if title not in (options.sets or [title]):
            continue
        figures_of_set = stored.setdefault(title, {})
        missing = {
            name: judge for name, judge in selected_judges.items() if options.again or name not in figures_of_set
        }
        cases = cases_of() if missing else []
        for name, judge in missing.items():
            figures_of_set[name] = figures(evenly(cases, _FEWEST.get(name, len(cases))), judge)
            store_figures(options.out, dated(stored))


def evenly(cases: Cases, most: int) -> Cases:
    """All cases if there are at most `most`; else a random sample of that size, always the same one, with as many
    supported as other cases."""
    if len(cases) <= most:
        return cases
    return [
        row["case"] for row in sample_rows([{"case": c, "label": "supported" if c[1] else ""} for c in cases], most)
    ]


def sets(data: Path, chapters: Path, most: int, models: Models) -> Iterator[tuple[str, Callable[[], Cases]]]:
    """Yield (name, function that returns its cases) for every set: our own pairs, those of a teacher, and the public
    sets."""

    def sample() -> Cases:
        with tempfile.TemporaryDirectory() as home:
            retriever = Retriever(sample_explorer(Path(home) / "sample").library, models)
            return pair_cases(read_bank(REPORTING / "pairs.jsonl", report=True), retriever)

    def real() -> Cases:
        pairs = [row for row in read_bank(CHAPTER_PAIRS) if not for_fitting(row["query"])]
        return pair_cases(pairs, Retriever(Library(chapters, models.embedder), models))

    def teacher() -> Cases:
        with teacher_judged(data, "report", models) as (rows_of_teacher, retriever):
            return pair_cases(rows_of_teacher, retriever)

    yield from (("sample", sample), ("chapters", real), ("teacher", teacher))
    for title, name in PUBLIC.items():
        yield title, lambda name=name: public_cases(data, name, most, models)


if __name__ == "__main__":
    main()
