"""Hostile and real PDFs into one library: `nice python -m tests.library.attack --count 1000 ../shared/data/pdfs`.

Those of the folders that are named, built bombs, loops and trees, our own PDFs broken at random, and real chapters broken
at random. Each is read, or refused in one sentence; at the end the library holds each that was read once. No process,
readers of PDFs included, connects to another machine.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

from core.library import Library, LibraryError
from tests.library.mutants import LIMITS, injured, mutant
from tests.support import crafted_pdfs as crafted
from tests.support.connections import run_traced
from tests.support.fake_models import WordEmbedder
from tests.support.libraries import indexed
from tests.support.reader_seconds import reader_seconds

CHAPTERS = Path(__file__).parents[3] / "shared" / "data" / "ncert"
HUNG = LIMITS.seconds + 10
"""Seconds of work or sleep after which a file has got through the bounds of a reader, however busy the computer is."""
SHARES = {"built": 0.15, "ours": 0.5, "chapters": 0.35}
"""Of what is left after the files that are named."""


def deep_tree(depth: int) -> bytes:
    """A tree of pages of which each branch has one other."""
    nodes = [b"<</Type/Pages/Parent %d 0 R/Kids[%d 0 R]/Count 1>>" % (n + 1, n + 3) for n in range(depth)]
    page = b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 600 800]>>" % (depth + 1)
    return crafted.crafted(b"<</Type/Catalog/Pages 2 0 R>>", *nodes, page)


def nested(depth: int) -> bytes:
    """A page whose content is arrays within arrays."""
    return crafted.one_page(crafted.stream(b"[" * depth + b"]" * depth + crafted.HELLO))


def built(seed: int) -> bytes:
    """A bomb, a loop, or a deep or wide tree; each of another size."""
    chance = random.Random(seed)
    made = [
        lambda: crafted.bomb(chance.randint(1, 3)), crafted.cyclic_tree, crafted.cyclic_form, crafted.cyclic_outline,
        crafted.cyclic_table, lambda: deep_tree(10 ** chance.randint(1, 4)), lambda: nested(10 ** chance.randint(2, 6)),
        lambda: crafted.many_pages(chance.choice((999, 1001, 5000))), crafted.armed, crafted.gutted,
    ]  # fmt: skip
    return made[seed % len(made)]() + b"%%%d\n%%%%EOF\n" % seed  # so that no two have the same bytes


def broken_chapter(seed: int, chapters: list[bytes]) -> bytes:
    """A real chapter after one to three injuries."""
    chance = random.Random(seed)
    return injured(chance.choice(chapters), chance)


def files(folders: list[Path], count: int) -> Iterator[tuple[str, bytes]]:
    """Kind and bytes of `count` PDFs, the kinds in turns."""
    named = [path.read_bytes() for folder in folders for path in sorted(folder.rglob("*.pdf"))]
    chapters = [path.read_bytes() for path in sorted(CHAPTERS.glob("*.pdf"))]
    makes = {"built": built, "ours": mutant, "chapters": lambda seed: broken_chapter(seed, chapters)}
    shares = {kind: share for kind, share in SHARES.items() if kind != "chapters" or chapters}
    most = max(0, count - len(named))

    def made(kind: str) -> Iterator[tuple[str, bytes]]:
        return ((kind, makes[kind](seed)) for seed in range(round(most * shares[kind])))

    sources = [(("named", data) for data in named[:count]), *map(made, shares)]
    while sources:
        for source in list(sources):
            found = list(islice(source, 1))
            sources = sources if found else [s for s in sources if s is not source]
            yield from found


def outcome(library: Library, kind: str, number: int, data: bytes) -> tuple[str, str, str]:
    """Kind, what became of a file, and what was said of it."""
    started, worked, name = time.monotonic(), time.thread_time(), f"{kind} {number}.pdf"
    with reader_seconds() as readers:
        try:
            done = library.ingest(data, name)
            found, said = ("read" if done.added else "held"), done.document.id
        except LibraryError as error:
            found, said = "refused", str(error)
        except Exception as error:  # what an attack is after
            found, said = "crashed", f"{name}: {type(error).__name__} {error}"
    clock, worked, slowest = time.monotonic() - started, time.thread_time() - worked, max(readers.values(), default=0.0)
    if clock > HUNG:
        told = f"{clock:.0f} s of the clock, {slowest:.1f} s of its slowest reader, {worked:.1f} s of the app"
        print(f"{name}: {told}, {said}", file=sys.stderr, flush=True)
    return kind, "hung" if worked + slowest > HUNG else found, said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=60, help="begin with no further file after so long")
    options = parser.parse_args()
    until, seen, ids = time.monotonic() + 60 * options.minutes, Counter(), set()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        library = Library(Path(folder), WordEmbedder(), limits=LIMITS)
        todo = enumerate(files(options.folders, options.count))
        while time.monotonic() < until and (some := list(islice(todo, 8))):
            jobs = [pool.submit(outcome, library, kind, number, data) for number, (kind, data) in some]
            for kind, found, said in (job.result() for job in jobs):
                seen[kind, found] += 1
                ids |= {said} if found == "read" else set()
                if found == "crashed":
                    print(said, flush=True)
            if not seen.total() % 40:
                print(f"{seen.total()} of {options.count}", file=sys.stderr, flush=True)
        there = Counter(document.id for document in library.documents())
        in_index = len(indexed(library))
        told(seen, lost=len(ids - set(there)), doubled=sum(there.values()) - len(there))
        print(f"passages that can be evidence {sum(p.tells for p in library.passages())}, in the index {in_index}")
        library.close()


def told(seen: Counter, **after: int) -> None:
    """A row a kind and one for all of them."""
    kinds, columns = list(dict.fromkeys(kind for kind, _ in seen)), ("read", "held", "refused", "crashed", "hung")
    print("| PDFs | n |", " | ".join(columns), "|")
    for kind in [*kinds, "all"]:
        counts = [sum(n for (k, c), n in seen.items() if c == column and kind in (k, "all")) for column in columns]
        print(f"| {kind} | {sum(counts)} |", " | ".join(map(str, counts)), "|")
    print(", ".join(f"{name} {count}" for name, count in after.items()))


if __name__ == "__main__":
    run_traced(main)
