"""What a page does not show is not read, and is counted."""

import io

import pytest
from PIL import Image

from tests.support.drawn_pages import read_back, sheet

SAID = "Sound needs a medium."
LIE = "Sound needs nothing."


def both(hide):
    """What is read of a page that says one thing, and has another written into it by `hide`."""
    pdf = sheet()
    pdf.text(50, 50, SAID)
    hide(pdf)
    page = read_back(pdf)
    return [line.text for line in page.lines], page.hidden


def unseen(pdf):
    with pdf.local_context(text_mode="INVISIBLE"):
        pdf.text(50, 80, LIE)


def white(pdf):
    pdf.set_text_color(255, 255, 255)
    pdf.text(50, 80, LIE)


def tiny(pdf):
    pdf.set_font_size(1.5)
    pdf.text(50, 80, LIE)


def off(pdf):
    pdf.text(50, 1200, LIE)


def painted_over(pdf):
    pdf.text(50, 80, LIE)
    pdf.set_fill_color(255, 255, 255)
    pdf.rect(40, 65, 300, 25, style="F")


def under_a_bar(pdf):
    pdf.text(50, 80, LIE)
    pdf.rect(40, 65, 300, 25, style="F")


@pytest.mark.parametrize("hide", [unseen, white, tiny, off, painted_over, under_a_bar])
def test_hidden_letters_are_left_out_and_counted(hide):
    assert both(hide) == ([SAID], len(LIE.replace(" ", "")))


def test_white_letters_on_a_dark_bar_are_seen():
    def bar(pdf):
        pdf.set_fill_color(20, 40, 120)
        pdf.rect(40, 65, 300, 25, style="F")
        white(pdf)

    assert both(bar) == ([SAID, LIE], 0)


def test_what_is_written_over_a_cover_is_read_and_what_it_covers_is_not():
    def written_over(pdf):
        pdf.text(50, 80, "NOTHING")
        pdf.set_fill_color(255, 255, 255)
        pdf.rect(40, 65, 300, 25, style="F")
        pdf.text(50, 80, LIE)

    assert both(written_over) == ([SAID, LIE], len("NOTHING"))


def test_letters_are_seen_through_what_lies_over_them_thinly():
    def veiled(pdf):
        pdf.text(50, 80, LIE)
        with pdf.local_context(fill_opacity=0.3):
            pdf.rect(40, 65, 300, 25, style="F")

    assert both(veiled) == ([SAID, LIE], 0)


def test_the_text_of_a_scan_is_seen_in_its_picture():
    def scanned(pdf):
        picture = Image.effect_noise((300, 100), 90)
        out = io.BytesIO()
        picture.save(out, "png")
        pdf.image(out, 40, 60, 300, 100)
        unseen(pdf)

    assert both(scanned) == ([SAID, LIE], 0)
