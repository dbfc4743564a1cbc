"""The Library page: add, list, edit, read and remove documents."""

import json
import time

import pytest
from streamlit.testing.v1 import AppTest

from core.book_titles import book
from core.errors import UserError
from core.library import Shelf, library_documents
from core.library.passages import document_of
from pages.components.library.documents import ask_about
from pages.components.library.ingest_jobs import shared_intake
from pages.components.shared import session, session_values
from pages.components.shared.resources import _open_explorer
from pages.components.shared.safe_display import plain
from tests.support.app_pages import PATIENCE, ROOT, State, document, drawn_elements, press, word
from tests.support.pdfs import chapter

LIBRARY = "pages/library.py"
SAMPLE = json.loads((ROOT / "data/sample/library.json").read_text("utf-8"))
WUG = "A wug is a small bird that sings. "
HOSTILE = "<script>alert(1)</script> **bold** $x^2$ [a](javascript:alert(1)) :material/home: :red[x] www.a.in"


@pytest.fixture
def library(app, explorer):
    """The library of the app, with the page open; documents that a test adds are removed again."""
    before = {d.id for d in explorer.library.documents()}
    library_page(app)
    yield explorer.library
    for added in explorer.library.documents():
        if added.id not in before:
            explorer.library.remove(added.id)


def library_page(at):
    at.switch_page(LIBRARY).run()
    assert not at.exception
    return at


def listed(at):
    return list(at.dataframe[0].value["File"])


def drop(at, library, *files):
    """Drop files (name and bytes) and wait until all of them have ended."""
    at.file_uploader[0].set_value([(name, data, "application/pdf") for name, data in files]).run()
    end, intake = time.monotonic() + PATIENCE, shared_intake(str(library.home))
    while intake.busy:
        assert time.monotonic() < end, "the files did not end"
        time.sleep(0.05)
    at.run()
    assert not at.exception


def lines(at):
    """The lines of the files that have ended."""
    icons = (":material/check_circle:", ":material/cancel:", ":material/stop_circle:")
    return [m.value.replace("\\", "").partition("] ")[2] for m in at.markdown if any(i in m.value for i in icons)]


def opened(at, id_, page=1):
    at.selectbox(key="picked document").set_value(id_).run()
    at.button(key="open picked").click().run()
    if page > 1:
        at.number_input(key="reading page").set_value(page).run()
    assert not at.exception
    return at


def pictures(at):
    """The addresses of the pictures on the page; different pictures have different addresses."""
    return [url for image in at.get("image") for url in image.value]


def test_the_sample_is_listed_with_class_and_subject(app):
    table = library_page(app).dataframe[0].value
    for column, key in (("File", "file"), ("Class", "class_number"), ("Subject", "subject")):
        assert list(table[column]) == [entry[key] for entry in SAMPLE]
    assert (table["Passages"] > 0).all() and (table["Pages"] > 0).all()


def test_a_pdf_is_added_once_and_a_bad_file_shows_one_sentence(app, library):
    good = ("gesc112.pdf", chapter([WUG]))
    drop(app, library, ("bad.pdf", b"no pdf"), good)
    assert lines(app) == [
        "bad.pdf is no PDF file, whatever its name says; choose a PDF file.",
        "gesc112.pdf was added: 1 page, 1 passage.",
    ]
    added = next(d for d in library.documents() if d.name == "gesc112.pdf")
    assert (added.class_number, added.subject) == (7, "Science")
    drop(app, library, good)
    assert "already" in lines(app)[-1]
    assert listed(app).count("gesc112.pdf") == 1


def test_the_lines_are_cleared_and_a_redraw_adds_nothing_again(app, library):
    drop(app, library, ("wug.pdf", chapter([WUG])))
    assert not app.file_uploader[0].value
    app.run()
    assert len(lines(app)) == 1 and listed(app).count("wug.pdf") == 1
    press(app, "Dismiss")
    assert lines(app) == []
    assert "wug.pdf" in listed(app)


def test_typed_class_and_subject_take_precedence_over_the_file_name(app, library):
    app.selectbox(key="upload class").set_value(9)
    app.text_input(key="upload subject").set_value("Biology")
    drop(app, library, ("gesc113.pdf", chapter(["A dax is a fish that swims."])))
    added = next(d for d in library.documents() if d.name == "gesc113.pdf")
    assert (added.class_number, added.subject) == (9, "Biology")


def test_another_user_sees_the_new_document_without_its_upload_line(app, library, start):
    drop(app, library, ("wug.pdf", chapter([WUG])))
    other = library_page(start())
    assert "wug.pdf" in listed(other)
    assert lines(other) == []


def test_a_document_is_removed_only_after_confirmation(app, explorer):
    added = explorer.library.ingest(chapter(["A blick is a stone that rolls."]), "blick.pdf").document
    library_page(app)
    app.selectbox(key="picked document").set_value(added.id).run()
    assert any("Remove Blick" in text for text in drawn_elements(app)) and "blick.pdf" in listed(app)
    press(app, "Yes, remove it")
    assert "blick.pdf" not in listed(app) and not any("Take Blick" in text for text in drawn_elements(app))


def test_a_document_is_read_page_by_page(app, explorer):
    with document(explorer, chapter([f"{WUG} Page {n} says so." for n in "abc"]), "leaf.pdf") as added:
        library_page(app)
        opened(app, added.id)
        first = pictures(app)
        assert len(first) == 1 and app.button(key="previous page").disabled
        app.button(key="next page").click().run()
        assert app.number_input(key="reading page").value == 2
        assert pictures(app) != first and "Page b" in "".join(drawn_elements(app))
        app.number_input(key="reading page").set_value(3).run()
        assert "Page c" in "".join(drawn_elements(app)) and app.button(key="next page").disabled
        app.button(key="close").click().run()
        assert "leaf.pdf" in listed(app)


