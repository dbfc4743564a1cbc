"""Parts of the Library page: the table, details of a document, its passages and marks."""

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from xml.etree.ElementTree import fromstring

import pandas as pd
import pytest

from core.errors import UserError
from core.library import Document
from core.library.passages import marks_of
from core.presentation.library_rows import details, distinct_names
from pages.components.ask.page_beside import pages_of, picture_title
from pages.components.library.documents import _columns, _save_edits, edited_fields, rows
from pages.components.library.ingest_jobs import shared_intake
from pages.components.library.page_reader import around, page_sentences
from pages.components.library.upload import _refuse_too_large
from pages.components.shared import session_values
from pages.components.shared.page_picture import PageLabel, labels_html
from pages.components.shared.session import LIBRARY
from tests.support.cases import passage

THREE = "The first one. The second one. The third one"
PLACES = (((1, 0.1, 0.8, 0.9, 0.9),), ((1, 0.1, 0.9, 0.9, 1.0), (2, 0.1, 0.1, 0.9, 0.2)), ())


def held(n=0, **about):
    about = {"name": f"{n}.pdf", "pages": 9, "passages": 4, "added": datetime.now(UTC).isoformat()} | about
    return Document(id=f"{n:016x}", **about)


def test_the_table_has_a_row_for_each_of_many_documents():
    table = rows(tuple(held(n, class_number=n % 12 + 1, subject="Science") for n in range(500)))
    assert len(table) == 500 and table["File"].is_unique
    assert set(table.columns) == set(_columns(None, ()))


def test_an_unknown_value_is_an_empty_editable_cell():
    table = rows((held(),))
    assert table[["Class", "Subject", "Chapter"]].isna().all(axis=None) and table["Title"].tolist() == ["0"]
    assert pd.api.types.is_integer_dtype(table["Class"]) and pd.api.types.is_string_dtype(table["Subject"])


def test_a_correction_changes_only_the_edited_fields():
    document = held(class_number=10, subject="Science", chapter="3")
    assert edited_fields(document, {}) == {"title": "", "class_number": 10, "subject": "Science", "chapter": "3"}
    assert edited_fields(document, {"Title": " The  Eye "})["title"] == "The Eye"
    assert edited_fields(document, {"Subject": "  Physics \n I "})["subject"] == "Physics I"
    assert edited_fields(document, {"Class": None, "Chapter": None}) == {
        "title": "", "class_number": None, "subject": "Science", "chapter": "",
    }  # fmt: skip


class Shelf:
    """A library of one document."""

    def __init__(self, **about):
        self.one = held(**about)

    def documents(self):
        return (self.one,)

    def document(self, id_):
        assert id_ == self.one.id
        return self.one

    def amend(self, id_, **fields):
        if fields["class_number"] > 12:
            raise UserError("The class must be from 1 to 12.")
        self.one = replace(self.document(id_), **fields)


def test_only_new_cells_are_saved_and_a_refused_one_is_reverted(monkeypatch):
    monkeypatch.setattr(session_values.st, "session_state", state := {})
    library = Shelf(class_number=7)

    def edit(cells):
        state[LIBRARY.table.key] = {"edited_rows": {0: cells}}
        _save_edits(library)
        return library.one.class_number, library.one.subject

    LIBRARY.drawn.value = library.documents()
    assert edit({"Subject": "Science"}) == (7, "Science")
    assert LIBRARY.drawn.value == library.documents()  # the table is not renewed
    library.one = replace(library.one, subject="Physics")
    assert edit({"Subject": "Science", "Class": 8}) == (8, "Physics")  # the older edit is not saved again
    LIBRARY.drawn.value = library.documents()
    assert edit({"Class": 13}) == (8, "Physics") and len(LIBRARY.outcome.value) == 1
    assert LIBRARY.drawn.value != library.documents()


def test_the_title_of_the_page_counts_before_the_file_name():
    table = rows((held(name="jesc110.pdf", title="The Human Eye"), held(1, name="jesc111.pdf")))
    assert table["Title"].tolist() == ["The Human Eye", "jesc111.pdf"]


def test_documents_that_would_have_one_name_are_told_apart():
    known = {"class_number": 8, "chapter": "3"}
    documents = [
        held(0, name="hess303.pdf", subject="Social Science", **known),
        held(1, name="hess403.pdf", subject="Social Science", **known),
        held(2, name="heso103.pdf", title="Agriculture", subject="Geography", **known),
        held(3, name="heso203.pdf", title="Agriculture", subject="Economics", **known),
        held(4, name="sound.pdf"),
    ]
    names = list(distinct_names(documents).values())
    assert len(set(names)) == 5 and names[-1] == "Sound"
    assert "hess403.pdf" in names[1] and names[2:4] == [
        "Agriculture, chapter 3 · class 8, Geography",
        "Agriculture, chapter 3 · class 8, Economics",
    ]


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ({}, "9 pages · 4 passages"),
        ({"class_number": 7, "subject": "Science", "chapter": "2", "pages": 1},
         "class 7 · Science · 1 page · 4 passages"),
    ],
)  # fmt: skip
def test_the_known_details_of_a_document_are_listed(known, text):
    assert details(held(**known)) == text


