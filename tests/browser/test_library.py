"""The main actions on the library in a browser."""

import base64
import io
import time

import numpy as np
import pytest
from PIL import Image

from tests.support.browser import settle
from tests.support.pdfs import chapter, long_chapter

WUG = "A wug is a small bird that sings in the morning. It builds its nest from dry grass and feathers."
_DROP = """files => {
    const dropped = new DataTransfer();
    for (const {name, data} of files)
        dropped.items.add(new File([Uint8Array.from(atob(data), c => c.charCodeAt(0))], name));
    for (const kind of ['dragover', 'drop'])
        document.querySelector('h1').dispatchEvent(
            new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: dropped}));
}"""
TWO_PASSAGES = " ".join(f"The wug number {n} sang a song of {n} notes in the morning of day {n}." for n in range(14))


@pytest.fixture
def library(opened):
    """The Library page as a new visitor sees it."""
    return ready(opened("library"))


def ready(page):
    """Wait until files can be dropped on the Library page."""
    page.get_by_role("combobox", name="Find a document").wait_for()
    page.wait_for_function("document.dropAnywhere", polling=50)
    settle(page)
    return page


def drop(page, **files):
    """Drop files on the title of the page, far from the upload box."""
    page.evaluate(_DROP, [{"name": f"{n}.pdf", "data": base64.b64encode(d).decode()} for n, d in files.items()])


TITLES = "[data-testid=stDataFrame] [aria-colindex='1'][role=gridcell]"
"""Selector of the cells with the titles of the documents."""


def rows(page):
    """The titles in the table of documents, after waiting until it is drawn."""
    names = page.locator(TITLES)
    names.first.wait_for(state="attached")
    return names.all_text_contents()


def row_of(page, name):
    """The row of a document in the table, after waiting until it is listed."""
    page.locator(TITLES, has_text=name).wait_for(state="attached")
    settle(page)
    return rows(page).index(name)


def cell(page, row, column):
    return page.locator(f"#glide-cell-{column}-{row}").text_content()


def find(page, name):
    page.get_by_role("combobox", name="Find a document").fill(name)
    page.get_by_role("option", name=name).click()
    settle(page)


def open_found(page, name):
    find(page, name)
    page.locator(".st-key-open-picked button").click()
    page.get_by_text(f"{name}").first.wait_for()
    picture(page)


def remove(page, name):
    find(page, name)
    page.get_by_role("button", name="Remove", exact=True).click()
    page.get_by_role("button", name="Yes, remove it").click()
    page.locator(TITLES, has_text=name).wait_for(state="detached")
    settle(page)


def picture(page):
    """The picture of the shown page as an array, after waiting until it is loaded."""
    image = page.locator(".st-key-page_picture img")
    image.wait_for()
    page.wait_for_function("document.querySelector('.st-key-page_picture img').naturalWidth > 0", polling=50)
    settle(page)
    data = page.request.get(page.evaluate("document.querySelector('.st-key-page_picture img').src")).body()
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def marked(array):
    """A mask of the coloured pixels in the picture of a black and white page."""
    return array.max(-1) - array.min(-1) > 60


def test_three_files_are_dropped_at_once_and_the_bad_one_is_reported(library):
    drop(library, wug=chapter([WUG]), bad=b"this is no PDF", long=long_chapter(240))
    library.get_by_text("pages indexed").wait_for()
    library.get_by_text("bad.pdf is no PDF file, whatever its name says; choose a PDF file.").wait_for()
    library.get_by_text("wug.pdf was added: 1 page, 1 passage.").wait_for()
    library.get_by_text("long.pdf was added: 240 pages").wait_for()
    for name in ("Wug", "Long"):
        row_of(library, name)
    assert "Bad" not in rows(library)
    library.get_by_role("button", name="Dismiss").click()
    for name in ("Wug", "Long"):
        remove(library, name)
    assert not {"Wug", "Long"} & set(rows(library))


def test_a_file_that_is_too_large_is_reported_and_not_sent(library):
    library.evaluate(
        """() => {
            const file = new File(['%PDF-'], 'huge.pdf'), dropped = new DataTransfer();
            Object.defineProperty(File.prototype, 'size', {get() { return 3e8; }});
            dropped.items.add(file);
            document.querySelector('h1').dispatchEvent(
                new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: dropped}));
        }"""
    )
    library.get_by_text("huge.pdf has 300.0 MB, at most 100 are read; add it in parts.").wait_for()
    assert "Huge" not in rows(library)


