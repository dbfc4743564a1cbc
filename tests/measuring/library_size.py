"""What a library of so many passages takes in a Chroma server, with its lexical index beside it.

    python -m tests.measuring.library_size 100000 1000000

Passages are made: the vectors of the sample chapters with noise, so that each is as far from its own as neighbours are
in a book, and words drawn from those chapters, every third passage with a word of its own.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import psutil
from numpy.random import default_rng

from core.banks import TUNING, read_bank
from core.library import load_sample
from core.library.vector_store import Collection
from core.retrieval.retriever import POOL
from core.retrieval.scoring import Lexical
from core.startup import open_explorer
from core.text.words import content
from tests.library.test_server import Server
from tests.measuring.throughput import megabytes

_SENT = 1000
"""Vectors that a document has, and a request brings."""


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
                  f"{megabytes(server.process.pid):.0f} MB of memory, {disk:.0f} on the disk", flush=True)  # fmt: skip
    finally:
        server.kill()
    words = np.array([word for p in passages for word in p.text.split()])
    for count in sorted(counts):
        before, started = megabytes(os.getpid()), time.perf_counter()
        drawn = (words[default_rng(n).integers(len(words), size=90)] for n in range(count))
        lexical = Lexical([" ".join(text) + f" own{n // 3}" for n, text in enumerate(drawn)])
        built, grown = time.perf_counter() - started, megabytes(os.getpid()) - before
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


def main() -> None:
    told = argparse.ArgumentParser(description=__doc__)
    told.add_argument("counts", type=int, nargs="+")
    options = told.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        of_library(Path(folder), options.counts)


if __name__ == "__main__":
    main()
