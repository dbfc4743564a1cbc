"""How fast pages go into the library."""

import itertools
from pathlib import Path

from core.library import Library
from core.library.pdf_pages import plain_page_texts
from core.models.embedder import Embedder, bundled_embedder
from core.workshop.bench.figure import Figure, alternating

ROOT = Path(__file__).parents[3]
REAL = ROOT.parent / "shared" / "data" / "ncert"
"""Real chapters, where they lie beside the project; else the sample is taken."""
_RUNS = 3


def ingest_pages(folder: Path) -> Figure:
    """Pages a second through Library.ingest, beside plain pypdf and one embedding call a page in one process."""
    files = sorted(REAL.glob("*.pdf")) or sorted((ROOT / "data" / "sample").glob("*.pdf"))
    data = {path.name: path.read_bytes() for path in files}
    embedder, homes = bundled_embedder(), (folder / str(n) for n in itertools.count())
    pages = sum(len(plain_page_texts(content)) for content in data.values())
    ours, plain = alternating(lambda: _ingest(data, next(homes), embedder), lambda: _plain(data, embedder), _RUNS)
    return Figure(
        value=pages / ours, unit="pages/s", baseline="plain pypdf and embedding, one process",
        baseline_value=pages / plain, n=pages, higher_is_better=True, note=f"{len(data)} files, {_RUNS} runs each",
    )  # fmt: skip


def _ingest(data: dict[str, bytes], home: Path, embedder: Embedder) -> None:
    library = Library(home, embedder)
    for name, content in data.items():
        library.ingest(content, name)
    library.close()


def _plain(data: dict[str, bytes], embedder: Embedder) -> None:
    """What a first script would do: a page's text in pieces of ninety words, embedded page by page."""
    for content in data.values():
        for text in plain_page_texts(content):
            words = text.split()
            embedder.encode([" ".join(words[i : i + 90]) for i in range(0, len(words), 90)])
