"""How fast sentences are read against passages, beside the same network through a plain CrossEncoder."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.case import Case, Evidence
from core.features.case_features import CaseFeatures
from core.models.cross_encoders import CrossEncoder, plain_twin
from core.models.profile import BUNDLED
from core.models.weights import SHIPPED
from core.text.answer_sentences import given_draft
from core.workshop.bench.figure import Figure, alternating
from core.workshop.bench.samples import sample_explorer, sample_questions

_TEST = Path(__file__).parents[3] / "data" / "nli" / "textbook.jsonl"
_PASSAGES, _SENTENCES = 8, 6
_RUNS = 3
_BASELINE = "the same network in CrossEncoder.predict, fp32, batch 32"


def nli_pairs(folder: Path) -> Figure:
    """Pairs a second over the textbook test, nothing remembered."""
    model, plain = (
        sample_explorer(folder / "home").models.entailer.model,
        plain_twin(SHIPPED / BUNDLED.entailer, folder / "plain"),
    )
    rows = [json.loads(line) for line in _TEST.read_text(encoding="utf-8").splitlines()]
    pairs = [(r["premise"], r["hypothesis"]) for r in rows]
    ours, theirs = _seconds(model, plain, pairs)
    return Figure(
        value=len(pairs) / ours, unit="pairs/s", baseline=_BASELINE, baseline_value=len(pairs) / theirs,
        n=len(pairs), higher_is_better=True, note=f"{_RUNS} runs each; the baseline's weights are drawn at random",
    )  # fmt: skip


def verify_answer(folder: Path) -> Figure:
    """Milliseconds to read an answer of six sentences against eight passages, nothing remembered."""
    explorer, plain = sample_explorer(folder / "home"), plain_twin(SHIPPED / BUNDLED.entailer, folder / "plain")
    question = sample_questions(explorer, 1)[0]
    evidence = explorer.retriever.search(question.query, question.scope, _PASSAGES).evidence
    asked = replace(question, answer=" ".join(_sentence(e) for e in evidence[:_SENTENCES]))
    pairs = Asked()
    case = Case(question=asked, query=asked.query, evidence=evidence, draft=given_draft(asked))
    CaseFeatures(case, replace(explorer.models, entailer=pairs)).entailment_signals()
    ours, theirs = _seconds(explorer.models.entailer.model, plain, pairs.asked)
    return Figure(
        value=1000 * ours, unit="ms", baseline=_BASELINE, baseline_value=1000 * theirs, n=_RUNS,
        note=f"{len(case.sentences)} sentences, {len(evidence)} passages, {len(pairs.asked)} pairs",
    )  # fmt: skip


def _sentence(evidence: Evidence) -> str:
    """The longest kept sentence that ends as one: a heading would run into what follows it."""
    kept = [evidence.passage.sentences[i] for i in evidence.kept]
    return max((text for text in kept if text.endswith(".")), key=len, default="The passage holds a table.")


class Asked:
    """Stands where the entailer does and keeps the pairs that it is asked about."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def probabilities(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        self.asked += dict.fromkeys(pairs)
        return np.full((len(pairs), 3), 1 / 3)


def _seconds(model: CrossEncoder, plain: CrossEncoder, pairs: list[tuple[str, str]]) -> tuple[float, float]:
    """Median seconds of both, once they are warm."""
    model.logits(pairs[:32])
    plain.logits(pairs[:32])
    return alternating(lambda: model.logits(pairs), lambda: plain.logits(pairs), _RUNS)
