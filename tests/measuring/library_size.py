"""What a library of so many passages takes: in a Chroma server, and in an index of its words.

    python -m tests.measuring.library_size server 100000 1000000
    python -m tests.measuring.library_size words 10000 100000 1000000

Passages are made: the vectors of the sample chapters with noise, so that each is as far from its own as neighbours are
in a book, and words drawn from those chapters, every third passage with a word of its own.
"""

import argparse
import json
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from multiprocessing import get_context
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
_WORDS = 90
"""Words of a passage."""
ASKED = [row["query"] for row in read_bank(TUNING)[:200]]


def of_server(home: Path, counts: list[int]) -> None:
    """Passages a second into a Chroma server since the count before, times of a search, its memory, its files."""
    explorer = open_explorer(home)
    load_sample(explorer.library)
    own = explorer.library.vectors([p.id for p in explorer.library.passages()])
    vectors = explorer.models.embedder.encode(ASKED)
    explorer.library.close()
    server = Server(home / "server")
    server.start()
    try:
        collection, made, chance = Collection(home / "made", "made", server.address), 0, default_rng(0)
        for count in sorted(counts):
            before, seconds = made, 0.0
            while made < count:
                some = _neighbours(own, min(_SENT, count - made), chance)
                ids = [f"{made + n:09d}" for n in range(len(some))]
                started = time.perf_counter()
                collection.add(f"document {made // _SENT}", ids, some)
                seconds, made = seconds + time.perf_counter() - started, made + len(some)
            median, p95 = _timed(lambda vector: collection.nearest(vector, POOL, None), vectors)
            print(f"{count} passages in the server: {(made - before) / seconds:.0f} a second in, search {median:.1f} ms, "
                  f"p95 {p95:.1f}; {megabytes(server.process.pid):.0f} MB of memory, {_disk(home / 'server'):.0f} on the "
                  "disk", flush=True)  # fmt: skip
    finally:
        server.kill()


def _neighbours(own: np.ndarray, count: int, chance: np.random.Generator) -> np.ndarray:
    """Unit vectors with a cosine of 0.71 each to one of `own`."""
    some = own[chance.integers(len(own), size=count)]
    noise = chance.standard_normal(some.shape, dtype=np.float32)
    some = some + noise / np.linalg.norm(noise, axis=1, keepdims=True)
    return some / np.linalg.norm(some, axis=1, keepdims=True)


def of_words(home: Path, counts: list[int]) -> None:
    """What each index of words takes, every one in a process of its own: what one held is not counted for the next.

    Times are those of a processor, which a busy machine does not lengthen.
    """
    explorer = open_explorer(home)
    load_sample(explorer.library)
    words = [word for p in explorer.library.passages() for word in p.text.split()]
    explorer.library.close()
    for count in sorted(counts):
        folder = home / f"words {count}"
        folder.mkdir()
        for index in (ours, mapped, fts5, tantivy_index):
            alone = get_context("spawn").Process(target=index, args=(folder, words, count))
            alone.start()
            alone.join()


def _texts(words: list[str], count: int) -> Iterator[str]:
    """The same made passages for every index."""
    known, chance = np.array(words), default_rng(0)
    return (" ".join(known[chance.integers(len(known), size=_WORDS)]) + f" own{n // 3}" for n in range(count))


def ours(folder: Path, words: list[str], count: int) -> None:
    """The index that every process builds of the texts that it holds."""
    before = _own()
    texts = list(_texts(words, count))
    held, started = _own(), time.process_time()
    lexical = Lexical(texts)
    seconds = time.process_time() - started
    times, found = _searched(lambda query: np.argsort(-lexical.shares(query), kind="stable")[:POOL])
    print(f"{count} passages, ours: {_built(seconds)}; search {times}; "
          f"{_own() - held:.0f} MB in every process, beside {held - before:.0f} of texts", flush=True)  # fmt: skip
    lexical._index.save(folder / "bm25s", show_progress=False)
    (folder / "found.json").write_text(json.dumps([[int(n) for n in one] for one in found]))


def mapped(folder: Path, words: list[str], count: int) -> None:
    """The same index saved and mapped into memory, which the processes of a computer share."""
    before = _own()
    index = bm25s.BM25.load(folder / "bm25s", mmap=True)

    def search(query: str) -> np.ndarray:
        known = [w for w in dict.fromkeys(content(query)) if w in index.vocab_dict]
        scores = index.get_scores(known) if known else np.zeros(count)
        best = np.argpartition(-scores, min(POOL, count - 1))[:POOL]
        return best[np.argsort(-scores[best], kind="stable")]

    _say(f"{count} passages, bm25s mapped", "saved by the one above", search, folder / "bm25s", before)


