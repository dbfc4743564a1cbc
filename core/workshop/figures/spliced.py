"""Counts the sentences into which a reading put what does not belong there:
python -m core.workshop.figures.spliced --data FOLDER. Every one found is listed; pdftotext has to be on the PATH.
"""

import argparse
import subprocess
import tempfile
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.library import passages_of, read_pages
from core.pdf.page import Page

ORDERS: Mapping[str, Sequence[str]] = {"pdftotext": (), "layout": ("-layout",), "raw": ("-raw",)}
"""The orders in which pdftotext gives a page; pdfium's own comes beside them, as it is and with its signs as shown."""
_LEAST = 5  # letters that a run has at least to be counted
_SIDE = 5  # letters before and after it at least: fewer meet by chance
_PAGES = 3  # a sentence stands on the page on which it begins, or on the two after it


@dataclass(frozen=True, kw_only=True)
class Spliced:
    """A sentence, the page on which it begins, and the letters that do not belong in it."""

    page: int
    text: str
    run: str


def letters(text: str) -> str:
    """The letters of `text` and nothing else, in lower case, ligatures opened."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalpha())


def spliced_run(sentence: str, texts: Sequence[str]) -> str:
    """The run without which `sentence` stands in one of `texts` as one run, though with it in none; "" for none.

    All are letters only. The shortest such run of at least five letters within the sentence is given.
    """
    if any(sentence in text for text in texts):
        return ""
    found = [run for text in texts if (run := _run_too_much(sentence, text))]
    return min(found, key=len, default="")


def _run_too_much(sentence: str, text: str) -> str:
    size, room = len(sentence), len(text)
    begun, ended = _begun(sentence, text), _begun(sentence[::-1], text[::-1])[::-1]
    for kept in range(min(size - _LEAST, room), 2 * _SIDE - 1, -1):
        heads, tails = begun[: room - kept + 1], ended[kept - 1 :]
        here = np.flatnonzero((heads >= _SIDE) & (tails >= _SIDE) & (heads + tails >= kept))
        if len(here):
            head = min(int(heads[here[0]]), kept - _SIDE)
            return sentence[head : head + size - kept]
    return ""


def _begun(sentence: str, text: str) -> np.ndarray:
    """For each place of `text` how many letters from there on are those with which `sentence` begins."""
    codes = np.array([ord(c) for c in text], dtype=np.int64)
    found, alive = np.zeros(len(codes), dtype=np.int64), np.arange(len(codes))
    for n, letter in enumerate(sentence):
        alive = alive[alive + n < len(codes)]
        alive = alive[codes[alive + n] == ord(letter)]
        if not len(alive):
            break
        found[alive] = n + 1
    return found


def page_texts(path: Path) -> list[list[str]]:
    """For each order, and each page, the letters of the page."""
    pages = read_pages(path.read_bytes(), path.name)
    found = [[letters(page.raw) for page in pages], [letters(_as_shown(page)) for page in pages]]
    for options in ORDERS.values():
        with tempfile.NamedTemporaryFile(suffix=".txt") as out:
            subprocess.run(["pdftotext", *options, str(path), out.name], check=True)
            found.append([letters(page) for page in Path(out.name).read_text(encoding="utf-8").split("\f")])
    return found


def _as_shown(page: Page) -> str:
    """The letters of a page in pdfium's order, those of symbol fonts as the signs that they show."""
    words = sorted((word for line in page.lines for word in line.words), key=lambda word: word.span)
    return "".join(word.text for word in words if word.span[1])


def spliced(path: Path) -> tuple[int, list[Spliced]]:
    """How many sentences the library reads in a PDF, and those that are spliced."""
    cut = passages_of(read_pages(path.read_bytes(), path.name), document_id=path.stem, document=path.name)
    sentences = [pair for p in cut.passages for pair in zip(p.sentences, p.pages, strict=True)]
    return len(sentences), list(_found(sentences, page_texts(path)))


def _found(sentences: Sequence[tuple[str, int]], orders: Sequence[Sequence[str]]) -> Iterator[Spliced]:
    for text, page in sentences:
        near = ["".join(pages[max(0, page - 2) : page - 1 + _PAGES]) for pages in orders]
        run = spliced_run(letters(text), near)
        if run:
            yield Spliced(page=page, text=text, run=run)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the PDFs")
    total = count = 0
    for path in sorted(parser.parse_args().data.glob("*.pdf")):
        read, found = spliced(path)
        total, count = total + read, count + len(found)
        print(f"{path.name}: {len(found)} of {read} sentences")
        for each in found:
            print(f"  page {each.page}: [{each.run}] {each.text}")
    print(f"{count} of {total} sentences are spliced")


if __name__ == "__main__":
    main()
