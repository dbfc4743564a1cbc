"""What a page shows and nobody reads is told; an empty page is no loss; a footnote is neither lost nor spliced in."""

import io

import pytest
from PIL import Image, ImageDraw

from core.library.documents import Document, Loss, loss_sentences, losses_of
from core.library.ingestion import without_furniture
from core.library.passages import sentences_of
from core.pdf.page import Page
from pages.components.library.documents import rows
from tests.support.drawn_pages import column, read_back, sheet


def scan():
    picture = Image.new("RGB", (600, 800), "white")
    for place in range(8):
        ImageDraw.Draw(picture).rectangle((60, 60 + 40 * place, 500, 72 + 40 * place), fill="black")
    out = io.BytesIO()
    picture.save(out, "png")
    return out


def second(draw):
    """Two pages, the second one drawn by `draw`."""
    pdf = sheet()
    column(
        pdf, 72, 72, "The valley lies between hills.", "Goats graze there.", "Snow covers the passes.", "It is cold."
    )
    pdf.add_page()
    draw(pdf)
    return [read_back(pdf, 1), read_back(pdf, 2)]


def rectangle_letters(pdf):
    for place in range(60):
        pdf.rect(72 + 6 * (place % 20), 100 + 14 * (place // 20), 5, 9, style="F")


LOST = {
    "a scan": lambda pdf: pdf.image(scan(), 0, 0, 595, 842),
    "a small picture": lambda pdf: pdf.image(scan(), 100, 100, 150, 200),
    "letters that are drawn": rectangle_letters,
}
KEPT = {
    "an empty page": lambda pdf: None,
    "a rule alone": lambda pdf: pdf.line(72, 60, 520, 60),
    "a page of text": lambda pdf: column(pdf, 72, 72, "The second page has text."),
    "text and a picture": lambda pdf: (column(pdf, 72, 72, "It has text."), pdf.image(scan(), 100, 200, 150, 200)),
}


@pytest.mark.parametrize("name", LOST)
def test_a_page_that_shows_something_and_has_no_text_is_a_loss(name):
    pages = second(LOST[name])
    assert losses_of(pages, without_furniture(pages)) == (Loss("no text", 2, 1),)


@pytest.mark.parametrize("name", KEPT)
def test_a_page_that_shows_nothing_or_has_text_is_none(name):
    pages = second(KEPT[name])
    assert losses_of(pages, without_furniture(pages)) == ()


def test_every_count_of_a_page_is_told_with_its_page():
    page = Page(number=4, width=595, height=842, lines=(), sideways=2, uncoded=1, loose_tables=1)
    assert loss_sentences(losses_of([page], [page])) == [
        "2 lines set at a slant on page 4 were not read; look there before you rely on an answer",
        "1 letter on page 4 was stored only as shapes and not read; export the file again with its fonts, "
        "or run OCR on it",
        "1 table on page 4 was not read, so no row of it is quoted; look it up on the page",
    ]


@pytest.mark.parametrize(
    ("pages", "named"),
    [((2,), "page 2 has"), ((2, 3), "pages 2 and 3 have"), ((1, 2, 5), "pages 1, 2 and 5 have"),
     (tuple(range(1, 12)), "pages 1, 2, 3, 4, 5, 6, 7, 8 and 3 more have")],
)  # fmt: skip
def test_pages_without_text_are_named_with_what_to_do(pages, named):
    (sentence,) = loss_sentences([Loss("no text", page, 1) for page in pages])
    assert sentence.startswith(f"{named} no text") and "run OCR on" in sentence


@pytest.mark.parametrize("kind", ["no text", "sideways", "uncoded", "tables"])
def test_the_table_never_says_100_per_cent_of_what_lost_something(kind):
    known = {"id": "a", "name": "a.pdf", "pages": 2, "passages": 1, "added": "2026-01-01T00:00:00", "sentences": 40}
    whole, lossy = Document(**known), Document(**known, losses=(Loss(kind, 2, 1),))
    shown = rows((whole, lossy))
    assert shown["Text quality"][0] == 100 and shown["Text quality"][1] < 98 and shown["Could not be read"][1]


def footed(notes, *, size=8, onward="meadows beside the river. They stay there until April.", top=780):
    pdf = sheet()
    column(
        pdf, 72, 72, "The long valley lies between two ranges of hills that rise in the far north.",
        "In winter the herders of the upper valley walk down with their goats to the long",
    )  # fmt: skip
    pdf.set_font("Helvetica", size=size)
    column(pdf, 72, top, *notes, leading=size + 2)
    pdf.add_page()
    pdf.set_font("Helvetica", size=10)
    column(pdf, 72, 72, onward, "Then they climb up to the hills again.")
    return [(s.kind, s.text) for s in sentences_of([read_back(pdf, 1), read_back(pdf, 2)])]


NOTES = {
    "a star": (["* The herders speak a language of their own."], {}),
    "two lines": (["* The herders speak a language of their own", "that nobody else knows."], {}),
    "a number": (["1 The herders speak a language of their own."], {}),
    "two notes": (["* The herders speak a language of their own.", "** It is very old."], {}),
    "the size of the text": (["* The herders speak a language of their own."], {"size": 10}),
    "a name goes on": (["* The herders speak well."], {"onward": "Suli meadows by the river. It is warm there."}),
}


@pytest.mark.parametrize("name", NOTES)
def test_a_sentence_goes_on_over_a_footnote_which_is_a_part_of_its_own(name):
    notes, layout = NOTES[name]
    found = footed(notes, **layout)
    onward = layout.get("onward", "meadows beside the river. They").split(".")[0]
    opened = "In winter the herders of the upper valley walk down with their goats to the long"
    assert ("prose", f"{opened} {onward}.") in found
    assert " ".join(text for kind, text in found if kind == "footnote") == " ".join(notes)


def test_the_last_line_of_a_page_is_no_footnote_without_a_mark():
    assert all(kind != "footnote" for kind, _ in footed(["The herders speak a language of their own."]))
