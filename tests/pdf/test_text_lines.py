"""Letters become lines of words, whatever spaces the file has."""

import pytest

from core.pdf.glyphs import Glyph, readable
from core.pdf.text_lines import split_run
from tests.support.drawn_pages import column, read_back, sheet, texts


def spread(pdf, left, top, text, gap):
    """Each letter on its own, `gap` points from the last one; a space only moves on."""
    for letter in text:
        if letter != " ":
            pdf.text(left, top, letter)
        left += pdf.get_string_width(letter) + gap


def test_words_are_parted_by_what_is_seen():
    pdf = sheet()
    pdf.text(50, 50, "sound")
    pdf.text(50 + pdf.get_string_width("sound") + 3, 50, "travels")
    pdf.text(50, 80, "agri")
    pdf.text(50 + pdf.get_string_width("agri"), 80, "culture")
    assert texts(pdf) == ["sound travels", "agriculture"]


def test_a_space_that_is_not_seen_parts_no_word():
    pdf = sheet()
    pdf.text(50, 50, "agri ")
    pdf.text(50 + pdf.get_string_width("agri"), 50, "culture")
    assert texts(pdf) == ["agriculture"]


def test_letter_spaced_words_of_a_heading_are_whole():
    pdf = sheet()
    spread(pdf, 50, 50, "GROUP WORK", 8)
    pdf.text(50, 80, "P o l i t i c s")
    assert texts(pdf) == ["GROUP", "WORK", "Politics"]


def test_a_heading_printed_five_times_to_look_bold_is_read_once():
    pdf = sheet()
    for step in range(5):
        pdf.text(50 + 0.2 * step, 50, "Jute and cotton")
    for step in range(5):
        pdf.text(50 + 0.2 * step, 80, "J")
    for step in range(5):
        pdf.text(50 + pdf.get_string_width("J") + 0.2 * step, 80, "ute")
    assert texts(pdf) == ["Jute and cotton", "Jute"]


def test_the_same_word_twice_on_a_line_stays_twice():
    pdf = sheet()
    pdf.text(50, 50, "had had that that 11 11")
    assert texts(pdf) == ["had had that that 11 11"]


def test_powers_are_raised_and_indices_read_on():
    pdf = sheet()
    pdf.text(50, 50, "3 x 10")
    at = 50 + pdf.get_string_width("3 x 10")
    pdf.set_font_size(6)
    pdf.text(at, 46, "8")
    pdf.set_font_size(10)
    pdf.text(at + 10, 50, "m in H")
    end = at + 10 + pdf.get_string_width("m in H")
    pdf.set_font_size(6)
    pdf.text(end, 52, "2")
    pdf.set_font_size(10)
    pdf.text(end + 4, 50, "O")
    assert texts(pdf) == ["3 x 10⁸ m in H2O"]


def test_pieces_of_a_line_that_the_file_holds_apart_meet():
    pdf = sheet()
    pdf.text(50, 50, "The")
    pdf.text(50, 62, "It vibrates.")
    pdf.text(103, 50, "makes sound.")
    pdf.set_font("Helvetica", "B", 10)
    pdf.text(70, 50, "larynx")
    assert texts(pdf) == ["The larynx makes sound.", "It vibrates."]


@pytest.mark.parametrize("slant", [12, -12, 20])
def test_slanted_letters_stay(slant):
    """A font without an italic face is slanted; a "not" that is lost turns a sentence into its opposite."""
    pdf = sheet()
    pdf.text(72, 100, "Plants do")
    with pdf.skew(ax=slant, ay=0, x=120, y=100):
        pdf.text(120, 100, "not")
    pdf.text(140, 100, "make food at night.")
    assert texts(pdf) == ["Plants do not make food at night."]


def test_bullets_are_bullets_whatever_letter_stands_for_them():
    pdf = sheet()
    for place, (left, item) in enumerate(((66, "milk turns sour"), (66, "iron rusts"), (74, "far from its bullet"))):
        pdf.set_font("ZapfDingbats", size=8)
        pdf.text(50, 50 + 14 * place, "n")
        pdf.set_font("Helvetica", size=10)
        pdf.text(left, 50 + 14 * place, item)
    assert texts(pdf) == ["• milk turns sour", "• iron rusts", "• far from its bullet"]


