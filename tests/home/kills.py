"""Kills two writers of one home at random moments and looks at what is left: `python -m tests.home.kills --kills 100`.

Each adds books, decisions, rows, sets, presets and traces, opens the set that both measure, and takes
books, sets and presets out again. One is killed first; the other has to write on, and is killed then.
"""

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

from core.banks.bank_files import open_bank
from core.banks.measured_bank import MeasuredBank
from core.banks.saved import SavedBanks
from core.evaluation.conditions import Conditions
from core.home.health import check
from core.journal import Journal
from core.library import Library
from core.models.weights import MINILM_SHA256
from core.presets.saved import SavedPresets
from tests.support.connections import run_traced
from tests.support.fake_models import WordEmbedder
from tests.support.libraries import indexed

ROOT = Path(__file__).parents[2]
CONDITIONS = Conditions(library="one", models="", settings="", program="")
HUNG = 300
"""Seconds after which a writer that says nothing more hangs; on a busy computer a book alone takes many."""
WRITE = """
import sys
from dataclasses import asdict
from itertools import count
from pathlib import Path
from core.banks.measured_bank import MeasuredBank, StoredTraces
from core.banks.row import question_digest
from core.banks.saved import SavedBanks
from core.banks.bank_files import open_bank
from core.case import Case, Question, Round, Trace
from core.decide import verdict
from core.journal import Journal
from core.library import Library
from core.presets.saved import SavedPresets
from core.thresholds import Preset
from core.models.weights import MINILM_SHA256
from tests.home.kills import CONDITIONS
from tests.support.fake_models import WordEmbedder
from tests.support.pdfs import make_pdf
home, name = Path(sys.argv[1]), sys.argv[2]
banks, presets, journal, traces = SavedBanks(home), SavedPresets(home), Journal(home), StoredTraces(home)
library = Library(home, WordEmbedder(MINILM_SHA256))
traces.use(CONDITIONS.key, asdict(CONDITIONS))
def say(*words):
    print(*words, flush=True)
for n in count():
    mine = f"{name}{n}"
    question = Question(query=f"row {mine}")
    trace = Trace(question=question, rounds=(Round(name="first", case=Case(question=question, query="light " * 2000)),))
    journal.record(trace, verdict(trace, Preset()), Preset())
    say("added question", mine)
    presets.save(Preset(name=f"preset{mine}", help="Mine."))
    say("added preset", mine)
    banks.add("bank", [{"query": f"row {mine}"}])
    say("added row", mine)
    banks.add(f"set{mine}", [{"query": f"first of {mine}"}])
    banks.add(f"set{mine}", [{"query": f"second of {mine}"}])
    assert [row["query"] for row in banks.rows(f"set{mine}")] == [f"first of {mine}", f"second of {mine}"]
    say("added set", mine)
    traces.store(CONDITIONS.key, question_digest(question), trace)
    say("added trace", mine)
    assert f"row {mine}" in [row["query"] for row in open_bank(MeasuredBank(home, banks.rows("bank"), CONDITIONS)).rows]
    book = library.ingest(make_pdf(f"Book {mine} speaks of light. It needs no medium."), f"book {mine}.pdf").document
    say("added book", mine)
    if n % 3 == 2:
        say("removes book", mine)
        library.remove(book.id)
        say("removed book", mine)
        say("removes preset", mine)
        presets.delete(f"preset{mine}")
        say("removed preset", mine)
        say("removes set", mine)
        banks.delete(f"set{mine}")
        say("removed set", mine)
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
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def held(home: Path) -> list[str]:
    """What a home has, as a writer says it; AssertionError where a part of it is broken."""
    broken = [finding for finding in check(home) if finding.state == "broken"]
    assert not broken, broken
    library = Library(home, WordEmbedder(MINILM_SHA256))  # by whose name `check` knows a home without books
    books = [d.name.removesuffix(".pdf") for d in library.documents()]
    for book in books:
        (found,) = library.nearest(library.embedder.encode([book])[0], 1)
        assert found[0].text
    assert indexed(library) == sorted({p.id for p in library.passages()}) and len(indexed(library)) == len(
        library.passages()
    )
    library.close()
    banks, presets, journal = SavedBanks(home), SavedPresets(home), Journal(home)
    for name in banks.names():
        assert len({row["id"] for row in banks.rows(name)}) == len(banks.rows(name))
    rows = banks.rows("bank") if "bank" in banks.names() else []
    measured = list(open_bank(MeasuredBank(home, rows, CONDITIONS)).rows) if rows else []
    names = [name.removeprefix("preset") for name in presets.names()]
    assert [presets.preset(f"preset{name}").help for name in names] == ["Mine."] * len(names)
    return [
        *books, *(decision.question.replace("row", "question") for decision in journal.rows()),
        *(row["query"] for row in rows), *(row["query"].replace("row", "trace") for row in measured),
        *(f"preset {name}" for name in names),
        *(f"set {name.removeprefix('set')}" for name in banks.names() if name != "bank"),
    ]  # fmt: skip


def killed(home: Path, names: tuple[str, str], chance: random.Random, said: Said) -> Counter:
    """Two writers at once, of which one is killed at some moment, and the other after it has written on; what they say
    is added to `said`. How many of them ended by themselves before, and how many said nothing more."""
    writers = [writer(home, name) for name in names]
    heard = {process: [] for process in writers}
    threads = [Thread(target=_hear, args=(process, said, heard[process])) for process in writers]
    for thread in threads:
        thread.start()
    found, more = Counter(), 1 + chance.randrange(30)
    for process in chance.sample(writers, len(writers)):
        enough, until = len(heard[process]) + more, time.monotonic() + HUNG
        while process.poll() is None and len(heard[process]) < enough and time.monotonic() < until:
            time.sleep(0.01)
        found["hung"] += process.poll() is None and len(heard[process]) < enough
        time.sleep(chance.uniform(0, 0.3))
        process.kill()
        found["crashed"] += process.wait() != -signal.SIGKILL
        more = 1 + chance.randrange(5)
    for thread in threads:
        thread.join()
    return found


def _hear(process: subprocess.Popen, said: Said, heard: list[str]) -> None:
    with process.stdout:
        for line in process.stdout:
            said.hear(line)
            heard.append(line)


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
                total.update(killed(home, (f"a{turn}n", f"b{turn}n"), chance, said))
                kills += 2
                total.update(said.wrong(held(home)))
            total.update({"kept": len(said.added), "removed": len(said.removed)})
        print(f"{kills} kills: {dict(total)}", flush=True)


if __name__ == "__main__":
    run_traced(main)
