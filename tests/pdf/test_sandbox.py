"""Programs that open PDFs are watched, bounded, and never left behind."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.pdf.sandbox import Limits, ProgramHalted, printed_lines

ROOT = Path(__file__).parents[2]
DATA = b"some bytes" * 100_000
SHORT = Limits(page_seconds=2, silence=5, memory=512)


def program(deed):
    return "tests.pdf.programs", {"deed": deed}


def started(deed, parent):
    """The command that starts a program by hand."""
    return [sys.executable, "-m", "tests.pdf.programs", json.dumps(vars(Limits()) | {"parent": parent, "deed": deed})]


def gone(pid):
    """Waits for a process to end; False when it does not."""
    for _ in range(200):
        try:
            if "State:\tZ" in Path(f"/proc/{pid}/status").read_text():
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.05)
    return False


def test_every_program_reads_all_of_the_data_and_every_line_has_its_place():
    lines = list(printed_lines(DATA, [program("fine")] * 3, Limits()))
    assert sorted(place for place, _ in lines) == [0, 1, 2]
    assert {line["digest"] for _, line in lines} == {hashlib.sha256(DATA).hexdigest()}
    assert len({line["pid"] for _, line in lines}) == 3


def test_no_program_hears_of_a_key(monkeypatch):
    for name in ("GUARDRAIL_ENDPOINT_KEY", "OPENAI_API_KEY", "SOME_TOKEN"):
        monkeypatch.setenv(name, "sk-secret")
    ((_, line),) = printed_lines(DATA, [program("fine")], Limits())
    assert "PATH" in line["environment"] and "sk-secret" not in line["environment"].values()


@pytest.mark.parametrize(
    ("deed", "cause"),
    [("work", "slow"), ("sleep", "slow"), ("stay", "slow"), ("crash", "died"), ("garbage", "died"), ("greed", "died")],
)
def test_a_program_that_misbehaves_is_the_end_of_all(deed, cause):
    pids = []
    with pytest.raises(ProgramHalted) as halt:
        for _, line in printed_lines(b"", [program("fine"), program(deed)], SHORT):
            pids.append(line["pid"])
    assert (halt.value.cause, halt.value.program) == (cause, 1)
    assert pids and all(gone(pid) for pid in pids)


def test_complaints_cannot_fill_the_disk(tmp_path):
    with (tmp_path / "complaints").open("wb") as file:
        subprocess.run(started("fill", os.getpid()), cwd=ROOT, stdin=subprocess.DEVNULL, stderr=file)
    assert 0 < (tmp_path / "complaints").stat().st_size <= 2**20


def test_all_the_time_is_bounded_too():
    with pytest.raises(ProgramHalted, match="slow"):
        list(printed_lines(b"", [program("work")], Limits(seconds=1)))


def test_time_that_passes_while_others_work_is_no_fault():
    lines = list(printed_lines(b"", [program("wait")], Limits(seconds=2, page_seconds=1)))
    assert len(lines) == 2 and len({line["pid"] for _, line in lines}) == 1


def test_who_looks_can_stop_everything():
    pids = []

    def look():
        if pids:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        for _, line in printed_lines(b"", [program("sleep")], Limits(), look):
            pids.append(line["pid"])
    assert gone(pids[0])


def test_who_stops_listening_stops_the_programs():
    lines = printed_lines(b"", [program("sleep")], Limits())
    _, line = next(lines)
    lines.close()
    assert gone(line["pid"])


def test_no_program_outlives_a_parent_that_is_killed():
    code = (
        "from core.pdf.sandbox import Limits, printed_lines\n"
        "for _, line in printed_lines(b'', [('tests.pdf.programs', {'deed': 'sleep'})], Limits()):\n"
        "    print(line['pid'], flush=True)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE)
    pid = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    assert gone(pid)


def test_a_program_whose_parent_is_gone_already_ends_at_once():
    done = subprocess.run(started("sleep", 1), cwd=ROOT, stdin=subprocess.DEVNULL, timeout=60)
    assert done.returncode == 1


def test_an_interrupt_is_left_to_the_parent():
    lines = printed_lines(b"", [program("sleep")], Limits(silence=3))
    _, line = next(lines)
    os.kill(line["pid"], signal.SIGINT)
    with pytest.raises(ProgramHalted, match="slow"):
        next(lines)
