"""The chapters that we wrote ourselves, so that a new library has something to ask."""

import json
from pathlib import Path
from typing import Any

from core.library.ingestion import Ingested, Listener
from core.library.library import Library

SAMPLE = Path(__file__).parents[2] / "data" / "sample"


def load_sample(library: Library, progress: Listener | None = None) -> tuple[Ingested, ...]:
    """Add the chapters of data/sample that the library does not hold yet."""
    found = []
    for entry in _entries():
        place = {key: entry[key] for key in ("class_number", "subject", "chapter")}
        data = (SAMPLE / entry["file"]).read_bytes()
        found.append(library.ingest(data, entry["file"], **place, progress=progress))
    return tuple(found)


def only_sample(library: Library) -> bool:
    """True when the library holds nothing but chapters of the sample, or nothing."""
    return {d.name for d in library.documents()} <= {entry["file"] for entry in _entries()}


def _entries() -> list[dict[str, Any]]:
    return json.loads((SAMPLE / "library.json").read_text("utf-8"))
