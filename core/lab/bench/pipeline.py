"""The speed of adding pages, answering a question and reading sentences, and the memory that they take."""

import itertools
import json
import random
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from core.banks import TUNING, read_bank
from core.case import Case, Question
from core.features.case_features import CaseFeatures
from core.graph import Explorer
from core.lab.bench.figure import Figure, alternating, beside
from core.lab.bench.memory import megabytes
from core.lab.bench.samples import FIRST_QUESTIONS, sample_explorer, sample_questions, sample_read, scratch
from core.lab.plain_text import plain_page_texts
from core.library import Library
from core.models.cross_encoders import CrossEncoder, cross_encoder
from core.models.embedder import Embedder, bundled_embedder
from core.models.entailer import Entailer
from core.models.profile import BUNDLED, load
from core.models.weights import SHIPPED
from core.presets import preset
from core.text.answer_sentences import given_draft
from core.text.sentences import sentences

ROOT = Path(__file__).parents[3]
REAL = ROOT.parent / "shared" / "data" / "ncert"
"""The folder of real chapters beside the project; if it is missing, the sample is used."""
_RUNS = 3
_QUESTIONS = 20
_MODEL_CALLS = {"cosines", "encode", "probabilities", "read"}
"""The methods that run a model."""
_TEST = ROOT / "data" / "nli" / "textbook.jsonl"
_PAIRS, _PIECE = 160, 64
_PASSAGES, _SENTENCES = 8, 6
_CHAPTER = "acids_bases_salts.pdf"
_BASELINE = "the same network in CrossEncoder.predict, fp32, batch 32"


def ingest_pages(folder: Path) -> Figure:
    """Pages per second of Library.ingest, compared with plain pypdf and one embedding call per page in one process.

    The baseline takes three times as long, so it reads each file once: a part of the files after each run of ours.
    """
    files = sorted(REAL.glob("*.pdf")) or sorted((ROOT / "data" / "sample").glob("*.pdf"))
    data, embedder, texts = {path.name: path.read_bytes() for path in files}, bundled_embedder(), []
    pieces = [partial(_plain, [*data.values()][n::_RUNS], embedder, texts) for n in range(_RUNS)]
    homes = (folder / str(n) for n in itertools.count())
    ours, plain = beside(lambda: _ingest(data, next(homes), embedder), pieces)
    return Figure(
        value=len(texts) / ours, unit="pages/s", baseline="plain pypdf and embedding, one process",
        baseline_value=len(texts) / plain, n=len(texts), higher_is_better=True,
        note=f"{len(data)} files, {_RUNS} runs; the baseline reads each file once, some of them after each run",
    )  # fmt: skip


def _ingest(data: dict[str, bytes], home: Path, embedder: Embedder) -> None:
    library = Library(home, embedder)
    for name, content in data.items():
        library.ingest(content, name)
    library.close()


def _plain(files: Sequence[bytes], embedder: Embedder, texts: list[str]) -> None:
    """The baseline of `ingest_pages`: embed each page in pieces of ninety words, as a simple script would.

    The text of each page is appended to `texts`.
    """
    for content in files:
        for text in plain_page_texts(content):
            words = text.split()
            embedder.encode([" ".join(words[i : i + 90]) for i in range(0, len(words), 90)])
            texts.append(text)


class Timed:
    """A model that times its calls. seconds: total time."""

    def __init__(self, model: Any) -> None:
        self._model, self.seconds = model, 0.0

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._model, name)
        return self._with_timer(attribute) if name in _MODEL_CALLS else attribute

    def _with_timer(self, call: Any) -> Any:
        def timed(*arguments: Any) -> Any:
            started = time.perf_counter()
            try:
                return call(*arguments)
            finally:
                self.seconds += time.perf_counter() - started

        return timed


def ask_warm(folder: Path) -> Figure:
    """Milliseconds from a question that was not asked before to its verdict, with all checks on, compared with its
    model calls alone."""
    plain = sample_explorer(folder)
    models = plain.models
    timed = {name: Timed(model) for name, model in models.each().items()}
    explorer = Explorer(plain.library, replace(models, **timed), plain.settings)
    first, *questions = sample_questions(explorer, _QUESTIONS + 1)
    explorer.ask(first, preset("default"))
    whole, model_times, steps = [], [], []
    for question in questions:
        before, started = _spent(timed), time.perf_counter()
        trace, _ = explorer.ask(question, preset("default"))
        whole.append(1000 * (time.perf_counter() - started))
        spent = {name: 1000 * (seconds - before[name]) for name, seconds in _spent(timed).items()}
        model_times.append(sum(spent.values()))
        checking = 1000 * sum(r.checking for r in trace.rounds)
        steps.append({"search and writer": whole[-1] - checking, "checks": checking, **spent})
    medians = {name: statistics.median(step[name] for step in steps) for name in steps[0]}
    return Figure(
        value=statistics.median(whole), unit="ms", baseline="its model calls alone",
        baseline_value=statistics.median(model_times), n=len(whole),
        note="extractive writer, all checks, sample library; medians: "
        + ", ".join(f"{name} {ms:.0f} ms" for name, ms in medians.items()),
    )  # fmt: skip