@pytest.mark.parametrize("code", [0x6E, 0x83, 0xC6, 0xF06E])
def test_a_letter_of_a_font_of_signs_is_a_bullet_also_in_the_upper_half(code):
    assert readable(code, "bxtabj+wingdings-regular") == "•"


def test_greek_letters_and_signs_of_a_symbol_font_are_read_as_such():
    pdf = sheet()
    pdf.set_font("Symbol", size=10)
    pdf.text(50, 50, "abc = D")
    assert [t.replace("∆", "Δ") for t in texts(pdf)] == ["αβχ = Δ"]


def test_a_large_first_letter_returns_to_its_word():
    pdf = sheet()
    column(pdf, 80, 50, "ow do you know that a bell rings?", "You hear it.")
    pdf.set_font_size(36)
    pdf.text(52, 64, "H")
    assert texts(pdf) == ["How do you know that a bell rings?", "You hear it."]


@pytest.mark.parametrize(("style", "bold", "italic"), [("", False, False), ("B", True, False), ("I", False, True)])
def test_a_line_knows_how_it_is_set(style, bold, italic):
    pdf = sheet()
    pdf.set_font("Helvetica", style, 14)
    pdf.text(50, 50, "What we have learnt")
    (line,) = read_back(pdf).lines
    assert (line.bold, line.italic) == (bold, italic) and 12 < line.size < 17
    assert line.top < 50 < line.bottom and line.left == pytest.approx(50, abs=1)


def set_letters(text, gaps, **style):
    """Letters of 10 points, 5 wide; "|" is a space of the file; gaps: before each letter but the first."""
    letters, at, space = [], 0.0, False
    for sign in text:
        if sign == "|":
            space = True
            continue
        at += gaps[len(letters) - 1] if letters else 0
        look = {"bold": False, "italic": False, "font": "times", **style}
        letters.append(
            Glyph(text=sign, left=at, right=at + 5, top=0, bottom=10, baseline=8, size=10, space=space, **look)
        )
        at, space = at + 5, False
    return letters


def words(text, gaps, **style):
    return ["".join(g.text for g in part) for part in split_run(set_letters(text, gaps, **style), 10)]


@pytest.mark.parametrize(
    ("text", "gaps", "style", "expected"),
    [
        ("to|be", (0, 3, 0), {}, ["to", "be"]),
        ("tobe", (0, 3, 0), {}, ["to", "be"]),
        ("to|be", (0, 0.1, 0), {}, ["tobe"]),
        ("tobe", (0, 1.5, 0), {}, ["tobe"]),
        ("of|a", (0, -0.9), {"italic": True}, ["of", "a"]),
        ("of|a", (0, -0.9), {}, ["of", "a"]),
        ("नि|क", (0, -0.9), {}, ["नि", "क"]),
        ("NOTE", (4, 4, 4), {}, ["NOTE"]),
        ("N|O|T|E|S", (4, 4, 4, 4), {}, ["NOTES"]),
        ("DOIT", (4, 8, 4), {}, ["DO", "IT"]),
    ],
)
def test_words_are_parted_where_a_gap_is_seen(text, gaps, style, expected):
    assert words(text, gaps, **style) == expected


def test_words_know_their_place_among_the_letters_of_the_file():
    pdf = sheet()
    pdf.text(50, 50, "A bell")
    pdf.text(50, 62, "rings.")
    assert [word.span for line in read_back(pdf).lines for word in line.words] == [(0, 1), (1, 5), (5, 11)]


def test_a_word_whose_letters_the_file_holds_apart_has_none():
    pdf = sheet()
    pdf.text(50, 50, "wa")
    pdf.text(50, 80, "below")
    pdf.text(50 + pdf.get_string_width("wa"), 50, "ter")
    (water,), _ = (line.words for line in read_back(pdf).lines)
    assert water.text == "water" and water.span == (0, 0)
