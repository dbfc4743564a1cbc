"""What is added to a page is read where the page shows it, and told where it does not; hidden layers are left out."""

import re
import sys
from dataclasses import replace

import pytest

from core.library.documents import Loss, loss_sentences, losses_of
from core.pdf.opened_file import opened_file
from tests.pdf.lettered import read, shown
from tests.support.crafted_pdfs import GOOD, crafted, locked, stream

TEXT = shown("The bridge was opened by a queen.")


def with_added(*annotations, content=TEXT, catalogue=b"", resources=b""):
    """A page of one line with annotations, each without the appearance that would show its text."""
    kids = b" ".join(b"%d 0 R" % (6 + n) for n in range(len(annotations)))
    return crafted(
        b"<</Type/Catalog/Pages 2 0 R%s>>" % catalogue, b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Annots[%s]"
        b"/Resources<</Font<</F 5 0 R>>%s>>>>" % (kids, resources),
        stream(content), b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        *(b"<</Type/Annot/Rect[60 600 300 620]%s>>" % annotation for annotation in annotations),
    )  # fmt: skip


FIELD = b"/Subtype/Widget/FT/Tx/T(a)/V(Built by Hari Rao in 1880.)"
NOTE = b"/Subtype/Text/Contents(The band had fourteen drums.)"


@pytest.mark.parametrize(
    ("annotation", "counts"),
    [
        (FIELD, (1, 0)), (NOTE, (0, 1)), (b"/Subtype/Highlight/Contents(Ask about it.)", (0, 1)),
        (b"/Subtype/Widget/FT/Ch/T(a)/V(granite)", (1, 0)),
        (b"/Subtype/Widget/FT/Tx/T(a)/V()", (0, 0)), (b"/Subtype/Widget/FT/Btn/T(a)/V/Yes", (0, 0)),
        (b"/Subtype/Link/Contents(To page two)", (0, 0)), (b"/Subtype/Popup/Contents(a)", (0, 0)),
        (NOTE + b"/F 2", (0, 0)), (b"/Subtype/Text/Contents(opened by a queen)", (0, 0)),
    ],
)  # fmt: skip
def test_what_is_written_and_not_shown_is_told(annotation, counts):
    page = read(with_added(annotation))
    assert [line.text for line in page.lines] == ["The bridge was opened by a queen."]
    assert (page.unread_fields, page.unread_notes) == counts


def test_a_field_and_a_note_that_the_page_shows_are_read():
    shape = b"/AP<</N 7 0 R>>"
    data = with_added(FIELD + shape)
    appearance = stream(shown("Built by Hari Rao in 1880.", left=2, bottom=4),
                        b"/Type/XObject/Subtype/Form/BBox[0 0 240 20]/Resources<</Font<</F 5 0 R>>>>")  # fmt: skip
    data = crafted(*objects_of(data), appearance)
    page = read(data)
    assert [line.text for line in page.lines] == ["The bridge was opened by a queen.", "Built by Hari Rao in 1880."]
    assert page.unread_fields == 0


def objects_of(data):
    """The objects of a file that `crafted` wrote."""
    return re.findall(rb"\d+ 0 obj\n?(.*?)\n?endobj", data, re.DOTALL)


def test_losses_name_what_was_not_read():
    page = read(with_added(FIELD, NOTE))
    losses = losses_of([page], [page])
    assert losses == (Loss("fields", 1, 1), Loss("notes", 1, 1))
    assert loss_sentences(losses) == [
        "1 form field on page 1 was not read; look there for what is filled in",
        "1 note on page 1 was not read; look there for what is noted",
    ]


def test_a_struck_out_annotation_strikes_its_text():
    quad = b"/Subtype/StrikeOut/QuadPoints[60 712 250 712 60 697 250 697]"
    page = read(with_added(quad, content=TEXT + shown("Goats graze there.", bottom=660)))
    assert [line.text for line in page.lines] == ["Goats graze there."] and page.hidden > 20


@pytest.mark.parametrize(("state", "shown_"), [(b"/ON", True), (b"/OFF", False)])
def test_a_layer_is_read_where_it_is_on(state, shown_):
    layers = b"/OCProperties<</OCGs[6 0 R]/D<</Order[6 0 R]%s[6 0 R]>>>>" % state
    data = with_added(
        b"/Type/OCG/Name(answers)", catalogue=layers, resources=b"/Properties<</M 6 0 R>>",
        content=TEXT + b"/OC /M BDC\n" + shown("It was dug by soldiers.", bottom=660) + b"EMC\n",
    )  # fmt: skip
    data = data.replace(b"/Annots[6 0 R]", b"/Annots[     ]").replace(b"/Type/Annot/Rect[60 600 300 620]", b"")
    page = read(data)
    assert ("It was dug by soldiers." in [line.text for line in page.lines]) is shown_
    assert (page.hidden > 0) is not shown_


def test_a_page_of_a_file_that_pypdf_cannot_read_is_told():
    page = replace(read(with_added()), known=False)
    assert losses_of([page], [page]) == (Loss("added", 1, 1),)


@pytest.mark.parametrize("data", [locked("secret"), b"%PDF-1.4 /Annots and no more", b"/An#6eots"])
def test_a_file_that_pypdf_cannot_open_is_not_known(data):
    file = opened_file(data)
    assert not file.known and file.label(0) == "" and file.annotations(0) == ([], [], [])


def test_a_file_that_names_nothing_that_pypdf_tells_is_not_opened(monkeypatch):
    monkeypatch.setitem(sys.modules, "pypdf", None)  # an import of it would raise
    assert opened_file(GOOD).known
