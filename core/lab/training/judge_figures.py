"""Measures how well the check `support` and other judges separate supported from unsupported answers, on our own pairs,
on those of a teacher, and on public sets: python -m core.lab.training.judge_figures --data DIR --chapters HOME --out
data/measured/judge.json [--most N].

The figures that are already in the file are not measured anew, so that an interrupted run can continue. LongTracer (pip
install --no-deps longtracer==0.3.1) and the language model of the writer local are measured where they are installed.
"""

import argparse
import importlib.util
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np

from core.banks.project import REPORTING, for_fitting, read_bank
from core.case import Case, Question
from core.check import Check
from core.checks import all_checks
from core.features.case_features import CaseFeatures
from core.judgements import LABELS
from core.lab.bench.samples import sample_explorer
from core.lab.figure_files import dated, store_figures, stored_figures
from core.lab.training.fitting import area
from core.lab.training.nli_datasets import rows
from core.lab.training.support_pairs import CHAPTER_PAIRS, case_with_answer, teacher_judged
from core.library.library import Library
from core.models.profile import Models, load
from core.question import Context, Scope
from core.retrieval.retriever import Retriever, search_contexts
from core.text.answer_sentences import given_draft
from core.writers.llm_judge import FactJudge
from core.writers.qwen import missing, qwen

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

HALF = 0.5
"""The limit for P(entailment) and P(yes)."""
_SHOWN = 2_400
"""Maximum characters of passages that a language model on this computer reads at once, as for the judge in the app."""

Cases = list[tuple[Case, bool]]
"""Answers with their passages, and whether the passages support them."""


Judge = Callable[[Case], tuple[float, bool]]
"""Its opinion on one answer: (a score that is higher if the passages are more likely to support the answer, True if it
calls the answer supported)."""


def public_cases(data: Path, name: str, most: int, models: Models) -> Cases:
    """At most `most` cases of a public set, half of them supported: a claim as the answer and its text as the evidence,
    each with True if the text supports the claim."""
    labelled = [(row, row["label"] == "supported") for row in rows(data, name)
                if not row.get("src", "").startswith(_REVERSED)]  # fmt: skip
    cases = []
    for row, is_supported in evenly(labelled, most):
        text = row["premise"][:_MOST_CHARACTERS]
        question = Question(query="What does the text say?", answer=row["hypothesis"], contexts=(Context(text=text),))
        evidence = search_contexts(question.query, Scope(), question.contexts, models).evidence
        case = Case(
            question=question, query=question.query, evidence=evidence, draft=given_draft(question), kind="tool_result"
        )  # this kind of turn has no question that the reader would look for an answer to
        cases.append((case, is_supported))
    return [(case, label) for case, label in cases if case.sentences]


def evenly(labelled: Sequence[tuple[Any, bool]], most: int) -> list[tuple[Any, bool]]:
    """At most `most` random items, always the same ones, alternating between supported ones and others. labelled: each
    item with True if it is supported."""
    mixed = list(labelled)
    Random(_SEED).shuffle(mixed)
    halves = ([one for one in mixed if one[1] is supported] for supported in (True, False))
    return [one for two in zip(*halves, strict=False) for one in two][:most]


def pair_cases(bank: Sequence[Mapping[str, Any]], retriever: Retriever) -> Cases:
    """The answers of pairs as cases, with the evidence found for their questions, each with True if the answer is
    supported."""
    cases = ((case_with_answer(row, retriever), row["expected"] == "supported") for row in bank)
    return [(case, label) for case, label in cases if case.sentences and case.evidence]


def installed_judges(models: Models, home: Path) -> dict[str, Judge]:
    """The check `support` and the judges with which it is compared, as far as they are installed, by their name in the
    figures. Every judge gets the same passages. home: the run-time folder with the language model's file."""
    judges: dict[str, Judge] = {
        "support": lambda case: _by_support(case, models), "plain": lambda case: _plain(case, models),
    }  # fmt: skip
    if importlib.util.find_spec("longtracer"):
        judges["longtracer"] = _longtracer(models)
    if not missing(home):
        judges["language_model"] = _language_model(models, home)
    return judges


