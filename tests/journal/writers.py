"""Processes that write into a journal, and what is left of their decisions when they are killed."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from core.journal import Journal

ROOT = Path(__file__).parents[2]
WRITE = """
import sys
from pathlib import Path
from core.case import Question, Round, Case, Trace
from core.decide import verdict
from core.journal import Journal
from core.thresholds import Preset
journal, name = Journal(Path(sys.argv[1])), sys.argv[2]
for n in range(int(sys.argv[3])):
    question = Question(query=f"{name} {n}")
    case = Case(question=question, query="light " * 20_000)
    trace = Trace(question=question, rounds=(Round(name="first", case=case),))
    print(journal.record(trace, verdict(trace, Preset()), Preset()), flush=True)
"""
PATIENCE = 60


@dataclass
class Writer:
    """A process that writes decisions one by one and says each once it is written."""

    home: Path
    name: str
    most: int = 100_000
    said: int = 0

    def __enter__(self) -> "Writer":
        command = [sys.executable, "-c", WRITE, str(self.home), self.name, str(self.most)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def hear(self, lines: int) -> None:
        """Wait until so many more decisions are written."""
        for _ in range(lines):
            assert self.process.stdout.readline(), self.process.stderr.read()
            self.said += 1

    def kill(self) -> None:
        """SIGKILL; what it had said before counts as written."""
        self.process.kill()
        self.said += sum(1 for _ in self.process.stdout)
        self.process.wait(PATIENCE)


def in_order(home: Path, said: dict[str, int]) -> None:
    """Every decision that a writer said is there, and at most one that it had not said yet; each opens as a whole."""
    with closing(sqlite3.connect(home / "journal.sqlite3")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    journal = Journal(home)
    rows = journal.rows()
    for name, count in said.items():
        written = [row.question for row in rows if row.question.startswith(f"{name} ")][::-1]
        assert written in ([f"{name} {n}" for n in range(count)], [f"{name} {n}" for n in range(count + 1)])
    assert all(journal.open(row.id).trace.question.query == row.question for row in rows)
