"""How many rows a second: `judge` in one process and over Ray, and the service under clients that ask all the time;
and what a library of so many passages takes in a Chroma server, with its lexical index beside it.

    python -m tests.measuring.throughput rows 100 300 1000 --workers 1 2 4
    python -m tests.measuring.throughput service --clients 50 --seconds 180
    python -m tests.measuring.throughput library 100000 1000000

Rows are those of the sample banks that bring an answer, each with contexts of its own from the sample chapters, over
and over again. A number in every text makes each of them new, since models remember what they were asked. Passages are
made: the vectors of the sample chapters with noise, so that each is as far from its own as neighbours are in a book, and
words drawn from those chapters, every third passage with a word of its own.
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
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import bm25s
import httpx
import numpy as np
import psutil
from numpy.random import default_rng

from core.__main__ import parser
from core.banks import TUNING, read_bank
from core.command.judge import judge
from core.library import load_sample
from core.library.vector_store import Collection
from core.retrieval.retriever import POOL
from core.retrieval.scoring import Lexical
from core.startup import open_explorer
from core.text.words import content
from tests.library.test_server import Server

ROOT = Path(__file__).parents[2]
_SENT = 1000
"""Vectors that a document has, and a request brings."""
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


def of_rows(home: Path, counts: list[int], workers: list[int]) -> None:
    """Rows a second of the command: in one process, models loaded before, then over clusters of so many workers, less
    the time of a single row, which is that of loading them."""
    rows = rows_of(home)
    _of_rows(home, rows, counts, "one process", [])
    for many in workers:
        with _cluster(many) as address:
            _of_rows(home, rows, counts, f"Ray, {many} workers", ["--ray", address])


def _of_rows(home: Path, rows: list[dict], counts: list[int], where: str, over: list[str]) -> None:
    source, target, loading = home / "in.jsonl", home / "out.jsonl", 0.0
    for count in [1, *counts]:
        taken = enumerate(islice(cycle(rows), count), start=count * 1000)
        source.write_text("\n".join(json.dumps({"id": n} | numbered(row, n)) for n, row in taken))
        command = ["judge", "--in", str(source), "--out", str(target), "--home", str(home), *over]
        started = time.perf_counter()
        judge(parser().parse_args(command))
        seconds = time.perf_counter() - started
        said = [json.loads(line) for line in target.read_text().splitlines()]
        assert len(said) == count
        if count == 1:
            loading = seconds if over else 0.0
            continue
        rate, errors = count / (seconds - loading), sum("error" in row for row in said)
        print(f"{where}, {count} rows: {seconds:.1f} s, {loading:.1f} of them loading, {rate:.2f} rows/s, {errors} errors",
              flush=True)  # fmt: skip


@contextmanager
def _cluster(workers: int) -> Iterator[str]:
    """The address of a Ray cluster on this computer alone, with room for so many workers."""
    os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
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
        time.sleep(5)  # its first node joins
        yield f"127.0.0.1:{port}"
    finally:
        head.terminate()
        head.wait()


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        return probe.getsockname()[1]


def of_library(home: Path, counts: list[int]) -> None:
    """Passages a second into a Chroma server, times of a search, memory; the same of the lexical index."""
    explorer = open_explorer(home)
    load_sample(explorer.library)
    passages = explorer.library.passages()
    own = explorer.library.vectors([p.id for p in passages])
    asked = [row["query"] for row in read_bank(TUNING)[:200]]
    vectors = explorer.models.embedder.encode(asked)
    explorer.library.close()
    server = Server(home / "server")
    server.start()
    try:
        collection, made, seconds, chance = Collection(home / "made", "made", server.address), 0, 0.0, default_rng(0)
        for count in sorted(counts):
            while made < count:
                some = own[chance.integers(len(own), size=min(_SENT, count - made))]
                noise = chance.standard_normal(some.shape, dtype=np.float32)
                some = some + noise / np.linalg.norm(noise, axis=1, keepdims=True)  # a cosine of 0.71 to its own
                some /= np.linalg.norm(some, axis=1, keepdims=True)
                ids = [f"{made + n:09d}" for n in range(len(some))]
                started = time.perf_counter()
                collection.add(f"document {made // _SENT}", ids, some)
                seconds, made = seconds + time.perf_counter() - started, made + len(some)
            median, p95 = _timed(lambda vector: collection.nearest(vector, POOL, None), vectors)
            disk = sum(f.stat().st_size for f in (home / "server").rglob("*") if f.is_file()) / 2**20
            print(f"{count} passages in the server: {made / seconds:.0f} a second in, search {median:.1f} ms, p95 {p95:.1f}; "
                  f"{_megabytes(server.process.pid):.0f} MB of memory, {disk:.0f} on the disk", flush=True)  # fmt: skip
    finally:
        server.kill()
    words = np.array([word for p in passages for word in p.text.split()])
    for count in sorted(counts):
        before, started = _megabytes(os.getpid()), time.perf_counter()
        drawn = (words[default_rng(n).integers(len(words), size=90)] for n in range(count))
        lexical = Lexical([" ".join(text) + f" own{n // 3}" for n, text in enumerate(drawn)])
        built, grown = time.perf_counter() - started, _megabytes(os.getpid()) - before
        median, p95 = _timed(lexical.shares, asked)
        print(f"{count} passages in the lexical index: built in {built:.0f} s, search {median:.1f} ms, p95 {p95:.1f}; "
              f"{grown:.0f} MB", flush=True)  # fmt: skip
        _of_mapped(lexical, home / f"bm25 {count}", asked)
        del lexical


def _of_mapped(lexical: Lexical, folder: Path, asked: list[str]) -> None:
    """The same index saved and mapped into memory, which the processes of a computer share."""
    lexical._index.save(folder)
    known = [[w for w in content(query) if w in lexical.words] for query in asked]
    before = _own()
    index = bm25s.BM25.load(folder, mmap=True)
    median, p95 = _timed(index.get_scores, [k for k in known if k])
    print(f"  mapped: search {median:.1f} ms, p95 {p95:.1f}; {_own() - before:.0f} MB that are not shared", flush=True)


def _own() -> float:
    """Megabytes of this process that no other shares."""
    return psutil.Process().memory_full_info().uss / 2**20


def _timed(search: Callable[[Any], Any], asked: Iterable[Any]) -> tuple[float, float]:
    """Median and p95 of a search, in milliseconds."""
    times = []
    for one in asked:
        started = time.perf_counter()
        search(one)
        times.append(1000 * (time.perf_counter() - started))
    return tuple(np.percentile(times, [50, 95]))


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
    rows = what.add_parser("rows")
    rows.add_argument("counts", type=int, nargs="+")
    rows.add_argument("--workers", type=int, nargs="*", default=[], metavar="N", help="over Ray clusters of so many")
    what.add_parser("library").add_argument("counts", type=int, nargs="+")
    service = what.add_parser("service")
    service.add_argument("--clients", type=int, default=50)
    service.add_argument("--seconds", type=float, default=180)
    options = told.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if options.what == "rows":
            of_rows(Path(folder), options.counts, options.workers)
        elif options.what == "library":
            of_library(Path(folder), options.counts)
        else:
            of_service(Path(folder), options.clients, options.seconds)


if __name__ == "__main__":
    main()
