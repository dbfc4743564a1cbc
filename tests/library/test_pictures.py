"""A document can be looked at: its pages as pictures, their raw text, and where each sentence stands."""

import io

import pytest
from PIL import Image

from core.library import Library, LibraryError, Shelf
from core.library import pdf_reader as pictures
from tests.support.fake_models import WordEmbedder
from tests.support.pdfs import make_pdf

BOOK = make_pdf("Light travels in straight lines. A mirror reflects it.", "A prism splits light.")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("pictures") / "home"


@pytest.fixture(scope="module")
def library(home):
    """A library that the tests below only read, but for those that have one of their own."""
    opened = Library(home, WordEmbedder())
    opened.ingest(BOOK, "book.pdf")
    yield opened
    opened.close()


@pytest.fixture
def own_library(tmp_path):
    opened = Library(tmp_path / "own", WordEmbedder())
    opened.ingest(BOOK, "book.pdf")
    yield opened
    opened.close()


@pytest.fixture
def book(library):
    (document,) = library.documents()
    return document


def image(data):
    return Image.open(io.BytesIO(data)).convert("RGB")


def test_a_page_is_a_png_of_the_width_that_was_asked_for(library, book):
    data = library.picture(book.id, 2, width=400)
    assert data.startswith(b"\x89PNG") and image(data).width == pytest.approx(400, abs=1)


def test_the_places_of_a_sentence_are_marked_where_its_letters_stand(library, book):
    passage = library.passages()[0]
    places = library.sentence_rects(passage.id)
    assert len(places) == len(passage.sentences) and all(places)
    ((page, left, top, right, bottom), *_) = places[0]
    plain, marked = (image(library.picture(book.id, 1, marks, 800)) for marks in ((), places[0]))
    box = (int(left * 800), int(top * plain.height), int(right * 800), int(bottom * plain.height))
    yellow = [p for p in marked.crop(box).get_flattened_data() if p[2] < 200 < p[0]]
    dark = [p for p in plain.crop(box).get_flattened_data() if sum(p) < 200]
    assert page == 1 and len(yellow) > 0.5 * (box[2] - box[0]) * (box[3] - box[1]) and dark


def test_marks_on_other_pages_change_nothing(library, book):
    assert library.picture(book.id, 1, [(2, 0.1, 0.1, 0.5, 0.5)]) == library.picture(book.id, 1)


def test_the_same_picture_is_drawn_once(library, book, monkeypatch):
    first = library.picture(book.id, 1)
    monkeypatch.setattr(pictures, "printed_lines", None)
    assert library.picture(book.id, 1) is first


def test_what_is_kept_has_a_bound(home, book, monkeypatch):
    shelf = Shelf(home)
    first, second = shelf.picture(book.id, 1), shelf.picture(book.id, 2)
    monkeypatch.setattr("core.library.library.PICTURES", len(first) + len(second))
    assert shelf.picture(book.id, 1) is first  # now the one used last
    shelf.picture(book.id, 1, width=200)
    assert shelf.picture(book.id, 1) is first and shelf.picture(book.id, 2) is not second
    large = shelf.picture(book.id, 2, width=1800)  # takes more than all that may be kept
    assert len(large) > len(first) + len(second) and shelf.picture(book.id, 2, width=1800) is not large
    shelf.database.close()


@pytest.mark.parametrize("page", [0, 3])
def test_a_page_that_is_not_there_is_refused(library, book, page):
    with pytest.raises(LibraryError, match=f"pages 1 to 2, got {page}"):
        library.picture(book.id, page)


@pytest.mark.parametrize("left", [b"", b"%PDF-1.4 no more"])
def test_a_copy_that_cannot_be_drawn_is_one_sentence(own_library, left):
    with own_library.database.writing() as base:
        base.execute("UPDATE files SET pdf = ?", (left,))
    with pytest.raises(LibraryError, match=r"^Page 1 of book\.pdf cannot be drawn; [^.]*\.$"):
        own_library.picture(own_library.documents()[0].id, 1)


def test_the_raw_text_of_a_page_is_that_of_the_file(library, book):
    assert library.raw_page(book.id, 2).strip() == "A prism splits light."
    with pytest.raises(LibraryError, match="pages 1 to 2, got 3"):
        library.raw_page(book.id, 3)
    with pytest.raises(LibraryError, match="holds no document"):
        library.raw_page("unknown", 1)


def test_places_are_kept_when_the_library_is_opened_again(library, home, book):
    places = [library.sentence_rects(p.id) for p in library.passages()]
    library.close()
    again = Library(home, library.embedder)
    assert [again.sentence_rects(p.id) for p in again.passages()] == places
    again.close()


def test_places_of_what_is_gone_are_refused(own_library):
    (passage, *_), (book,) = own_library.passages(), own_library.documents()
    own_library.remove(book.id)
    for ask in (lambda: own_library.sentence_rects(passage.id), lambda: own_library.picture(book.id, 1)):
        with pytest.raises(LibraryError, match="holds no"):
            ask()
