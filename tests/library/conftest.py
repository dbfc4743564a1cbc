"""Real PDFs made on the spot, a real Chroma in a temporary folder, an embedder that counts words."""

import io
import zlib

import numpy as np
import pytest
from fpdf import FPDF
from pypdf import PdfReader, PdfWriter

from core.library import Library
from core.text.words import content


class WordEmbedder:
    """Texts are close when they share content words."""

    def __init__(self, digest="words-of-the-tests"):
        self.digest = digest

    def encode(self, texts):
        vectors = np.full((len(texts), 256), 1e-4, dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for word in content(text):
                row[zlib.crc32(word.encode()) % 256] += 1
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def make_pdf(*pages):
    """A PDF with one page for each text; a line of the text is a line of the page."""
    pdf = FPDF()
    pdf.set_font("Helvetica", size=11)
    for text in pages:
        pdf.add_page()
        pdf.multi_cell(0, 6, text or " ")
    return bytes(pdf.output())


def rewritten(data, change):
    """The PDF after `change(writer)`."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    change(writer)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def files(home):
    """Everything that a library keeps of its documents outside Chroma, by name."""
    return sorted(p.name for folder in ("documents", "files", "readings") for p in (home / folder).iterdir())


@pytest.fixture
def embedder():
    return WordEmbedder()


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def library(home, embedder):
    opened = Library(home, embedder)
    yield opened
    opened.close()
