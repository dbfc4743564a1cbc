"""Compares the text of real chapters as pypdf reads it (raw) with the text as the library reads it (mended):
python -m core.lab.figures.chapter_reading --data D --home H --out data/measured.

Two tables: the share of words that are in no English word list; and how often a search by meaning finds, among its
first five passages, one that holds the key terms of a textbook question's reference answer.
"""

import argparse
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from spellchecker import SpellChecker

from core.banks.project import for_fitting
from core.evaluation.counts import rate
from core.lab.figure_files import dated, store_figures
from core.lab.figures.chapter_pdfs import build
from core.lab.figures.chapters import numbers_only
from core.lab.plain_text import plain_page_texts
from core.lab.training.nli_datasets import rows
from core.library import passages_of, read_pages
from core.library.passages import WORDS
from core.models.embedder import bundled_embedder
from core.text.words import content

_WORD = re.compile(r"[A-Za-z]{3,}")  # two letters are mostly signs of a formula
_FIRST = 5
_KEY_TERMS = 6
"""Maximum key terms per question: the rarest content words of its reference answer that it does not contain."""
_HELD = 0.5
"""A passage answers if it contains at least this share of the key terms."""

Reader = Callable[[Path], list[str]]


def raw(path: Path) -> list[str]:
    """Passages of the raw text, as a baseline: the words of each page as pypdf reads them, in runs of WORDS words."""
    pages = [text.split() for text in plain_page_texts(path.read_bytes())]
    return [" ".join(words[n : n + WORDS]) for words in pages for n in range(0, len(words), WORDS)]


def mended(path: Path, *, exercises: bool = False) -> list[str]:
    """The passages that the library makes of a PDF, without exercises, which are no evidence; or with them, so that no
    words are missing beside the raw text."""
    pages = read_pages(path.read_bytes(), path.name)
    passages = passages_of(pages, document_id=path.stem, document=path.name).passages
    return [passage.text for passage in passages if exercises or passage.kind == "text"]


def unknown_words(texts: Sequence[str]) -> dict[str, Any]:
    """The share of words that are in no English word list, with its interval and the number of words."""
    words = [word.lower() for text in texts for word in _WORD.findall(text)]
    return rate([word not in _english() for word in words]).row()


@cache
def _english() -> frozenset[str]:
    return frozenset(SpellChecker().word_frequency.words())


def recall(
    read_chapter: Reader, paths: Sequence[Path], questions: Sequence[Mapping[str, str]], idf: Mapping[str, float]
) -> Any:
    """The share of questions for which one of the five nearest passages has at least half of the key terms, with its
    interval.

    read_chapter: returns the passages of a PDF (`raw` or `mended`). idf: weight of each stem.
    """
    texts = [text for path in paths for text in read_chapter(path)]
    embedder, stems = bundled_embedder(), [frozenset(content(text)) for text in texts]
    near = embedder.encode([row["question"] for row in questions]) @ embedder.encode(texts).T
    hits = []
    for row, cosines in zip(questions, near, strict=True):
        terms = key_terms(row, idf)
        nearest = np.argsort(-cosines, kind="stable")[:_FIRST]
        hits.append(any(len(terms & stems[n]) >= _HELD * len(terms) for n in nearest))
    return rate(hits).row()


def key_terms(row: Mapping[str, str], idf: Mapping[str, float]) -> frozenset[str]:
    """The rarest stems of the reference answer that are not in the question, at most _KEY_TERMS."""
    stems = set(content(row["ground_truth"])) - set(content(row["question"]))
    return frozenset(sorted(stems, key=lambda stem: (-idf.get(stem, 0.0), stem))[:_KEY_TERMS])


def _idf(chapters: Sequence[str]) -> dict[str, float]:
    """The inverse document frequency of each stem of the chapters."""
    frequency = Counter(stem for text in chapters for stem in set(content(text)))
    return {stem: float(np.log(len(chapters) / count)) for stem, count in frequency.items()}


def measurement(data: Path, home: Path) -> dict[str, Any]:
    """Both tables: unknown words of the real PDFs, and the recall for questions that the chapters answer.

    Only questions of the half that no calibration has seen are counted.
    """
    real = {path.name: path for path in sorted((data / "ncert").glob("*.pdf"))}
    words = {
        p.stem: {"raw": unknown_words(raw(p)), "mended": unknown_words(mended(p, exercises=True))}
        for p in real.values()
    }
    idf = _idf([row["text"] for row in rows(data, "ncert_qa/chapters")])
    questions = [
        row for row in rows(data, "ncert_qa/questions_dev")
        if not for_fitting(row["question"]) and str(row["gt_says_absent"]) != "True" and key_terms(row, idf)
    ]  # fmt: skip
    paths = [real.get(path.name, path) for path in build(data, home / "chapters")]  # the real file where there is one
    recalls = {
        name: recall(read_chapter, paths, questions, idf) for name, read_chapter in (("raw", raw), ("mended", mended))
    }
    return {"unknown_words": words, "recall": recalls}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--home", type=Path, required=True, help="where the chapters are laid out")
    parser.add_argument("--out", type=Path, required=True, help="where the figures are written")
    options = parser.parse_args()
    figures = measurement(options.data, options.home)
    numbers_only(figures)
    store_figures(options.out / "reading.json", dated(figures))


if __name__ == "__main__":
    main()