@pytest.mark.long
def test_a_reload_keeps_a_running_upload_and_stop_leaves_nothing_of_it(library):
    drop(library, endless=long_chapter(900))
    library.get_by_text("endless.pdf: ").wait_for()
    library.reload()
    ready(library)
    line = library.get_by_text("endless.pdf: ")
    line.wait_for()
    assert line.count() == 1
    library.get_by_role("button", name="Stop", exact=True).click()
    library.get_by_text("endless.pdf was cancelled; nothing of it was kept.").wait_for()
    settle(library)
    assert "Endless" not in rows(library)
    library.reload()
    assert "Endless" not in rows(ready(library))


def test_a_document_is_read_by_keyboard_and_a_chosen_passage_is_marked(library):
    drop(library, marks=chapter([TWO_PASSAGES, WUG, "A blick is a stone that rolls."]))
    library.get_by_text("marks.pdf was added").wait_for()
    open_found(library, "Marks")
    everything = picture(library)
    buttons = library.get_by_role("button", name="Mark", exact=True)
    buttons.first.click()
    library.get_by_text("Page 1: the chosen passage is marked").wait_for()
    first = picture(library)
    assert 0 < marked(first).sum() < marked(everything).sum()
    library.get_by_role("button", name="Mark", exact=True).last.click()
    settle(library)
    last = picture(library)
    assert marked(last).any() and not (marked(first) & marked(last)).all()
    assert np.argwhere(marked(first))[:, 0].min() < np.argwhere(marked(last))[:, 0].min()
    number = library.get_by_label("Page", exact=True)
    assert number.input_value() == "1"
    for key, page in (("ArrowRight", "2"), ("ArrowRight", "3"), ("ArrowLeft", "2")):
        library.keyboard.press(key)
        library.get_by_text(f"Page {page}: ").wait_for()
        settle(library)
        assert number.input_value() == page
    number.fill("1")
    number.press("Enter")
    library.get_by_text("Page 1: ").wait_for()
    library.get_by_text("Raw", exact=True).click()
    library.locator("[data-testid=stText]").wait_for()
    library.get_by_role("button", name="All documents").click()
    remove(library, "Marks")


def test_class_and_subject_are_edited_in_place_and_an_invalid_edit_is_reverted(library):
    drop(library, typed=chapter([WUG]))
    row, class_, subject = row_of(library, "Typed"), 4, 5
    for column, typed, kept in ((class_, "13", ""), (class_, "9", "9"), (subject, "<b>Birds</b>", "<b>Birds</b>")):
        write(library, row, column, typed)
        if typed != kept:
            library.get_by_text("The class of typed.pdf must be from 1 to 12, got 13.").wait_for()
        wait_for_cell(library, row, column, kept)
    library.reload()
    row = row_of(ready(library), "Typed")
    assert [cell(library, row, c) for c in (class_, subject)] == ["9", "<b>Birds</b>"]
    remove(library, "Typed")


def write(page, row, column, text):
    """Type into a cell of the table by keyboard: arrow keys, Enter, the text, Enter."""
    box = page.locator("[data-testid=stDataFrame] canvas").first.bounding_box()
    page.mouse.click(box["x"] + 120, box["y"] + 35 * (row + 1) + 17)  # focus the title of the document
    for place in range(column + 1):
        page.locator(f"#glide-cell-{place}-{row}[aria-selected=true]").wait_for(state="attached")
        page.keyboard.press("ArrowRight" if place < column else "Enter")
    field = page.locator("#portal input, #portal textarea").first
    field.fill(text)
    page.wait_for_timeout(300)  # the table accepts the text after a moment
    field.press("Enter")
    settle(page)


def wait_for_cell(page, row, column, text):
    end = time.monotonic() + 30
    while cell(page, row, column) != text:
        assert time.monotonic() < end, f"the cell holds {cell(page, row, column)!r}, not {text!r}"
        page.wait_for_timeout(100)
