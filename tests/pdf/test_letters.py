"""Ligatures are read whole, and letters that nobody can tell are counted and never passed over."""

from pathlib import Path

import pytest

from core.library.passages import sentences_of
from core.pdf.page import UNCODED
from tests.pdf.lettered import file_of, page_of, read, shown, texts
from tests.support.crafted_pdfs import crafted, stream
from tests.support.drawn_pages import sheet
from tests.support.drawn_pages import texts as drawn_texts

CASES = Path(__file__).parents[3] / "shared" / "data" / "cases"
LIGATURES = {"1": "fi", "2": "fl", "3": "ff", "4": "ffi", "5": "ffl", "6": "Th", "7": "tt", "8": "ct"}
real = pytest.mark.skipif(not CASES.is_dir(), reason="the cases do not lie beside the project")


def case(name):
    return read((CASES / name).read_bytes())


def told(page):
    return [(s.text, s.whole) for s in sentences_of([page])]


@pytest.mark.parametrize(
    ("drawn", "read_as"),
    [
        ("The o4cer dries his co3ee.", "The officer dries his coffee."),
        ("A 1sh 2oats in the pool.", "A fish floats in the pool."),
        ("The wa5e is su4ciently crisp.", "The waffle is sufficiently crisp."),
        ("6e di3erence is a3ected.", "The difference is affected."),
        ("6is bo7le is le7ered.", "This bottle is lettered."),
        ("Fa8s 1t the 1gure.", "Facts fit the figure."),
        ("Stu3 o3 the sta3.", "Stuff off the staff."),
        ("ba5ed ru4an", "baffled ruffian"),
        ("1", "fi"),
        ("4 4 4", "ffi ffi ffi"),
        ("re2ect re2ect re2ect", "reflect reflect reflect"),
    ],
)
def test_a_ligature_is_all_of_its_letters(drawn, read_as):
    assert texts(page_of(drawn, codes=LIGATURES)) == [read_as]


def test_the_letters_of_a_ligature_share_its_place():
    page = page_of("a4b cd", codes=LIGATURES)
    first, second = page.lines[0].words
    assert (first.text, first.span, second.span) == ("affib", (0, 5), (5, 7)) and first.right < second.left


def test_a_ligature_printed_twice_to_look_bold_is_read_once():
    content = b"".join(shown("The o4cer", left=60 + step, marks=LIGATURES) for step in (0, 0, 0))
    assert texts(read(file_of(content, LIGATURES))) == ["The officer"]


def test_a_letter_printed_over_itself_is_read_once():
    pdf = sheet()
    for step in (0, 0.3):
        pdf.text(50 + step, 50, "An oak is off.")
    assert drawn_texts(pdf) == ["An oak is off."]


def test_letters_that_one_operator_prints_over_themselves_are_read_once():
    content = b"BT /F 12 Tf 60 700 Td [(f) 278 (f) (e) 556 (e) (w) 722 (w)] TJ ET"
    assert texts(read(file_of(content))) == ["few"]


@pytest.mark.parametrize("code", ["\0", "\ufffe", "\ufffd"])
@pytest.mark.parametrize("drawn", ["The 1sh swims.", "A brown 1sh swims.", "Fish li1 near the bed.", "It swims 1."])
def test_a_glyph_without_a_code_breaks_its_sentence_alone(drawn, code):
    page = page_of(f"The pond is deep. {drawn} It is cold.", codes={"1": code})
    assert page.uncoded == 1
    assert told(page) == [
        ("The pond is deep.", True), (drawn.replace("1", UNCODED), False), ("It is cold.", True),
    ]  # fmt: skip


def test_a_sentence_over_two_lines_is_broken_by_a_glyph_in_either():
    page = page_of("The reeds are tall. The 1sh swims in", "the deep pond. It is cold.", codes={"1": "\0"})
    assert [whole for _, whole in told(page)] == [True, False, True]


def test_a_line_of_which_hardly_a_letter_is_known_is_left_out_and_counted():
    page = page_of("The pond is deep.", "1111 11a1", codes={"1": "\0"})
    assert texts(page) == ["The pond is deep."] and page.uncoded == 7


