"""Kills ingestions at random moments and looks at what is left: `python -m tests.library.kills --runs 50`."""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.library import Library
from tests.library.conftest import WordEmbedder, files

ROOT = Path(__file__).parents[2]
CHAPTERS = ROOT.parent / "shared" / "data" / "ncert"
INGEST = """
import sys
from pathlib import Path
from core.library import Library
from tests.library.conftest import WordEmbedder
print("ready", flush=True)
library = Library(Path(sys.argv[1]), WordEmbedder())
for name in sys.argv[2:]:
    library.ingest(Path(name).read_bytes(), Path(name).name, progress=lambda progress: print(progress.step, flush=True))
    print("stored", flush=True)
library.close()
"""
State = dict[str, tuple]
"""For each name the file, texts and places of its document, which tell editions apart."""


@dataclass(frozen=True)
class Editions:
    """Two editions of the same files, and what a library holds of each."""

    old: tuple[Path, ...]
    new: tuple[Path, ...]
    read_old: State
    read_new: State
    steps: tuple[tuple[str, float], ...]
    """What an undisturbed ingestion says, and the seconds until it says the next."""


def editions(sources: list[Path], folder: Path) -> Editions:
    """The files, and others of the same names and pages that differ in their last byte."""
    made = []
    for edition, ending in (("old", b""), ("new", b"\n")):
        (folder / edition).mkdir()
        for path in sources:
            (folder / edition / path.name).write_bytes(path.read_bytes() + ending)
        made.append(tuple(folder / edition / path.name for path in sources))
    steps = _steps(_ingest(folder / "old home", made[0]))
    _steps(_ingest(folder / "new home", made[1]))
    return Editions(*made, state(folder / "old home"), state(folder / "new home"), steps)


def state(home: Path) -> State:
    """What the library in `home` holds, once it is found to be in order."""
    library = Library(home, WordEmbedder())
    try:
        documents = library.documents()
        assert len({d.name for d in documents}) == len(documents), "a document is there twice"
        assert files(home) == sorted(f"{d.id}.{end}" for d in documents for end in ("json", "jsonl", "npy", "pdf"))
        passages = library.passages()
        stored = library._storage._collection.ids()
        assert sorted(stored) == sorted(p.id for p in passages), "the ids in Chroma are not those of the manifests"
        exact = library.embedder.encode([p.text for p in passages]) if passages else np.zeros((0, 256))
        assert not passages or np.allclose(library.vectors([p.id for p in passages]), exact, atol=1e-6)
        return {
            d.name: (d.file, d.passages, [(p.id, p.text) for p in passages if p.document == d.name]) for d in documents
        }
    finally:
        library.close()


def killed_once(home: Path, made: Editions, chance: random.Random) -> tuple[int, int]:
    """An ingestion that is killed, and one that completes it; how many old and new documents the kill has left.

    In about every other run the old edition is there before.
    """
    before = chance.random() < 0.5
    if before:
        _steps(_ingest(home, made.old))
    _kill(_ingest(home, made.new), made.steps, chance)
    left = state(home)
    old, new = (sum(left.get(name) == known[name] for name in known) for known in (made.read_old, made.read_new))
    assert len(left) == old + new, "a document is neither the old nor the new one"
    assert not before or len(left) == len(made.old), "a document is lost"
    _steps(_ingest(home, made.new))
    assert state(home) == made.read_new, "the next run did not complete it"
    return old, new


def _ingest(home: Path, paths: tuple[Path, ...]) -> subprocess.Popen:
    """A process that puts files into the library and says what it has done."""
    command = [sys.executable, "-c", INGEST, str(home), *map(str, paths)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def _steps(process: subprocess.Popen) -> tuple[tuple[str, float], ...]:
    """Waits for a process that is left alone."""
    with process:
        heard = [(line.strip(), time.monotonic()) for line in process.stdout]
    assert process.returncode == 0
    later = [when for _, when in heard[1:]] + [time.monotonic()]
    return tuple((said, after - when) for (said, when), after in zip(heard, later, strict=True))


def _kill(process: subprocess.Popen, steps: tuple[tuple[str, float], ...], chance: random.Random) -> None:
    """Ends a process at some moment after one of its steps; every other time while it is storing a document."""
    storing = [place for place, (said, _) in enumerate(steps[1:]) if said == "stored"]
    place = chance.choice(storing if chance.random() < 0.5 else range(len(steps)))
    with process:
        for _ in range(place + 1):
            process.stdout.readline()
        time.sleep(chance.uniform(0, steps[place][1]))
        process.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=CHAPTERS, help="PDFs, here the chapters beside the project")
    options = parser.parse_args()
    chance, seen = random.Random(options.seed), Counter()
    with tempfile.TemporaryDirectory() as folder:
        made = editions(sorted(options.folder.glob("*.pdf")), Path(folder))
        print(f"{len(made.new)} files, {sum(s for _, s in made.steps):.1f} s undisturbed", flush=True)
        for run in range(options.runs):
            old, new = killed_once(Path(folder) / f"home {run}", made, chance)
            seen[new] += 1
            print(f"run {run + 1}: killed with {old} old and {new} new documents; in order, and completed", flush=True)
    print("new documents complete at the kill:", dict(sorted(seen.items())))


if __name__ == "__main__":
    main()
