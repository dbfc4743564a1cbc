"""What an attack calls hung: a reader that works or sleeps beyond its bounds, and none that only had no processor."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.pdf.sandbox import Limits, printed_lines
from tests.library import attack
from tests.support.reader_seconds import reader_seconds

BUSY = 6
"""Programs that want the processor beside the reader."""
SAYS = Path("/proc/self/schedstat")


class Sandbox:
    """Stands in for a library: a file is read by one of tests/pdf/programs.py."""

    def __init__(self, deed, **limits):
        self.deed, self.limits = deed, Limits(**limits)

    def ingest(self, data, name):
        for _ in printed_lines(data, [("tests.pdf.programs", {"deed": self.deed})], self.limits):
            pass
        raise attack.LibraryError("read")


@pytest.fixture
def one_processor():
    """This thread and what it starts have one processor, which others want as well."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY)]
    yield
    for other in others:
        other.kill()
        other.wait()
    os.sched_setaffinity(0, before)


@pytest.mark.parametrize(("deed", "limits"), [
    ("sleep", {"silence": 2}), ("stay", {"silence": 2}), ("work", {"page_seconds": 2}),
])  # fmt: skip
def test_a_reader_that_sleeps_or_works_beyond_its_bounds_is_hung(monkeypatch, deed, limits):
    monkeypatch.setattr(attack, "HUNG", 1.2)
    assert attack.outcome(Sandbox(deed, **limits), "built", 1, b"")[1] == "hung"


@pytest.fixture
def ample(monkeypatch):
    """Seconds that are thrice what a reader takes here that only starts: computers differ in how fast they start one."""
    with reader_seconds() as readers, pytest.raises(attack.LibraryError):
        Sandbox("fine").ingest(b"", "built 0.pdf")
    monkeypatch.setattr(attack, "HUNG", 3 * max(readers.values()))


def test_a_reader_that_is_done_is_not(ample):
    assert attack.outcome(Sandbox("fine"), "built", 1, b"")[1] == "refused"


@pytest.mark.skipif(not SAYS.exists(), reason="the system does not say how long a process waited for a processor")
def test_a_busy_computer_makes_no_file_hang(one_processor, ample, capsys):  # a busy processor is slower, too
    assert attack.outcome(Sandbox("fine"), "built", 1, b"")[1] == "refused"
    assert "built 1.pdf: " in capsys.readouterr().err  # though the clock said that it was late
