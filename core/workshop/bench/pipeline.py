"""How fast pages go into the library, a warm question is answered and sentences are read; and in how much memory."""

import itertools
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from core.banks import TUNING, read_bank
from core.case import Case, Question
from core.features.case_features import CaseFeatures
from core.graph import Explorer
from core.library import Library
from core.library.pdf_pages import plain_page_texts
from core.models.cross_encoders import CrossEncoder, plain_twin
from core.models.embedder import Embedder, bundled_embedder
from core.models.entailer import Entailer
from core.models.profile import BUNDLED, load
from core.models.weights import SHIPPED
from core.presets import preset
from core.text.answer_sentences import given_draft
from core.text.words import sentences
from core.workshop.bench.figure import Figure, alternating
from core.workshop.bench.samples import sample_explorer, sample_questions

ROOT = Path(__file__).parents[3]
REAL = ROOT.parent / "shared" / "data" / "ncert"
"""Real chapters, where they lie beside the project; else the sample is taken."""
_RUNS = 3
_QUESTIONS = 20
_ASKED = {"encode", "probabilities", "read"}
"""What a model is asked by."""
_TEST = ROOT / "data" / "nli" / "textbook.jsonl"
_PAIRS = 160
_PASSAGES, _SENTENCES = 8, 6
_CHAPTER = "acids_bases_salts.pdf"
_BASELINE = "the same network in CrossEncoder.predict, fp32, batch 32"
_PEAK = (
    "import re; from pathlib import Path; status = Path('/proc/self/status').read_text(); "
    "print(int(re.search(r'VmHWM:\\s+(\\d+)', status)[1]) / 1024)"
)
"""The kernel's own high-water mark; getrusage would pass on that of the process that started this one."""
_LOAD = "from core.models.profile import load; load()"
_ASK = (
    "import sys; from pathlib import Path; from core.presets import preset; "
    "from core.startup import open_explorer; from core.library import load_sample; "
    "from core.workshop.bench.samples import sample_questions; "
    "e = open_explorer(Path(sys.argv[1])); load_sample(e.library); "
    "[e.ask(q, preset('default')) for q in sample_questions(e, 5)]"
)


def ingest_pages(folder: Path) -> Figure:
    """Pages a second through Library.ingest, beside plain pypdf and one embedding call a page in one process."""
    files = sorted(REAL.glob("*.pdf")) or sorted((ROOT / "data" / "sample").glob("*.pdf"))
    data = {path.name: path.read_bytes() for path in files}
    embedder, homes = bundled_embedder(), (folder / str(n) for n in itertools.count())
    pages = sum(len(plain_page_texts(content)) for content in data.values())
    ours, plain = alternating(lambda: _ingest(data, next(homes), embedder), lambda: _plain(data, embedder), _RUNS)
    return Figure(
        value=pages / ours, unit="pages/s", baseline="plain pypdf and embedding, one process",
        baseline_value=pages / plain, n=pages, higher_is_better=True, note=f"{len(data)} files, {_RUNS} runs each",
    )  # fmt: skip


def _ingest(data: dict[str, bytes], home: Path, embedder: Embedder) -> None:
    library = Library(home, embedder)
    for name, content in data.items():
        library.ingest(content, name)
    library.close()


def _plain(data: dict[str, bytes], embedder: Embedder) -> None:
    """What a first script would do: a page's text in pieces of ninety words, embedded page by page."""
    for content in data.values():
        for text in plain_page_texts(content):
            words = text.split()
            embedder.encode([" ".join(words[i : i + 90]) for i in range(0, len(words), 90)])


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
    explorer = Explorer(plain.library, replace(models, **timed))
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


def nli_pairs(folder: Path) -> Figure:
    """Pairs a second over _PAIRS of the textbook test, drawn the same every time; nothing remembered."""
    model, plain = load().entailer.model, plain_twin(SHIPPED / BUNDLED.entailer, folder / "plain")
    rows = [json.loads(line) for line in _TEST.read_text(encoding="utf-8").splitlines()]
    pairs = [(r["premise"], r["hypothesis"]) for r in random.Random(0).sample(rows, _PAIRS)]
    ours, theirs = _seconds(model, plain, pairs)
    return Figure(
        value=len(pairs) / ours, unit="pairs/s", baseline=_BASELINE, baseline_value=len(pairs) / theirs,
        n=len(pairs), higher_is_better=True, note=f"{_RUNS} runs each; the baseline's weights are drawn at random",
    )  # fmt: skip


def verify_answer(folder: Path) -> Figure:
    """Milliseconds to read an answer of six sentences against eight passages, nothing remembered.

    The sentences say in other words what passages of one chapter say, and three of them say it wrong: one that stands
    in a passage word for word is not read at all.
    """
    explorer, plain = sample_explorer(folder / "home"), plain_twin(SHIPPED / BUNDLED.entailer, folder / "plain")
    rows = [r for r in read_bank(TUNING / "pairs.jsonl") if r["document"] == _CHAPTER]
    right = [r for r in rows if r["expected"] == "supported"][: _SENTENCES // 2]
    wrong = [r for r in rows if r["expected"] == "altered"][_SENTENCES // 2 : _SENTENCES]
    asked = Question(query=right[0]["query"], answer=" ".join(sentences(r["answer"])[0] for r in (*right, *wrong)))
    found = [explorer.retriever.search(r["query"], asked.scope, _PASSAGES).evidence for r in (*right, *wrong)]
    best = {e.passage.id: e for row in zip(*found, strict=False) for e in row}
    case = Case(question=asked, query=asked.query, evidence=(*best.values(),)[:_PASSAGES], draft=given_draft(asked))
    pairs = Recording(explorer.models.entailer)
    CaseFeatures(case, replace(explorer.models, entailer=pairs)).entailment_signals()
    ours, theirs = _seconds(explorer.models.entailer.model, plain, *pairs.asked)
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


def _seconds(model: CrossEncoder, plain: CrossEncoder, *asked: list[tuple[str, str]]) -> tuple[float, float]:
    """Median seconds of both for pairs asked one list after the other, once they are warm."""
    first = list(itertools.chain(*asked))[:32]
    model.logits(first)
    plain.logits(first)
    return alternating(*(partial(_logits, m, asked) for m in (model, plain)), _RUNS)


def _logits(model: CrossEncoder, asked: Sequence[list[tuple[str, str]]]) -> None:
    for pairs in asked:
        model.logits(pairs)


def peak_memory(folder: Path) -> Figure:
    """Peak resident megabytes: models, sample library, five questions; beside the models loaded and idle."""
    return Figure(
        value=_peak(_ASK, folder), unit="MB", baseline="the bundled models loaded, nothing asked",
        baseline_value=_peak(_LOAD, folder), n=5, note="library ingested and five questions asked in one process",
    )  # fmt: skip


def _peak(code: str, folder: Path) -> float:
    command = [sys.executable, "-c", f"{code}; {_PEAK}", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])
