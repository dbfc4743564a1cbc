"""Real libraries of short documents, and what must hold of the files of every library."""

import hashlib
import shutil
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from core.library import Library
from core.library.store import NAME
from tests.support.pdfs import make_pdf

_READ = TemporaryDirectory(ignore_cleanup_errors=True)
"""Libraries of one chapter, to be copied."""


@contextmanager
def one_chapter(folder, models, text):
    """A library that holds one chapter of class 7, plants.pdf with this text, which is read once; closed at the end."""
    digest = hashlib.sha256(f"{models.embedder.digest} {text}".encode()).hexdigest()
    home = Path(_READ.name) / digest
    if not home.exists():
        library = Library(home, models.embedder, words=30)
        library.ingest(make_pdf(text), "plants.pdf", class_number=7, subject="Science")
        library.close()
    library = Library(shutil.copytree(home, folder), models.embedder, words=30)
    try:
        yield library
    finally:
        library.close()


TABLES = ("documents", "files", "pages", "passages")


def files(home):
    """Everything that a library's file keeps of its documents: the id of each and the table."""
    if not (home / NAME).exists():
        return []
    with closing(sqlite3.connect(home / NAME)) as base:
        return sorted(
            f"{id_}.{table}"
            for table in TABLES
            for (id_,) in base.execute(f"SELECT DISTINCT {'id' if table == 'documents' else 'document'} FROM {table}")
        )


LIGHT = make_pdf("Light travels in straight lines. A mirror reflects light.", "A prism splits light.")
SOUND = make_pdf("Sound needs a medium. A drum vibrates.")
HEAT = make_pdf("Heat flows from hot to cold.")


def require_order(library, home):
    """The rows of the file and the vectors of the index are those of the documents, and of no others."""
    documents, passages = library.documents(), library.passages()
    assert files(home) == sorted(f"{d.id}.{table}" for d in documents for table in TABLES)
    assert len(passages) == sum(d.passages for d in documents)
    library.index.update()
    assert indexed(library) == sorted(p.id for p in passages if p.tells) and library.index.is_true()
    exact = library.embedder.encode([p.text for p in passages])
    np.testing.assert_allclose(library.vectors([p.id for p in passages]), exact, atol=1e-6)


class Killed(BaseException):
    """Stands for the end of the process: nothing catches it, and nothing is tidied up."""


@contextmanager
def killed_at(step, monkeypatch, places):
    """Raise Killed in the block at the `step`th call of these (owner, name), and at each one after it.

    Yields the names of all that were called.
    """
    called = []

    def dying(function):
        def call(*args, **kwargs):
            called.append(function.__name__)
            if len(called) >= step:
                raise Killed
            return function(*args, **kwargs)

        return call

    with monkeypatch.context() as patch, pytest.raises(Killed):
        for owner, name in places:
            patch.setattr(owner, name, dying(getattr(owner, name)))
        yield called


def indexed(library):
    """The ids in the index of a library that is open."""
    return sorted(library.index._rows.get(include=[])["ids"])
