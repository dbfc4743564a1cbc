"""PDF bytes become the texts of their pages, or one sentence that says why not."""

import json
import logging
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from core.library.errors import LibraryError

log = logging.getLogger(__name__)

_EXTRACT = Path(__file__).with_name("extract.py")
_HEAD, _TAIL = 1024, 2048  # readers of PDFs look for the two marks of a file within these many bytes


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What is read of a document at most. `seconds` is for all of it, `page_seconds` for any one page."""

    megabytes: float = 100
    pages: int = 1000
    seconds: float = 900
    page_seconds: float = 60


LIMITS = Limits()


def read_pages(
    data: bytes,
    name: str = "The file",
    *,
    limits: Limits = LIMITS,
    on_page: Callable[[int, int], None] | None = None,
) -> tuple[str, ...]:
    """The text of every page, as pypdf reads it; `on_page` hears (page, pages) after each.

    Raises LibraryError for a file that is no PDF, empty, cut off, damaged, encrypted, without pages or
    text, beyond `limits`, or too slow to read.
    """
    _refuse_by_bytes(data, name, limits)
    texts: list[str] = []
    pages = 0
    for line in _extracted(data, name, limits):
        if line.get("refused"):
            raise LibraryError(f"{name} is protected by a password; save a copy without one and add that.")
        if "pages" in line:
            pages = _counted(line["pages"], name, limits)
            continue
        texts.append(line["text"])
        if on_page:
            on_page(len(texts), pages)
    if not any(text.strip() for text in texts):
        raise LibraryError(
            f"{name} has {pages} page(s) of pictures and no text; run OCR on it first, "
            "for example with `ocrmypdf scan.pdf with_text.pdf`, and add the result."
        )
    return tuple(texts)


def _refuse_by_bytes(data: bytes, name: str, limits: Limits) -> None:
    """What can be told without opening the file."""
    size = len(data) / 1e6
    if not data:
        raise LibraryError(f"{name} is empty; choose a PDF file that holds text.")
    if size > limits.megabytes:
        most = f"at most {limits.megabytes:g} are read"
        raise LibraryError(f"{name} has {size:.1f} MB, {most}; add it in parts.")
    if b"%PDF-" not in data[:_HEAD]:
        raise LibraryError(f"{name} is no PDF file, whatever its name says; choose a PDF file.")
    if b"%%EOF" not in data.rstrip(b"\0\r\n\t ")[-_TAIL:]:
        raise LibraryError(f"{name} is cut off, its end is missing; download or export it again.")


def _counted(pages: int, name: str, limits: Limits) -> int:
    if pages == 0:
        raise LibraryError(f"{name} has no pages; export it again.")
    if pages > limits.pages:
        raise LibraryError(f"{name} has {pages} pages, at most {limits.pages} are read; add it in parts.")
    return pages


def _extracted(data: bytes, name: str, limits: Limits) -> Iterator[dict[str, Any]]:
    """The lines of the program in extract.py, which is stopped when too slow or no longer read."""
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as complaints:
        source.write(data)
        source.seek(0)
        process = subprocess.Popen(
            [sys.executable, "-P", str(_EXTRACT)], stdin=source, stdout=subprocess.PIPE, stderr=complaints
        )
        try:
            for line in _in_time(process.stdout, name, limits):
                yield json.loads(line)
            failed = process.wait() != 0
        finally:
            process.kill()
            process.wait()
        if failed:
            complaints.seek(0)
            log.info("%s: %s", name, complaints.read()[-2000:].decode(errors="replace"))
            raise LibraryError(f"{name} is damaged and cannot be read; download or export it again.")


def _in_time(stream: IO[bytes], name: str, limits: Limits) -> Iterator[bytes]:
    """The lines of `stream`, each before its time is up; else LibraryError."""
    lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    threading.Thread(target=_pump, args=(stream, lines), daemon=True).start()
    end = time.monotonic() + limits.seconds
    while True:
        try:
            line = lines.get(timeout=max(0.0, min(limits.page_seconds, end - time.monotonic())))
        except queue.Empty:
            raise LibraryError(
                f"{name} takes too long to read (over {limits.page_seconds:g} s for a page or "
                f"{limits.seconds:g} s in all); export it again in a simpler form, or in parts."
            ) from None
        if line is None:
            return
        yield line


def _pump(stream: IO[bytes], lines: "queue.SimpleQueue[bytes | None]") -> None:
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(None)
