"""A PDF on standard input becomes one JSON line a page; a program of its own, so that it can be stopped."""

import io
import json
import logging
import sys

from pypdf import PdfReader


def say(**line: int | str) -> None:
    """One line to the reader of this program; ASCII, so that no locale can spoil it."""
    print(json.dumps(line), flush=True)


def main() -> None:
    """The number of pages, then every page; "encrypted" instead, where a password is needed."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it warns of every odd font
    reader = PdfReader(io.BytesIO(sys.stdin.buffer.read()))
    if reader.is_encrypted and not reader.decrypt(""):  # many open files carry an empty password
        return say(refused="encrypted")
    say(pages=len(reader.pages))
    for number, page in enumerate(reader.pages, 1):
        say(page=number, text=page.extract_text())
    return None


if __name__ == "__main__":
    main()
