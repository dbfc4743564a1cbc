"""The data of the benchmark: the sample library with questions, and a bank of measured cases."""

import atexit
import shutil
from collections.abc import Iterable
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from core.banks import TUNING, read_bank
from core.banks.measured_bank import shipped_traces
from core.banks.row import question_digest
from core.case import Question
from core.evaluation.cases import LabelledCase
from core.graph import Explorer
from core.graph.startup import open_explorer
from core.lab.bench.memory import megabytes
from core.library import Library, load_sample
from core.library.ingestion import Embedder
from core.presets import preset
from core.reply.serialization import question_of
from core.retrieval.suggestions import questions_of
from core.settings import Settings

CASES = 1_000
FIRST_QUESTIONS = 5


@cache
def sample_read() -> tuple[Path, float]:
    """(run-time folder with the sample chapters, peak of the process that read them and then asked FIRST_QUESTIONS
    questions, in resident megabytes); read once per run."""
    home = scratch() / "home"
    (peak,) = megabytes(_read_sample, str(home))
    return home, peak


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
    return shutil.copytree(sample_read()[0], home, dirs_exist_ok=True) if empty else home


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


def shipped_cases(bank: Path = TUNING) -> list[LabelledCase]:
    """The rows of a bank of the tuning half, each with the trace that comes with the app; those without one are left
    out."""
    rows, shipped = read_bank(bank), shipped_traces()
    digests = [question_digest(question_of(dict(row))) for row in rows]
    traces = shipped.traces(digests) if shipped else {}
    measured = ((row, traces.get(digest)) for row, digest in zip(rows, digests, strict=True))
    return [LabelledCase(row=row, trace=trace) for row, trace in measured if trace]


def measured_bank() -> list[LabelledCase]:
    """CASES labelled cases: the sample questions as they ship, again and again."""
    return list(islice(cycle(shipped_cases()), CASES))