def test_the_open_page_survives_a_visit_to_the_ask_page(app, explorer):
    with document(explorer, chapter([WUG, "A dax is a fish that swims."]), "leaf.pdf") as added:
        library_page(app)
        opened(app, added.id, page=2)
        app.switch_page("pages/ask.py").run()
        library_page(app)
        assert app.number_input(key="reading page").value == 2
        assert "dax" in "".join(drawn_elements(app))


def test_only_the_chosen_passage_is_marked(app, explorer):
    text = "".join(f"The {n} wug sang a song of {n} notes in the quiet morning of the {n} day. " for n in range(12, 24))
    with document(explorer, chapter([text]), "two.pdf") as added:
        library_page(app)
        opened(app, added.id)
        everything = pictures(app)
        marks = [b for b in app.button if (b.key or "").startswith("mark ")]
        assert len(marks) == added.passages > 1
        marks[1].click().run()
        assert pictures(app) != everything
        assert any("chosen passage is marked" in c.value for c in app.caption)
        press(app, "Marked")
        assert pictures(app) == everything


def test_a_page_is_shown_as_mended_and_as_raw_text(app, explorer):
    with document(explorer, chapter(["The won-\nderful wug sings every morn-\ning."]), "hyphens.pdf") as added:
        library_page(app)
        opened(app, added.id)
        assert "wonderful wug" in "".join(drawn_elements(app)) and not app.text
        app.button_group(key="view of the text").set_value("Raw").run()
        assert "won" in app.text[0].value and "wonderful" not in app.text[0].value


def test_badly_read_sentences_are_listed_by_page(app, explorer):
    badly = next(d for d in explorer.library.documents() if d.broken)
    library_page(app)
    opened(app, badly.id)
    app.button_group(key="view of the text").set_value("Not read well").run()
    pages = [
        n for p in explorer.library.passages() if document_of(p.id) == badly.id for n in (p.pages[i] for i in p.broken)
    ]
    app.button(key=f"badly {pages[0]}").click().run()
    assert app.number_input(key="reading page").value == pages[0] and not app.exception


def test_hostile_text_is_escaped(app, explorer):
    with document(explorer, chapter([f"{HOSTILE} {WUG}"]), f"{HOSTILE[:40]}.pdf") as added:
        library_page(app)
        opened(app, added.id)
        everything = drawn_elements(app)
        assert plain(added.name) in "".join(everything)
        app.button_group(key="view of the text").set_value("Raw").run()
        everything += drawn_elements(app)
        assert "<script>" in app.text[0].value  # st.text needs no escaping
    for harm in ("<script>", "**bold**", "$x^2$", "](javascript:", ":material/home:", ":red[x]", "www.a"):
        assert [t for t in everything if harm in t] == []
    assert [m for m in app.markdown if m.allow_html] == []


def test_a_document_removed_meanwhile_shows_one_sentence(app, explorer):
    with document(explorer, chapter([WUG]), "gone.pdf") as added:
        library_page(app)
        opened(app, added.id)
    app.run()
    assert len(app.error) == 1 and "holds no document" in app.error[0].value
    app.button(key="close").click().run()
    assert listed(app) and not app.error


def test_a_new_library_gets_the_sample_and_an_emptied_one_stays_empty(start, sample_home):
    folder = sample_home("new")
    library = _open_explorer(str(folder), "bundled").library
    library.remove(library.documents()[0].id)  # the other documents are already known
    start(folder=folder)
    assert len(library.documents()) == len(SAMPLE)
    for held in library.documents():
        library.remove(held.id)
    at = start(folder=folder)
    assert "library is empty" in at.info[0].value
    assert "upload subject" not in [field.key for field in at.text_input]
    library_page(at)
    assert "library is empty" in at.info[0].value
    assert not at.dataframe
    at.session_state[session.LIBRARY.outcome.key] = [UserError("The document is gone.")]
    at.run()
    shown = drawn_elements(at)
    assert shown.index(at.error[0].value) < shown.index(at.info[0].value)
    _open_explorer.clear(str(folder), "bundled")
    library.close()


def test_a_question_about_a_document_begins_a_conversation_limited_to_it(home, monkeypatch):
    monkeypatch.setenv("GUARDRAIL_HOME", str(home))
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE).run()
    sound = next(d for d in library_documents(home) if d.name == "sound.pdf")
    at.session_state["has visited"] = False  # as for a visitor who opened the library first
    at.switch_page(LIBRARY).run()
    before = at.session_state.to_dict()
    with monkeypatch.context() as pressed:  # AppTest presses no button of a table
        pressed.setattr(session_values.st, "session_state", after := State(before))
        ask_about(Shelf(home), sound.id)
    for key in before.keys() - after.keys():
        del at.session_state[key]
    for key, value in after.items():
        if key not in before or before[key] is not value:
            at.session_state[key] = value
    at.run()
    at.switch_page("pages/ask.py").run()  # AppTest does not follow st.switch_page
    assert not at.exception and word(at) is None
    assert at.session_state["documents"] == ["sound.pdf"]
    assert any(f"Search limited to: {book(sound)}" in c.value.replace("\\", "") for c in at.caption)


def test_a_question_about_a_document_that_is_gone_leaves_one_sentence(home, monkeypatch):
    monkeypatch.setattr(session_values.st, "session_state", {})
    ask_about(Shelf(home), "gone")
    assert ["no document 'gone'" in str(error) for error in session.LIBRARY.outcome.value] == [True]
    assert not session.VISIT.to_ask.value
