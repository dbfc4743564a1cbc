"""Lays out the chapters of the data sets as PDFs."""

import unicodedata
from datetime import UTC, datetime
from pathlib import Path

from fpdf import FPDF

from core.lab.training.nli_datasets import rows

_WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)
_SIGNS = str.maketrans(
    {
        "‘": "'", "’": "'", "‛": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "‑": "-", "…": "...",
        "•": "-", "·": "·", "→": "->", "←": "<-", "⇌": "<->", "↔": "<->", "≈": "~", "≤": "<=", "≥": ">=", "≠": "!=",
        "∝": " is proportional to ", "√": "sqrt ", "∆": "delta ", "Δ": "delta ", "Ω": "ohm", "μ": "µ",
        "α": "alpha", "β": "beta", "γ": "gamma", "θ": "theta", "λ": "lambda", "π": "pi", "ρ": "rho", "σ": "sigma",
        "₹": "Rs ", "∠": "angle ", "′": "'", "″": '"', "\t": " ",
    }
)  # fmt: skip


def printable(text: str) -> str:
    """`text` in the characters of the PDF core fonts: signs spelled out, letters without accents, the rest omitted."""
    spelled = unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_SIGNS)
    plain = "".join(c if ord(c) < 256 else unicodedata.normalize("NFKD", c) for c in spelled)
    return "".join(c for c in plain if c == "\n" or (ord(c) < 256 and not unicodedata.category(c).startswith("C")))


def laid_out(text: str) -> bytes:
    """A PDF of A4 pages with the lines of `text`; the same bytes for the same text."""
    pdf = FPDF()
    pdf.set_creation_date(_WRITTEN)
    pdf.set_auto_page_break(True, margin=20)
    pdf.set_font("Helvetica", size=10)
    pdf.add_page()
    for line in printable(text).split("\n"):
        if line.strip():
            pdf.multi_cell(0, 5, line.strip(), align="L", new_x="LMARGIN", new_y="NEXT")
    return bytes(pdf.output())


def build(data: Path, out: Path) -> list[Path]:
    """Write one PDF per chapter into `out`, with NCERT's file names. Returns the paths in order."""
    out.mkdir(parents=True, exist_ok=True)
    paths = []
    for row in sorted(rows(data, "ncert_qa/chapters"), key=lambda r: r["document"]):
        path = out / Path(row["document"]).name
        path.write_bytes(laid_out(row["text"]))
        paths.append(path)
    return paths