def _by_support(case: Case, models: Models) -> tuple[float, bool]:
    """The opinion of the check `support`: its score is the support of the least supported sentence; it passes from the
    built-in limit on."""
    sure = float(np.min(CaseFeatures(case, models).support_signals["probability"]))
    return sure, sure >= Check.registry["support"].thresholds()["min_support"].default


def _answer(case: Case) -> str:
    return " ".join(sentence.text for sentence in case.sentences)


def _plain(case: Case, models: Models) -> tuple[float, bool]:
    """An opinion by entailment alone. Its score is the highest P(entailment) of the whole answer, given one whole
    passage; a passage too long for the model is read in windows."""
    pairs = [(passage.text, _answer(case)) for passage in case.passages]
    sure = float(models.entailer.probabilities(pairs)[:, LABELS.index("entailment")].max())
    return sure, sure >= HALF


def _language_model(models: Models, home: Path) -> Judge:
    """A judge by the language model on this computer. It reads one passage: the sentences nearest to the answer, in
    their order, up to _SHOWN characters. Its score is the lowest P(yes) of the answer's sentences."""
    judge = FactJudge(qwen(home))

    def opinion(case: Case) -> tuple[float, bool]:
        texts = list(dict.fromkeys(text for passage in case.passages for text in passage.sentences))
        vectors = models.embedder.encode([*texts, _answer(case)])
        room, places = _SHOWN, []
        for index in np.argsort(-(vectors[:-1] @ vectors[-1]), kind="stable"):
            if len(texts[index]) < room:
                places.append(index)
                room -= len(texts[index]) + 1
        contexts = (Context(text=" ".join(texts[index] for index in sorted(places))),)
        evidence = search_contexts(case.query, Scope(), contexts, models).evidence
        sure = min(judge(replace(case, evidence=evidence)).yes)
        return sure, sure >= HALF

    return opinion


def _longtracer(models: Models) -> Judge:
    """A judge by LongTracer (pip install --no-deps longtracer==0.3.1), with our embedder and entailer instead of its
    own networks.

    LongTracer's small language model is off. The score is the mean similarity of the claims to the passages.
    """
    from longtracer.guard import nli_model
    from longtracer.guard.verifier import CitationVerifier

    # It expects the interface of sentence-transformers, and the labels in this order.
    order = [LABELS.index(label) for label in ("contradiction", "neutral", "entailment")]
    entailer, embedder = models.entailer, models.embedder
    nli_model.SentenceTransformer = lambda _: SimpleNamespace(encode=lambda texts, **_: embedder.encode(texts))
    nli_model.CrossEncoder = lambda _: SimpleNamespace(
        predict=lambda pairs: np.log(entailer.probabilities(pairs)[:, order])
    )
    nli_model.get_shared_model(verbose=False, use_slm=False)
    verifier = CitationVerifier()

    def opinion(case: Case) -> tuple[float, bool]:
        result = verifier.verify(_answer(case), [passage.text for passage in case.passages])
        return float(result.trust_score), result.verdict == "PASS"

    return opinion


def figures(cases: Cases, judge: Judge) -> dict[str, float]:
    """How well one judge separates supported from other answers: the area under the curve, the balanced accuracy, and
    the shares of supported and of altered answers that pass."""
    truth = np.array([label for _, label in cases])
    score, passes = map(np.array, zip(*(judge(case) for case, _ in cases), strict=True))
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
    options = parser.parse_args(arguments)
    all_checks()
    models = load()
    judges, stored = installed_judges(models, options.chapters), stored_figures(options.out)
    for title, cases_of in sets(options.data, options.chapters, options.most, models):
        figures_of_set = stored.setdefault(title, {})
        missing = {name: judge for name, judge in judges.items() if name not in figures_of_set}
        cases = cases_of() if missing else []
        for name, judge in missing.items():
            most = _FEWEST.get(name, len(cases))
            figures_of_set[name] = figures(cases if len(cases) <= most else evenly(cases, most), judge)
            store_figures(options.out, dated(stored))


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
