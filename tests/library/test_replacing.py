"""A changed PDF takes the place of the old one, and what is said of a document can be corrected."""

import numpy as np
import pytest

from core.library import Library, LibraryError, clashes
from tests.support.libraries import LIGHT, SOUND, files


def test_another_pdf_of_the_same_name_replaces_the_first(library, home):
    first = library.ingest(LIGHT, "Chapter.pdf", class_number=7, subject="Physics").document
    found = library.ingest(SOUND, "chapter.PDF", chapter=4)
    assert found.added and found.replaced == first and library.documents() == (found.document,)
    assert [p.text for p in library.passages()] == ["Sound needs a medium. A drum vibrates."]
    assert len(files(home)) == 4 and len(library.nearest(np.ones(256), 9)) == 1
    assert (found.document.class_number, found.document.subject, found.document.chapter) == (7, "Physics", "4")


def test_a_bad_file_replaces_nothing(library):
    first = library.ingest(LIGHT, "chapter.pdf").document
    with pytest.raises(LibraryError):
        library.ingest(LIGHT[:300], "chapter.pdf")
    assert library.documents() == (first,) and len(library.passages()) == first.passages


def test_the_old_bytes_replace_the_new_ones_again(library):
    for data in (LIGHT, SOUND, LIGHT, SOUND):
        found = library.ingest(data, "chapter.pdf")
        assert found.added and library.documents() == (found.document,)
        assert {p.document for p, _ in library.nearest(np.ones(256), 9)} == {"chapter.pdf"}


def test_the_same_pdf_read_in_another_way_replaces_itself(home, embedder):
    with_long = Library(home, embedder)
    first = with_long.ingest(LIGHT, "light.pdf", subject="Physics").document
    with_long.close()
    with_short = Library(home, embedder, words=5)
    found = with_short.ingest(LIGHT, "other.pdf")
    assert found.replaced == first and with_short.documents() == (found.document,)
    assert len(with_short.passages()) == 3 and found.document.subject == "Physics"
    with_short.close()


def test_class_and_subject_are_corrected_in_place(library):
    document = library.ingest(LIGHT, "jesc110.pdf").document
    before, version = library.passages(), library.version
    amended = library.amend(document.id, class_number=None, subject="  Social   Science ", chapter=" 12 ")
    assert (amended.class_number, amended.subject, amended.chapter) == (None, "Social Science", "12")
    assert library.documents() == (amended,) and library.version != version
    assert [(p.id, p.text, p.subject, p.class_number) for p in library.passages()] == [
        (p.id, p.text, "Social Science", None) for p in before
    ]
    assert library.nearest(np.ones(256), 3)[0][0].chapter == "12"


def test_what_cannot_be_right_is_not_written(library):
    document = library.ingest(LIGHT, "light.pdf").document
    with pytest.raises(LibraryError, match=r"class of light\.pdf must be from 1 to 12, got 0"):
        library.amend(document.id, class_number=0, subject="", chapter="")
    with pytest.raises(LibraryError, match="holds no document"):
        library.amend("unknown", class_number=1, subject="", chapter="")
    assert library.documents() == (document,)


def test_files_of_one_name_in_a_batch_are_told_apart():
    names = ["a.pdf", "x/B.pdf", "b.pdf", "c.pdf", "B.PDF", "A.pdf"]
    data = [LIGHT, SOUND, SOUND, LIGHT, LIGHT, LIGHT]
    read = []

    def bytes_of(place):
        read.append(place)
        return data[place]

    found = clashes(names, bytes_of)
    assert found == {
        4: "B.PDF comes twice in this batch with different content, and only the first one is added; "
        "rename the other one and add it again."
    }
    assert 3 not in read  # a name that comes once is not read


def test_files_of_different_names_are_all_fine():
    assert clashes(["a.pdf", "b.pdf"], [LIGHT, SOUND].__getitem__) == {} == clashes([], [].__getitem__)
