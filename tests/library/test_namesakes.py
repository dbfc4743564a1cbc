"""Documents are told apart by class, subject and content: two files of one name stand side by side."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.__main__ import main
from core.book_titles import book, book_title, in_short
from core.case import CaseError, Question, Scope
from core.graph import Explorer
from core.library import Library, LibraryError
from core.question import file_and_suffix, names_document, unknown_documents
from tests.support.fake_models import WordEmbedder
from tests.support.libraries import HEAT, LIGHT, SOUND
from tests.support.pdfs import make_pdf

CASE = Path(__file__).parents[3] / "shared" / "data" / "cases" / "19_same_name"


def names(library):
    return [document.name for document in library.documents()]


def test_files_of_one_name_and_two_classes_are_both_there(library):
    first = library.ingest(LIGHT, "chapter1.pdf", class_number=7).document
    found = library.ingest(SOUND, "chapter1.pdf", class_number=8)
    assert first.name == "chapter1.pdf" and found.replaced is None and found.added
    assert (
        names(library) == ["chapter1.pdf (class 7)", "chapter1.pdf (class 8)"]
        and found.document.name == names(library)[1]
    )
    assert {p.document for p in library.passages()} == set(names(library))
    assert {p.document for p, _ in library.nearest(np.ones(256), 9)} == set(names(library))
    library.remove(first.id)
    assert names(library) == ["chapter1.pdf"] == sorted({p.document for p in library.passages()})


@pytest.mark.parametrize(
    ("old", "new", "held"),
    [
        ({"class_number": 7}, {"class_number": 8}, ["x.pdf (class 7)", "x.pdf (class 8)"]),
        ({"class_number": 7, "subject": "Physics"}, {"class_number": 7, "subject": "Biology"},
         ["x.pdf (class 7, Physics)", "x.pdf (class 7, Biology)"]),
        ({"subject": "Physics"}, {"subject": "Biology"}, ["x.pdf (Physics)", "x.pdf (Biology)"]),
        ({}, {"class_number": 8}, ["x.pdf (class not known)", "x.pdf (class 8)"]),
        ({}, {"subject": "Biology"}, ["x.pdf (class not known)", "x.pdf (Biology)"]),
        ({"class_number": 7}, {"class_number": 7, "subject": "Biology"}, ["x.pdf (class 7)", "x.pdf (class 7, Biology)"]),
        ({"class_number": 7, "subject": "Science (NCERT)"}, {"class_number": 7, "subject": "Maths"},
         ["x.pdf (class 7, Science NCERT)", "x.pdf (class 7, Maths)"]),
        ({"class_number": 7}, {"class_number": 7}, ["x.pdf"]),
        ({"class_number": 7, "subject": "Physics"}, {"class_number": 7}, ["x.pdf"]),
        ({"class_number": 7, "subject": "Physics"}, {"subject": " physics "}, ["x.pdf"]),
        ({"class_number": 7, "subject": "Physics"}, {}, ["x.pdf"]),
        ({}, {}, ["x.pdf"]),
    ],
)  # fmt: skip
def test_only_the_same_class_and_subject_are_replaced(library, old, new, held):
    first = library.ingest(LIGHT, "x.pdf", **old).document
    found = library.ingest(SOUND, "X.pdf" if len(held) == 1 else "x.pdf", **new)
    assert [n.casefold() for n in names(library)] == [n.casefold() for n in held]
    assert found.replaced == (first if len(held) == 1 else None)


def test_the_name_of_ncert_says_class_and_subject(library):
    library.ingest(LIGHT, "jemh105.pdf")
    found = library.ingest(SOUND, "jemh105.pdf", class_number=9, subject="Mathematics")
    assert names(library) == ["jemh105.pdf (class 10, Mathematics)", "jemh105.pdf (class 9, Mathematics)"]
    again = library.ingest(HEAT, "jemh105.pdf")  # nothing is given: its name says class 10
    assert again.replaced and again.replaced.class_number == 10 and len(library.documents()) == 2
    assert found.document in library.documents()


def test_a_file_that_could_replace_two_documents_is_refused_and_both_stay(library):
    for data, number in ((LIGHT, 7), (SOUND, 8)):
        library.ingest(data, "chapter1.pdf", class_number=number)
    before = library.documents()
    with pytest.raises(
        LibraryError, match=r"a new version of chapter1\.pdf \(class 7\), chapter1\.pdf \(class 8\); give"
    ):
        library.ingest(HEAT, "chapter1.pdf")
    assert library.documents() == before
    assert library.ingest(HEAT, "chapter1.pdf", class_number=8).replaced == before[1]
    assert library.ingest(LIGHT, "chapter1.pdf").document == library.documents()[0]  # the same bytes are known


def test_three_of_a_name_and_a_file_of_another_name(library):
    for data, number in ((LIGHT, 6), (SOUND, 7), (HEAT, 8)):
        library.ingest(data, "unit.pdf", class_number=number, subject="Science")
    library.ingest(make_pdf("Iron rusts in moist air."), "unit (class 7).pdf", class_number=7, subject="Science")
    assert names(library) == [*(f"unit.pdf (class {n}, Science)" for n in (6, 7, 8)), "unit (class 7).pdf"]


def test_no_correction_makes_two_documents_one(library):
    first = library.ingest(LIGHT, "x.pdf", class_number=7, subject="Physics").document
    second = library.ingest(SOUND, "x.pdf", class_number=8, subject="Physics").document
    with pytest.raises(
        LibraryError, match=r"holds another x\.pdf \(class 7, Physics\); give this one a different class"
    ):
        library.amend(second.id, class_number=7, subject="physics", chapter="3")
    assert names(library) == ["x.pdf (class 7, Physics)", "x.pdf (class 8, Physics)"]
    amended = library.amend(second.id, class_number=9, subject="Physics", chapter="3")
    assert amended.name == "x.pdf (class 9, Physics)" and amended == library.document(second.id)
    library.remove(first.id)
    assert names(library) == ["x.pdf"]  # no name of a list is written into the library


def test_a_scope_names_one_of_them_or_both(library):
    for data, number in ((LIGHT, 7), (SOUND, 8)):
        library.ingest(data, "chapter1.pdf", class_number=number)

    def found(*documents, class_number=None):
        scope = Scope(documents=documents, class_number=class_number)
        return {p.class_number for p, _ in library.nearest(np.ones(256), 9, scope)}

    assert found("chapter1.pdf (class 7)") == {7} == found("Chapter1 (Class 7)") == found("chapter1", class_number=7)
    assert found("chapter1.pdf") == {7, 8} == found("chapter1") == found("chapter1 (class 7)", "chapter1.pdf (class 8)")
    assert found("chapter1.pdf (class 9)") == set()
    explorer = Explorer.__new__(Explorer)
    explorer.library = library
    for name in ("chapter1", "chapter1.pdf", "chapter1.pdf (class 8)", "CHAPTER1 (class 7)"):
        explorer.require_documents(Question(query="?", scope=Scope(documents=(name,))))
    with pytest.raises(CaseError, match=r"holds chapter1\.pdf \(class 7\), chapter1\.pdf \(class 8\)\."):
        explorer.require_documents(Question(query="?", scope=Scope(documents=("chapter1.pdf (class 9)",))))


def test_titles_tell_them_apart(library):
    for data, number in ((LIGHT, 7), (SOUND, 8)):
        library.ingest(data, "chapter1.pdf", class_number=number)
        library.ingest(data + b"\n", "jesc110.pdf", class_number=number, subject="Science")
    passages = library.passages()
    assert len({book(p) for p in passages}) == 4 == len({book_title(p.document) for p in passages})
    assert {book_title(d.name) for d in library.documents()} >= {"Chapter1 (class 7)", "Chapter1 (class 8)"}
    assert in_short(passages[0]) == "Chapter1 (class 7)" and book(library.documents()[1]).startswith("Science, class 7")


@pytest.mark.parametrize(
    ("name", "document", "meant"),
    [
        ("notes (1).pdf", "notes (1).pdf", True), ("notes (1)", "notes (1).pdf", True), ("notes", "notes (1).pdf", False),
        ("notes.pdf", "notes.pdf (class 7)", True), ("notes.pdf (class 7)", "notes.pdf (class 7)", True),
        ("notes (class 7)", "notes.pdf (class 7)", True), ("notes.pdf (class 8)", "notes.pdf (class 7)", False),
        ("NOTES  (Class 7)", "notes.pdf (class 7)", True), ("note", "notes.pdf (class 7)", False), ("", "notes.pdf", False),
        ("notes.pdf (class 7, Science)", "notes.pdf (class 7)", False), ("(a)", "(a)", True), ("", "(a)", False),
    ],
)  # fmt: skip
def test_who_writes_a_name_means_a_document(name, document, meant):
    assert names_document(name, document) is meant
    assert unknown_documents([name], [document]) == ([] if meant else [name])


@given(st.text(max_size=60))
def test_a_name_comes_in_two_whatever_it_is(name):
    assert "".join(file_and_suffix(name)) == name and names_document(name, name)


@pytest.mark.skipif(not CASE.is_dir(), reason="the cases lie beside the project, and are not here")
def test_the_two_chapters_of_the_case_are_both_in_the_library(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("core.command.commands.bundled_embedder", WordEmbedder)
    for number in (7, 8):
        file = str(CASE / f"class{number}" / "chapter1.pdf")
        assert main(["ingest", file, "--class-number", str(number), "--home", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("chapter1.pdf: added as chapter1.pdf (class 8): ")
    library = Library(tmp_path, WordEmbedder())
    assert names(library) == ["chapter1.pdf (class 7)", "chapter1.pdf (class 8)"]
    library.close()
