"""A run-time folder with a real library, fake models and a bank of as many rows as one likes."""

from itertools import pairwise
from pathlib import Path

from core.banks.saved import SavedBanks
from core.graph import Explorer
from core.library import Library
from core.models.profile import Models
from tests.conftest import FakeEmbedder, FakeEntailer, FakeReader
from tests.pdfs import pdf

BANK = "many"
WORDS = ("starch", "chlorophyll", "oxygen", "sunlight")
PAGES = [
    f"The {one} of a green plant is a part that gives {other} to it. Without {one} there is no {other} in the leaf."
    for one, other in pairwise(WORDS)
]
"""A page for each word, short so that a row is measured in a moment."""


def explorer(home: Path) -> Explorer:
    """Fake models over the library in `home`, which gets its one document when it is empty."""
    models = Models(profile="fake", embedder=FakeEmbedder(), entailer=FakeEntailer(), reader=FakeReader())
    library = Library(home, models.embedder)
    if not library.documents():
        library.ingest(pdf(*PAGES), "plants.pdf", class_number=7, subject="Science")
    return Explorer(library, models)


def fill(home: Path, count: int) -> None:
    """The bank, each row asking something else."""
    asked = ("What does the {0} of a green plant give, case {1}?", "Does {0} number {1} need the moon?", "{0} {1}?")
    rows = [
        {
            "id": f"r{n}",
            "query": asked[n % 3].format(WORDS[n % len(WORDS)], n),
            "expected": ("answered", "refused")[n % 2],
        }
        for n in range(count)
    ]
    SavedBanks(home).replace(BANK, rows)
