"""Counts the sentences that a PDF reader has spliced, which means that letters from elsewhere on the page are in their
middle:
python -m core.lab.figures.spliced --data FOLDER --without ORDER --out data/measured. Every spliced sentence is printed;
pdftotext must be on the PATH.

A sentence is whole if the text of its page contains it without a gap, in one of several reading orders. It is counted
against all of them, and again without the one that the reader itself uses, since all of its sentences are whole there.
A sentence that the page has in two pieces, one after the other, goes on behind a picture or a box, and is not spliced.
--texts: check the texts of another PDF reader instead of the library's. --reader: its name in the table.
"""

import argparse
import json
import subprocess
import tempfile
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.lab.figure_files import dated, store_figures, stored_figures
from core.lab.plain_text import page_of_text
from core.library import read_pages
from core.library.passages import sentences_of
from core.pdf.page import Page

ORDERS: Mapping[str, Sequence[str]] = {"pdftotext": (), "layout": ("-layout",), "raw": ("-raw",)}
"""The options of pdftotext for each reading order. `page_texts` adds two orders of pdfium: its raw text, and its text
with symbol fonts decoded."""
PDFIUM = "pdfium"
OURS = "ours, pdfium's letters"
"""The name of the library's own reader in the table."""
_COUNTS = ("sentences", "spliced", "whole", "spliced_elsewhere", "whole_elsewhere")
_LEAST = 5  # minimum letters of a run
_SIDE = 5  # minimum letters before and after a run, since fewer agree by chance
_PAGES = 3  # a sentence is on the page where it begins, or on the two after it


@dataclass(frozen=True, kw_only=True)
class Spliced:
    """A spliced sentence. page: the page on which it begins. run: the letters in its middle that belong elsewhere."""

    page: int
    text: str
    run: str


def letters(text: str) -> str:
    """The letters of `text` in lower case, with ligatures split into letters and all else omitted."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalpha())


def spliced_run(sentence: str, texts: Sequence[str]) -> str:
    """The shortest run of letters whose removal makes `sentence` a part of one of `texts`; "" if there is none, or if
    `sentence` already is a part of one.

    A run has at least five letters. `sentence` and `texts` must be letters only, as `letters` returns them.
    """
    if any(sentence in text for text in texts):
        return ""
    runs = [run for text in texts if (run := _foreign_run(sentence, text))]
    return min(runs, key=len, default="")


def _foreign_run(sentence: str, text: str) -> str:
    size, room = len(sentence), len(text)
    prefix_lengths, suffix_lengths = _prefix_lengths(sentence, text), _prefix_lengths(sentence[::-1], text[::-1])[::-1]
    for remaining in range(min(size - _LEAST, room), 2 * _SIDE - 1, -1):
        heads, tails = prefix_lengths[: room - remaining + 1], suffix_lengths[remaining - 1 :]
        matches = np.flatnonzero((heads >= _SIDE) & (tails >= _SIDE) & (heads + tails >= remaining))
        if len(matches):
            head = min(int(heads[matches[0]]), remaining - _SIDE)
            return sentence[head : head + size - remaining]
    return ""


def is_interrupted(sentence: str, text: str) -> bool:
    """True if `text` has `sentence` in two pieces, the second one somewhere behind the first. Both are letters only."""
    for head in range(_SIDE, len(sentence) - _SIDE + 1):
        start = text.find(sentence[:head])
        if start < 0:
            return False
        if text.find(sentence[head:], start + head) >= 0:
            return True
    return False


def _prefix_lengths(sentence: str, text: str) -> np.ndarray:
    """For each index of `text`, the number of letters from there on that agree with the start of `sentence`."""
    codes = np.array([ord(c) for c in text], dtype=np.int64)
    lengths, alive = np.zeros(len(codes), dtype=np.int64), np.arange(len(codes))
    for n, letter in enumerate(sentence):
        alive = alive[alive + n < len(codes)]
        alive = alive[codes[alive + n] == ord(letter)]
        if not len(alive):
            break
        lengths[alive] = n + 1
    return lengths


def page_texts(path: Path, without: str = "") -> list[list[str]]:
    """For each reading order except `without`, the letters of each page of a PDF."""
    pages = () if without == PDFIUM else read_pages(path.read_bytes(), path.name)
    texts = [[letters(page.raw) for page in pages], [letters(_as_shown(page)) for page in pages]] if pages else []
    for options in (options for name, options in ORDERS.items() if name != without):
        with tempfile.NamedTemporaryFile(suffix=".txt") as out:
            subprocess.run(["pdftotext", *options, str(path), out.name], check=True)
            texts.append([letters(page) for page in Path(out.name).read_text(encoding="utf-8").split("\f")])
    return texts


def _as_shown(page: Page) -> str:
    """The text of a page in pdfium's order, with the letters of symbol fonts replaced by the signs that they show."""
    words = sorted((word for line in page.lines for word in line.words), key=lambda word: word.span)
    return "".join(word.text for word in words if word.span[1])


