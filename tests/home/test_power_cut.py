"""The power is cut while a home is written to: all that was said to be kept is there, and whole."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.banks.saved import SavedBanks
from core.home import check
from core.journal import Journal
from core.library import Library
from core.presets.saved import SavedPresets
from tests.disks import forgetful  # noqa: F401 - the fixture is used by name
from tests.library.conftest import WordEmbedder

WRITE = """
import sys
from itertools import count
from pathlib import Path
from core.banks.saved import SavedBanks
from core.case import Case, Question, Round, Trace
from core.chain import verdict
from core.journal import Journal
from core.library import Library
from core.presets.saved import SavedPresets
from core.thresholds import Preset
from tests.library.conftest import WordEmbedder, make_pdf
home = Path(sys.argv[1])
library, banks, presets, journal = Library(home, WordEmbedder()), SavedBanks(home), SavedPresets(home), Journal(home)
for n in count():
    question = Question(query=f"question {n}")
    trace = Trace(question=question, rounds=(Round(name="first", case=Case(question=question, query="light " * 2000)),))
    journal.record(trace, verdict(trace, Preset()), Preset())
    print("question", n, flush=True)
    presets.save(Preset(name=f"preset{n}", help="Mine."))
    print("preset", n, flush=True)
    banks.add("bank", [{"query": f"row {n}"}])
    print("row", n, flush=True)
    library.ingest(make_pdf(f"Book {n} speaks of light. It needs no medium."), f"book {n}.pdf")
    print("book", n, flush=True)
"""
ROOT = Path(__file__).parents[2]


def written_until(disk, lines, seconds):
    """Writes until so many lines were said and some time has passed, then cuts the power; all that was said."""
    home = disk.folder / "home"
    command = [sys.executable, "-c", WRITE, str(home)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    with process:
        said = [process.stdout.readline().strip() for _ in range(lines)]
        time.sleep(seconds)
        disk.cut()
        process.kill()
        said += [line.strip() for line in process.stdout]  # said before the cut, or after a write that the cut let pass
    return said


def held(home):
    """What a home has, as the writer says it; whole, or its part would say so."""
    assert {finding.state for finding in check(home)} <= {"whole", "mended"}, check(home)
    library = Library(home, WordEmbedder())
    books = [d.name.removesuffix(".pdf") for d in library.documents()]
    assert all(library.nearest(library.embedder.encode([book])[0], 1) for book in books)
    library.close()
    questions = [decision.question for decision in Journal(home).rows()]
    banks, presets = SavedBanks(home), SavedPresets(home)
    rows = [row["query"] for row in banks.rows("bank")] if "bank" in banks.names() else []
    return [*books, *questions, *rows, *(f"preset {name.removeprefix('preset')}" for name in presets.names())]


def test_the_disk_forgets_what_was_not_synced(forgetful):  # noqa: F811
    (forgetful.folder / "plain.txt").write_text("not synced")
    forgetful.cut()
    forgetful.restart()
    assert not (forgetful.folder / "plain.txt").exists()


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 12))])
def test_what_was_said_to_be_kept_is_there_after_a_power_cut(forgetful, seed):  # noqa: F811
    chance = random.Random(seed)
    said = written_until(forgetful, 5 + chance.randrange(8), chance.uniform(0, 0.3))
    forgetful.restart()
    found = held(forgetful.folder / "home")
    assert len(said) >= 5 and sorted(set(said) - set(found)) == [] and len(set(found)) == len(found)
