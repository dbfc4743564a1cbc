"""The sample library: chapters of our own, whose every sentence is known, read back from their PDFs."""

import re
from functools import cache

import pytest

from core.library import load_sample, passages_of, read_pages
from core.library.library import SAMPLE
from core.text.sentences import sentences

CHAPTERS = sorted(path.stem for path in SAMPLE.glob("*.txt"))
_MARKUP = ("[", "=", "#", "flow:", "bars:", "plot:")
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−–", "0123456789-+--", "~^")


def plain(text):
    return " ".join(text.translate(_PLAIN).split())


def written(chapter):
    """The sentences of the source, tables and headings left out."""
    lines = (line.strip() for line in (SAMPLE / f"{chapter}.txt").read_text("utf-8").splitlines()[2:])
    prose = (line.removeprefix("- ") for line in lines if line and not line.startswith(_MARKUP) and "|" not in line)
    return [plain(sentence) for line in prose for sentence in sentences(line)]


@cache
def read(chapter):
    pages = read_pages((SAMPLE / f"{chapter}.pdf").read_bytes(), f"{chapter}.pdf")
    return pages, passages_of(pages, document_id=chapter, document=f"{chapter}.pdf").passages


def test_there_are_chapters_of_many_subjects_and_classes(library):
    first = load_sample(library)
    assert len(first) == len(CHAPTERS) >= 6 and all(f.added for f in first)
    assert not any(f.added for f in load_sample(library))
    assert len({d.subject for d in library.documents()}) >= 6
    assert {d.class_number for d in library.documents()} >= {7, 8, 9, 10}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_almost_every_sentence_is_read_back_whole(chapter):
    """A sentence that introduces a formula has it at its end; else none may be cut, joined or lost."""
    found = {plain(sentence) for passage in read(chapter)[1] for sentence in passage.sentences}
    lost = [s for s in written(chapter) if s not in found and not any(f.startswith(s) and "=" in f for f in found)]
    assert len(lost) <= 0.02 * len(written(chapter)), lost


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_chapters_are_long_enough_and_their_parts_are_told_apart(chapter):
    pages, passages = read(chapter)
    assert len(pages) >= 5
    source = (SAMPLE / f"{chapter}.txt").read_text("utf-8")
    numbered = re.findall(r"^## (.+)$", source, re.MULTILINE)
    assert [s for p in passages for s in p.sentences if s in numbered] == numbered
    assert {p.section for p in passages} & set(numbered)
    asked = [p for p in passages if p.kind == "exercise"]
    assert asked and all(p.section == "Exercises" for p in asked)
