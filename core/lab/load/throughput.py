"""Measures rows per second: of the command `judge` in one process and on a Ray cluster, of `judge` without the time of
its models, and of the service under clients that send requests without pause.

    python -m core.lab.load.throughput rows 100 300 1000 --workers 1 2 4
    python -m core.lab.load.throughput beside 1000 10000 100000
    python -m core.lab.load.throughput service --clients 50 --seconds 180

The rows are those of the sample banks that have an answer, repeated, each with contexts from the sample chapters. A
number in every text makes each row new, since models cache what they have computed.
"""

import argparse
import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path

import httpx
import numpy as np

from core.banks import TUNING, read_bank
from core.chain.serialization import dumps, loads
from core.command import cluster, judge, terminal
from core.evaluation.cases import measure_or_error
from core.graph.startup import open_explorer
from core.library import load_sample
from core.thresholds import Preset

ROOT = Path(__file__).parents[3]
_TOKEN = secrets.token_hex(32)
"""The token that authenticates all Ray clusters of this process. It is the same for all, since Ray reads it only once
in a process."""
_READ, _WRITTEN = "in.jsonl", "out.jsonl"
_MEASURED = 16
"""Number of rows that the models measure in the test without models; their traces serve for all rows."""
CONTEXTS = 5
"""Passages per row."""


def rows_of(home: Path) -> list[dict]:
    """Rows with an answer and the contexts that a search in the sample library finds for their question."""
    explorer = open_explorer(home)
    load_sample(explorer.library)
    rows = [row for row in read_bank(TUNING) if row.get("answer")]
    rows_with_contexts = []
    for row in rows[:100]:
        vector = explorer.models.embedder.encode([row["query"]])[0]
        contexts = [p.text for p, _ in explorer.library.nearest(vector, CONTEXTS)]
        rows_with_contexts.append({"query": row["query"], "answer": row["answer"], "contexts": contexts})
    explorer.library.close()
    return rows_with_contexts


def numbered(row: dict, number: int) -> dict:
    """`row` with a number at the end of its answer and of each context, so that no model has cached it."""
    end = f" See note {number}."
    return row | {"answer": row["answer"] + end, "contexts": [context + end for context in row["contexts"]]}


def time_rows(home: Path, counts: list[int], workers: list[int]) -> None:
    """Print the rows per second of the command `judge`: in one process whose models are loaded, then on Ray clusters.

    workers: for each cluster, its number of workers. From the time of a cluster, that of a single row is subtracted,
    which is mostly spent on loading the models.
    """
    rows = rows_of(home)
    _time_rows(home, rows, counts, "one process", [])
    for many in workers:
        with _cluster(many) as address:
            _time_rows(home, rows, counts, f"Ray, {many} workers", ["--ray", address])


def _time_rows(home: Path, rows: list[dict], counts: list[int], where: str, over: list[str]) -> None:
    source, target, loading = home / _READ, home / _WRITTEN, 0.0
    for count in [1, *counts]:
        numbered_rows = enumerate(islice(cycle(rows), count), start=count * 1000)
        source.write_text("\n".join(json.dumps({"id": n} | numbered(row, n)) for n, row in numbered_rows))
        command = ["--in", str(source), "--out", str(target), "--home", str(home), *over]
        started = time.perf_counter()
        _judge(command)
        seconds = time.perf_counter() - started
        lines = [json.loads(line) for line in target.read_text().splitlines()]
        assert len(lines) == count
        if count == 1:
            loading = seconds if over else 0.0
            continue
        rate, errors = count / (seconds - loading), sum("error" in row for row in lines)
        print(f"{where}, {count} rows: {seconds:.1f} s, {loading:.1f} of them loading, {rate:.2f} rows/s, {errors} errors",
              flush=True)  # fmt: skip


def _judge(command: list[str]) -> None:
    """Run the command `judge` with these arguments in this process."""
    parser = argparse.ArgumentParser()
    judge.add_options(parser)
    terminal.add_options(parser)
    cluster.add_option(parser)
    parser.add_argument("--journal", action="store_true")
    parser.add_argument("--home", type=Path)
    judge.judge(parser.parse_args(command))


