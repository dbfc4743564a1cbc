"""Reads a home of the version before, in which each document lay in four files of its own."""

import io
import json
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from core.library.documents import LibraryError, document_from
from core.library.ingestion import PreparedDocument
from core.library.passages import DocumentPassages, passage_from
from core.pdf.page import Page

_MANIFESTS = "documents"
"""Folder of a JSON file for each document. A home that has it was not wholly taken over."""
_REST = ("readings", "files", "chroma", "words", "turns.json", "index.json")
"""What else the version before kept: passages and vectors, PDFs, and what is made from them."""


def has_earlier_documents(home: Path) -> bool:
    return (home / _MANIFESTS).is_dir()


def earlier_documents(home: Path, known: Collection[str]) -> Iterator[tuple[PreparedDocument, bytes]]:
    """Yield each document of the version before with the bytes of its PDF. known: ids of documents to leave out.

    Raises LibraryError if one of them cannot be read.
    """
    manifests = [(path, _manifest(path)) for path in sorted((home / _MANIFESTS).glob("*.json"))]
    replaced = {id_ for _, manifest in manifests for id_ in manifest.get("replaces", ())}
    for path, manifest in manifests:
        if manifest["id"] not in known and manifest["id"] not in replaced:
            yield _document(home, path, manifest)


def remove_earlier_files(home: Path) -> None:
    """Remove what the version before kept. The manifests go last: as long as one is there, work is left."""
    for path in (home / name for name in (*_REST, _MANIFESTS)):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def _manifest(path: Path) -> dict[str, Any]:
    try:
        return {"id": path.stem, "file": path.stem} | json.loads(path.read_bytes())
    except (ValueError, TypeError) as error:
        raise _unreadable(path) from error


def _document(home: Path, path: Path, manifest: dict[str, Any]) -> tuple[PreparedDocument, bytes]:
    """A document from its readings: a file with a line each for passages, rectangles and pages, and one of vectors."""
    readings = home / "readings"
    try:
        document = document_from(json.dumps(manifest))
        lines = (readings / f"{document.id}.jsonl").read_bytes().split(b"\n")
        rows, rects, pages = map(json.loads, lines)
        vectors = np.load(io.BytesIO((readings / f"{document.id}.npy").read_bytes()), allow_pickle=False)
        ready = PreparedDocument(
            document=document, vectors=vectors,
            pages=tuple(
                Page(number=n, width=page["width"], height=page["height"], lines=(), raw=page["raw"])
                for n, page in enumerate(pages, 1)
            ),
            cut=DocumentPassages(passages=tuple(passage_from(row["id"], row, document) for row in rows), rects=rects),
        )  # fmt: skip
        return ready, (home / "files" / f"{document.id}.pdf").read_bytes()
    except (OSError, ValueError, TypeError, KeyError, EOFError) as error:
        raise _unreadable(path) from error


def _unreadable(path: Path) -> LibraryError:
    pdf = path.parents[1] / "files" / f"{path.stem}.pdf"
    return LibraryError(
        f"A document of the version before cannot be read; move {path} away, and add {pdf} to the library again."
    )
