"""A search gives raw cosines, best first, and looks only where it may."""

import numpy as np
import pytest

from core.case import Scope
from core.library import Library
from tests.support.drawn_pages import column, sheet
from tests.support.fake_models import WordEmbedder
from tests.support.pdfs import make_pdf

BOOKS = {
    "jesc110.pdf": ("Light bends in a prism.", "A mirror reflects light.", "The eye sees light."),
    "hesc110.pdf": ("Sound bends around a corner.", "An echo is reflected sound.", "The ear hears sound."),
    "jemh105.pdf": ("A progression has a common difference.", "A sum has terms."),
}


@pytest.fixture(scope="module")
def books(tmp_path_factory):
    """A library of three books, a sentence a passage, in which the tests only search."""
    library = Library(tmp_path_factory.mktemp("books") / "home", WordEmbedder(), words=5)
    for name, pages in BOOKS.items():
        library.ingest(make_pdf(*pages), name)
    yield library
    library.close()


def found(library, query, k=20, **scope):
    return library.nearest(library.embedder.encode([query])[0], k, Scope(**scope))


def places(results):
    return {(p.document, p.page) for p, _ in results}


def test_scores_are_the_cosines_of_the_vectors_best_first(books):
    results = found(books, "the light of a mirror")
    query = books.embedder.encode(["the light of a mirror"])[0]
    exact = books.embedder.encode([p.text for p, _ in results]) @ query
    np.testing.assert_allclose([c for _, c in results], exact, atol=1e-5)
    assert [c for _, c in results] == sorted((c for _, c in results), reverse=True)
    assert results[0][0].text == "A mirror reflects light." and len(results) == 8


def test_a_search_gives_no_more_than_it_was_asked_for(books):
    assert len(found(books, "light", k=2)) == 2


def test_the_same_text_has_cosine_one(books):
    (_, cosine), *_ = found(books, "An echo is reflected sound.")
    assert cosine == pytest.approx(1, abs=1e-5) and cosine <= 1


@pytest.mark.parametrize(
    ("scope", "documents"),
    [
        ({"class_number": 10}, {"jesc110.pdf", "jemh105.pdf"}),
        ({"subject": "SCIENCE"}, {"jesc110.pdf", "hesc110.pdf"}),
        ({"class_number": 10, "subject": "science"}, {"jesc110.pdf"}),
        ({"documents": ("hesc110.pdf", "jemh105")}, {"hesc110.pdf", "jemh105.pdf"}),
        ({"class_number": 12}, set()),
        ({"documents": ("nowhere.pdf",)}, set()),
    ],
)
def test_a_scope_is_kept(books, scope, documents):
    assert {document for document, _ in places(found(books, "light and sound", **scope))} == documents


def test_page_ranges_include_both_ends(books):
    assert {page for _, page in places(found(books, "light", pages=((2, 3),)))} == {2, 3}
    only = found(books, "light", documents=("jesc110.pdf",), pages=((1, 1), (3, 9)))
    assert places(only) == {("jesc110.pdf", 1), ("jesc110.pdf", 3)}


def test_a_passage_lies_on_every_page_of_its_sentences(library):
    library.ingest(make_pdf("Light is fast.", "Sound is slow.", "Heat is felt."), "three.pdf")
    for page in (1, 2, 3):
        assert len(found(library, "sound", pages=((page, page),))) == 1
    assert found(library, "sound", pages=((4, 9),)) == []


def test_vectors_come_in_the_order_asked(books):
    ids = [p.id for p in books.passages()][::-1]
    exact = books.embedder.encode([books.passage(id_).text for id_ in ids])
    np.testing.assert_allclose(books.vectors(ids), exact, atol=1e-6)


def test_a_scope_of_more_passages_than_one_request_takes_gives_the_same(books, monkeypatch):
    ids = [p.id for p in books.passages()]
    whole, vectors = found(books, "the light of a mirror", k=3, pages=((1, 9),)), books.vectors(ids)
    monkeypatch.setattr("core.library.vector_index._MAX_IDS", 2)
    assert found(books, "the light of a mirror", k=3, pages=((1, 9),)) == whole and len(whole) == 3
    np.testing.assert_array_equal(books.vectors(ids), vectors)


def test_exercises_are_kept_and_never_found(library):
    library.words = 5
    asks = [f"{n}. What bends light number {n}?" for n in range(1, 7)]
    pdf = sheet()
    column(pdf, 50, 50, "Light bends in a prism.", "A mirror reflects light.")
    pdf.set_font("Helvetica", "B", 14)
    column(pdf, 50, 90, "Exercises")
    pdf.set_font("Helvetica", size=10)
    column(pdf, 50, 120, *asks)
    library.ingest(bytes(pdf.output()), "light.pdf")
    assert sum(not p.tells for p in library.passages()) >= 3
    for scope in ({}, {"documents": ("light.pdf",)}):
        results = found(library, "what bends light number 3", **scope)
        assert results and all(p.tells for p, _ in results)
        assert found(library, "what bends light number 3", k=1, **scope)[0][0].tells
