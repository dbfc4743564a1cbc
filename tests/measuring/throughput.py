"""How many rows a second: `judge` in one process, and the service under clients that ask all the time.

    python -m tests.measuring.throughput rows 100 300 1000
    python -m tests.measuring.throughput service --clients 50 --seconds 180

Rows are those of the sample banks that bring an answer, each with contexts of its own from the sample chapters, over
and over again. A number in every text makes each of them new, since models remember what they were asked.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from itertools import cycle, islice
from pathlib import Path

import httpx
import numpy as np

from core.__main__ import parser
from core.banks import TUNING, read_bank
from core.command.judge import judge
from core.library import load_sample
from core.startup import open_explorer

ROOT = Path(__file__).parents[2]
CONTEXTS = 5
"""Passages that each row brings."""


def rows_of(home: Path) -> list[dict]:
    """Rows with an answer and the contexts that our own search finds."""
    explorer = open_explorer(home)
    load_sample(explorer.library)
    rows = [row for row in read_bank(TUNING) if row.get("answer")]
    found = []
    for row in rows[:100]:
        vector = explorer.models.embedder.encode([row["query"]])[0]
        contexts = [p.text for p, _ in explorer.library.nearest(vector, CONTEXTS)]
        found.append({"query": row["query"], "answer": row["answer"], "contexts": contexts})
    explorer.library.close()
    return found


def numbered(row: dict, number: int) -> dict:
    """The same row with a number at the end of its answer and of each context."""
    end = f" See note {number}."
    return row | {"answer": row["answer"] + end, "contexts": [context + end for context in row["contexts"]]}


def of_rows(home: Path, counts: list[int]) -> None:
    """Rows a second of the command, models loaded before."""
    rows = rows_of(home)
    source, target = home / "in.jsonl", home / "out.jsonl"
    for count in [1, *counts]:
        taken = enumerate(islice(cycle(rows), count), start=count * 1000)
        source.write_text("\n".join(json.dumps({"id": n} | numbered(row, n)) for n, row in taken))
        options = parser().parse_args(["judge", "--in", str(source), "--out", str(target), "--home", str(home)])
        started = time.perf_counter()
        judge(options)
        seconds = time.perf_counter() - started
        said = [json.loads(line) for line in target.read_text().splitlines()]
        assert len(said) == count
        if count > 1:
            errors = sum("error" in row for row in said)
            print(f"{count} rows: {seconds:.1f} s, {count / seconds:.2f} rows/s, {errors} errors", flush=True)


def of_service(home: Path, clients: int, seconds: float) -> None:
    """Requests a second, times, errors, and the memory of the service while it goes on."""
    rows = rows_of(home)
    command = [sys.executable, "-m", "core", "serve", "--port", "0", "--home", str(home)]
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ}, stdout=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().strip()
        httpx.post(f"{address}/judge", json=rows[0], timeout=300)
        until, times, errors, memory = time.monotonic() + seconds, [], [], []
        threads = [
            threading.Thread(target=_client, args=(address, rows[n % len(rows) :] + rows, until, times, errors))
            for n in range(clients)
        ]
        for thread in threads:
            thread.start()
        while time.monotonic() < until:
            memory.append(_megabytes(process.pid))
            time.sleep(min(15.0, seconds / 12))
        for thread in threads:
            thread.join()
        rate, (median, p95) = len(times) / seconds, np.percentile(times, [50, 95])
        print(f"{clients} clients, {seconds:.0f} s: {len(times)} replies, {rate:.2f} a second, median {median:.2f} s, "
              f"p95 {p95:.2f} s, {len(errors)} errors {errors[:3]}; MB {[round(m) for m in memory]}")  # fmt: skip
    finally:
        process.terminate()
        process.wait()


def _client(address: str, rows: list[dict], until: float, times: list[float], errors: list[str]) -> None:
    with httpx.Client(base_url=address, timeout=300) as asking:
        for number, row in enumerate(cycle(rows), start=1000 * threading.get_ident()):
            if time.monotonic() > until:
                return
            started = time.perf_counter()
            try:
                reply = asking.post("/judge", json=numbered(row, number))
                if reply.status_code != 200:
                    errors.append(reply.text[:200])
            except httpx.HTTPError as error:
                errors.append(repr(error))
            times.append(time.perf_counter() - started)


def _megabytes(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def main() -> None:
    told = argparse.ArgumentParser(description=__doc__)
    what = told.add_subparsers(dest="what", required=True)
    what.add_parser("rows").add_argument("counts", type=int, nargs="+")
    service = what.add_parser("service")
    service.add_argument("--clients", type=int, default=50)
    service.add_argument("--seconds", type=float, default=180)
    options = told.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if options.what == "rows":
            of_rows(Path(folder), options.counts)
        else:
            of_service(Path(folder), options.clients, options.seconds)


if __name__ == "__main__":
    main()
