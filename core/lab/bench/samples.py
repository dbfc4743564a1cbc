"""The data of the benchmark: the sample library with questions, and a bank of measured cases.

The cases are real traces of the sample library, repeated with random changes of their signals.
"""

import atexit
import random
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from core.case import Question, Round, Signals, Trace
from core.check import Check
from core.checks import all_checks
from core.evaluation.cases import LabelledCase
from core.graph import Explorer
from core.graph.startup import open_explorer
from core.lab.bench.memory import megabytes
from core.library import Library, load_sample
from core.library.ingestion import Embedder
from core.presets import preset
from core.reply.serialization import dumps, loads
from core.retrieval.suggestions import questions_of
from core.settings import Settings
from core.thresholds import Preset

CASES = 1_000
_QUESTIONS = 12
_OTHERS = (
    "What is an arithmetic progression and what is a barter system?", "Good morning!",
    "How do I bake chocolate chip cookies without an oven?", "what about the other one?",
)  # fmt: skip
_ADDED = "There are exactly 7421 of them."
_SPREAD = 0.1
"""The standard deviation of the change of a signal, on the signal's scale."""
_SEED = 7
FIRST_QUESTIONS = 5
_MEASURED: list[str] = []
"""The traces as JSON, once measured; all figures of one run share them."""


@dataclass(frozen=True)
class SampleRead:
    """A run-time folder with the sample chapters, and the peak of the process that read them, in resident megabytes."""

    home: Path
    peak: float


@cache
def sample_read() -> SampleRead:
    """The sample chapters, read once per run by a process that then asks FIRST_QUESTIONS questions."""
    home = scratch() / "home"
    (peak,) = megabytes(_read_sample, str(home))
    return SampleRead(home, peak)


def _read_sample(home: str) -> None:
    """Read the sample chapters into the folder `home`, and ask the first questions."""
    explorer = open_explorer(Path(home))
    load_sample(explorer.library)
    for question in sample_questions(explorer, FIRST_QUESTIONS):
        explorer.ask(question, preset("default"))


@cache
def scratch() -> Path:
    """A folder that is deleted when this process ends."""
    folder = TemporaryDirectory(ignore_cleanup_errors=True)
    atexit.register(folder.cleanup)
    return Path(folder.name)


def sample_home(home: Path) -> Path:
    """Return `home` with the sample chapters in it: missing, empty, or already filled by this function."""
    empty = not home.exists() or not any(home.iterdir())
    return shutil.copytree(sample_read().home, home, dirs_exist_ok=True) if empty else home


def sample_explorer(home: Path) -> Explorer:
    """An explorer over the sample chapters, with the bundled models."""
    return open_explorer(sample_home(home), settings=Settings(writer="extractive"))


def library_of(home: Path, files: Iterable[Path], embedder: Embedder) -> Library:
    """The library in the folder `home` with these PDFs; those that it already has are not read again."""
    library = Library(home, embedder)
    for file in files:
        library.ingest(file.read_bytes(), file.name)
    return library


def sample_questions(explorer: Explorer, count: int) -> list[Question]:
    """Questions whose answers the library's passages define, in reading order."""
    queries = dict.fromkeys(q for p in explorer.library.passages() for q in questions_of(p))
    return [Question(query=q) for q in list(queries)[:count]]


def sample_traces(home: Path) -> tuple[str, ...]:
    """Traces of the sample library as JSON, all rounds measured: plain, in parts, small talk, refused, altered.

    home: an empty folder for the library if they are not measured yet.
    """
    if not _MEASURED:
        explorer = sample_explorer(home)
        questions = [*sample_questions(explorer, _QUESTIONS), *(Question(query=q) for q in _OTHERS)]
        traces = [explorer.deepen(explorer.ask(q, Preset())[0]) for q in questions]
        traces += [explorer.replace_answer(t, f"{_answer(t)} {_ADDED}") for t in traces[: _QUESTIONS // 3]]
        _MEASURED.extend(dumps(trace) for trace in traces)
    return tuple(_MEASURED)


def measured_bank(traces: tuple[str, ...], cases: int = CASES) -> list[LabelledCase]:
    """`cases` labelled cases, sampled from `traces` with random changes; always the same ones."""
    generator, draw = np.random.default_rng(_SEED), random.Random(_SEED)
    loaded_traces = [loads(text) for text in traces]
    return [_labelled(_moved(draw.choice(loaded_traces), generator), n) for n in range(cases)]


def _labelled(trace: Trace, n: int) -> LabelledCase:
    question = trace.question
    if question.answer is not None:
        return LabelledCase(row={"answer": question.answer, "expected": "altered", "facts": ["7421"]}, trace=trace)
    facts = [question.query.rstrip("?").split()[-1]]
    return LabelledCase(
        row={"expected": "refused"} if n % 3 == 0 else {"expected": "answered", "facts": facts}, trace=trace
    )


def _answer(trace: Trace) -> str:
    draft = trace.rounds[0].case.draft
    return draft.text if draft else ""


def _moved(trace: Trace, generator: np.random.Generator) -> Trace:
    rounds = tuple(_moved_round(r, generator) for r in trace.rounds)
    return replace(trace, rounds=rounds, parts=tuple(_moved(part, generator) for part in trace.parts))


def _moved_round(round_: Round, generator: np.random.Generator) -> Round:
    by_name = {c.name: c for c in all_checks()}
    signals = {n: _moved_signals(by_name[n], s, generator) for n, s in round_.signals.items()}
    return replace(round_, signals=signals)


def _moved_signals(check: Check, signals: Signals, generator: np.random.Generator) -> Signals:
    """The signals of one check; those that are not whole numbers are changed within their bounds."""
    return {
        name: signals[name] if about.whole else np.asarray(np.clip(
            signals[name] + generator.normal(0, _SPREAD, np.shape(signals[name])), about.low, about.high
        ))
        for name, about in check.signals().items()
    }  # fmt: skip
