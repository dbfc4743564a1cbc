"""A bank whose measuring is killed goes on where it was: nothing that was measured is lost, changed or measured again."""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from core.banks.measured_bank import MeasuredBank
from core.banks.saved import SavedBanks
from core.evaluation.conditions import conditions_of
from core.graph import Explorer
from core.library import Library
from tests.support.libraries import one_chapter
from tests.support.measured_cases import cases_of

ROWS = [{"id": f"r{n}", "query": f"What is starch, and what are {n} parts of a green plant?"} for n in range(12)]
MEASURE = """
import sys
from pathlib import Path
from core.banks.background_measuring import Background
from core.graph import Explorer
from core.library import Library
from core.models.profile import Models
from tests.support.fake_models import FakeEmbedder, FakeEntailer, FakeReader
models = Models(profile="fake", embedder=FakeEmbedder(), entailer=FakeEntailer(), reader=FakeReader())
run = Background(Path(sys.argv[1])).start("many", Explorer(Library(Path(sys.argv[1]), models.embedder), models))
while not run.ended.wait(0.05):
    if run.count:
        print(run.done, flush=True)
print(run.state, run.sentence, flush=True)
"""
"""A process that measures the bank until it is done, and says how far it is."""


def measuring(home):
    command = [sys.executable, "-c", MEASURE, str(home)]
    return subprocess.Popen(command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True)


def killed(home, chance):
    """One process, killed at a random moment within the rows that it is at after a random number of others."""
    with measuring(home) as process:
        wanted = int(process.stdout.readline()) + chance.randint(0, 4)
        for line in process.stdout:
            if not line.strip().isdecimal() or int(line) >= wanted:
                break
        time.sleep(chance.uniform(0, 0.3))
        process.send_signal(signal.SIGKILL)


def measured(home):
    """Each question that is measured with its stored trace, once the file is found whole."""
    with closing(sqlite3.connect(home / "banks" / "measured.sqlite")) as base:
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = base.execute("SELECT question, trace FROM traces").fetchall()
    assert len(rows) == len({question for question, _ in rows})
    return dict(rows)


@pytest.mark.long
def test_killed_processes_lose_nothing_and_the_next_one_completes_the_bank(tmp_path, models):
    home, chance, before = tmp_path / "home", random.Random(3), {}
    with one_chapter(home, models, "Starch is made by green plants. A leaf is a part of a green plant."):
        SavedBanks(home).add("many", ROWS)
    for _ in range(2):
        killed(home, chance)
        after = measured(home)
        assert before.items() <= after.items() and [r["id"] for r in SavedBanks(home).rows("many")] == [
            r["id"] for r in ROWS
        ]
        before = after
    with measuring(home) as process:
        assert process.stdout.read().split("\n")[-2].startswith("done")
    assert before.items() <= measured(home).items() and len(measured(home)) == len(ROWS)
    library = Library(home, models.embedder)
    bank = MeasuredBank(home, SavedBanks(home).rows("many"), conditions_of(Explorer(library, models)))
    assert len(bank.missing_rows()) == 0 and not bank.stale() and len(list(cases_of(bank))) == len(ROWS)
    library.close()
