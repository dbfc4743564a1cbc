"""Which gaps part words: what is seen decides, not the spaces of the file."""

import pytest

from core.pdf.glyphs import Glyph
from core.pdf.spacing import parted


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
    return ["".join(g.text for g in part) for part in parted(set_letters(text, gaps, **style), 10)]


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
