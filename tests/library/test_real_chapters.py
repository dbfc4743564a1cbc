"""Six real chapters, which lie beside the project and never in it: single words and counts only."""

from pathlib import Path

import pytest

from core.library import passages_of, read_pages

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "ncert"
PAGES = {"hesc110": 15, "jemh105": 24, "jemh114": 16, "jesc101": 16, "jesc110": 10, "keph102": 14}
HEADS = {
    "hesc110": ("2024-25", "SCIENCE1", "SOUND 1"),
    "jemh105": ("Reprint", "MATHEMATICS", "PROGRESSIONS 5"),
    "jemh114": ("Reprint", "MATHEMATICS", "PROBABILITY 2"),
    "jesc101": ("Reprint", "Science1", "Equations 3", "Equations 9999"),
    "jesc110": ("Reprint", "Science16", "World 16"),
    "keph102": ("Reprint", "PHYSICS1", "LINE 2"),
}
WORDS = {
    "hesc110": ("larynx", "eardrum", "amplitude", "hertz", "decibel"),
    "jemh105": ("spiral", "consecutive", "Gauss"),
    "jemh114": ("Laplace", "complementary", "outcomes"),
    "jesc101": ("magnesium", "rancidity", "exothermic", "displacement"),
    "jesc110": ("retina", "near-sightedness", "far-sightedness", "presbyopia", "Tyndall"),
    "keph102": ("instantaneous", "Galileo", "acceleration"),
}

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the real chapters do not lie beside the project")


@pytest.fixture(scope="module", params=list(PAGES))
def chapter(request):
    pages = read_pages((FOLDER / f"{request.param}.pdf").read_bytes(), f"{request.param}.pdf")
    return request.param, pages, passages_of(pages, document_id=request.param, document=f"{request.param}.pdf")


def test_every_page_is_read(chapter):
    name, pages, passages = chapter
    assert len(pages) == PAGES[name] and all(len(page) > 200 for page in pages)
    assert {page for p in passages for page in p.pages} == set(range(1, PAGES[name] + 1))


def test_the_words_of_the_chapter_occur(chapter):
    name, _, passages = chapter
    text = " ".join(p.text for p in passages).casefold()
    assert [word for word in WORDS[name] if word.casefold() not in text] == []


def test_no_running_head_is_left(chapter):
    name, pages, passages = chapter
    text = " ".join(p.text for p in passages)
    assert [head for head in HEADS[name] if head in text] == []
    assert all(head in "\n".join(pages) for head in HEADS[name])


def test_no_passage_is_over_the_limit(chapter):
    _, _, passages = chapter
    over = [p for p in passages if len(p.text.split()) > 90]
    assert all(len([s for s in p.sentences if s not in p.section]) == 1 for p in over)
    assert max(len(p.text.split()) for p in passages) <= 214  # a piece of 200 words under its heading


def test_sections_are_found(chapter):
    _, _, passages = chapter
    assert len({p.section for p in passages}) >= 3


def test_no_heading_is_left_that_was_printed_five_times(chapter):
    _, _, passages = chapter
    text = " ".join(p.text for p in passages)
    assert [n for n in range(1, 20) if f"1.{n}Activity" in text or f"0.{n}Figure" in text] == []
