"""Measures search times, memory and disk use of a Chroma server with a given number of passages.

Their vectors are generated: those of the sample chapters with noise, about as far from the original as neighbouring
passages of a book are from each other.
"""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import default_rng

from core.banks import TUNING, read_bank
from core.graph.startup import open_explorer
from core.lab.bench.figure import seconds
from core.lab.bench.memory import resident
from core.lab.load.chroma_server import Server
from core.library import load_sample
from core.library.vector_index import client_of, open_collection
from core.retrieval.retriever import POOL

_SENT = 1000
"""Vectors per request."""


def of_server(home: Path, counts: Sequence[int]) -> Iterator[dict[str, Any]]:
    """For each count of passages: added per second, search times, and memory and disk use of a Chroma server."""
    explorer = open_explorer(home)
    load_sample(explorer.library)
    own = explorer.library.vectors([p.id for p in explorer.library.passages()])
    vectors = explorer.models.embedder.encode([row["query"] for row in read_bank(TUNING)[:200]])
    explorer.library.close()
    server = Server(home / "server")
    server.start()
    try:
        collection, added_count, chance = open_collection(client_of(server.address), "made", "made"), 0, default_rng(0)
        for count in sorted(counts):
            before, adding = added_count, 0.0
            while added_count < count:
                some = _neighbours(own, min(_SENT, count - added_count), chance)
                ids = [f"{added_count + n:09d}" for n in range(len(some))]
                started = time.perf_counter()
                collection.add(ids=ids, embeddings=some)
                adding, added_count = adding + time.perf_counter() - started, added_count + len(some)
            queries = [{"query_embeddings": vector[None], "n_results": POOL} for vector in vectors]
            times = [1000 * seconds(lambda q=query: collection.query(**q)) for query in queries]
            files = [file for file in (home / "server").rglob("*") if file.is_file()]
            yield {
                "count": count, "n": len(vectors), "median_ms": np.median(times), "p95_ms": np.percentile(times, 95),
                "added_per_second": (added_count - before) / adding, "memory_mb": resident(server.process.pid),
                "disk_mb": sum(file.stat().st_size for file in files) / 2**20,
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