@dataclass(frozen=True, kw_only=True)
class Count:
    """The result for one PDF. sentences: number of all sentences. whole: number of those that are in the page text
    without a gap, in at least one reading order. spliced: the spliced ones."""

    sentences: int
    whole: int
    spliced: tuple[Spliced, ...]


def counted(path: Path, pages: Sequence[Page], without: str = "") -> Count:
    """Compare the sentences that the library reads from a PDF with the page texts in all reading orders except
    `without`."""
    # A row of a table is put together from its head and its cells, and is one text nowhere.
    sentences = [sentence for sentence in sentences_of(pages) if sentence.kind != "row"]
    whole, spliced = 0, []
    orders = page_texts(path, without)
    for sentence in sentences:
        near = ["".join(order[max(0, sentence.page - 2) : sentence.page - 1 + _PAGES]) for order in orders]
        only = letters(sentence.text)
        if any(only in text for text in near):
            whole += 1
        elif not any(is_interrupted(only, text) for text in near) and (run := spliced_run(only, near)):
            spliced.append(Spliced(page=sentence.page, text=sentence.text, run=run))
    return Count(sentences=len(sentences), whole=whole, spliced=tuple(spliced))


def pages_read(path: Path, texts: Path | None = None) -> tuple[Page, ...]:
    """The pages of a PDF as read by the library, or by another reader from NAME.txt in the folder `texts`."""
    if texts is None:
        return read_pages(path.read_bytes(), path.name)
    page_texts = (texts / f"{path.stem}.txt").read_text(encoding="utf-8").split("\f")
    return tuple(page_of_text(text, number) for number, text in enumerate(page_texts, 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the PDFs")
    parser.add_argument("--texts", type=Path, help="another reader's texts, NAME.txt, pages parted by form feeds")
    parser.add_argument("--without", default="", choices=[PDFIUM, *ORDERS], help="the order that the reader uses")
    parser.add_argument("--reader", default=OURS, help="the name of the reader in the table (default: %(default)s)")
    parser.add_argument("--out", type=Path, help="where spliced.json is written")
    options = parser.parse_args()
    figures = dict.fromkeys(("pages", *_COUNTS), 0)
    for path in sorted(options.data.glob("*.pdf")):
        pages = pages_read(path, options.texts)
        figures["pages"] += len(pages)
        count, elsewhere = counted(path, pages), counted(path, pages, options.without)
        numbers = (count.sentences, len(count.spliced), count.whole, len(elsewhere.spliced), elsewhere.whole)
        for key, number in zip(_COUNTS, numbers, strict=True):
            figures[key] += number
        for sentence in count.spliced:
            print(f"{path.name}, page {sentence.page}: [{sentence.run}] {sentence.text}")
    print(json.dumps(figures))
    if options.out:
        file = options.out / "spliced.json"
        store_figures(file, stored_figures(file) | {options.reader: dated(figures)})


if __name__ == "__main__":
    main()
