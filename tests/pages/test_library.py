"""The Library page: documents come in, are listed, and go out when asked twice."""

import shutil

from pages.components.explorer import _opened
from tests.pages.conftest import press
from tests.pages.pdf import chapter

LIBRARY = "pages/library.py"


def library_page(at):
    at.switch_page(LIBRARY).run()
    assert not at.exception
    return at


def listed(at):
    return list(at.dataframe[0].value["Document"])


def test_the_sample_is_listed_with_class_and_subject(app):
    table = library_page(app).dataframe[0].value
    assert list(table["Document"]) == ["arithmetic_progressions.pdf", "nutrition_in_plants.pdf", "sound.pdf"]
    assert list(table["Class"]) == [10, 7, 8]
    assert (table["Passages"] > 0).all() and (table["Pages"] > 0).all()


def test_a_pdf_is_added_once_and_a_bad_file_is_one_sentence(app, explorer):
    library_page(app)
    good = ("gesc112.pdf", chapter(["A wug is a small bird that sings."]), "application/pdf")
    app.file_uploader[0].set_value([good, ("bad.pdf", b"no pdf", "application/pdf")]).run()
    press(app, "Add to the library")
    assert [m.value.replace("\\", "") for m in app.success] == ["gesc112.pdf was added: 1 pages, 1 passages."]
    assert len(app.error) == 1 and "bad" in app.error[0].value
    added = next(d for d in explorer.library.documents() if d.name == "gesc112.pdf")
    try:
        assert (added.class_number, added.subject) == (7, "Science")
        app.file_uploader[0].set_value([good]).run()
        press(app, "Add to the library")
        assert "already" in app.info[0].value
        assert listed(app).count("gesc112.pdf") == 1
    finally:
        explorer.library.remove(added.id)


def test_what_a_person_says_of_a_file_goes_before_its_name(app, explorer):
    library_page(app)
    app.selectbox(key="upload class").set_value(9)
    app.text_input(key="upload subject").set_value("Biology")
    app.file_uploader[0].set_value([("gesc113.pdf", chapter(["A dax is a fish."]), "application/pdf")]).run()
    press(app, "Add to the library")
    added = next(d for d in explorer.library.documents() if d.name == "gesc113.pdf")
    explorer.library.remove(added.id)
    assert (added.class_number, added.subject) == (9, "Biology")


def test_a_document_goes_only_when_asked_twice(app, explorer):
    added = explorer.library.ingest(chapter(["A blick is a stone."]), "blick.pdf").document
    library_page(app)
    app.selectbox(key="to remove").set_value(added.id).run()
    press(app, "Remove")
    assert "blick" in app.warning[0].value
    press(app, "Keep it")
    assert not app.warning and "blick.pdf" in listed(app)
    press(app, "Remove")
    press(app, "Yes, remove it")
    assert "blick.pdf" not in listed(app)
    assert not app.warning


def test_a_new_library_gets_the_sample_and_an_emptied_one_stays_empty(start, home, tmp_path):
    start(folder=tmp_path)
    library = _opened(str(tmp_path), "bundled").library
    assert len(library.documents()) == 3
    for document in library.documents():
        library.remove(document.id)
    at = start(folder=tmp_path)
    assert "library is empty" in at.info[0].value
    assert not at.text_input
    library_page(at)
    assert "library is empty" in at.info[0].value
    assert not at.dataframe
    _opened.clear(str(tmp_path), "bundled")
    library.close()
    shutil.rmtree(tmp_path, ignore_errors=True)