def test_a_blank_glyph_without_a_code_is_no_letter():
    content = shown("The pond") + b"BT /F 12 Tf 3 Tr 120 700 Td (\xc0) Tj ET"
    page = read(file_of(content, {"1": "\0"}))
    assert page.uncoded == 0 and texts(page) == ["The pond"]


@pytest.mark.parametrize(
    ("code", "letter"),
    [("\uf761", "a"), ("\uf77a", "z"), ("\uf731", "1"), ("\uf739", "9"), ("\uf001", "fi"), ("\uf002", "fl")],
)
def test_a_private_code_that_adobe_or_apple_names_is_its_letter(code, letter):
    assert [t.lower() for t in texts(page_of("old x1y seen", codes={"1": code}))] == [f"old x{letter}y seen"]


def test_an_unknown_private_code_is_a_letter_in_a_font_of_letters_only():
    assert page_of("The r1ver is deep.", codes={"1": "\ue123"}).uncoded == 1
    assert page_of("1 1", codes={"1": "\ue123"}).uncoded == 0


def test_a_character_beyond_the_first_plane_is_one_letter():
    assert texts(page_of("the value of 1 here", codes={"1": "\U0001d465"})) == ["the value of x here"]


@real
def test_the_wide_ligatures_of_the_cases():
    assert " ".join(texts(case("01_ligatures_wide_font.pdf"))) == (
        "The officer drank coffee. The effect differs. A fine flower grew in the field. "
        "It is difficult. The waffle is sweet."
    )
    assert "A fine flower grew in the field." in " ".join(texts(case("01b_ligatures_times.pdf")))


@real
def test_ligatures_without_a_code_break_their_sentences():
    page = case("02_ligature_maps_to_nul.pdf")
    assert page.uncoded == 5 and told(page) and not any(whole for _, whole in told(page))


HEIGHTS = [(718, -207), (1069, -293), (1500, -600), (400, -100)]


def in_heights(lines):
    """A page whose lines are set in parts of one font that say different heights; each line is a text and heights."""
    names = {heights: b"/F%d" % n for n, heights in enumerate(HEIGHTS)}
    content = b"".join(
        shown(text, bottom=700 - 18 * n).replace(b"/F ", names[heights] + b" ")
        for n, (text, heights) in enumerate(lines)
    )
    fonts = b"".join(b"%s %d 0 R" % (name, 5 + 2 * n) for n, name in enumerate(names.values()))
    objects = []
    for n, (ascent, descent) in enumerate(HEIGHTS):
        widths = b" ".join([b"500"] * 224)
        objects += [
            b"<</Type/Font/Subtype/TrueType/BaseFont/ABCDE%c+Made/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 255"
            b"/Widths[%s]/FontDescriptor %d 0 R>>" % (65 + n, widths, 6 + 2 * n),
            b"<</Type/FontDescriptor/FontName/ABCDE%c+Made/Flags 34/Ascent %d/Descent %d/ItalicAngle 0/CapHeight 700"
            b"/StemV 80/FontBBox[0 %d 1000 %d]>>" % (65 + n, ascent, descent, descent, ascent),
        ]  # fmt: skip
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<<%s>>>>>>" % fonts
    return read(crafted(
        b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>", page, stream(content), *objects,
    ))  # fmt: skip


def test_lines_of_one_size_have_one_size_whatever_height_their_font_says():
    lines = [f"This is line {n} of a text that goes on." for n in range(8)]
    made = in_heights([(text, HEIGHTS[n % 4]) for n, text in enumerate(lines)])
    assert {(line.size, round(line.bottom - line.top, 1)) for line in made.lines} == {(12.0, 12.0)}


def test_a_paragraph_whose_lines_are_set_in_two_parts_of_a_font_is_read_as_one():
    texts = ("The region suffered from a lack of water, year after", "year, until the people of the village dug", "long ditches "
             "and kept the rain. They were not paid for it but", "did it for all.")  # fmt: skip
    made = in_heights([(text, HEIGHTS[n % 2]) for n, text in enumerate(texts)])
    first = (
        "The region suffered from a lack of water, year after year, until the people of the village dug long ditches"
    )
    assert told(made) == [
        (f"{first} and kept the rain.", True),
        ("They were not paid for it but did it for all.", True),
    ]
