"""PDF to pages to passages to Chroma: the only part of the project that knows pypdf and chromadb."""

from core.library.documents import Document
from core.library.embedding import Embedder
from core.library.errors import LibraryError
from core.library.ingestion import Ingested
from core.library.library import Library
from core.library.names import Textbook, safe_name, textbook
from core.library.pages import LIMITS, Limits, read_pages
from core.library.passages import passages_of
from core.library.progress import Progress
from core.library.sample import load_sample, only_sample

__all__ = [
    "LIMITS", "Document", "Embedder", "Ingested", "Library", "LibraryError", "Limits", "Progress", "Textbook",
    "load_sample", "only_sample", "passages_of", "read_pages", "safe_name", "textbook",
]  # fmt: skip