def test_a_page_has_the_passages_that_begin_on_it_or_reach_into_it():
    found = [passage(THREE, n, pages=pages) for n, pages in enumerate([(1, 1, 1), (2, 2, 3), (4, 4, 4), (5, 5, 5)])]
    assert [p.pages for p in around(found, 3)] == [(2, 2, 3)]
    assert [p.pages for p in around(found, 4)] == [(2, 2, 3), (4, 4, 4)]


def test_a_passage_shows_only_its_sentences_of_the_page_and_where_the_others_are():
    over_two = passage(THREE, pages=(2, 3, 4))
    text = page_sentences(over_two, 3)
    assert "The second one" in text and "first" not in text and "third" not in text
    assert "from page 2" in text and "on page 4" in text
    assert "page" not in page_sentences(passage(THREE, pages=(3, 3, 3)), 3)


def test_an_exercise_is_marked_as_such_and_its_text_is_escaped():
    asks = passage("Find **the** sum <b>of</b> all", kind="exercise")
    assert "is not evidence" in page_sentences(asks, 1)
    assert "**the**" not in page_sentences(asks, 1) and "<b>" not in page_sentences(asks, 1)
    assert "is not evidence" not in page_sentences(passage(THREE), 1)


def test_a_badly_read_sentence_is_marked():
    text = page_sentences(replace(passage(THREE), broken=(1,)), 1)
    assert text.count("not read well") == 1 and text.index("second") < text.index("not read well") < text.index("third")
    assert "not read well" not in page_sentences(passage(THREE), 1)


def test_a_document_states_how_much_was_read_well_and_what_was_left_out():
    assert details(held(sentences=40, broken=2, hidden=9)).endswith(
        "38 of 40 sentences read well · 9 invisible letters left out"
    )
    table = rows((held(sentences=40, broken=2), held(1)))
    assert table["Text quality"][0] == 95 and pd.isna(table["Text quality"][1])


def test_only_the_chosen_sentences_are_marked():
    assert marks_of(PLACES, [0]) == ((1, 0.1, 0.8, 0.9, 0.9),)
    assert [m[0] for m in marks_of(PLACES, [1, 2])] == [1, 2]
    assert marks_of((), [0, 1]) == ()


def test_a_sentence_over_a_page_break_offers_both_pages():
    p = passage(THREE, pages=(1, 1, 2))
    assert pages_of(p, [1], marks_of(PLACES, [1])) == [1, 2]
    assert pages_of(p, [0], marks_of(PLACES, [0])) == [1]


def test_a_sentence_without_a_known_position_is_on_its_first_page():
    p = passage(THREE, pages=(1, 1, 2))
    assert pages_of(p, [2], marks_of(PLACES, [2])) == [2]
    assert pages_of(p, [], ()) == [1]


@pytest.mark.parametrize(
    ("count", "decided", "said"),
    [
        (1, True, "the sentence compared with the answer is highlighted"), (3, True, "the 3 sentences compared with the answer are highlighted"),
        (1, False, "the sentence relevant to the question is highlighted"), (2, False, "the 2 sentences relevant to the question are highlighted"),
        (0, True, "the position of the sentence is not known"),
    ],
)  # fmt: skip
def test_a_picture_has_a_title_with_its_content(count, decided, said):
    assert picture_title(count, decided) == said


def test_a_label_is_in_the_nearer_margin_of_its_page():
    across, column = (1, 0.1, 0.2, 0.9, 0.25), (1, 0.1, 0.5, 0.45, 0.52)
    labels = [
        PageLabel(rects=(across, (2, 0.1, 0.1, 0.9, 0.2)), text="S1 supported", look="entailment"),
        PageLabel(rects=(column,), text="S2 <b>", look="contradiction"),
        PageLabel(rects=((2, 0.1, 0.1, 0.9, 0.2),), text="S3 unclear", look="neutral"),
    ]
    first, second = fromstring(labels_html(labels, 1)).findall("span")
    assert (first.get("class"), first.get("style"), first.text) == (
        "entailment",
        "top:20.0%;left:90.0%",
        "S1 supported",
    )
    assert (second.get("style"), second.text) == ("top:50.0%;right:90.0%", "S2 <b>")


def test_labels_of_lines_that_touch_stand_below_each_other():
    lines = [(1, 0.1, top, 0.9, top + 0.01) for top in (0.312, 0.3, 0.3, 0.6)]
    labels = [PageLabel(rects=(line,), text=str(n), look="entailment") for n, line in enumerate(lines)]
    far = PageLabel(rects=((1, 0.1, 0.3, 0.4, 0.31),), text="other margin", look="entailment")
    found = [(s.text, s.get("style").partition(";")[0]) for s in fromstring(labels_html([*labels, far], 1))]
    assert sorted(found) == [
        ("0", "top:35.0%"), ("1", "top:30.0%"), ("2", "top:32.5%"), ("3", "top:60.0%"), ("other margin", "top:30.0%"),
    ]  # fmt: skip


def test_a_file_that_the_browser_reports_as_too_large_is_listed_as_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(session_values.st, "session_state", {})
    library = SimpleNamespace(home=tmp_path)
    for state in ({}, {"too_large": None}, {"too_large": [{"name": "a.pdf", "size": 3e8}]}):
        LIBRARY.drop_area.value = state
        _refuse_too_large(library)
    (upload,) = shared_intake(str(tmp_path)).uploads()
    assert upload.state == "refused" and upload.sentence.startswith("a.pdf has 300.0 MB, at most")
    assert LIBRARY.uploads.value == [upload.number]
