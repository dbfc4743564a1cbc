"""Rows over a Ray cluster: what comes back is what one process says, also when a worker is lost on the way."""

import json
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from core.__main__ import main
from core.banks import TUNING, read_bank
from core.command.cluster import BLOCK, INSTALL

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "command",
    [["judge", "--in", "rows.jsonl", "--out", "out.jsonl"], ["evaluate"], ["tune", "--bank", "rows.jsonl"]],
)  # fmt: skip
def test_without_ray_one_sentence_says_how_to_get_it(command, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ray", None)  # as it is where it was never installed
    monkeypatch.chdir(tmp_path)
    Path("rows.jsonl").write_text('{"query": "Why?"}\n')
    assert main([*command, "--home", str(tmp_path / "home"), "--ray", "local"]) == 1
    assert capsys.readouterr().err == f"{command[0]}: Ray is not installed; install it with: {INSTALL}\n"


def run(home, *arguments, kill=False):
    """What a command prints, run as its own process; `kill`: the first worker of it that has rows is ended."""
    command = [sys.executable, "-m", "core", *arguments, "--home", str(home)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while kill and process.poll() is None:
            if worker := next(working(process.pid), None):
                worker.kill()
                break
            time.sleep(0.1)
        assert process.poll() is None, "it ended before a worker could be lost"
        out, err = process.communicate()
    assert process.returncode == 0, err
    return out


def working(pid):
    """The workers of a command that have rows now."""
    for child in psutil.Process(pid).children(recursive=True):
        with suppress(psutil.Error):  # it may have ended since
            if "RowWorker.work" in " ".join(child.cmdline()):
                yield child


@pytest.mark.long
@pytest.mark.models
def test_the_rows_are_the_same_to_the_byte_when_a_worker_is_killed(sample_home, tmp_path):
    pytest.importorskip("ray", reason=f"Ray is not installed: {INSTALL}")
    home, source = sample_home("cluster"), tmp_path / "rows.jsonl"
    rows = [*read_bank(TUNING)[: 2 * BLOCK + 1], {"id": "odd", "query": "What is \ud83d sound?"}]
    lines = [json.dumps(dict(row)) for row in rows]
    source.write_text("\n".join([*lines[:5], "no json", '{"query": ""}', *lines[5:]]))
    said = {}
    for name, over in (("here", ()), ("over", ("--ray", "local"))):
        out = tmp_path / f"{name}.jsonl"
        run(home, "judge", "--in", str(source), "--out", str(out), *over, kill=bool(over))
        said[name] = re.sub(r'"seconds": [0-9.e-]+', "", out.read_text())  # the one thing that is measured anew
    assert len(said["here"].splitlines()) == len(rows) + 2 and said["over"] == said["here"]
    bank = tmp_path / "bank.jsonl"
    bank.write_text("\n".join(lines[: BLOCK + 2]))
    counted = [run(home, "evaluate", "--bank", str(bank), "--json", *over) for over in ((), ("--ray", "local"))]
    here, over = (re.sub(r'"(without|guarded)": [0-9.e-]+', "", said) for said in counted)  # how long it took
    assert here == over
