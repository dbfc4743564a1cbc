"""The text of a PDF as pypdf alone reads it: what the library's reading is compared with."""

import io
import logging

import pypdf


def plain_page_texts(data: bytes) -> list[str]:
    """Text of every page of a sound PDF, in this process and without limits. Raises pypdf's own errors."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages]
