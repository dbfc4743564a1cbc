"""Real libraries of short documents, and what must hold of the files of every library."""

import hashlib
import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from core.library import Library
from tests.support.pdfs import make_pdf, pdf

_READ = TemporaryDirectory(ignore_cleanup_errors=True)
"""Libraries of one chapter, to be copied."""


@contextmanager
def one_chapter(folder, models, text):
    """A library that holds one chapter of class 7, plants.pdf with this text, which is read once; closed at the end."""
    digest = hashlib.sha256(f"{models.embedder.digest} {text}".encode()).hexdigest()
    home = Path(_READ.name) / digest
    if not home.exists():
        library = Library(home, models.embedder, words=30)
        library.ingest(pdf(text), "plants.pdf", class_number=7, subject="Science")
        library.close()
    library = Library(shutil.copytree(home, folder), models.embedder, words=30)
    try:
        yield library
    finally:
        library.close()


def files(home):
    """Everything that a library keeps of its documents outside Chroma, by name."""
    return sorted(p.name for folder in ("documents", "files", "readings") for p in (home / folder).iterdir())


LIGHT = make_pdf("Light travels in straight lines. A mirror reflects light.", "A prism splits light.")
SOUND = make_pdf("Sound needs a medium. A drum vibrates.")
HEAT = make_pdf("Heat flows from hot to cold.")


def require_order(library, home):
    """Manifests, readings, copies and vectors are those of the documents, and of no others."""
    documents = library.documents()
    assert files(home) == sorted(f"{d.id}.{ending}" for d in documents for ending in ("json", "jsonl", "npy", "pdf"))
    ids = library._storage._collection.ids()
    assert sorted(ids) == sorted(p.id for p in library.passages()) and len(ids) == sum(d.passages for d in documents)
    exact = library.embedder.encode([p.text for p in library.passages()])
    np.testing.assert_allclose(library.vectors([p.id for p in library.passages()]), exact, atol=1e-6)
    assert not any(d.replaces for d in documents)
