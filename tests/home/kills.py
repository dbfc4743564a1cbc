"""Kills two writers of one home at random moments and looks at what is left: `python -m tests.home.kills --kills 100`.

Each adds books, decisions, rows, presets and traces, and takes books and presets out again.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from core.banks.measured_bank import StoredTraces
from core.banks.saved import SavedBanks
from core.home.health import check
from core.journal import Journal
from core.library import Library
from core.models.weights import MINILM_SHA256
from core.presets.saved import SavedPresets
from tests.support.fake_models import WordEmbedder

ROOT = Path(__file__).parents[2]
WRITE = """
import sys
from itertools import count
from pathlib import Path
from core.banks.measured_bank import StoredTraces
from core.banks.saved import SavedBanks
from core.case import Case, Question, Round, Trace
from core.chain import verdict
from core.journal import Journal
from core.library import Library
from core.presets.saved import SavedPresets
from core.thresholds import Preset
from core.models.weights import MINILM_SHA256
from tests.support.fake_models import WordEmbedder
from tests.support.pdfs import make_pdf
home, name = Path(sys.argv[1]), sys.argv[2]
banks, presets, journal, traces = SavedBanks(home), SavedPresets(home), Journal(home), StoredTraces(home)
library = Library(home, WordEmbedder(MINILM_SHA256))
traces.use("key", {"library": "one"})
def say(*words):
    print(*words, flush=True)
for n in count():
    mine = f"{name}{n}"
    question = Question(query=f"question {mine}")
    trace = Trace(question=question, rounds=(Round(name="first", case=Case(question=question, query="light " * 2000)),))
    journal.record(trace, verdict(trace, Preset()), Preset())
    say("added question", mine)
    presets.save(Preset(name=f"preset{mine}", help="Mine."))
    say("added preset", mine)
    banks.add("bank", [{"query": f"row {mine}"}])
    say("added row", mine)
    traces.store("key", f"trace {mine}", trace)
    say("added trace", mine)
    book = library.ingest(make_pdf(f"Book {mine} speaks of light. It needs no medium."), f"book {mine}.pdf").document
    say("added book", mine)
    if n % 3 == 2:
        say("removes book", mine)
        library.remove(book.id)
        say("removed book", mine)
        say("removes preset", mine)
        presets.delete(f"preset{mine}")
        say("removed preset", mine)
"""


@dataclass
class Said:
    """What a writer said: kept, gone, and on its way out when it ended, which may be either."""

    added: set[str] = field(default_factory=set)
    removing: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)

    def hear(self, line: str) -> None:
        deed, _, what = line.strip().partition(" ")
        {"added": self.added, "removes": self.removing, "removed": self.removed}[deed].add(what)

    def wrong(self, found: list[str]) -> dict[str, int]:
        """How much of it is lost, there twice, or back again."""
        twice = sum(n - 1 for n in Counter(found).values())
        lost = len(self.added - self.removing - set(found))
        return {"lost": lost, "doubled": twice, "back again": len(self.removed & set(found))}


def writer(home: Path, name: str) -> subprocess.Popen:
    """A process that writes to `home` until it is ended, and says each thing once it is kept."""
    command = [sys.executable, "-c", WRITE, str(home), name]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def held(home: Path) -> list[str]:
    """What a home has, as a writer says it; AssertionError where a part of it is broken."""
    broken = [finding for finding in check(home) if finding.state == "broken"]
    assert not broken, broken
    library = Library(home, WordEmbedder(MINILM_SHA256))  # by whose name `check` knows a home without books
    books = [d.name.removesuffix(".pdf") for d in library.documents()]
    for book in books:
        (found,) = library.nearest(library.embedder.encode([book])[0], 1)
        assert found[0].text
    assert len({p.id for p in library.passages()}) == len(library.passages()) == library._storage._collection.count()
    library.close()
    banks, presets, journal = SavedBanks(home), SavedPresets(home), Journal(home)
    rows = [row["query"] for row in banks.rows("bank")] if "bank" in banks.names() else []
    questions = [decision.question for decision in journal.rows()]
    names = [f"preset {name.removeprefix('preset')}" for name in presets.names()]
    return [*books, *questions, *rows, *names, *StoredTraces(home).digests("key")]


def killed(home: Path, names: tuple[str, ...], chance: random.Random, said: Said) -> None:
    """Writers at once, all of which are killed at some moment; what they say is added to `said`."""
    writers = [writer(home, name) for name in names]
    for _ in range(1 + chance.randrange(30)):
        said.hear(writers[0].stdout.readline())
    time.sleep(chance.uniform(0, 0.3))
    for process in chance.sample(writers, len(writers)):
        process.kill()
    for process in writers:
        with process:
            for line in process.stdout:
                said.hear(line)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="two at a time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--in-one", type=int, default=10, help="kills after which a new home is begun")
    options = parser.parse_args()
    chance, total, kills = random.Random(options.seed), Counter(), 0
    while kills < options.kills:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            home, said = Path(folder) / "home", Said()
            for turn in range(options.in_one // 2):
                killed(home, (f"a{turn}n", f"b{turn}n"), chance, said)
                kills += 2
                total.update(said.wrong(held(home)))
            total.update({"kept": len(said.added), "removed": len(said.removed)})
        print(f"{kills} kills: {dict(total)}", flush=True)


if __name__ == "__main__":
    main()