def time_without_models(home: Path, counts: list[int]) -> None:
    """Print the cost of `judge` per row without its models: the CPU time of reading, deciding and writing, and the
    memory.

    Each count runs in a process of its own. All rows use a few traces that were measured before; each row parses one of
    them anew.
    """
    rows = rows_of(home)
    explorer = open_explorer(home)
    traces = [dumps(trace) for trace in measure_or_error(rows[:_MEASURED], explorer, [Preset()])]
    explorer.library.close()
    at_first: tuple[float, float] | None = None
    for count in [1, *counts]:
        with get_context("spawn").Pool(1) as alone:
            seconds, peak = alone.apply(_run_without_models, (home, rows, traces, count))
        if at_first is None:
            at_first = seconds, peak  # of a single row: opening the library and loading the models
            continue
        read_size, written_size = ((home / name).stat().st_size / 2**20 for name in (_READ, _WRITTEN))
        print(f"beside the models, {count} rows: {1000 * (seconds - at_first[0]) / count:.1f} ms of a processor a row, "
              f"{peak - at_first[1]:.0f} MB more than for one; {read_size:.0f} MB read, {written_size:.0f} MB written", flush=True)  # fmt: skip


def _run_without_models(home: Path, rows: list[dict], traces: list[str], count: int) -> tuple[float, float]:
    """The CPU seconds and peak megabytes of a process that runs `judge` on `count` rows with stored traces."""
    source, target = home / _READ, home / _WRITTEN
    with source.open("w") as lines:
        numbered_rows = enumerate(islice(cycle(rows), count))
        lines.writelines(json.dumps({"id": n} | numbered(row, n)) + "\n" for n, row in numbered_rows)
    judge.measuring_of = lambda _: (
        lambda numbered_rows, *_: (loads(traces[n % len(traces)]) for n, _ in enumerate(numbered_rows))
    )
    _judge(["--in", str(source), "--out", str(target), "--home", str(home)])
    return time.process_time(), megabytes(os.getpid(), "VmHWM")


@contextmanager
def _cluster(workers: int) -> Iterator[str]:
    """Within the block, run a Ray cluster on this computer with `workers` workers; yields its address."""
    os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": _TOKEN}
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
    port = free_port()
    command = [Path(sys.executable).with_name("ray"), "start", "--head", "--block", f"--num-cpus={workers}"]
    command += [f"--port={port}", "--include-dashboard=false", "--node-ip-address=127.0.0.1"]
    head = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            if head.poll() is not None:
                raise SystemExit("ray start has ended; is Ray installed?")
            time.sleep(0.5)
        time.sleep(5)  # until the cluster's first node has joined
        yield f"127.0.0.1:{port}"
    finally:
        head.terminate()
        head.wait()


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        return probe.getsockname()[1]


def of_service(home: Path, clients: int, seconds: float) -> None:
    """Print the service's requests per second, response times, errors, and memory while it runs."""
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
            memory.append(megabytes(process.pid))
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


def megabytes(pid: int, what: str = "VmRSS") -> float:
    """The resident memory of a process in megabytes: the current one, or its peak if `what` is "VmHWM"."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split(f"{what}:")[1].split()[0]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    what = parser.add_subparsers(dest="what", required=True)
    rows = what.add_parser("rows")
    rows.add_argument("counts", type=int, nargs="+")
    rows.add_argument("--workers", type=int, nargs="*", default=[], metavar="N", help="over Ray clusters of so many")
    beside = what.add_parser("beside")
    beside.add_argument("counts", type=int, nargs="+")
    service = what.add_parser("service")
    service.add_argument("--clients", type=int, default=50)
    service.add_argument("--seconds", type=float, default=180)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if options.what == "rows":
            time_rows(Path(folder), options.counts, options.workers)
        elif options.what == "beside":
            time_without_models(Path(folder), options.counts)
        else:
            of_service(Path(folder), options.clients, options.seconds)


if __name__ == "__main__":
    main()
