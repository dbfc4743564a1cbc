"""Page texts as pypdf gives them, in this process and without limits: what the benchmark compares with."""

import io
import logging

import pypdf


def plain_page_texts(data: bytes) -> list[str]:
    """The text of every page of a sound PDF; pypdf's own errors are raised."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages]
