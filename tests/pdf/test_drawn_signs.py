"""Signs that a page draws as rules: a minus, the bar of a fraction, a line through words; other rules are none."""

from pathlib import Path

import pytest

from core.library.passages import sentences_of
from core.pdf.opened_file import opened_file
from core.pdf.read import page_at
from tests.pdf.lettered import file_of, read, shown
from tests.support.drawn_pages import column, read_back, sheet

CASES = Path(__file__).parents[3] / "shared" / "data" / "cases"


def said(pdf):
    return " ".join(s.text for s in sentences_of([read_back(pdf)]))


def struck(text, part, *, height=3.0, thick=0.5, longer=0.0):
    """A line of text with a rule `height` points above the baseline of one part of it."""
    pdf = sheet()
    column(pdf, 72, 100, text, "Goats graze there.")
    start = 72 + pdf.get_string_width(text[: text.index(part)])
    pdf.rect(start - longer, 100 - height, pdf.get_string_width(part) + 2 * longer, thick, style="F")
    return pdf


@pytest.mark.parametrize(
    ("text", "part", "rest"),
    [
        ("The dam is 40 metres high.", "The dam is 40 metres high.", ""),
        ("It was built by Hari Rao Meera Sen.", "Hari Rao", "It was built by Meera Sen."),
        ("The lake is 12 14 metres deep.", "12", "The lake is 14 metres deep."),
        ("It is not deep.", "not", "It is deep."),
    ],
)
@pytest.mark.parametrize("thick", [0.3, 1.2])
def test_struck_words_are_gone_and_counted(text, part, rest, thick):
    pdf = struck(text, part, thick=thick)
    assert said(pdf) == f"{rest} Goats graze there.".strip()
    assert read_back(pdf).hidden == sum(not c.isspace() for c in part)


@pytest.mark.parametrize("layout", [{"height": -1.0}, {"height": 8.5}, {"longer": 40.0}, {"thick": 4.0}])
def test_an_underline_an_overline_a_drawing_and_a_bar_strike_nothing(layout):
    pdf = struck("The dam is 40 metres high.", "40 metres", **layout)
    assert said(pdf).startswith("The dam is 40 metres high.")


def marked(*signs, text="The air is at", number="12 degrees."):
    """Text, a gap with rules (left, top, right above the baseline) and a number."""
    pdf = sheet()
    column(pdf, 72, 100, text)
    end = 72 + pdf.get_string_width(text)
    column(pdf, end + 9.5, 100, number)
    for left, height, right in signs:
        pdf.rect(end + left, 100 - height, right - left, 0.6, style="F")
    return said(pdf)


def test_a_drawn_minus_is_read():
    assert marked((3.5, 3, 8.5)) == "The air is at −12 degrees."
    assert marked((3.5, 3, 8.5), text="from", number="5 to 9.") == "from −5 to 9."


@pytest.mark.parametrize("sign", [(3.5, -1, 8.5), (3.5, 7.5, 8.5), (6.5, 3, 8.0)])
def test_a_rule_at_another_height_or_too_short_is_no_minus(sign):
    assert marked(sign) == "The air is at 12 degrees."


def test_a_rule_before_words_or_at_an_axis_is_no_minus():
    assert marked((3.5, 3, 8.5), number="zero.") == "The air is at zero."
    assert marked((3.5, 3, 8.5), text="") == "12 degrees."


def divided(above, below, *, before="Asha planted", after="of it.", size=7):
    """A fraction with a bar between two pieces of a line."""
    pdf = sheet()
    column(pdf, 72, 100, before)
    left = 72 + pdf.get_string_width(before) + 3
    pdf.set_font_size(size)
    width = max(pdf.get_string_width(text) for text in (above, below)) + 2
    column(pdf, left + 1, 95.5, above)
    column(pdf, left + 1, 104.5, below)
    pdf.rect(left, 96.7, width, 0.6, style="F")
    pdf.set_font_size(10)
    column(pdf, left + width + 3, 100, after)
    return said(pdf)


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        ({"above": "3", "below": "4"}, "Asha planted 3/4 of it."),
        ({"above": "10", "below": "30"}, "Asha planted 10/30 of it."),
        ({"above": "7", "below": "100"}, "Asha planted 7/100 of it."),
        ({"above": "1", "below": "2", "before": "The jug holds 2", "after": "litres."}, "The jug holds 2 1/2 litres."),
        ({"above": "5", "below": "6", "after": ""}, "Asha planted 5/6"),
    ],
)
def test_a_fraction_of_numbers_is_one_word(layout, text):
    assert divided(**layout) == text


def test_letters_over_letters_are_no_fraction():
    assert "/" not in divided("km", "h", before="The speed is 5", after="on roads.")


def test_numbers_of_a_sum_over_a_rule_are_no_fraction():
    pdf = sheet()
    column(pdf, 100, 100, "12", "30", "42")
    pdf.rect(95, 114, 20, 0.6, style="F")
    assert "/" not in said(pdf)


@pytest.mark.parametrize("gap", [3.5, 4.2, 6.0])
def test_words_stay_apart_where_only_a_gap_parts_them(gap):
    """Without a sign for the space, pdfium itself sees the gap."""
    content, left = b"", 60.0
    for word, width in (("The", 22.67), ("wheel", 33.33), ("of", 10.01), ("teak", 24.01)):
        content += shown(word, left=round(left), size=12)
        left = round(left) + width + gap
    assert [line.text for line in read(file_of(content)).lines] == ["The wheel of teak"]


CASE_TEXTS = {
    "101_no_space_signs": ["If the owner of the mill died, half of it fell to his wife.",
                           "The wheel of the mill was made of teak."],
    "106_drawn_minus": ["In February the temperature at Karu falls to −9 degrees Celsius."],
    "107_stacked_fractions": ["Ravi planted 10/30 of the field with beans.", "The jug holds 2 1/2 litres of milk.",
                              "Asha planted 3/4 of her field with wheat, and the rest with peas."],
    "116_struck_out": ["The dam is 45 metres high.", "Its wall was planned by Meera Sen."],
    "105_form_fields": ["The bridge of Karu was built by Hari Rao in 1880.", "The band had fourteen drums."],
    "110_hidden_layer": ["The lake of Karu was dug by farmers in 1889."],
}  # fmt: skip
NOT_QUOTED = {
    "101_no_space_signs": "ofKaru", "106_drawn_minus": "falls to 9", "107_stacked_fractions": "¹⁰",
    "116_struck_out": "40 metres", "105_form_fields": "\0", "110_hidden_layer": "soldiers",
}  # fmt: skip


@pytest.mark.parametrize("name", CASE_TEXTS)
@pytest.mark.skipif(not CASES.is_dir(), reason="the cases are not beside the project")
def test_the_cases(name):
    import pypdfium2

    data = (CASES / f"{name}.pdf").read_bytes()
    texts = [s.text for s in sentences_of([page_at(pypdfium2.PdfDocument(data), 0, file=opened_file(data))])]
    assert not [text for text in CASE_TEXTS[name] if text not in texts]
    assert NOT_QUOTED[name] not in " ".join(texts)
