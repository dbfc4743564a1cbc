"""Measures time and memory for a library of a given number of passages: in a Chroma server, and in word indexes.

    python -m core.lab.load.library_size server 100000 1000000
    python -m core.lab.load.library_size words 10000 100000 300000 1000000

Passages are generated. Their vectors are those of the sample chapters with noise, about as far from the original as
neighbouring passages of a book are from each other. Their words are drawn from those chapters; every three passages
share one word that no other passage has.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import default_rng

from core.graph.startup import open_explorer
from core.lab.load.chroma_server import Server
from core.lab.load.throughput import megabytes
from core.lab.load.word_indexes import INDEXES, QUERIES, disk_megabytes, time_search
from core.library import load_sample
from core.library.vector_store import Collection
from core.retrieval.retriever import POOL

_SENT = 1000
"""Vectors per document and per request."""


def of_server(home: Path, counts: Sequence[int]) -> Iterator[dict[str, Any]]:
    """For each count of passages: added per second, search times, and memory and disk use of a Chroma server."""
    explorer = open_explorer(home)
    load_sample(explorer.library)
    own = explorer.library.vectors([p.id for p in explorer.library.passages()])
    vectors = explorer.models.embedder.encode(QUERIES)
    explorer.library.close()
    server = Server(home / "server")
    server.start()
    try:
        collection, added_count, chance = Collection(home / "made", "made", server.address), 0, default_rng(0)
        for count in sorted(counts):
            before, seconds = added_count, 0.0
            while added_count < count:
                some = _neighbours(own, min(_SENT, count - added_count), chance)
                ids = [f"{added_count + n:09d}" for n in range(len(some))]
                started = time.perf_counter()
                collection.add(f"document {added_count // _SENT}", ids, some)
                seconds, added_count = seconds + time.perf_counter() - started, added_count + len(some)
            median, p95 = time_search(lambda vector: collection.nearest(vector, POOL, None), vectors)
            yield {
                "count": count, "n": len(vectors), "median_ms": median, "p95_ms": p95,
                "added_per_second": (added_count - before) / seconds, "memory_mb": megabytes(server.process.pid),
                "disk_mb": disk_megabytes(home / "server"),
            }  # fmt: skip
    finally:
        server.kill()


def _neighbours(own: np.ndarray, count: int, chance: np.random.Generator) -> np.ndarray:
    """`count` random unit vectors, each with a cosine of about 0.71 to one of the vectors `own`. chance: the random
    generator."""
    some = own[chance.integers(len(own), size=count)]
    noise = chance.standard_normal(some.shape, dtype=np.float32)
    some = some + noise / np.linalg.norm(noise, axis=1, keepdims=True)
    return some / np.linalg.norm(some, axis=1, keepdims=True)


def server_text(row: dict[str, Any]) -> str:
    return (
        f"{row['count']} passages in the server: {row['added_per_second']:.0f} a second in, search {row['median_ms']:.1f} "
        f"ms, p95 {row['p95_ms']:.1f}; {row['memory_mb']:.0f} MB of memory, {row['disk_mb']:.0f} on the disk"
    )


def of_words(home: Path, counts: list[int]) -> None:
    """Print the memory and times of each word index for each number of passages in `counts`.

    Each index is measured in a process of its own, so that memory is not counted twice. Times are CPU times, which
    depend little on other work on the machine.
    """
    explorer = open_explorer(home)
    load_sample(explorer.library)
    words = [word for p in explorer.library.passages() for word in p.text.split()]
    explorer.library.close()
    for count in sorted(counts):
        folder = home / f"words {count}"
        folder.mkdir()
        for index in INDEXES:
            alone = get_context("spawn").Process(target=index, args=(folder, words, count))
            alone.start()
            alone.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["server", "words"])
    parser.add_argument("counts", type=int, nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if options.what == "words":
            of_words(Path(folder), options.counts)
        else:
            for row in of_server(Path(folder), options.counts):
                print(server_text(row), flush=True)


if __name__ == "__main__":
    main()