def fts5(folder: Path, words: list[str], count: int) -> None:
    """SQLite's own index of words, of stems that are made as ours are; the texts stay where they are."""
    before, started, file = _own(), time.process_time(), folder / "fts5.sqlite3"
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE VIRTUAL TABLE passages USING fts5(stems, content='', tokenize='unicode61')")
        rows = ((n, " ".join(content(text))) for n, text in enumerate(_texts(words, count)))
        db.executemany("INSERT INTO passages (rowid, stems) VALUES (?, ?)", rows)
        db.execute("INSERT INTO passages (passages) VALUES ('optimize')")
        db.commit()
        seconds = time.process_time() - started

        def search(query: str) -> list[int]:
            wanted = " OR ".join(f'"{word}"' for word in dict.fromkeys(content(query)))
            asked = "SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT ?"
            return [n for (n,) in db.execute(asked, (wanted, POOL))] if wanted else []

        _say(f"{count} passages, FTS5", _built(seconds), search, file, before)


def tantivy_index(folder: Path, words: list[str], count: int) -> None:
    """Tantivy's index (pip install tantivy), which leaves out what cannot come among the best."""
    try:
        import tantivy
    except ImportError:
        print("Tantivy is not installed: not measured")
        return
    before, started, place = _own(), time.process_time(), folder / "tantivy"
    place.mkdir()
    fields = tantivy.SchemaBuilder()
    fields.add_integer_field("number", stored=True)
    fields.add_text_field("stems", tokenizer_name="whitespace", index_option="freq")
    index = tantivy.Index(fields.build(), str(place))
    writer = index.writer(heap_size=128 * 2**20, num_threads=1)
    for n, text in enumerate(_texts(words, count)):
        writer.add_document(tantivy.Document(number=n, stems=" ".join(content(text))))
    writer.commit()
    writer.wait_merging_threads()
    seconds = time.process_time() - started
    index.reload()
    searcher, schema = index.searcher(), index.schema

    def search(query: str) -> list[int]:
        terms = [tantivy.Query.term_query(schema, "stems", word, "freq") for word in dict.fromkeys(content(query))]
        wanted = tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in terms])
        return [searcher.doc(place)["number"][0] for _, place in searcher.search(wanted, POOL).hits]

    _say(f"{count} passages, Tantivy", _built(seconds), search, place, before)


def _say(what: str, built: str, search: Callable[[str], Iterable[int]], files: Path, before: float) -> None:
    """One line, with how much of what ours finds is found, too."""
    times, found = _searched(search)
    theirs = json.loads((files.parent / "found.json").read_text())
    alike = np.mean([len({*map(int, one)} & {*best}) / POOL for one, best in zip(found, theirs, strict=True)])
    print(f"{what}: {built}; search {times}; {_own() - before:.0f} MB that are not shared, {_disk(files):.0f} on the disk; "
          f"{alike:.0%} of the {POOL} best are ours", flush=True)  # fmt: skip


def _built(seconds: float) -> str:
    return f"built in {seconds:.0f} s, {_peak():.0f} MB at most"


def _searched(search: Callable[[str], Any]) -> tuple[str, list[Any]]:
    search(ASKED[0])
    found: list[Any] = []
    median, p95 = _timed(lambda query: found.append(search(query)), ASKED, time.process_time)
    return f"{median:.1f} ms, p95 {p95:.1f}", found


def _own() -> float:
    """Megabytes of this process that no other shares."""
    return psutil.Process().memory_full_info().uss / 2**20


def _peak() -> float:
    """Megabytes that this process held when it held most."""
    return megabytes(os.getpid(), "VmHWM")


def _disk(files: Path) -> float:
    """Megabytes of a file, or of all in a folder."""
    return sum(f.stat().st_size for f in (files, *files.rglob("*")) if f.is_file()) / 2**20


def _timed(
    search: Callable[[Any], Any], asked: Iterable[Any], clock: Callable[[], float] = time.perf_counter
) -> tuple[float, float]:
    """Median and p95 of a search, in milliseconds by `clock`."""
    times = []
    for one in asked:
        started = clock()
        search(one)
        times.append(1000 * (clock() - started))
    return tuple(np.percentile(times, [50, 95]))


def main() -> None:
    told = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    told.add_argument("what", choices=["server", "words"])
    told.add_argument("counts", type=int, nargs="+")
    options = told.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        (of_server if options.what == "server" else of_words)(Path(folder), options.counts)


if __name__ == "__main__":
    main()
