"""What does not stand on its page as one run of letters is marked, kept, and evidence for nothing."""

from dataclasses import replace

import numpy as np
import pytest

from core.library.passages import passage_from, passage_row, passages_of, sentences_of
from core.retrieval.scoring import bearing
from tests.support.page_lines import line, page, page_with
from tests.support.pdfs import make_pdf


@pytest.fixture
def book(library):
    return library.ingest(make_pdf("Sound needs a medium to travel. It is slow."), "book.pdf").document


def spanned(text, place, first, **style):
    """A line whose words follow each other in the file, the letters of the first being those from `first` on."""
    made, words, at = line(text, place, **style), [], first
    for word in made.words:
        words.append(replace(word, span=(at, at + len(word.text))))
        at += len(word.text)
    return replace(made, words=tuple(words))


def told(*pages):
    return [(s.text, s.whole) for s in sentences_of(pages)]


def test_a_sentence_over_the_ends_of_lines_is_whole():
    one, other = "Sound needs a", "medium to travel. It is slow."
    assert told(page(spanned(one, 0, 0), spanned(other, 1, 11))) == [
        ("Sound needs a medium to travel.", True), ("It is slow.", True),
    ]  # fmt: skip


def test_a_sentence_with_letters_of_the_file_between_its_lines_is_not():
    lines = spanned("Sound needs a", 0, 0), spanned("medium to travel. It is slow.", 1, 30)
    assert told(page(*lines)) == [("Sound needs a medium to travel.", False), ("It is slow.", True)]


def test_a_sentence_over_a_page_break_is_whole_though_its_page_goes_on_with_a_caption():
    caption = spanned("Fig. 10.2 : A bell", 4, 40, size=8.0, italic=True)
    first = page(spanned("A sound of any kind needs a", 0, 0), caption)
    second = page(spanned("medium through which it can travel.", 0, 0), number=2)
    assert ("A sound of any kind needs a medium through which it can travel.", True) in told(first, second)


def test_the_two_halves_of_a_sentence_that_do_not_meet_are_not_whole():
    far = page(line("The slit opens when the air of the lungs"), line("is forced through it.", 9, left=300.0))
    assert told(far) == [("The slit opens when the air of the lungs", False), ("is forced through it.", False)]


def test_a_passage_knows_which_of_its_sentences_are_broken():
    lines = spanned("Sound needs a", 0, 0), spanned("medium to travel. It is slow.", 1, 30)
    (passage,) = passages_of([page(*lines)], document_id="d" * 16, document="a.pdf").passages
    assert passage.broken == (0,) and passage.tells
    assert not replace(passage, broken=(0, 1)).tells


@pytest.mark.parametrize(("broken", "kept"), [((), (0, 1, 2)), ((1,), (2, 3)), ((0, 1, 2, 3), ())])
def test_no_writer_and_no_premise_is_given_a_broken_sentence(broken, kept):
    assert bearing(np.array([-1.0, 0.9, 0.0, -1.0]), broken) == kept


def test_broken_sentences_are_stored_with_their_passage(library, book):
    (passage,) = library.database.passages(book)
    broken = replace(passage, broken=(0,))
    assert passage.broken == () and passage_from(passage.id, passage_row(broken), book) == broken
    assert book.sentences == len(passage.sentences) and book.broken == 0


def test_plain_text_without_a_pdf_is_whole():
    assert all(whole for _, whole in told(*page_with("Sound is slow.\nLight is fast.")))
