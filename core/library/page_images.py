"""Pictures of pages, drawn by pdfium in a process of its own and kept for a while."""

import base64
import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

from core.library.documents import Document
from core.library.errors import LibraryError
from core.pdf.page import Place
from core.pdf.sandbox import LIMITS, Halted, Limits, spoken

_KEPT = 32_000_000  # bytes of pictures
_WIDTHS = 50, 3000
Key = tuple[str, int, tuple[tuple[float, ...], ...], int]


class Pictures:
    """Draws one page at a time, and remembers the last ones."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.limits = limits
        self._lock, self._one_at_a_time = threading.Lock(), threading.Lock()
        self._kept: OrderedDict[Key, bytes] = OrderedDict()

    def picture(self, document: Document, pdf: Path, page: int, marks: Sequence[Place], width: int) -> bytes:
        """PNG of a page with the places on it marked; LibraryError when it cannot be drawn."""
        require_page(document, page)
        if not _WIDTHS[0] <= width <= _WIDTHS[1]:
            raise LibraryError(f"A picture is {_WIDTHS[0]} to {_WIDTHS[1]} pixels wide, got {width}.")
        key = document.id, page, tuple(tuple(mark[1:]) for mark in marks if mark[0] == page), width
        found = self._kept.get(key)
        if found is None:
            with self._one_at_a_time:
                found = self._kept.get(key) or self._drawn(document, pdf, key)
        self._keep(key, found)
        return found

    def _drawn(self, document: Document, pdf: Path, key: Key) -> bytes:
        _, page, marks, width = key
        options = ["--page", str(page), "--width", str(width), "--marks", json.dumps(marks)]
        try:
            lines = [line for _, line in spoken(pdf.read_bytes(), [["core.pdf.picture", *options]], self.limits)]
        except (Halted, OSError) as error:
            raise LibraryError(_sentence(document, page)) from error
        if "picture" not in lines[-1]:
            raise LibraryError(_sentence(document, page))
        return base64.b64decode(lines[-1]["picture"])

    def _keep(self, key: Key, picture: bytes) -> None:
        """Remember a picture as the one used last, and forget those that were not used for longest."""
        with self._lock:
            self._kept[key] = picture
            self._kept.move_to_end(key)
            while len(self._kept) > 1 and sum(map(len, self._kept.values())) > _KEPT:
                self._kept.popitem(last=False)


def _sentence(document: Document, page: int) -> str:
    return f"Page {page} of {document.name} cannot be drawn; its text is in the library all the same."


def require_page(document: Document, page: int) -> None:
    """Raises LibraryError for a page that `document` does not have."""
    if not 1 <= page <= document.pages:
        raise LibraryError(f"{document.name} has the pages 1 to {document.pages}, got {page}.")