def _spent(timed: Mapping[str, Timed]) -> dict[str, float]:
    """The seconds spent in each model so far."""
    return {name: model.seconds for name, model in timed.items()}


def nli_pairs(_: Path) -> Figure:
    """Pairs of sentences per second that the entailer classifies, without its cache.

    They are a fixed sample of _PAIRS pairs of the textbook test. The baseline classifies each pair once, the longest
    first: one batch after each of our runs.
    """
    model, plain = load().entailer.model, _twin()
    rows = [json.loads(line) for line in _TEST.read_text(encoding="utf-8").splitlines()]
    pairs = [(r["premise"], r["hypothesis"]) for r in random.Random(0).sample(rows, _PAIRS)]
    by_length = sorted(pairs, key=lambda pair: -sum(map(len, pair)))  # the order in which predict makes its batches
    _warm(pairs, model, plain)
    pieces = [partial(plain.logits, by_length[n : n + _PIECE]) for n in range(0, _PAIRS, _PIECE)]
    ours, theirs = beside(lambda: model.logits(pairs), pieces)
    return Figure(
        value=len(pairs) / ours, unit="pairs/s", baseline=_BASELINE, baseline_value=len(pairs) / theirs,
        n=len(pairs), higher_is_better=True,
        note=f"{len(pieces)} runs beside one of the baseline, whose weights are drawn at random",
    )  # fmt: skip


def verify_answer(folder: Path) -> Figure:
    """Milliseconds in which the entailer reads an answer of six sentences against eight passages, without its cache.

    The sentences paraphrase passages of one chapter, three of them wrongly. A verbatim sentence would not be read.
    """
    explorer, plain = sample_explorer(folder), _twin()
    rows = [r for r in read_bank(TUNING / "pairs.jsonl") if r["document"] == _CHAPTER]
    right = [r for r in rows if r["expected"] == "supported"][: _SENTENCES // 2]
    wrong = [r for r in rows if r["expected"] == "altered"][_SENTENCES // 2 : _SENTENCES]
    question = Question(query=right[0]["query"], answer=" ".join(sentences(r["answer"])[0] for r in (*right, *wrong)))
    evidence = [explorer.retriever.search(r["query"], question.scope, _PASSAGES).evidence for r in (*right, *wrong)]
    best = {e.passage.id: e for row in zip(*evidence, strict=False) for e in row}
    case = Case(
        question=question, query=question.query, evidence=(*best.values(),)[:_PASSAGES], draft=given_draft(question)
    )
    pairs = Recording(explorer.models.entailer)
    CaseFeatures(case, replace(explorer.models, entailer=pairs)).support_signals  # noqa: B018 - it reads
    model = explorer.models.entailer.model
    _warm([*itertools.chain(*pairs.batches)], model, plain)
    ours, theirs = alternating(partial(_logits, model, pairs.batches), partial(_logits, plain, pairs.batches), _RUNS)
    return Figure(
        value=1000 * ours, unit="ms", baseline=_BASELINE, baseline_value=1000 * theirs, n=_RUNS,
        note=f"{len(case.sentences)} sentences, {len(case.evidence)} passages, {sum(map(len, pairs.batches))} pairs",
    )  # fmt: skip


class Recording:
    """An entailer that records the pairs of each call."""

    def __init__(self, entailer: Entailer) -> None:
        self.entailer, self.batches = entailer, []

    def probabilities(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        self.batches.append(list(dict.fromkeys(pairs)))
        return self.entailer.probabilities(pairs)


@cache
def _twin() -> CrossEncoder:
    """A network of the same shape as the NLI model, run by torch in fp32. Its weights are random: speed does not depend
    on them."""
    from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

    folder, out = SHIPPED / BUNDLED.entailer, scratch() / "plain"
    AutoModelForSequenceClassification.from_config(AutoConfig.from_pretrained(folder)).save_pretrained(out)
    AutoTokenizer.from_pretrained(folder).save_pretrained(out)
    return cross_encoder(out)


def _warm(pairs: list[tuple[str, str]], *models: CrossEncoder) -> None:
    for model in models:
        model.logits(pairs[:32])


def _logits(model: CrossEncoder, pair_lists: Sequence[list[tuple[str, str]]]) -> None:
    for pairs in pair_lists:
        model.logits(pairs)


def peak_memory(_: Path) -> Figure:
    """Peak resident megabytes of models, sample library and five questions, compared with idle models."""
    (idle,) = megabytes(load)
    return Figure(
        value=sample_read()[1], unit="MB", baseline="the bundled models loaded, nothing asked",
        baseline_value=idle, n=FIRST_QUESTIONS,
        note="library ingested and five questions asked in one process",
    )  # fmt: skip
