"""How fast pages go into the library, a warm question is answered and sentences are read; and in how much memory."""

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
from core.library import Library
from core.library.pdf_reader import plain_page_texts
from core.models.cross_encoders import CrossEncoder, plain_twin
from core.models.embedder import Embedder, bundled_embedder
from core.models.entailer import Entailer
from core.models.profile import BUNDLED, load
from core.models.weights import SHIPPED
from core.presets import preset
from core.text.answer_sentences import given_draft
from core.text.sentences import sentences

ROOT = Path(__file__).parents[3]
REAL = ROOT.parent / "shared" / "data" / "ncert"
"""Real chapters, where they lie beside the project; else the sample is taken."""
_RUNS = 3
_QUESTIONS = 20
_ASKED = {"encode", "probabilities", "read"}
"""What a model is asked by."""
_TEST = ROOT / "data" / "nli" / "textbook.jsonl"
_PAIRS, _PIECE = 160, 64
_PASSAGES, _SENTENCES = 8, 6
_CHAPTER = "acids_bases_salts.pdf"
_BASELINE = "the same network in CrossEncoder.predict, fp32, batch 32"
_LOAD = "from core.models.profile import load; load()"


def ingest_pages(folder: Path) -> Figure:
    """Pages a second through Library.ingest, beside plain pypdf and one embedding call a page in one process.

    The plain way takes three times as long, so it reads each file once: some of them after each run of ours.
    """
    files = sorted(REAL.glob("*.pdf")) or sorted((ROOT / "data" / "sample").glob("*.pdf"))
    data, embedder, read = {path.name: path.read_bytes() for path in files}, bundled_embedder(), []
    pieces = [partial(_plain, [*data.values()][n::_RUNS], embedder, read) for n in range(_RUNS)]
    homes = (folder / str(n) for n in itertools.count())
    ours, plain = beside(lambda: _ingest(data, next(homes), embedder), pieces)
    return Figure(
        value=len(read) / ours, unit="pages/s", baseline="plain pypdf and embedding, one process",
        baseline_value=len(read) / plain, n=len(read), higher_is_better=True,
        note=f"{len(data)} files, {_RUNS} runs; the baseline reads each file once, some of them after each run",
    )  # fmt: skip


def _ingest(data: dict[str, bytes], home: Path, embedder: Embedder) -> None:
    library = Library(home, embedder)
    for name, content in data.items():
        library.ingest(content, name)
    library.close()


def _plain(files: Sequence[bytes], embedder: Embedder, read: list[str]) -> None:
    """What a first script would do: a page's text in pieces of ninety words, embedded page by page, kept in `read`."""
    for content in files:
        for text in plain_page_texts(content):
            words = text.split()
            embedder.encode([" ".join(words[i : i + 90]) for i in range(0, len(words), 90)])
            read.append(text)


class Timed:
    """A model whose calls are timed; `seconds` adds them up."""

    def __init__(self, model: Any) -> None:
        self._model, self.seconds = model, 0.0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._model, name)
        return self._timing(found) if name in _ASKED else found

    def _timing(self, call: Any) -> Any:
        def timed(*arguments: Any) -> Any:
            started = time.perf_counter()
            try:
                return call(*arguments)
            finally:
                self.seconds += time.perf_counter() - started

        return timed


def ask_warm(folder: Path) -> Figure:
    """Milliseconds of a new question with all checks on, beside what its model calls alone take, step by step."""
    plain = sample_explorer(folder)
    models = plain.models
    timed = {name: Timed(model) for name, model in models.each().items()}
    explorer = Explorer(plain.library, replace(models, **timed), plain.settings)
    first, *questions = sample_questions(explorer, _QUESTIONS + 1)
    explorer.ask(first, preset("default"))
    whole, asked, steps = [], [], []
    for question in questions:
        before, started = _spent(timed), time.perf_counter()
        trace, _ = explorer.ask(question, preset("default"))
        whole.append(1000 * (time.perf_counter() - started))
        spent = {name: 1000 * (seconds - before[name]) for name, seconds in _spent(timed).items()}
        asked.append(sum(spent.values()))
        checking = 1000 * sum(r.checking for r in trace.rounds)
        steps.append({"search and writer": whole[-1] - checking, "checks": checking, **spent})
    medians = {name: statistics.median(step[name] for step in steps) for name in steps[0]}
    return Figure(
        value=statistics.median(whole), unit="ms", baseline="its model calls alone",
        baseline_value=statistics.median(asked), n=len(whole),
        note="extractive writer, all checks, sample library; medians: "
        + ", ".join(f"{name} {ms:.0f} ms" for name, ms in medians.items()),
    )  # fmt: skip


