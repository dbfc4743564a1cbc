"""Measures word indexes over generated passages: their memory in every process and their search time, for our own index
and for alternatives."""

import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import default_rng

from core.banks import TUNING, read_bank
from core.case import Passage
from core.lab.load.throughput import megabytes
from core.retrieval.library_words import LibraryVocabulary
from core.retrieval.retriever import POOL
from core.retrieval.word_index import best_first, stored_index
from core.text.words import content

_WORDS = 90
"""Words per passage."""
QUERIES = [row["query"] for row in read_bank(TUNING)[:200]]


def _generate_texts(words: list[str], count: int) -> Iterator[str]:
    """Yield `count` generated passages, the same for every index."""
    vocabulary, chance = np.array(words), default_rng(0)
    return (" ".join(vocabulary[chance.integers(len(vocabulary), size=_WORDS)]) + f" own{n // 3}" for n in range(count))


def _generate_passages(words: list[str], count: int) -> list[Passage]:
    texts = enumerate(_generate_texts(words, count))
    return [Passage(id=f"{n:09d}", sentences=(text,), pages=(1,)) for n, text in texts]


def measure_texts_in_memory(_: Path, words: list[str], count: int) -> None:
    """Print the memory that the passages take up in a process, each in sentences of 18 words, and the memory of the
    vocabulary that is built from them."""
    before, ends = _own_megabytes(), range(0, _WORDS + 1, _WORDS // 5)
    texts = enumerate(text.split() for text in _generate_texts(words, count))
    passages = [
        Passage(id=f"{n:09d}", sentences=tuple(" ".join(text[a : a + _WORDS // 5]) for a in ends), pages=(1,) * 6)
        for n, text in texts
    ]
    of_passages, vocabulary = _own_megabytes(), LibraryVocabulary(passages)
    started = time.process_time()
    (
        vocabulary.explains("x"),
        vocabulary.contains(["x"]),
        vocabulary.holds_text("x"),
        vocabulary.holds_number("figure", "1"),
    )
    print(f"{count} passages, held: {of_passages - before:.0f} MB in every process, and {_own_megabytes() - of_passages:.0f} of their "
          f"vocabulary, worked out in {time.process_time() - started:.0f} s", flush=True)  # fmt: skip


def measure_new_index(folder: Path, words: list[str], count: int) -> None:
    """Measure how the first process that needs our own index makes its file."""
    passages = _generate_passages(words, count)
    before, started = _peak_megabytes(), time.process_time()
    stored_index(folder / "words", passages)
    print(f"{count} passages, ours: {_build_text(time.process_time() - started)}, {before:.0f} before", flush=True)


def measure_own_index(folder: Path, words: list[str], count: int) -> None:
    """Measure our own index in a process that maps the file of another one."""
    passages = _generate_passages(words, count)
    before, started = _own_megabytes(), time.process_time()
    lexical = stored_index(folder / "words", passages)
    opened = f"opened in {time.process_time() - started:.2f} s"

    def search(query: str) -> list[int]:
        return list(islice(best_first(lexical.shares(query)), POOL))

    (folder / "found.json").write_text(json.dumps([search(query) for query in QUERIES]))
    _print_figures(f"{count} passages, ours", opened, search, folder / "words", before)


def measure_fts5(folder: Path, words: list[str], count: int) -> None:
    """Measure SQLite's full-text index (FTS5) of our stems, without a copy of the texts."""
    before, started, file = _own_megabytes(), time.process_time(), folder / "fts5.sqlite3"
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE VIRTUAL TABLE passages USING fts5(stems, content='', tokenize='unicode61')")
        rows = ((n, " ".join(content(text))) for n, text in enumerate(_generate_texts(words, count)))
        db.executemany("INSERT INTO passages (rowid, stems) VALUES (?, ?)", rows)
        db.execute("INSERT INTO passages (passages) VALUES ('optimize')")
        db.commit()
        seconds = time.process_time() - started

        def search(query: str) -> list[int]:
            match_query = " OR ".join(f'"{word}"' for word in dict.fromkeys(content(query)))
            sql = "SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT ?"
            return [n for (n,) in db.execute(sql, (match_query, POOL))] if match_query else []

        _print_figures(f"{count} passages, FTS5", _build_text(seconds), search, file, before)


def measure_tantivy(folder: Path, words: list[str], count: int) -> None:
    """Measure Tantivy's index (pip install tantivy), which skips texts that cannot be among the best."""
    try:
        import tantivy as engine
    except ImportError:
        print("Tantivy is not installed: not measured")
        return
    before, started, place = _own_megabytes(), time.process_time(), folder / "tantivy"
    place.mkdir()
    fields = engine.SchemaBuilder()
    fields.add_integer_field("number", stored=True)
    fields.add_text_field("stems", tokenizer_name="whitespace", index_option="freq")
    index = engine.Index(fields.build(), str(place))
    writer = index.writer(heap_size=128 * 2**20, num_threads=1)
    for n, text in enumerate(_generate_texts(words, count)):
        writer.add_document(engine.Document(number=n, stems=" ".join(content(text))))
    writer.commit()
    writer.wait_merging_threads()
    seconds = time.process_time() - started
    index.reload()
    searcher, schema = index.searcher(), index.schema

    def search(query: str) -> list[int]:
        terms = [engine.Query.term_query(schema, "stems", word, "freq") for word in dict.fromkeys(content(query))]
        query_object = engine.Query.boolean_query([(engine.Occur.Should, term) for term in terms])
        return [searcher.doc(place)["number"][0] for _, place in searcher.search(query_object, POOL).hits]

    _print_figures(f"{count} passages, Tantivy", _build_text(seconds), search, place, before)


def _print_figures(what: str, built: str, search: Callable[[str], Iterable[int]], files: Path, before: float) -> None:
    """Print one line of figures on an index, with the share of our own index's best results that it finds too.

    what: the name of the index. built: a text on how long building took. search: returns the best results of a query.
    files: the index on the disk. before: the megabytes of this process before the index was opened.
    """
    times, results = _time_searches(search)
    ours = json.loads((files.parent / "found.json").read_text())
    pairs = [(set(map(int, one)), set(best)) for one, best in zip(results, ours, strict=True) if best]
    alike = np.mean([len(one & best) / len(best) for one, best in pairs])
    print(f"{what}: {built}; search {times}; {_own_megabytes() - before:.0f} MB that are not shared, {disk_megabytes(files):.0f} on the disk; "
          f"{alike:.0%} of the {POOL} best are ours", flush=True)  # fmt: skip


def _build_text(seconds: float) -> str:
    return f"built in {seconds:.0f} s, {_peak_megabytes():.0f} MB at most"


def _time_searches(search: Callable[[str], Any]) -> tuple[str, list[Any]]:
    search(QUERIES[0])
    results: list[Any] = []
    median, p95 = time_search(lambda query: results.append(search(query)), QUERIES, time.process_time)
    return f"{median:.1f} ms, p95 {p95:.1f}", results


def _own_megabytes() -> float:
    """Megabytes of this process that it cannot share with others: all but files that are mapped."""
    return megabytes(os.getpid(), "RssAnon")


def _peak_megabytes() -> float:
    """Peak megabytes of this process."""
    return megabytes(os.getpid(), "VmHWM")


def disk_megabytes(files: Path) -> float:
    """Megabytes of a file, or of all files in a folder."""
    return sum(f.stat().st_size for f in (files, *files.rglob("*")) if f.is_file()) / 2**20


def time_search(
    search: Callable[[Any], Any], queries: Iterable[Any], clock: Callable[[], float] = time.perf_counter
) -> tuple[float, float]:
    """(median, 95th percentile) of the milliseconds of a search, measured by `clock` over all `queries`."""
    times = []
    for one in queries:
        started = clock()
        search(one)
        times.append(1000 * (clock() - started))
    return tuple(np.percentile(times, [50, 95]))


INDEXES = (measure_texts_in_memory, measure_new_index, measure_own_index, measure_fts5, measure_tantivy)
