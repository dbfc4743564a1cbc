"""The library: from PDF to pages to passages to Chroma. Only this package uses chromadb, and pypdf as a baseline."""

from core.library.documents import (
    Cancelled,
    Document,
    LibraryError,
    Textbook,
    clashes,
    in_brackets,
    safe_name,
    textbook,
)
from core.library.ingestion import Embedder, IngestionOutcome, Progress
from core.library.library import Library, Shelf, library_documents, load_sample, only_sample, sample_names
from core.library.passages import passages_of
from core.library.pdf_reader import read_pages, refuse_by_size
from core.pdf.sandbox import LIMITS, Limits

__all__ = [
    "LIMITS", "Cancelled", "Document", "Embedder", "IngestionOutcome", "Library", "LibraryError", "Limits", "Progress",
    "Shelf", "Textbook", "clashes", "in_brackets", "library_documents", "load_sample", "only_sample", "passages_of",
    "read_pages", "refuse_by_size", "safe_name", "sample_names", "textbook",
]  # fmt: skip