def _spent(timed: Mapping[str, Timed]) -> dict[str, float]:
    """Seconds in each model so far."""
    return {name: model.seconds for name, model in timed.items()}


def nli_pairs(_: Path) -> Figure:
    """Pairs a second over _PAIRS of the textbook test, drawn the same every time; nothing remembered.

    The baseline reads them once, its batches of the longest pairs after our first run, of the shortest after the last.
    """
    model, plain = load().entailer.model, _twin()
    rows = [json.loads(line) for line in _TEST.read_text(encoding="utf-8").splitlines()]
    pairs = [(r["premise"], r["hypothesis"]) for r in random.Random(0).sample(rows, _PAIRS)]
    by_length = sorted(pairs, key=lambda pair: -sum(map(len, pair)))  # as predict does before it makes its batches
    _warm(pairs, model, plain)
    pieces = [partial(plain.logits, by_length[n : n + _PIECE]) for n in range(0, _PAIRS, _PIECE)]
    ours, theirs = beside(lambda: model.logits(pairs), pieces)
    return Figure(
        value=len(pairs) / ours, unit="pairs/s", baseline=_BASELINE, baseline_value=len(pairs) / theirs,
        n=len(pairs), higher_is_better=True,
        note=f"{len(pieces)} runs beside one of the baseline, whose weights are drawn at random",
    )  # fmt: skip


def verify_answer(folder: Path) -> Figure:
    """Milliseconds to read an answer of six sentences against eight passages, nothing remembered.

    The sentences say in other words what passages of one chapter say, and three of them say it wrong: one that stands
    in a passage word for word is not read at all.
    """
    explorer, plain = sample_explorer(folder), _twin()
    rows = [r for r in read_bank(TUNING / "pairs.jsonl") if r["document"] == _CHAPTER]
    right = [r for r in rows if r["expected"] == "supported"][: _SENTENCES // 2]
    wrong = [r for r in rows if r["expected"] == "altered"][_SENTENCES // 2 : _SENTENCES]
    asked = Question(query=right[0]["query"], answer=" ".join(sentences(r["answer"])[0] for r in (*right, *wrong)))
    found = [explorer.retriever.search(r["query"], asked.scope, _PASSAGES).evidence for r in (*right, *wrong)]
    best = {e.passage.id: e for row in zip(*found, strict=False) for e in row}
    case = Case(question=asked, query=asked.query, evidence=(*best.values(),)[:_PASSAGES], draft=given_draft(asked))
    pairs = Recording(explorer.models.entailer)
    CaseFeatures(case, replace(explorer.models, entailer=pairs)).support_signals  # noqa: B018 - it reads
    model = explorer.models.entailer.model
    _warm([*itertools.chain(*pairs.asked)], model, plain)
    ours, theirs = alternating(partial(_logits, model, pairs.asked), partial(_logits, plain, pairs.asked), _RUNS)
    return Figure(
        value=1000 * ours, unit="ms", baseline=_BASELINE, baseline_value=1000 * theirs, n=_RUNS,
        note=f"{len(case.sentences)} sentences, {len(case.evidence)} passages, {sum(map(len, pairs.asked))} pairs",
    )  # fmt: skip


class Recording:
    """Stands before the entailer and keeps what it is asked, each time by itself."""

    def __init__(self, entailer: Entailer) -> None:
        self.entailer, self.asked = entailer, []

    def probabilities(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        self.asked.append(list(dict.fromkeys(pairs)))
        return self.entailer.probabilities(pairs)


@cache
def _twin() -> CrossEncoder:
    return plain_twin(SHIPPED / BUNDLED.entailer, scratch() / "plain")


def _warm(pairs: list[tuple[str, str]], *models: CrossEncoder) -> None:
    for model in models:
        model.logits(pairs[:32])


def _logits(model: CrossEncoder, asked: Sequence[list[tuple[str, str]]]) -> None:
    for pairs in asked:
        model.logits(pairs)


def peak_memory(_: Path) -> Figure:
    """Peak resident megabytes: models, sample library, five questions; beside the models loaded and idle."""
    (idle,) = megabytes(_LOAD)
    return Figure(
        value=sample_read().peak, unit="MB", baseline="the bundled models loaded, nothing asked",
        baseline_value=idle, n=FIRST_QUESTIONS,
        note="library ingested and five questions asked in one process",
    )  # fmt: skip
